"""Occupancy over whole sweeps equals the addresses in the final IR, read in another way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from core.compilers import Session
from core.compilers.ascendnpu_ir import TRITON_RECIPE, AscendNpuIr
from core.kernel import load_kernel
from core.readers import open_trace
from core.trace import Trace
from tests.conftest import KERNELS
from tests.ran import Ran, run_all

VADD = [{"TILE": tile} for tile in (*range(512, 24577, 1024), 24575, 24576, 24577, 32768)]
ELEMENTWISE = [
    {"block-dim": blocks, "hfusion-max-buffer-count-tuning": buffers}
    for blocks, buffers in product((1, 8, 24, 40), (0, 1, 2, 4, 8, 16))
]
PRODUCT = [
    {"BM": bm, "BN": bn, "BK": bk}
    for bm, bn, bk in product((32, 64, 128), (64, 128, 256), (64, 128))
]


@pytest.fixture(scope="module")
def session(ascendnpu_ir: AscendNpuIr) -> Iterator[Session]:
    session = ascendnpu_ir.session()
    yield session
    session.close()


def swept(session: Session, file: str, case: str, points: list) -> list[tuple[Ran, Trace]]:
    kernel = load_kernel(KERNELS / file, case)
    jobs = [(kernel, point) for point in points]
    return [(ran, open_trace(ran.folder).trace) for ran in run_all(session, jobs, full=False)]


def check(results: list[tuple[Ran, Trace]]) -> int:
    passing = 0
    for ran, trace in results:
        if not trace.status.compiles:
            assert trace.failure is not None
            continue
        passing += 1
        assert {p.memory: p.peak_bytes for p in trace.memory if p.buffers} == ran.peaks
        for plan in trace.memory:
            ends = [b.offset_bytes + b.bytes for b in plan.buffers if b.offset_bytes is not None]
            assert plan.peak_bytes == max(ends, default=0)
    return passing


def test_a_vector_kernel_over_its_tile(session):
    results = swept(session, "hivm_vadd.mlir", "", VADD)
    assert check(results) == len(VADD) - 2
    by_tile = {point["TILE"]: trace for point, (_, trace) in zip(VADD, results, strict=True)}
    assert by_tile[24576].plan("UB").occupancy == 1.0
    for tile in (24577, 32768):
        failure = by_tile[tile].failure
        assert failure.pass_name == "PlanMemory"
        assert failure.memory == "UB"
        assert failure.required_bytes > failure.available_bytes == 196_608
        assert {c.source.partition(":")[0] for c in failure.culprits} == {"hivm_vadd.mlir"}
        assert all(c.bytes >= 4 * tile for c in failure.culprits)


def test_an_hfusion_kernel_over_blocks_and_buffers(session):
    results = swept(session, "hfusion_elementwise.mlir", "", ELEMENTWISE)
    assert check(results) == len(ELEMENTWISE)
    peaks = {trace.plan("UB").peak_bytes for _, trace in results}
    assert {196_512, 112_256, 41_344} <= peaks


def test_a_triton_product_over_its_blocks(session):
    if not TRITON_RECIPE.installed():
        pytest.skip(f"Triton is not installed; run: {TRITON_RECIPE.command}")
    results = swept(session, "triton_matmul.py", "fp16", PRODUCT)
    assert check(results) >= 12
    for point, (_, trace) in zip(PRODUCT, results, strict=True):
        if trace.status.compiles:
            assert trace.plan("L0C").peak_bytes == 4 * point["BM"] * point["BN"]


def test_together_they_are_at_least_sixty_points():
    assert len(VADD) + len(ELEMENTWISE) + len(PRODUCT) >= 60
