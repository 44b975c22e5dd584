"""Measured cases: fused kernels and two sweeps, against what the compiler did with each before."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from core.hints import Hints, parse_dim
from core.kernel import load_kernel
from core.trace import Status, Trace
from tests.conftest import CASES

EXPECTED = (
    [json.loads(line) for line in (CASES / "akg" / "expected.jsonl").read_text().splitlines()]
    if CASES.is_dir()
    else []
)


@pytest.fixture(scope="module")
def compiled(cases: Path, compile_all) -> dict[str, Trace]:
    jobs = [(load_kernel(cases / "akg" / case["file"]), Hints()) for case in EXPECTED]
    return {
        case["file"]: opened.trace for case, opened in zip(EXPECTED, compile_all(jobs), strict=True)
    }


def test_there_are_cases(cases):
    assert len(EXPECTED) == len(list((cases / "akg").glob("*.info"))) > 30


@pytest.mark.parametrize("case", EXPECTED, ids=lambda case: case["file"].removesuffix(".info"))
def test_fused_kernel(case, compiled):
    trace = compiled[case["file"]]
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


@pytest.mark.parametrize("name", ["addmul_4096x1024", "softmax_1024x512_fp16"])
def test_sweep(name, cases, compile_all):
    kernel = load_kernel(cases / "akg_sweep" / f"{name}.json")
    with (cases / "akg_sweep" / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    points = [(kernel, Hints(parse_dim(row["dim"]))) for row in rows]
    wrong = []
    for row, opened in zip(rows, compile_all(points), strict=True):
        measured, expected = _facts(opened.trace), _expected(row)
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
