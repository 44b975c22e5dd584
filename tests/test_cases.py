"""Measured cases: fused kernels and two sweeps, against what the compiler did with each before."""

from __future__ import annotations

import pytest

from core.trace import Status, Trace
from tests.conftest import AKG_CASES, AKG_SWEEPS


def test_there_are_cases(cases):
    assert len(AKG_CASES) == len(list((cases / "akg").glob("*.info"))) > 30


@pytest.mark.parametrize("case", AKG_CASES, ids=lambda case: case["file"].removesuffix(".info"))
def test_fused_kernel(case, akg_cases):
    trace = akg_cases[case["file"]].opened.trace
    assert trace.status.compiles == case["compiles"]
    assert trace.block_dim == case["block_dim"]
    if case["compiles"]:
        assert trace.failure is None
        assert trace.tiling.axes
        assert trace.memory
        return
    assert trace.status is Status.FAILED
    assert trace.failure.source == case["failure"]["source"]
    assert trace.failure.component == case["failure"]["component"]
    assert trace.failure.message.startswith(case["failure"]["message"])
    last = case["last_dump"].removesuffix(".cc")
    assert (trace.failure.after or "") == last


@pytest.mark.parametrize("name", AKG_SWEEPS)
def test_sweep(name, akg_sweeps):
    wrong = []
    for row, dump in akg_sweeps[name]:
        measured, expected = _facts(dump.opened.trace), _expected(row)
        if measured != expected:
            wrong.append((row["dim"], measured, expected))
    assert wrong == []


def _facts(trace: Trace) -> dict[str, object]:
    peaks = {f"{plan.memory.lower()}_bytes": plan.peak_bytes for plan in trace.memory}
    facts: dict[str, object] = {"status": trace.status, "block_dim": trace.block_dim, **peaks}
    if trace.failure:
        facts["after"] = trace.failure.after
        facts["words"] = trace.failure.message[-40:]
    return facts


def _expected(row: dict[str, str]) -> dict[str, object]:
    if row["status"] == "ok":
        names = {"ub_bytes": "ub_bytes", **{n: f"{n}_bytes" for n in ("l1", "l0a", "l0b", "l0c")}}
        peaks = {name: int(row[column]) for column, name in names.items() if row[column]}
        return {
            "status": Status.OK_TO_LAST_STEP,
            "block_dim": int(row["block_dim"]) if row["block_dim"] else None,
            **peaks,
        }
    return {
        "status": Status.CRASHED if int(row["rc"]) < 0 else Status.FAILED,
        "block_dim": None,
        "after": row["fail_pass"].rpartition("/")[2].removesuffix(".cc"),
        "words": row["error"].rstrip()[-40:],
    }


#: What bishengir-compile does with each small kernel: status, the pass, and words of its own.
MLIR = {
    "v1024": (Status.OK_TO_LAST_STEP, None, ""),
    "v32768": (Status.FAILED, "PlanMemory", "requires 2097152 bits while 1572864 bits available"),
    "f1": (Status.FAILED, "parser", "use of undeclared SSA value name"),
    "f3": (Status.FAILED, "verifier", "requires the same element type for all operands"),
    "g9": (Status.FAILED, "verifier", "don't support cast int64_t_to_int8_t_truncmode"),
    "g2": (Status.FAILED, "ConvertLinalgToHFusion", "failed to legalize operation"),
    "g5": (Status.FAILED, "ConvertHFusionToHIVM", "failed to verify that operand at idx 0"),
    "g1": (Status.CRASHED, "PlanMemory", "Failed to obtain op buffer shape size"),
}


def test_every_mlir_case_has_an_outcome(cases):
    assert {file.stem for file in (cases / "mlir").glob("*.mlir")} == set(MLIR)


@pytest.mark.parametrize("name", MLIR)
def test_mlir_kernel(name, mlir_cases):
    status, where, words = MLIR[name]
    trace = mlir_cases[name].opened.trace
    assert trace.status is status
    if where is None:
        assert trace.failure is None
        assert trace.plan("UB").peak_bytes == 8 * 1024
        return
    assert trace.failure.pass_name == where
    assert words in trace.failure.message
    ours, _, _ = trace.failure.message.partition(" The compiler says: ")
    assert words not in ours, "a sentence of our own comes first"
    assert len(ours) > 40
    if status is Status.CRASHED:
        assert trace.failure.signal == "SIGABRT"
