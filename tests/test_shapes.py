"""Another shape for a kernel: what is tied, what users type, and the kernel rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.hints import Hints
from core.kernel import Kernel, KernelError, example_kernels, load_kernel, parse_kernel
from core.readers import Opened
from core.reference import evaluate, inputs_for
from core.shapes import (
    Dimension,
    dimensions,
    elements,
    free_sizes,
    parse_shape,
    parse_shapes,
    shape_label,
    why_fixed,
    with_dimensions,
    with_shapes,
)
from tests.conftest import KERNELS

OURS = example_kernels(KERNELS)
COMPOSITE = [each for each in OURS if each.kind == "composite"]
CHAIN = load_kernel(KERNELS / "elementwise_chain.json")
Made = tuple[str, Sequence[str], Sequence[int], Mapping[str, Any]]


def composite(
    inputs: Mapping[str, Sequence[int]], operators: Sequence[Made], dtype: str = "float32"
) -> Kernel:
    """A kernel whose operators are called by what they make: t0, t1 …; the last one goes out."""
    shapes = {name: list(shape) for name, shape in inputs.items()}
    described = []
    for at, (name, given, made, attributes) in enumerate(operators):
        shapes[f"t{at}"] = list(made)
        described.append(
            {
                "name": name,
                "attr": [{"name": n, "value": v} for n, v in attributes.items()] or None,
                "input_desc": [[_tensor(each, shapes, dtype)] for each in given],
                "output_desc": [_tensor(f"t{at}", shapes, dtype)],
            }
        )
    document = {
        "op": "made",
        "process": "aicore",
        "input_desc": [[_tensor(name, shapes, dtype)] for name in inputs],
        "op_desc": described,
        "output_desc": [_tensor(f"t{len(operators) - 1}", shapes, dtype)],
    }
    return parse_kernel(json.dumps(document), "made.json")


def _tensor(name: str, shapes: Mapping[str, list[int]], dtype: str) -> dict[str, Any]:
    return {"tensor_name": name, "shape": shapes[name], "data_type": dtype}


def shapes_of(kernel: Kernel) -> dict[str, tuple[int, ...]]:
    return {tensor.name: tensor.shape for tensor in kernel.tensors}


def attribute(kernel: Kernel, operator: int, name: str) -> Any:
    listed = json.loads(kernel.source)["op_desc"][operator]["attr"]
    return next(each["value"] for each in listed if each["name"] == name)


def free(kernel: Kernel) -> list[Dimension]:
    return [each for each in dimensions(kernel) if each.free]


# Every kernel that there is


@pytest.mark.parametrize("kernel", OURS, ids=lambda k: f"{k.name}{k.case and '-' + k.case}")
def test_each_free_size_can_be_another_and_back(kernel: Kernel) -> None:
    _round_trip(kernel)


def test_each_free_size_of_the_measured_kernels_can_be_another(cases: Path) -> None:
    kernels = [load_kernel(file) for file in sorted((cases / "akg").glob("*.info"))]
    assert len(kernels) > 30
    for kernel in kernels:
        assert free_sizes(kernel), kernel.name
        _round_trip(kernel)


def _round_trip(kernel: Kernel) -> None:
    sizes = free_sizes(kernel)
    assert with_dimensions(kernel, sizes) is kernel
    assert shapes_of(parse_shape(shape_label(kernel), kernel)) == shapes_of(kernel)
    for name, size in sizes.items():
        made = with_dimensions(kernel, {name: size + 16})
        assert made.digest != kernel.digest
        assert free_sizes(made, kernel) == {**sizes, name: size + 16}
        assert parse_shape(shape_label(made), kernel) == made
        if kernel.kind == "composite":
            # Back again it differs in its name alone.
            back = json.loads(with_dimensions(made, {name: size}).source)
            assert {**back, "op": ""} == {**json.loads(kernel.source), "op": ""}


@pytest.mark.parametrize(
    "kernel", [k for k in COMPOSITE if "matmul" not in k.name], ids=lambda k: k.name
)
def test_what_a_reshaped_kernel_computes_has_the_shapes_that_it_says(kernel: Kernel) -> None:
    made = with_dimensions(kernel, {name: 3 + at for at, name in enumerate(free_sizes(kernel))})
    results = evaluate(made, inputs_for(made))
    outputs = {t.name: t.shape for t in made.tensors if t.role == "output"}
    assert {name: values.shape for name, values in results.items()} == outputs


# What ties axes


def test_a_broadcast_axis_stays_one_and_a_mean_is_pointed_at() -> None:
    kernel = load_kernel(KERNELS / "layer_norm.json")
    rows, columns = free(kernel)
    assert rows.axes == (("input_0", 0), ("output_0_10", 0))
    assert ("input_1", 1) in columns.axes and columns.value == 768
    assert "1/768" in columns.note
    fixed = {each.name: each for each in dimensions(kernel) if not each.free}
    assert fixed["input_1[0]"].note == "It stays, because it is broadcast."
    with pytest.raises(KernelError, match=r"input_1\[0\] of layer_norm stays 1: It stays"):
        with_dimensions(kernel, {"input_1[0]": 4})


def test_the_cube_keeps_its_blocks_and_has_rows_columns_and_an_inner_axis() -> None:
    kernel = load_kernel(KERNELS / "batch_matmul.json")
    batch, inner, rows, columns = free(kernel)
    assert batch.axes == (("input_0", 0), ("input_1", 0), ("output_0_0", 0))
    assert inner.axes == (("input_0", 1), ("input_1", 2))
    made = with_dimensions(kernel, {batch.name: 2, inner.name: 3, rows.name: 5, columns.name: 7})
    assert shapes_of(made) == {
        "input_0": (2, 3, 5, 16, 16),
        "input_1": (2, 7, 3, 16, 16),
        "output_0_0": (2, 7, 5, 16, 16),
    }
    with pytest.raises(KernelError, match="Axis 4 of input_0 stays 16, as the cube counts in"):
        with_shapes(kernel, {"input_0": (2, 3, 5, 16, 32)})


def test_a_product_of_sizes_follows_and_can_be_asked_for() -> None:
    kernel = composite(
        {"x": [6, 8, 5]},
        [("Reshape", ["x"], [48, 5], {"shape": [-1, 5]}), ("Abs", ["t0"], [48, 5], {})],
    )
    first = free(kernel)[0]
    assert first.follows == ("t1[0] = d0 × d1",)
    (whole,) = [each for each in dimensions(kernel) if not each.free]
    assert (whole.name, whole.note) == ("t1[0]", "It follows: d0 × d1.")
    made = with_shapes(kernel, {"t1": (60, 7)})  # the larger part gives way
    assert shapes_of(made) == {"x": (6, 10, 7), "t1": (60, 7)}
    assert attribute(made, 0, "shape") == [-1, 7]
    with pytest.raises(KernelError, match="Axis 0 of t1 must be a multiple of 6, and 50 is not"):
        with_shapes(kernel, {"t1": (50, 5)})
    with pytest.raises(KernelError, match="follows from other sizes as 12; it cannot be 60"):
        with_shapes(kernel, {"x": (4, 3, 5), "t1": (60, 5)})


def test_axes_that_are_folded_and_unfolded_again_are_the_same() -> None:
    kernel = composite(
        {"x": [1, 6, 8]},
        [
            ("Reshape", ["x"], [6, 8], {"shape": [6, 8]}),
            ("Reshape", ["t0"], [1, 6, 8], {"shape": [1, 6, 8]}),
        ],
    )
    made = with_shapes(kernel, {"x": (4, 6, 8)})
    assert shapes_of(made) == {"x": (4, 6, 8), "t1": (4, 6, 8)}
    assert attribute(made, 0, "shape") == [24, 8]


def test_attributes_that_name_sizes_are_rewritten() -> None:
    kernel = composite(
        {"x": [4, 1]},
        [
            ("BroadcastTo", ["x"], [4, 9], {"shape": [4, 9]}),
            ("Tile", ["t0"], [8, 9], {"multiples": [2, 1]}),
            (
                "StridedSlice", ["t1"], [8, 5],
                {"begin": [0, 2], "end": [8, 7], "strides": [1, 1]},
            ),
        ],
    )  # fmt: skip
    (rows,) = free(kernel)  # a part is taken of the columns, so they stay
    made = with_dimensions(kernel, {rows.name: 10})
    assert shapes_of(made) == {"x": (10, 1), "t2": (20, 5)}
    assert attribute(made, 0, "shape") == [10, 9]
    assert attribute(made, 2, "end") == [20, 7]


def test_what_is_put_together_adds_up() -> None:
    kernel = composite({"x": [4, 2], "y": [8, 2]}, [("Concat", ["x", "y"], [12, 2], {"axis": 0})])
    made = with_shapes(kernel, {"x": (5, 3)})
    assert shapes_of(made) == {"x": (5, 3), "y": (8, 3), "t0": (13, 3)}
    assert shapes_of(with_shapes(kernel, {"t0": (20, 2)}))["y"] == (16, 2)


def test_an_operator_that_is_not_known_fixes_its_sizes() -> None:
    kernel = composite({"x": [4, 8]}, [("PadAkg", ["x"], [6, 8], {"head": [0, 0]})])
    assert not free_sizes(kernel)
    assert "what PadAkg does with its axes is not known here" in why_fixed(kernel)
    with pytest.raises(KernelError, match="No size of made can be changed: It stays"):
        with_dimensions(kernel, {"d0": 8})


def test_elements_are_counted_for_many_sizes_at_once() -> None:
    sizes = {"d0": np.array([2.0, 3.0]), "d1": np.array([5.0, 7.0])}
    assert elements(CHAIN, sizes).tolist() == [3 * 10, 3 * 21]
    rms = load_kernel(KERNELS / "hfusion_rms_norm.mlir")
    assert elements(rms, {"d0": 2, "d1": 3}) == 6 + 3 + 6 + 2


# What users type


def test_shapes_are_read_as_users_write_them() -> None:
    softmax = load_kernel(KERNELS / "softmax_fp16.json")
    made = parse_shapes("512x64; d0=8,16 d1=32\ninput_0=5X7, 512x64".replace(", 5", "\n5"), softmax)
    assert [shapes_of(each)["input_0"] for each in made] == [(512, 64), (8, 32), (16, 32), (5, 7)]
    assert [shape_label(each) for each in made] == ["512x64", "8x32", "16x32", "5x7"]
    pool = load_kernel(KERNELS / "maxpool.py", "k3_s2_pad1")
    assert parse_shape("k2_s2_valid", pool).case == "k2_s2_valid"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("512", r"512 has 1 axes, and input_0, the largest input of elementwise_chain, has 2"),
        ("d7=3", r"has no dimension 'd7'; it has d0 \(4096\), d1 \(1024\)\."),
        ("input_9=2x2", "'input_9=2x2' is no shape of elementwise_chain; write 4096x1024 or"),
        ("input_0=2x2 input_1=2x3", "give both one size"),
        ("d0=0", "d0 cannot be 0; a size is a whole number from 1 up"),
        ("d0=70000 d1=70000", r"\[70000, 70000\] has 4900000000 elements"),
        ("d0=" + ",".join(map(str, range(1, 5003))), "more than 5000 shapes"),
        (" ; ", "Give a shape, as in 512x64"),
        ("rows", "'rows' is no shape of elementwise_chain"),
    ],
)
def test_what_is_no_shape_is_said_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(KernelError, match=said):
        parse_shapes(text, CHAIN)


# Kernels of other kinds


def test_a_python_kernel_gets_another_case() -> None:
    kernel = load_kernel(KERNELS / "conv3d_im2col_gemm.py")
    made = with_shapes(kernel, {"input_1": (1, 4, 16, 16, 16)})
    assert made.case == "at_1x4x16x16x16_432x16"
    assert shapes_of(made) == {"input_1": (1, 4, 16, 16, 16), "input_2": (432, 16)}
    again = with_shapes(made, {"input_1": (1, 2, 16, 16, 16)})  # takes the place of the last one
    assert made.case not in again.source and kernel.case in again.source
    assert shape_label(made) == "input_1=1x4x16x16x16 input_2=432x16"


def test_a_case_that_the_file_has_is_taken() -> None:
    kernel = load_kernel(KERNELS / "elementwise_shapes.py", "1x512x64")
    made = parse_shape("1x513x64", kernel)
    assert (made.case, made.source) == ("1x513x64", kernel.source)


def test_axes_of_a_python_kernel_that_are_equal_in_all_cases_are_one() -> None:
    pool = load_kernel(KERNELS / "maxpool.py")
    (window,) = [each for each in free(pool) if len(each.axes) > 1]
    assert window.axes == (("input_1", 2), ("input_1", 3)) and not window.note
    scatter = load_kernel(KERNELS / "scatter_add.py")
    assert "is a guess" in free(scatter)[0].note


def test_a_list_of_tensors_stays_one() -> None:
    source = (
        "CASES = {'é': {'shapes': [[[4, 2], [4, 2]], [8]], 'dtypes': ['float16', 'int32']}}\n"
        "def kernel(x, y):\n    return x\n"
    )
    kernel = parse_kernel(source, "grouped.py")
    made = with_shapes(kernel, {"input_1_2": (5, 2)})
    assert "'shapes': [[[4, 2], [5, 2]], [8]]" in made.source


def test_mlir_is_tied_by_operations_that_are_known() -> None:
    kernel = load_kernel(KERNELS / "hfusion_rms_norm.mlir")
    rows, columns = free(kernel)
    assert rows.axes == (("x", 0), ("out", 0), ("factor_out", 0))
    assert columns.axes == (("x", 1), ("weight", 0), ("out", 1))
    made = with_dimensions(kernel, {"d0": 64, "d1": 64})
    assert shapes_of(made)["x"] == (64, 64) and "512" not in made.source.split("func.func")[1]
    unknown = kernel.source.replace("hfusion.elemwise_unary", "hfusion.mystery")
    fixed = parse_kernel(unknown, "rms.mlir")
    assert [each.name for each in free(fixed)] == ["d0"]
    assert "hfusion.mystery" in next(d.note for d in dimensions(fixed) if not d.free)


def test_mlir_that_is_open_or_has_parameters() -> None:
    vadd = load_kernel(KERNELS / "hivm_vadd.mlir")
    made = parse_shape("TILE=512", vadd)
    assert made.parameters[0].default == 512 and 8192 in made.parameters[0].values
    matmul = load_kernel(KERNELS / "hfusion_matmul.mlir")
    assert free_sizes(matmul) == {"d0": 2048, "d1": 3072}  # the rows are only known when it runs
    with pytest.raises(KernelError, match="give those by name: TILE"):
        with_shapes(vadd, {"x": (4,)})


def test_a_triton_kernel_has_its_constants_and_says_that_the_rest_is_open() -> None:
    kernel = load_kernel(KERNELS / "triton_softmax.py", "fp32")
    assert free_sizes(kernel) == {"COLUMNS": 1024, "ROWS": 4}
    assert "given at launch, so one compile does for all of them" in free(kernel)[0].note
    made = with_dimensions(kernel, {"COLUMNS": 1536})
    assert made.case == "at_COLUMNS1536_ROWS4"
    assert free_sizes(made) == {"COLUMNS": 1536, "ROWS": 4}
    with pytest.raises(KernelError, match="given at launch"):
        with_shapes(kernel, {"x": (4,)})


# Real compiles


def test_reshaped_kernels_compile(
    compile_all: Callable[..., Iterator[Opened]], compile_mlir: Callable[..., Opened]
) -> None:
    made = [
        parse_shape("48x80", load_kernel(KERNELS / "column_sum.json")),
        parse_shape("input_0=2x3x5x16x16 input_1=2x2x3x16x16", load_kernel(
            KERNELS / "batch_matmul.json"
        )),
        parse_shape("1x100x64", load_kernel(KERNELS / "elementwise_shapes.py")),
    ]  # fmt: skip
    for kernel, opened in zip(made, compile_all([(k, Hints()) for k in made]), strict=True):
        assert opened.trace.status.compiles, (kernel.name, opened.trace.failure)
        assert opened.trace.kernel == kernel.name
    reduce = parse_shape("300x512", load_kernel(KERNELS / "hfusion_reduce.mlir"))
    opened = compile_mlir(reduce, full=False)
    assert opened.trace.status.compiles, opened.trace.failure
