"""Searching all passes at once, against Python's own way of finding the same."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.analysis.diff import split_lines
from core.analysis.search import Found, Query, QueryError, search
from core.analysis.sequence import sequence
from core.library import Library, text_hash
from core.readers import Opened, open_trace
from core.trace import Compiler, Log, Pass, Status, Trace
from tests.conftest import PROJECT

TRACES = PROJECT / "data" / "traces"


class Kept:
    """Texts of a trace made up here, counting how often each is read."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.read: list[str] = []

    def add(self, text: str) -> str:
        self.texts[text_hash(text)] = text
        return text_hash(text)

    def get(self, digest: str) -> str:
        self.read.append(digest)
        return self.texts[digest]


def made(texts: Iterable[str | None], kept: Kept, **more: object) -> Trace:
    """A trace of one stage with these texts."""
    passes = tuple(
        Pass(i, "lowering", "", 1, f"P{i}", i, None if text is None else kept.add(text), 1, 1, True,
             "statement", None, "ok")
        for i, text in enumerate(texts)
    )  # fmt: skip
    return Trace("k", "", Compiler("akg", "1"), "chip", Status.OK, passes, **more)  # type: ignore[arg-type]


def counted(found: Found) -> dict[int, tuple[int, tuple[int, ...]]]:
    return {hits.index: (hits.count, hits.lines) for hits in found.hits}


