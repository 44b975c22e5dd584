"""What kernels should compute, against emitted Ascend code in the emulator and code of this CPU."""

from __future__ import annotations

import numpy as np
import pytest

from core.compilers.akg_host import AkgHost
from core.kernel import Kernel, load_kernel
from core.reference import NoReference, difference, evaluate, inputs_for
from core.reference.ascend import CannotEmulate, check_code
from core.reference.check import check
from core.reference.emulator import emulate, tree_sum
from tests.conftest import KERNELS


@pytest.fixture(scope="module")
def host():
    session = AkgHost().session()
    yield session
    session.close()


@pytest.mark.parametrize(
    "name",
    ["softmax_fp16", "layer_norm", "column_sum", "broadcast_exp_sum", "elementwise_chain"],
)
def test_emitted_code_computes_what_its_kernel_says(name, compile_kernel):
    kernel = load_kernel(KERNELS / f"{name}.json")
    opened = compile_kernel(kernel)
    code = opened.texts.get(opened.trace.code)
    for each in check_code(kernel, code, opened.trace.block_dim):
        assert each.agrees, each


def test_code_that_was_changed_is_found_wrong(compile_kernel):
    kernel = load_kernel(KERNELS / "layer_norm.json")
    opened = compile_kernel(kernel)
    code = opened.texts.get(opened.trace.code)
    changed = code.replace("vsub(", "vadd(", 1)
    assert changed != code
    assert not all(e.agrees for e in check_code(kernel, changed, opened.trace.block_dim))


@pytest.mark.parametrize(
    "name",
    [
        "Fused_LambUpdateWithLR_1445905573061742177",
        "Fused_Cast_ReduceSum_InplaceAssign_atomic_add_11579989269410543465",
        "Fused_Mul_Add_fusion_3648840330396515008",
    ],
)
def test_kernels_of_real_networks_agree(name, cases, compile_kernel):
    """Two of them assign an input in its place; one adds to it from several cores at once."""
    kernel = load_kernel(cases / "akg" / f"{name}.info")
    opened = compile_kernel(kernel)
    code = opened.texts.get(opened.trace.code)
    for each in check_code(kernel, code, opened.trace.block_dim or 1):
        assert each.agrees, each


def test_the_matrix_unit_is_left_out_in_one_sentence(compile_kernel):
    opened = compile_kernel(load_kernel(KERNELS / "matmul_cube.json"))
    with pytest.raises(CannotEmulate, match="matrix unit"):
        emulate(opened.texts.get(opened.trace.code), {}, {})


def test_a_kernel_is_run_on_this_machines_processor(host):
    right = check(load_kernel(KERNELS / "elementwise_chain.json"), host)
    assert right.right, right
    refused = check(load_kernel(KERNELS / "softmax_fp16.json"), host)
    assert refused.right is None
    assert "cannot compile it for the processor" in refused.problem


def test_a_compile_that_ends_well_and_is_wrong_is_found(host):
    """AKG's transpose for the processor mixes rows up; what it emits for Ascend is right."""
    wrong = check(load_kernel(KERNELS / "transpose.json"), host)
    assert wrong.right is False
    (found,) = wrong.differences
    assert found.wrong > 1000
    assert found.got != found.right


def test_a_python_kernel_has_no_reference():
    with pytest.raises(NoReference, match="composite JSON"):
        evaluate(load_kernel(KERNELS / "maxpool.py"), {})


def test_inputs_are_the_same_for_the_same_seed():
    kernel: Kernel = load_kernel(KERNELS / "layer_norm.json")
    first, again, other = (inputs_for(kernel, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not all(np.array_equal(first[name], other[name]) for name in first)


def test_a_difference_says_where_it_is():
    right = np.zeros((4, 4))
    got = right.copy()
    right[2, 3], got[2, 3] = 1.0, 1.5
    found = difference("out", right, got, "float32")
    assert (found.at, found.wrong, found.largest) == ((2, 3), 1, 0.5)
    assert difference("out", right, right, "float32").agrees


def test_lanes_are_summed_as_a_tree():
    values = np.array([1.0, 2.0**-11, 2.0**-11, 0.0], np.float16)[None, :]
    assert tree_sum(values)[0] == np.float16(np.float16(1.0 + 2.0**-11) + np.float16(2.0**-11))
