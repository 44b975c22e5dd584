"""Orders of sums read from emitted code, against that code run: emulated, or thread by thread."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from core.analysis.summation import NotRead, ascend_order, carried_out, estimate, gpu_order
from core.compilers import Limits
from core.compilers.akg_host import GPU, AkgHost
from core.hints import Hints
from core.kernel import parse_kernel
from core.readers import open_trace
from core.reference.ascend import run

ROWS, TERMS = 8, 4096
TEN = range(10)


def row_sum(dtype, name="row_sum"):
    tensor = {"data_type": dtype, "format": "DefaultFormat"}
    return parse_kernel(
        json.dumps(
            {
                "composite": True,
                "composite_graph": "g",
                "id": 0,
                "op": f"{name}_{dtype}",
                "platform": "AKG",
                "process": "aicore",
                "version": 1,
                "input_desc": [[{**tensor, "shape": [ROWS, TERMS], "tensor_name": "input_0"}]],
                "op_desc": [
                    {
                        "name": "ReduceSum",
                        "impl_path": "",
                        "attr": [
                            {"data_type": "listInt", "name": "axis", "value": [1]},
                            {"data_type": "bool", "name": "keep_dims", "value": True},
                        ],
                        "input_desc": [
                            [{**tensor, "name": "x", "shape": [ROWS, TERMS],
                              "tensor_name": "input_0"}]
                        ],
                        "output_desc": [
                            {**tensor, "name": "output", "shape": [ROWS, 1],
                             "tensor_name": "output_0"}
                        ],
                    }
                ],
                "output_desc": [{**tensor, "shape": [ROWS, 1], "tensor_name": "output_0"}],
            }
        ),
        "row_sum.json",
    )  # fmt: skip


@pytest.fixture(scope="module")
def cuda():
    session = AkgHost().session()

    def text(kernel):
        folder = Path(tempfile.mkdtemp())
        session.start(folder, kernel, Hints((), {"target": GPU}), Limits()).wait()
        opened = open_trace(folder)
        assert opened.trace.code, opened.trace.failure
        return opened.texts.get(opened.trace.code)

    yield text
    session.close()


def inputs(dtype, seed):
    return np.random.default_rng(seed).standard_normal((ROWS, TERMS)).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_the_order_on_ascend_is_that_of_the_emitted_code(dtype, compile_kernel):
    kernel = row_sum(dtype)
    opened = compile_kernel(kernel)
    code = opened.texts.get(opened.trace.code)
    order = ascend_order(code, TERMS, dtype)
    assert [level.by for level in order.levels] == ["vcadd", "vcadd", "vadd"]
    assert all(f"{level.by}(" in code.splitlines()[level.line - 1] for level in order.levels)
    for seed in TEN:
        values = inputs(dtype, seed)
        emulated = run(kernel, code, {"input_0": values}, opened.trace.block_dim)["output_0"]
        assert np.array_equal(carried_out(order, values), emulated.reshape(-1))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_the_order_on_a_gpu_is_that_of_its_threads(dtype, cuda):
    order = gpu_order(cuda(row_sum(dtype)), TERMS, dtype)
    threads = order.levels[-1].terms
    for seed in TEN:
        values = inputs(dtype, seed)
        for row, got in zip(values, carried_out(order, values), strict=True):
            assert got == by_threads(row, threads, order.levels[0].dtype)


def by_threads(row, threads, dtype):
    """What the emitted CUDA does, a thread at a time: AkgKahanAccumulation, then AkgReduce."""
    kind = np.dtype(dtype).type
    shared = []
    for thread in range(threads):
        total, lost = kind(0), kind(0)
        for value in row[thread::threads].astype(dtype):
            y = kind(value - lost)
            t = kind(total + y)
            lost = kind(kind(t - total) - y)
            total = t
        shared.append(total)
    while len(shared) > 1:
        half = len(shared) // 2
        shared = [kind(shared[at] + shared[at + half]) for at in range(half)]
    return shared[0]


def test_the_estimate_is_the_difference_of_both_results(compile_kernel, cuda):
    for dtype in ("float32", "float16"):
        kernel = row_sum(dtype)
        opened = compile_kernel(kernel)
        npu = ascend_order(opened.texts.get(opened.trace.code), TERMS, dtype)
        gpu = gpu_order(cuda(kernel), TERMS, dtype)
        for seed in TEN:
            values = inputs(dtype, seed)
            found = estimate(npu, gpu, values)
            one, other = (carried_out(o, values).astype(np.float64) for o in (npu, gpu))
            assert found.largest == np.max(np.abs(one - other))
            assert found.rows == ROWS
        assert found.first_error > 0 or found.second_error > 0


def test_code_without_such_a_sum_is_not_read(compile_kernel):
    from core.kernel import load_kernel
    from tests.conftest import KERNELS

    opened = compile_kernel(load_kernel(KERNELS / "elementwise_chain.json"))
    with pytest.raises(NotRead, match="no vcadd"):
        ascend_order(opened.texts.get(opened.trace.code), 1024, "float16")