def by_hand(opened: Opened, pattern: re.Pattern[str]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """The same with Python's re, line by line, over everything that the trace names."""
    trace = opened.trace
    wanted = {step.index: step.text for step in trace.passes if step.text}
    beside = [*([trace.code] if trace.code else []), *(log.text for log in trace.logs)]
    wanted |= {len(trace.passes) + at: digest for at, digest in enumerate(beside)}
    found = {}
    for index, digest in wanted.items():
        each = [len(pattern.findall(line)) for line in split_lines(opened.texts.get(digest))]
        if any(each):
            lines = tuple(number for number, count in enumerate(each, 1) if count)[:1000]
            found[index] = sum(each), lines
    return found


@pytest.fixture(scope="module")
def akg() -> Opened:
    return open_trace(TRACES / "softmax_fp16.zip")


@pytest.fixture(scope="module")
def mlir() -> Opened:
    return open_trace(TRACES / "triton_matmul-saved_by_a_retry.zip")


@pytest.mark.parametrize(
    ("query", "pattern"),
    [
        (Query("input_0_local_UB"), r"(?i)input_0_local_ub"),
        (Query("INPUT_0_local_ub"), r"(?i)input_0_local_ub"),
        (Query("INPUT_0", case=True), r"INPUT_0"),
        (Query("cc1", word=True), r"(?i)\bcc1\b"),
        (Query("(cc2*1024)"), r"\(cc2\*1024\)"),
        (Query("[cc2", word=True), r"\[cc2\b"),
        (Query(r"v\w+\(.*T_exp_red", pattern=True, case=True), r"v\w+\(.*T_exp_red"),
        (Query(r"^\s*for \(cc\d+, 0, 16\)", pattern=True), r"(?i)^\s*for \(cc\d+, 0, 16\)"),
        (Query(r"\}$", pattern=True), r"\}$"),
        (Query(r"[^x]\s*$", pattern=True), r"(?i)[^x]\s*$"),
        (Query(r"exp|max", pattern=True, word=True), r"(?i)\b(?:exp|max)\b"),
        (Query("nowhere to be found"), r"nowhere to be found"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["akg", "mlir"])
def test_finds_what_python_finds(
    query: Query, pattern: str, kind: str, request: pytest.FixtureRequest
) -> None:
    opened: Opened = request.getfixturevalue(kind)
    expected = by_hand(opened, re.compile(pattern))
    found = search(opened.trace, opened.texts, query)
    assert counted(found) == expected
    assert [hits.index for hits in found.hits] == sorted(expected)
    if kind == "akg" and "nowhere" not in query.text and query.text != "INPUT_0":
        assert expected  # else this would compare nothing with nothing


def test_a_library_gives_the_same_as_its_traces(akg: Opened, tmp_path: Path) -> None:
    library = Library(tmp_path)
    library.add(akg.trace, akg.texts)
    for query in (Query("cc0"), Query(r"S_\d+", pattern=True), Query("T_exp", word=True)):
        assert search(akg.trace, library, query) == search(akg.trace, akg.texts, query)
    library.close()


def test_many_texts_are_read_at_once(akg: Opened, tmp_path: Path) -> None:
    library = Library(tmp_path)
    library.add(akg.trace, akg.texts)
    digests = [step.text for step in akg.trace.passes if step.text]
    found = dict(library.blobs([*digests, *digests]))
    assert found == {digest: akg.texts.get(digest).encode() for digest in digests}
    assert len(list(library.blobs([*digests, *digests]))) == len(set(digests))
    with pytest.raises(KeyError, match="f00d"):
        list(library.blobs([digests[0], "f00d"]))
    library.close()


def test_each_text_is_searched_once() -> None:
    kept = Kept()
    trace = made(["a x", "a x", "b", "a x"], kept)
    found = search(trace, kept, Query("x"))
    assert [hits.index for hits in found.hits] == [0, 1, 3]
    assert len(kept.read) == 2


def test_appears_and_disappears() -> None:
    kept = Kept()
    texts = ["a", "x", None, "x x", "a", None, "x"]
    trace = made(texts, kept, code=kept.add("b"), logs=(Log("log", kept.add("x"), 1),))
    found = search(trace, kept, Query("x"))
    assert counted(found) == {1: (1, (1,)), 3: (2, (1,)), 6: (1, (1,)), 8: (1, (1,))}
    assert found.appears == (1, 6)  # a pass without a text is no gap; a log begins nothing
    assert found.disappears == (4, 7)  # 7: the emitted code
    assert found.first is not None and found.first.index == 1
    assert found.last is not None and found.last.index == 8


def test_parts_of_a_kernel_go_their_own_way() -> None:
    """A function's pass prints that function alone: what is in another one is not gone."""
    kept = Kept()
    trace = made(["f x g y", "f x", "f x", "g", "f x g", "f g"], kept)
    units = ["", "f", "f", "g", "", ""]
    passes = tuple(replace(p, unit=u) for p, u in zip(trace.passes, units, strict=True))
    trace = replace(trace, passes=passes)
    before = [step.before for step in sequence(trace)]
    assert before == [(), (0,), (1,), (0,), (0, 2, 3), (4,)]
    found = search(trace, kept, Query("x", word=True))
    assert (found.appears, found.disappears) == ((0,), (5,))
    # y was in g, and g's own pass is the first text without it.
    found = search(trace, kept, Query("y", word=True))
    assert found.appears == (0,)
    assert len(found.disappears) == 1 and found.disappears[0] in (1, 3)


def test_an_attempt_begins_where_the_one_before_did(mlir: Opened) -> None:
    found = search(mlir.trace, mlir.texts, Query("hivm.hir.mmadL1", word=True))
    names = [(mlir.trace.passes[i].name, mlir.trace.passes[i].attempt) for i in found.appears]
    assert names == [("ConvertHFusionToHIVM", attempt) for attempt in (1, 2, 3)]
    assert [mlir.trace.passes[i].name for i in found.disappears] == ["ConvertHIVMToStandard"]


def test_several_lines_are_found_together() -> None:
    kept = Kept()
    trace = made(["a\nbc\na\nbc\n", "a\r\nbcd\r\n", "bc\na\n"], kept)
    assert counted(search(trace, kept, Query("a\nbc"))) == {0: (2, (1, 3)), 1: (1, (1,))}
    assert counted(search(trace, kept, Query("A\nbc", word=True))) == {0: (2, (1, 3))}
    assert counted(search(trace, kept, Query("A\nbc", case=True))) == {}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("x", (1,)),
        ("\nx", (2,)),
        ("x\r\ny\rx\n", (1, 3)),
        ("ä\nÄ x\n", (2,)),
        ("\n\n", ()),
    ],
)
def test_lines_are_those_of_the_viewer(text: str, lines: tuple[int, ...]) -> None:
    kept = Kept()
    found = search(made([text], kept), kept, Query("x"))
    assert (found.hits[0].lines if found.hits else ()) == lines


def test_letters_of_any_language_have_their_case_too() -> None:
    kept = Kept()
    trace = made(["Größe", "GRÖSSE größe", "\udce4x"], kept)
    assert [h.index for h in search(trace, kept, Query("GRÖ")).hits] == [0, 1]
    assert [h.index for h in search(trace, kept, Query("gr[öx]", pattern=True)).hits] == [0, 1]
    assert [h.index for h in search(trace, kept, Query("x")).hits] == [2]


def test_only_the_first_thousand_lines_are_listed_and_all_are_counted() -> None:
    kept = Kept()
    found = search(made(["xx\n" * 5000], kept), kept, Query("x"))
    assert found.hits[0].count == 10_000
    assert found.hits[0].lines == tuple(range(1, 1001))


def test_nothing_is_looked_for_where_nothing_is_asked(akg: Opened) -> None:
    assert search(akg.trace, akg.texts, Query("")) == Found((), (), ())


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(abc", "unterminated subpattern at character 1"),
        ("x[z-a]", "bad character range z-a at character 3"),
        ("*a", "nothing to repeat at character 1"),
        ("a\\", "at character 2"),
        ("a(?=b)", "(?= at character 2"),
        (r"(a)\1", r"\1 at character 4"),
        ("a*+", "*+ at character 2"),
        ("x{2000}", "{2000} at character 2"),
        ("((a{100}){100}){100}", "too often"),
        ("\ud800", "letters that no text can have"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_said_in_one_sentence(pattern: str, said: str) -> None:
    kept = Kept()
    with pytest.raises(QueryError) as raised:
        search(made(["x"], kept), kept, Query(pattern, pattern=True))
    message = str(raised.value)
    assert said in message
    assert message.endswith(".") and "\n" not in message


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|aa)+b", r"(.*)*x", r"(\w+\s?)+!", r"(a?){90}b"]
)
def test_no_pattern_takes_longer_than_the_text_is_long(pattern: str) -> None:
    kept = Kept()
    trace = made([f"{'a' * 20_000} \n" * 5], kept)
    began = time.process_time()
    search(trace, kept, Query(pattern, pattern=True))
    assert time.process_time() - began < 5  # re would take longer than the universe has


def test_a_text_that_is_gone_is_a_key_error() -> None:
    kept = Kept()
    trace = made(["x"], kept)
    kept.texts.clear()
    with pytest.raises(KeyError):
        search(trace, kept, Query("x"))


def opened_cases() -> Iterator[Opened]:
    for file in sorted(TRACES.glob("*.zip"))[::6]:
        yield open_trace(file)


def test_every_recorded_trace_can_be_searched() -> None:
    for opened in opened_cases():
        found = search(opened.trace, opened.texts, Query("0"))
        assert found.hits
        steps = {step.index for step in sequence(opened.trace)}
        assert {*found.appears, *found.disappears} <= steps
