"""The example kernels: indexed, described, and each ending as it is said to."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from core.compilers import Limits
from core.kernel import KernelError, example_kernels, kernel_cases, load_kernel
from core.trace import Status
from tests.conftest import KERNELS

INDEX = json.loads((KERNELS / "index.json").read_text())
#: Those of the second compiler are in test_mlir_kernels.
FOR_AKG = [entry for entry in INDEX if not entry.startswith("triton_") and ".mlir" not in entry]


@dataclass(frozen=True)
class Outcome:
    status: Status
    block_dim: int | None = None
    tiles: tuple[int, ...] = ()
    after: str = ""  #: the last pass that left a text
    signal: str | None = None
    message: str = ""
    attempts: int = 1  #: of the whole pipeline


def compiles(block_dim: int, *tiles: int) -> Outcome:
    return Outcome(Status.OK_TO_LAST_STEP, block_dim, tiles)


def fails(after: str, message: str, attempts: int = 1) -> Outcome:
    return Outcome(Status.FAILED, after=after, message=message, attempts=attempts)


#: What AKG 1.10 did with each on x86-64.
OUTCOMES = {
    "elementwise_chain.json": compiles(32, 16384),
    "elementwise_shapes.py:1x512x64": compiles(1, 32768),
    "elementwise_shapes.py:1x512x63": compiles(1, 32256),
    "elementwise_shapes.py:1x512x65": compiles(13, 2560),
    "elementwise_shapes.py:1x511x65": compiles(17, 1024),
    "elementwise_shapes.py:1x513x64": compiles(19, 1728),
    "broadcast_exp_sum.json": compiles(32, 32, 768),
    "column_sum.json": compiles(32, 64, 512),
    "softmax_fp16.json": compiles(16, 16, 3070),
    "softmax_fp32.json": fails("68_SplitTail", "reduce_last_axis only support float16"),
    "layer_norm.json": compiles(32, 8, 2302),
    "transpose.json": compiles(1, 1, 512),
    "matmul_cube.json": compiles(32, 16, 2, 16, 16, 4),
    "batch_matmul.json": compiles(32, 1, 8, 2, 16, 16, 2),
    "conv3d_direct.py:8x16x16_k3": compiles(32, 1, 1, 2, 14, 1, 3, 3, 3),
    "conv3d_direct.py:8x16x16_k1": compiles(32, 16, 1, 4, 16, 16),
    "conv3d_im2col_gemm.py:8x16x16_k3": compiles(1, 1, 16, 432),
    "conv3d_padded.py:4x4x4_c2_k3": fails("57_AnalyzeMinAlignStatic", "Need to split the vector"),
    "conv3d_padded.py:8x8x8_c4_k3": fails("181_ForEliminate", "Access before initialization", 4),
    "voxel_gather.py:512x64_rows128": compiles(1, 128, 64),
    "scatter_add.py:points256_voxels64": compiles(32, 2, 32, 256),
    "maxpool.py:k3_s2_pad1": Outcome(Status.CRASHED, after="44_LoopSwitchHoist", signal="SIGSEGV"),
    "maxpool.py:k2_s2_valid": compiles(3, 4, 2, 7, 8, 2),
}


def test_every_example_has_an_outcome():
    assert list(OUTCOMES) == FOR_AKG


def test_every_file_and_case_is_indexed():
    found = []
    for file in KERNELS.iterdir():
        cases = kernel_cases(file.read_bytes(), file.name) if file.suffix == ".py" else ()
        if file.name != "index.json":
            found += [f"{file.name}:{case}" for case in cases] or [file.name]
    assert sorted(found) == sorted(INDEX)


def test_the_examples_load_in_the_order_of_the_index_with_a_line_on_each():
    kernels = example_kernels(KERNELS)
    assert [kernel.about for kernel in kernels] == list(INDEX.values())
    for entry, kernel in zip(INDEX, kernels, strict=True):
        file, _, case = entry.partition(":")
        assert (kernel.name, kernel.case) == (file.rpartition(".")[0], case)
        assert kernel.about.endswith(".")
        assert kernel.tensors
    assert len({kernel.digest for kernel in kernels}) == len(kernels)


def test_a_python_example_says_what_it_is_on_its_first_line():
    for file in KERNELS.glob("*.py"):
        assert len(load_kernel(file).about) > 20


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ("{", "index.json: cannot be read"),
        ('{"none.json": "It is not there."}', "none.json in .*cannot be read"),
        ('{"k.json": "It is no kernel."}', "k.json in .*Not a composite kernel"),
    ],
)
def test_a_broken_index_names_the_entry(tmp_path, index, says):
    (tmp_path / "index.json").write_text(index)
    (tmp_path / "k.json").write_text("{}")
    with pytest.raises(KernelError, match=says):
        example_kernels(tmp_path)


SLOW = {"conv3d_padded.py:8x8x8_c4_k3"}


@pytest.mark.parametrize(
    "entry",
    [pytest.param(entry, marks=pytest.mark.slow if entry in SLOW else ()) for entry in OUTCOMES],
)
def test_an_example_ends_as_it_is_said_to(compile_kernel, entry):
    file, _, case = entry.partition(":")
    expected = OUTCOMES[entry]
    trace = compile_kernel(load_kernel(KERNELS / file, case), limits=Limits(seconds=240)).trace
    assert trace.status is expected.status
    if trace.status.compiles:
        assert trace.block_dim == expected.block_dim
        assert tuple(axis.tile for axis in trace.tiling.axes) == expected.tiles
        return
    assert trace.failure is not None
    assert trace.failure.after == expected.after
    assert trace.failure.attempts == expected.attempts
    assert trace.failure.signal == expected.signal
    assert expected.message in trace.failure.message


def test_the_gather_reads_beyond_what_it_keeps(compile_kernel):
    """Why its code is wrong: one row of x is kept in UB, and any of 512 is read from it."""
    opened = compile_kernel(load_kernel(KERNELS / "voxel_gather.py"))
    tiled = next(each for each in opened.trace.passes if each.name == "AutoPoly")
    text = opened.texts.get(tiled.text)
    assert "realize input_1_local_UB<float16>([0, 1], [0, 64])" in text
    assert "input_2_local_UB" in text
