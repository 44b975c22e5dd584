"""Buckets for shapes that vary: the best ones, what padding does, the table that comes of it."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.bucketing import Bucketing
from core.analysis.buckets import Occurring, Outcome, Plan, Sizes, curve, suggested, without_buckets
from core.analysis.dispatch import as_json, as_python, as_repository, compile_attributes, dispatch
from core.analysis.occurrences import (
    is_log,
    occurring,
    of_arguments,
    read_occurrences,
    recompiles,
)
from core.analysis.padding import padding
from core.cli import buckets as cli_buckets
from core.cli import main
from core.hints import Hints, parse_dim
from core.kernel import Kernel, KernelError, load_kernel
from core.readers.logs import read_log_file
from core.reference import evaluate, inputs_for
from core.shapes import free_sizes, with_dimensions
from tests.conftest import KERNELS, PROJECT
from tests.test_shapes import composite

CHAIN = load_kernel(KERNELS / "elementwise_chain.json")
LOG = PROJECT / "tests" / "logs" / "mindspore_recompiles.log.gz"


def shapes_of(*sizes: tuple[int, int], kernel: Kernel = CHAIN) -> Occurring:
    """Rows by 64 columns, each with how often it occurs."""
    return occurring(
        kernel, [(with_dimensions(kernel, {"d0": rows, "d1": 64}), n) for rows, n in sizes]
    )


def some(seed: int, count: int, dimensions: int) -> Occurring:
    chance = random.Random(seed)
    shapes = {
        tuple(chance.randint(1, 40) * 8 for _ in range(dimensions)): chance.randint(1, 30)
        for _ in range(count)
    }
    return Occurring(("d0", "d1")[:dimensions], shapes, CHAIN)


def least(shapes: Occurring, number: int, candidates: list[Sizes]) -> float:
    """The least padding that so many buckets can have, by trying all of them."""
    points = list(shapes.counts)
    needed = dict(zip(points, shapes.elements(points), strict=True))
    held = dict(zip(candidates, shapes.elements(candidates), strict=True))

    def padded(buckets: tuple[Sizes, ...]) -> float:
        total = 0.0
        for point, times in shapes.counts.items():
            fits = [held[b] for b in buckets if all(p <= q for p, q in zip(point, b, strict=True))]
            total += (min(fits) - needed[point]) * times if fits else 1e30
        return total

    return min(map(padded, itertools.combinations(candidates, number)))


def padded_by(plan: Plan) -> float:
    return sum(bucket.padding for bucket in plan.buckets)


# The best buckets


@pytest.mark.parametrize("seed", range(4))
def test_buckets_of_one_dimension_are_the_best_there_are(seed: int) -> None:
    shapes = some(seed, 10, 1)
    for number, plan in enumerate(curve(shapes, 5), 1):
        assert len(plan.buckets) == number and not plan.unserved
        assert padded_by(plan) == pytest.approx(least(shapes, number, sorted(shapes.counts)))


@pytest.mark.parametrize("seed", range(4))
def test_buckets_of_two_dimensions_are_the_best_or_nearly(seed: int) -> None:
    shapes = some(seed, 7, 2)
    columns = [sorted({point[at] for point in shapes.counts}) for at in (0, 1)]
    corners = list(itertools.product(*columns))
    for number, plan in enumerate(curve(shapes, 3), 1):
        assert padded_by(plan) <= least(shapes, number, corners) * 1.02


def test_more_buckets_never_waste_more() -> None:
    for shapes in (some(9, 300, 1), some(9, 300, 2)):
        plans = curve(shapes, 12)
        wastes = [plan.waste for plan in plans]
        assert wastes == sorted(wastes, reverse=True) and len(plans) == 12
        for plan in plans:
            served = [shape for bucket in plan.buckets for shape in bucket.shapes]
            assert sorted(served) == sorted(shapes.counts)
            assert plan.hits == shapes.calls - len(plan.buckets)
            assert plan.saved == len(shapes.counts) - len(plan.buckets)


def test_figures_of_a_plan_are_those_of_its_shapes() -> None:
    shapes = shapes_of((100, 3), (50, 1), (10, 6))
    assert without_buckets(shapes) == (7, 3)
    one, two, three = curve(shapes, 9)
    # 3 tensors of 64 columns; 50 rows are padded by 50, 10 rows six times by 90.
    assert padded_by(one) == 3 * 64 * (50 + 6 * 90)
    assert one.waste == pytest.approx((50 + 540) / (300 + 50 + 60))
    assert [bucket.sizes for bucket in two.buckets] == [(10,), (100,)]
    assert [bucket.calls for bucket in two.buckets] == [6, 4]
    assert three.waste == 0 and three.saved == 0
    assert suggested((one, two, three)) is three  # a third one still gains more than little


def test_a_bucket_that_fails_is_not_proposed() -> None:
    shapes = shapes_of((100, 1), (300, 1), (511, 1))
    known: Mapping[Sizes, Outcome] = {(511,): "fails", (300,): "fails", (512,): "compiles"}
    plans = curve(shapes, 5, lambda sizes: known.get(sizes, "unknown"))
    assert [bucket.sizes for bucket in plans[0].buckets] == [(512,)] and plans[0].known
    assert [bucket.sizes for bucket in plans[-1].buckets] == [(100,), (304,), (512,)]
    only = curve(shapes, 5, lambda sizes: known.get(sizes, "unknown"), known_only=True)
    assert [[bucket.sizes for bucket in plan.buckets] for plan in only] == [[(512,)]]
    none = curve(shapes, 5, lambda _: "fails")
    assert none[0].buckets == () and len(none[0].unserved) == 3


def test_sizes_in_steps() -> None:
    (plan, *_) = curve(shapes_of((100, 1), (30, 1)), 1, multiple=16)
    assert plan.buckets[0].sizes == (112,)


# Which shapes occur


def test_shapes_that_occur_are_read_from_lines_and_tables() -> None:
    def counts(text: str) -> dict[Sizes, int]:
        return dict(occurring(CHAIN, read_occurrences(text, CHAIN).shapes).counts)

    assert counts("512x64, 3\n512x64\nd0=8,16 d1=64; 9x64") == {
        (512,): 4, (8,): 1, (16,): 1, (9,): 1,
    }  # fmt: skip
    assert counts("shape,count\n512x64,3\n9x64,20\n") == {(512,): 3, (9,): 20}
    assert counts("d0,d1,calls\n512,64,3\n9,64,1") == {(512,): 3, (9,): 1}
    assert counts("512x64 7x9x11, 2\n4x64 1x2x3, 5") == {(512,): 2, (4,): 5}  # of one call
    with pytest.raises(KernelError, match="Line 2: 9x9x9 has 3 axes"):
        counts("512x64\n9x9x9, 2")
    with pytest.raises(KernelError, match="Line 2: 'often' is no count"):
        counts("shape,count\n512x64,often")


def test_a_size_that_is_the_same_in_all_shapes_is_not_the_kernels_own() -> None:
    shapes = shapes_of((100, 1), (200, 1))
    assert shapes.names == ("d0",)
    assert free_sizes(shapes.made((300,))) == {"d0": 300, "d1": 64}


def test_recompiles_of_a_log_are_counted_and_become_buckets() -> None:
    found = read_log_file(LOG).recompiled
    rows = recompiles(found)
    assert rows and rows[0].compiles >= rows[0].shapes > 1 and rows[0].varies.startswith("d0: ")
    own = of_arguments(max(found, key=lambda each: len(each.shapes)))
    assert own is not None and own.kernel is None
    plans = curve(own, 3)
    assert plans[-1].waste < plans[0].waste
    with pytest.raises(KernelError, match="Choose the kernel that these shapes are for"):
        dispatch(own, plans[0], lambda _: Hints())


def test_a_log_gives_the_shapes_of_a_kernel() -> None:
    import gzip

    text = gzip.decompress(LOG.read_bytes()).decode()
    assert is_log(text)
    read = read_occurrences(text, CHAIN)
    assert read.recompiled and len({made.digest for made, _ in read.shapes}) > 1


# What padding does


def filled(kernel: Kernel, inputs: Mapping[str, np.ndarray], fill: Mapping[str, float]) -> dict:  # type: ignore[type-arg]
    """Inputs of a smaller shape in those of a kernel, with what fills the rest."""
    made = {}
    for tensor in kernel.tensors:
        if tensor.role == "input":
            value = fill.get(tensor.name, 7.5)
            made[tensor.name] = np.full(tensor.shape, value, dtype=inputs[tensor.name].dtype)
            made[tensor.name][tuple(map(slice, inputs[tensor.name].shape))] = inputs[tensor.name]
    return made


def agrees(kernel: Kernel, sizes: Mapping[str, int], bucket: Mapping[str, int]) -> bool:
    """Whether a padded kernel gives what the kernel as it is would."""
    small, large = with_dimensions(kernel, sizes), with_dimensions(kernel, bucket)
    inputs = inputs_for(small)
    right = evaluate(small, inputs)
    got = evaluate(large, filled(large, inputs, padding(kernel, list(bucket)).fill))
    return all(
        np.allclose(right[name], got[name][tuple(map(slice, right[name].shape))]) for name in right
    )


@pytest.mark.parametrize(
    ("file", "names", "verdict", "fill"),
    [
        ("elementwise_chain.json", ["d0", "d1"], "any", {}),
        ("transpose.json", ["d1", "d2"], "any", {}),
        ("column_sum.json", ["d0"], "fill", {"input_0": 0.0}),
        ("column_sum.json", ["d1"], "any", {}),
        ("softmax_fp16.json", ["d0", "d1"], "fill", {"input_0": float("-inf")}),
        (
            "broadcast_exp_sum.json", ["d0", "d1"], "fill",
            {"input_0": float("-inf"), "input_1": float("-inf")},
        ),
        ("layer_norm.json", ["d0"], "any", {}),
        ("layer_norm.json", ["d1"], "no", {}),
    ],
)  # fmt: skip
def test_padding_is_judged_as_the_numbers_come_out(
    file: str, names: list[str], verdict: str, fill: dict[str, float]
) -> None:
    kernel = load_kernel(KERNELS / file)
    judged = padding(kernel, names)
    assert (judged.verdict, judged.fill) == (verdict, fill), judged.why
    sizes = {name: 5 + at for at, name in enumerate(free_sizes(kernel))}
    bucket = {**sizes, **{name: sizes[name] + 4 for name in names}}
    small, large = with_dimensions(kernel, sizes), with_dimensions(kernel, bucket)
    inputs = inputs_for(small)
    right, got = evaluate(small, inputs), evaluate(large, filled(large, inputs, judged.fill))
    same = all(
        np.allclose(right[name], got[name][tuple(map(slice, right[name].shape))]) for name in right
    )
    assert same == (verdict != "no")


def test_padding_says_what_is_needed_and_where_there_is_no_place_for_it() -> None:
    softmax = padding(load_kernel(KERNELS / "softmax_fp16.json"), ["d1"])
    assert "ReduceMax over d1 needs the lowest number in the padding" in softmax.why
    joined = composite({"x": [4, 2], "y": [8, 2]}, [("Concat", ["x", "y"], [12, 2], {"axis": 0})])
    assert padding(joined, ["d0"]).verdict == "no"
    assert "between its elements" in padding(joined, ["d0"]).why
    assert padding(joined, ["d2"]).verdict == "any"  # behind all others
    product = load_kernel(KERNELS / "matmul_cube.json")
    assert padding(product, ["d0"]).fill == {"input_0": 0.0, "input_1": 0.0}
    assert padding(load_kernel(KERNELS / "maxpool.py"), ["d2"]).verdict == "unknown"


# The table


def test_the_table_as_json_python_and_repository(tmp_path: Path) -> None:
    shapes = shapes_of((100, 3), (50, 1), (10, 6))
    plan = curve(shapes, 2)[1]
    hints = Hints(parse_dim("0 0 512 1"), {"enable_double_buffer": False})
    table = dispatch(shapes, plan, lambda bucket: hints if bucket.sizes == (100,) else Hints())
    document = json.loads(as_json(table))
    assert [each["sizes"] for each in document["buckets"]] == [{"d0": 10}, {"d0": 100}]
    assert document["fixed"] == {"d1": 64} and document["padding"]["verdict"] == "any"
    assert document["buckets"][1]["hints"] == {"dim": "0 0 512 1", "enable_double_buffer": False}
    assert document["dimensions"]["d0"][0] == {"tensor": "input_0", "axis": 0}

    (tmp_path / "table.py").write_text(as_python(table))
    ask = (
        "import table; print(table.bucket_for(11), table.bucket_for(d0=10)[0], "
        "table.padding_for(50))\ntry: table.bucket_for(101)\nexcept ValueError as e: print(e)"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{ask}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.splitlines() == [
        "({'d0': 100}, {'dim': '0 0 512 1', 'enable_double_buffer': False}) {'d0': 10} {'d0': 50}",
        "No bucket holds {'d0': 101}; compile it for itself.",
    ]

    (computes,) = json.loads(as_repository(table)).values()
    assert computes["100_64--"]["float16--"] == {
        "dim": "0 0 512 1", "metadata": {"attrs": {"enable_double_buffer": False}},
    }  # fmt: skip
    assert compile_attributes(table.entries[1])["dim"] == "0 0 512 1"


def test_a_shape_that_the_kernel_cannot_have_counts_as_failed() -> None:
    shapes = Occurring(("d0", "d1"), {(60_000, 60_000): 1, (8, 8): 1}, CHAIN)
    of = Bucketing(shapes, [("no hints", Hints())], lambda _: {})
    (plan,) = of.plans(4)
    assert [bucket.sizes for bucket in plan.buckets] == [(8, 8)]
    assert plan.unserved == ((60_000, 60_000),)
    assert len(of.missing(plan)) == 1


# With the compiler


@pytest.mark.usefixtures("akg")
def test_buckets_are_compiled_and_those_that_fail_replaced(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "toolchains").symlink_to((home / "toolchains").resolve())
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    file = tmp_path / "shapes.csv"
    file.write_text("shape,count\n64x16,5\n40x16,2\n")
    asked = [
        "buckets", str(KERNELS / "elementwise_chain.json"), "--shapes", str(file), "--number", "2",
        "--hints", "as it is:", "--hints", "single: enable_double_buffer=false", "--json",
        "--python", str(tmp_path / "table.py"), "--repository", str(tmp_path / "tiling.json"),
    ]  # fmt: skip
    assert main(asked) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["known"] and said["without"] == {"hits": 5, "compiles": 2}
    assert [each["outcome"] for each in said["table"]["buckets"]] == ["compiles", "compiles"]
    assert "bucket_for" in (tmp_path / "table.py").read_text()
    assert json.loads((tmp_path / "tiling.json").read_text())
    # A maximum over the last axis in float32 is refused in every shape: nothing is left.
    monkeypatch.setattr(cli_buckets, "_HOPELESS", 1)
    softmax = ["buckets", str(KERNELS / "softmax_fp32.json"), "--shapes", str(file)]
    file.write_text("16x64\n")
    assert main(softmax) == 2
    assert "No bucket that was tried compiles: give another set" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["300x64, 3\n16x64, 9\n17x64", "nothing"])
def test_the_section_of_the_sweep_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    from pages import _rooms as rooms

    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    try:
        app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=30)
        app.session_state["buckets:given"] = text
        app.switch_page("sweep.py").run()
        assert not app.exception
        said = "\n".join(str(each.value) for each in [*app.markdown, *app.info, *app.caption])
        if text == "nothing":
            assert "is no shape of" in said
        else:
            assert "3 shapes in 13 calls" in said.replace("\\", "")
            assert "does not matter" in said
            assert any("Compile all buckets" in each.label for each in app.button)
    finally:
        rooms.forget(tmp_path)
