"""The measured table of hints, on kernels of ours of the same kinds: what moves, what does not."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pytest

from core.compilers import Session
from core.compilers.ascendnpu_ir import TRITON_RECIPE, AscendNpuIr
from core.hints import HintValue
from core.kernel import load_kernel
from tests.conftest import CASES, KERNELS
from tests.ran import run, run_all

TABLE = CASES.parent / "facts" / "data" / "ascendnpu_ir_hints.csv"

#: A measured kernel, and ours of the same kind.
KINDS = {
    "ew2d(hfusion)": "hfusion_elementwise.mlir",
    "rms(hfusion)": "hfusion_rms_norm.mlir",
    "shallowcv(hfusion mix)": "hfusion_matmul_add.mlir",
    "singlecube(hfusion)": "hfusion_matmul.mlir",
    "triton-add": "triton_add.py:fp32",
}

#: Where ours differs from the measured kernel of its kind, since its text does: whether the final
#: IR changes, and whether the bytes of a memory move.
OTHERWISE = {
    # One product and nothing that could change places with it.
    ("singlecube(hfusion)", "--enable-ops-reorder=false"): ("same", False),
    # A loop over tiles: the two ways to place flags differ, and blocks of rows share one buffer.
    ("triton-add", "--enable-hivm-graph-sync-solver=false"): ("CHANGED", False),
    ("triton-add", "--enable-auto-blockify-loop=true"): ("CHANGED", True),
    # Fewer buffers are alive at the peak, so moving code moves another figure.
    ("rms(hfusion)", "--enable-ubuf-saving=true"): ("CHANGED", False),
    ("rms(hfusion)", "--enable-code-motion=false"): ("CHANGED", False),
    ("rms(hfusion)", "--enable-ops-reorder=false"): ("CHANGED", True),
}


@pytest.fixture(scope="module")
def session(ascendnpu_ir: AscendNpuIr) -> Iterator[Session]:
    session = ascendnpu_ir.session()
    yield session
    session.close()


@pytest.fixture(scope="module")
def table() -> list[dict[str, str]]:
    if not TABLE.is_file():
        pytest.skip(f"no measured hints at {TABLE}")
    with TABLE.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("kind", KINDS)
def test_the_hints_that_changed_the_final_ir_change_ours(session, table, kind):
    entry = KINDS[kind]
    if ".py" in entry and not TRITON_RECIPE.installed():
        pytest.skip(f"Triton is not installed; run: {TRITON_RECIPE.command}")
    file, _, case = entry.partition(":")
    kernel = load_kernel(KERNELS / file, case)
    rows = [r for r in table if r["kernel"] == kind and r["hint"] != "(base)"]
    assert len(rows) == 33
    base = run(session, kernel, full=False)
    measured_base = next(r for r in table if r["kernel"] == kind and r["hint"] == "(base)")
    wrong = []
    jobs = [(kernel, _attributes(row["hint"])) for row in rows]
    for row, ran in zip(rows, run_all(session, jobs, full=False), strict=True):
        measured = (row["final_ir"], _peaks(row) != _peaks(measured_base))
        expected = OTHERWISE.get((kind, row["hint"]), measured)
        found = ("CHANGED" if ran.module != base.module else "same", ran.peaks != base.peaks)
        if found != expected:
            wrong.append((row["hint"], found, expected, f"{base.peaks} to {ran.peaks}"))
    assert wrong == []


def _attributes(text: str) -> dict[str, HintValue]:
    """The flags of a row, as hints."""
    return {name: _value(value) for name, value in re.findall(r"--([\w-]+)=(\S+)", text)}


def _value(text: str) -> HintValue:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def _peaks(row: dict[str, str]) -> str:
    return row["ir_end_bytes"]


def test_the_table_of_targets_is_what_the_compiler_says(ascendnpu_ir):
    file = TABLE.with_name("ascendnpu_ir_targets.csv")
    if not file.is_file():
        pytest.skip(f"no measured targets at {file}")
    with file.open() as opened:
        rows = {row["target"]: row for row in csv.DictReader(opened) if row["rc"] == "0"}
    targets = {target.name: target for target in ascendnpu_ir.targets()}
    assert set(targets) == set(rows)
    columns = {memory: f"{memory}_SIZE" for memory in ("UB", "L1", "L0A", "L0B", "L0C")}
    for name, target in targets.items():
        found = {memory: target.capacity_bytes(memory) for memory in columns}
        assert found == {m: int(rows[name][column]) // 8 for m, column in columns.items()}, name
