"""What each pass is for: every pass that was ever seen has a line of its own."""

from __future__ import annotations

import re

import pytest

from core.readers import open_trace
from core.readers.akg_order import FIRST, GIVEN, recorded_order
from core.trace import Pass
from core.views.about import About, about, descriptions
from tests.conftest import PROJECT

COMPILERS = sorted(path.stem for path in (PROJECT / "data" / "passes").glob("*.json"))
TRACES = sorted((PROJECT / "data" / "traces").glob("*.zip"))


def step(name: str, stage: str = "lowering", argument: str = "") -> Pass:
    return Pass(0, stage, "", 1, name, 0, None, 0, 0, False, "text", None, "ok", argument)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_line_is_one_short_sentence_of_its_own(compiler):
    known = descriptions(compiler)
    assert len(known) > 100
    for name, said in known.items():
        assert said.what.endswith("."), name
        assert said.what[0].isupper(), name
        assert 20 <= len(said.what) <= 160, name
        assert said.what == " ".join(said.what.split()), name
        assert said.source == "" or re.fullmatch(r"[\w./+-]+\.(cc|cpp|h|td|py|inc)", said.source), (
            name
        )
    twice = [what for what in {s.what for s in known.values()} if count(known, what) > 1]
    assert twice == []


def count(known, what: str) -> int:
    return sum(said.what == what for said in known.values())


def test_every_pass_of_every_recorded_trace_is_described():
    unknown, seen = set(), set()
    for path in TRACES:
        trace = open_trace(path).trace
        for one in trace.passes:
            seen.add((trace.compiler.name, one.name))
            if about(trace.compiler.name, one) is None:
                unknown.add((trace.compiler.name, one.stage, one.name, one.argument))
    print(f"{len(seen)} passes in {len(TRACES)} traces")
    assert len(seen) > 200
    assert unknown == set()


def test_every_pass_in_the_order_table_is_described():
    names = {
        (stage, name)
        for (stage, before, after), ways in recorded_order().items()
        for name in (before, after, *(way.removesuffix(GIVEN) for way in ways))
        if name != FIRST
    }
    assert len(names) > 150
    assert {n for n in names if about("akg", step(n[1], n[0])) is None} == set()


def test_one_name_may_mean_two_things():
    whole, merged = step("Origin", "composite"), step("Origin", "merge")
    assert about("akg", whole) != about("akg", merged)
    assert about("akg", step("Origin", "elsewhere")) is None


def test_a_pass_inside_another_that_is_printed_first_says_whose_work_it_shows():
    for name, argument in (("CSE", "cse"), ("Canonicalizer", "canonicalize")):
        inside = about("ascendnpu-ir", step(name, "adapter", argument))
        assert inside is not None and "TritonToLinalg" in inside.what
        assert inside != about("ascendnpu-ir", step(name, "hivm", argument))


def test_known_by_its_argument_or_by_its_class():
    by_argument = about("ascendnpu-ir", step("AnyClass", "hivm", "hivm-plan-memory"))
    assert by_argument == about("ascendnpu-ir", step("PlanMemory", "hivm"))
    assert by_argument is not None
    assert by_argument.source.endswith("PlanMemory.cpp")


def test_what_is_not_known_is_not_made_up():
    assert about("akg", step("NoSuchPass")) is None
    assert about("no-such-compiler", step("InjectPipe")) is None
    assert about("../traces/index", step("InjectPipe")) is None


def test_a_source_that_is_not_public_is_not_named():
    assert about("akg", step("SplitTail")) == About(
        "Cuts loops of one vector instruction into a part of whole vectors and the tail that is"
        " left over.",
        "",
    )
    said = about("akg", step("InjectPipe"))
    assert said is not None
    assert said.source == "src/pass/inject_pipe.cc"
