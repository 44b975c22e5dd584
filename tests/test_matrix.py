"""The matrix of a sweep over shapes: pass rates, ways to fail, the best, two sweeps compared."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.analysis.explained import Explanation
from core.analysis.matrix import (
    Cell,
    Layout,
    LayoutError,
    Matrix,
    Share,
    cell,
    is_matrix,
    laid_out,
)
from core.analysis.matrix.cases import cases
from core.analysis.matrix.comparison import compare
from core.analysis.matrix.hint_sets import distinct, parse_hint_set, written_hints
from core.analysis.matrix.table import CSV_COLUMNS, csv_text
from core.compilers import ToolMissing
from core.compilers.akg import Akg
from core.compilers.registry import COMPILERS
from core.hints import HintError, Hints
from core.jobs.matrices import SweepMatrix
from core.jobs.queue import Queue
from core.kernel import Kernel, KernelError, Tensor, load_kernel
from core.library import Library
from core.trace import Compiler, Failure, MemoryPlan, Status, Trace, Work
from tests.conftest import KERNELS
from tests.test_jobs import claims_of

PLAIN = ("as it is", Hints())
SMALL = ("small tiles", Hints(attributes={"tile": 64}))


def kernel(size: int) -> Kernel:
    tensors = (Tensor("x", (size,), "float16", "input"), Tensor("y", (size,), "float16", "output"))
    return Kernel("composite", "Fused_Abs", f'{{"size": {size}}}', tensors)


CASES = [(f"n={n}", kernel(n), {"n": n}) for n in (16, 64, 256)]


def compiled(peak: int = 128, cores: int = 1, steps: int = 100, code: str = "c") -> Trace:
    """What these tests say a compile came to; no compiler is asked here."""
    return Trace(
        *("Fused_Abs", "", Compiler("akg", "1"), "Ascend910", Status.OK_TO_LAST_STEP),
        memory=(MemoryPlan("UB", peak, 256, ()),),
        block_dim=cores,
        work=Work(vector_steps=steps),
        code=code,
        seconds=0.25,
    )


def failed(message: str, name: str = "EmitInsn") -> Trace:
    failure = Failure("error", name, None, None, None, message)
    return replace(compiled(), status=Status.FAILED, failure=failure, memory=(), code=None)


def explain(trace: Trace) -> Explanation:
    assert trace.failure
    said = trace.failure.message
    return Explanation(None, said.split()[0], f"{said}!", "", trace.failure.pass_name, None, said)


def matrix(*traces: Trace | None, columns: int = 2) -> Matrix:
    """Cells row by row; None: it waits."""
    layout, requests = laid_out(CASES, [PLAIN, SMALL][:columns])
    made = [
        cell("done" if each else "queued", each, None, explain, point=str(n))
        for n, each in enumerate(traces)
    ]
    assert len(made) == len(requests)
    keys = [layout.key((n // columns, n % columns)) for n in range(len(made))]
    return Matrix(layout, dict(zip(keys, made, strict=True)))


# What is asked


def test_a_layout_has_a_row_a_kernel_and_a_column_a_set_of_hints() -> None:
    again = ("n=16, again", kernel(16), {})
    layout, requests = laid_out([*CASES, again], [PLAIN, SMALL, ("the same", SMALL[1])])
    assert [case.name for case in layout.cases] == ["n=16", "n=64", "n=256"]
    assert [column.name for column in layout.columns] == ["as it is", "small tiles"]
    assert {c.version for c in layout.columns} == {COMPILERS["akg"].version}
    assert [(r.kernel, r.hints) for r in requests] == [
        (kernel(n), hints) for n in (16, 64, 256) for hints in (PLAIN[1], SMALL[1])
    ]
    assert layout.key((1, 1)) == (
        *(kernel(64).digest, SMALL[1].digest, "akg", COMPILERS["akg"].version),
    )
    assert is_matrix(layout.as_axes())
    assert Layout.of(json.loads(json.dumps(layout.as_axes()))) == layout


def test_each_version_of_a_compiler_has_columns_of_its_own() -> None:
    layout, _ = laid_out(CASES, [PLAIN], ["", COMPILERS["akg"].version])
    assert [column.name for column in layout.columns] == [
        f"as it is, {COMPILERS['akg'].version}"
    ]  # asked for twice, once by its number
    with pytest.raises(ToolMissing, match=r"akg 0\.1 is none of the versions"):
        laid_out(CASES, [PLAIN], ["0.1"])


def test_what_is_no_layout_is_said() -> None:
    with pytest.raises(LayoutError, match="give at least one shape"):
        laid_out([], [PLAIN])
    with pytest.raises(LayoutError, match="give at least one set of hints"):
        laid_out(CASES, [])
    with pytest.raises(LayoutError, match="no cases and hints"):
        Layout.of({"axes": []})
    assert not is_matrix({"axes": []})


def test_a_set_of_hints_is_read_as_it_is_written(akg: Akg) -> None:
    example = load_kernel(KERNELS / "elementwise_chain.json")

    def read(text: str) -> tuple[str, Hints]:
        return parse_hint_set(text, akg, example)

    assert read("") == ("no hints", Hints())
    assert read("plain:") == ("plain", Hints())
    name, hints = read('small: dim="0 0 64 1" enable_double_buffer=0, enable_multicore=1')
    assert (name, hints.dim) == ("small", "0 0 64 1")
    assert hints.attributes == {"enable_double_buffer": False, "enable_multicore": 1}
    assert read(written_hints(hints)) == (written_hints(hints), hints)
    for text, words in (
        ("x: enable_multicore", "'enable_multicore' is no hint"),
        ("dim=1 dim=2", "dim is given twice"),
        ("dim=7", "needs four for each axis"),
        ("enable_double_buffer=maybe", "enable_double_buffer"),
    ):
        with pytest.raises(HintError, match=words):
            read(text)
    one, other = ("a", Hints()), ("a", hints)
    assert distinct([one, ("b", Hints()), ("c", hints)]) == (one, ("c", hints))
    with pytest.raises(HintError, match="Two sets of hints are called 'a'"):
        distinct([one, other])


# What came of it


def test_rates_compare_with_the_first_column_where_both_are_over() -> None:
    seen = matrix(failed("no"), compiled(), compiled(), compiled(), None, failed("no"))
    first, second = seen.rates
    assert (first.passes, first.text) == (Share(1, 2), "50 %")
    assert second.passes == Share(2, 3)
    # The third case is not over in the first column, so it counts in neither.
    assert (second.first, second.here, second.text) == (Share(1, 2), Share(2, 2), "50 % → 100 %")
    assert (second.fixed, second.broken) == (1, 0)
    assert not seen.over
    assert str(Share(0, 0)) == "–"


def test_a_case_counts_as_served_by_any_column() -> None:
    seen = matrix(failed("no"), compiled(), failed("no"), failed("no"), None, failed("no"))
    assert seen.always == Share(1, 2)


def test_failures_are_grouped_by_kind_the_frequent_first() -> None:
    seen = matrix(failed("a 1"), failed("b 2"), failed("b 3"), failed("b 4"), compiled(), None)
    assert [(g.kind, g.title, g.places) for g in seen.groups] == [
        ("b", "b 2!", ((0, 1), (1, 0), (1, 1))),
        ("a", "a 1!", ((0, 0),)),
    ]
    assert seen.groups[0].example == (0, 1)
    cells = dict(zip((seen.layout.key(at) for at in seen.cells), seen.cells.values(), strict=True))
    cells[seen.layout.key((1, 1))] = replace(seen.cells[1, 1], whole="kept")
    assert Matrix(seen.layout, cells).groups[0].example == (1, 1)  # the one that can be opened


def test_what_never_ran_is_a_failure_of_its_own_kind() -> None:
    lost = cell("lost", None, "The hint tile must be a number.", explain)
    assert (lost.verdict, lost.fails, lost.over) == ("lost", True, True)
    assert lost.said == "The hint tile must be a number." and lost.kind
    assert not cell("cancelled", None, None, explain).over


def test_the_best_of_a_row_takes_the_least_time_then_the_first() -> None:
    slow, quick = compiled(steps=1000), compiled(steps=10)
    seen = matrix(slow, quick, quick, slow, quick, quick)
    assert seen.best == {0: 1, 1: 0, 2: 0}
    assert matrix(*[failed("no")] * 6).best == {}


# Two sweeps


def test_two_sweeps_are_held_against_each_other() -> None:
    before = matrix(failed("a"), compiled(), compiled(), compiled(code="c"), failed("a"), None)
    after = matrix(compiled(), failed("b"), compiled(), compiled(code="d"), failed("b"), compiled())
    found = compare(before, after)
    assert [(c.case, c.column, c.change) for c in found.changes] == [
        ("n=16", "as it is", "fixed"),
        ("n=16", "small tiles", "broken"),
        ("n=64", "small tiles", "changed"),
        ("n=256", "as it is", "changed"),
    ]
    assert (found.same, found.before, found.after) == (1, Share(3, 5), Share(3, 5))
    assert (found.only_before, found.only_after) == (0, 1)


def test_sweeps_of_other_versions_are_compared_by_the_names_of_hints() -> None:
    before, after = matrix(*[compiled()] * 6), matrix(*[failed("a")] * 3, columns=1)
    renamed = replace(
        after.layout, columns=(replace(after.layout.columns[0], name="other", version="9"),)
    )
    cells: dict[tuple[str, str, str, str], Cell] = {
        renamed.key(at): each for at, each in after.cells.items()
    }
    found = compare(before, Matrix(renamed, cells))  # here by the hints, as no name is shared
    assert [each.change for each in found.changes] == ["broken"] * 3
    assert found.only_before == 3


# For other programs


def test_the_table_has_a_documented_row_a_cell() -> None:
    seen = matrix(failed("no, really"), compiled(), compiled(), compiled(), None, compiled())
    rows = list(csv.DictReader(io.StringIO(csv_text(seen))))
    assert list(rows[0]) == ["case", "n", *list(CSV_COLUMNS)[1:]]
    assert len(rows) == 6
    assert rows[0]["said"] == "no, really" and rows[0]["pass"] == "EmitInsn"
    assert (rows[1]["case"], rows[1]["n"], rows[1]["asked"]) == ("n=16", "16", "tile=64")
    assert (rows[1]["state"], rows[1]["occupancy"], rows[1]["best"]) == ("compiles", "0.5", "1")
    assert (rows[4]["state"], rows[4]["status"], rows[4]["cycles"]) == ("queued", "", "")


# Shapes as somebody lists them


@pytest.mark.parametrize(
    "text",
    [
        "512x64\n256x32",
        "512x64; 256x32\n512x64",
        "d0=512 d1=64\nd0=256 d1=32",
        "d0,d1\n512,64\n256,32\n",
        "d0\td1\n512\t64\n256\t32",
        "shape\n512x64\n256x32",
        "input_0,input_1\n512x64,512x64\n256x32,256x32",
        '["512x64", "d0=256 d1=32"]',
        '[{"d0": 512, "d1": 64}, {"input_0": [256, 32]}, [512, 64]]',
    ],
)
def test_shapes_come_as_text_as_a_table_or_as_json(text: str) -> None:
    example = load_kernel(KERNELS / "elementwise_chain.json")
    found = cases([text], example)
    assert [(name, sizes) for name, _, sizes in found] == [
        ("512x64", {"d0": 512, "d1": 64}),
        ("256x32", {"d0": 256, "d1": 32}),
    ]
    assert [made.tensors[0].shape for _, made, _ in found] == [(512, 64), (256, 32)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"d0": 1.5}]', "1.5 is no size of d0"),
        ("[3]", "3 is no shape"),
        ('[{"d0": 1', "not JSON"),
        ("d9,d1\n1,2", "no dimension 'd9'"),
        ("", "Give a shape"),
    ],
)
def test_what_is_no_list_of_shapes_is_said(text: str, words: str) -> None:
    with pytest.raises(KernelError, match=re.escape(words)):
        cases([text], load_kernel(KERNELS / "elementwise_chain.json"))


def test_a_matrix_is_read_once_and_then_by_what_is_new(tmp_path: Path) -> None:
    queue = Queue(Library(tmp_path))
    layout, requests = laid_out(CASES, [PLAIN, SMALL])
    id = queue.submit_requests(requests, axes=layout.as_axes())
    asked: list[Trace] = []

    def explained(trace: Trace) -> Explanation:
        asked.append(trace)
        return explain(trace)

    of, claims = SweepMatrix(queue, id, explained), claims_of(queue)
    assert {each.verdict for each in of.look().cells.values()} == {"queued"}
    one, two = claims.claim(2)
    claims.finish(one.number, "point", failed("no way"), None)
    first = of.look()
    assert [first.cells[0, at].verdict for at in (0, 1)] == ["fails", "running"]
    assert of.look() is first, "nothing is new"
    claims.finish(two.number, "point", compiled(), None)
    assert of.look().cells[0, 1].verdict == "compiles" and len(asked) == 1
    queue.cancel_sweep(id)
    assert of.look().cells[2, 1].verdict == "cancelled" and of.look().over
    assert of.counts == {"done": 2, "cancelled": 4}
    of.kept(one.id, "whole")
    assert of.look().cells[0, 0].whole == "whole"
