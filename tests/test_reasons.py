"""Why tiles are as they are: the search as data, marks in words, what is shipped, constraints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.analysis.reasons import (
    AxisReasons,
    axis_reasons,
    constraint_reason,
    parameter_reasons,
    repository_reason,
    searches,
    share_reason,
    sides,
)
from core.analysis.sweep import Outcome
from core.compilers.akg import RECIPE, Akg, child_environment
from core.compilers.akg.catalogue import check_hints, notes
from core.compilers.akg.custom_tiling import parse_constraints
from core.compilers.akg.repository import repository_entry, traits
from core.hints import HintError, Hints
from core.kernel import Kernel, load_kernel, parse_kernel
from core.readers import Opened, open_trace
from core.readers.akg_search import Search, read_search
from core.views.search_chart import search_figure, search_text, search_title, sides_table
from tests.conftest import KERNELS, PROJECT

TRACES = PROJECT / "data" / "traces"
RECORDED = sorted(path.stem for path in TRACES.glob("*.zip"))


def opened(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def log_of(found: Opened) -> str:
    named = [log for log in found.trace.logs if log.name == "tiling.log"]
    return found.texts.get(named[0].text) if named else ""


def said(axis: AxisReasons, about: str) -> str:
    return " ".join(each.sentence for each in axis.reasons if each.about == about)


# --- the search -----------------------------------------------------------------------------------


def test_the_recorded_logs_are_read_whole() -> None:
    logs = 0
    for name in RECORDED:
        found = opened(name)
        text = log_of(found)
        read = searches(found.trace, found.texts)
        logs += bool(text)
        assert len(read) == len(re.findall(r"^Begin ::: mem ok", text, re.MULTILINE)), name
        assert sum(len(each.tries) for each in read) == text.count(" deviation, update to "), name
        finals = [int(each) for each in re.findall(r"^final factor (\d+)$", text, re.MULTILINE)]
        assert [each.final for each in read if each.final is not None] == finals, name
        assert sum(each.exceeded is not None for each in read) == text.count("exceed memory"), name
    assert logs > 10


def test_what_the_search_settled_on_is_what_the_axes_say() -> None:
    compared = 0
    for name in RECORDED:
        found = opened(name)
        axes = {(axis.band, axis.axis): axis for axis in found.trace.tiling.axes}
        for search in searches(found.trace, found.texts):
            axis = axes.get((search.band, search.axis))
            if search.level != "outer" or search.final is None or axis is None or not axis.extent:
                continue
            compared += 1
            assert axis.searched == min(search.final, axis.extent), name
    assert compared > 8


def test_a_tile_divides_its_extent_or_leaves_a_smaller_one() -> None:
    tried = 0
    for name in RECORDED:
        found = opened(name)
        axes = {(axis.band, axis.axis): axis for axis in found.trace.tiling.axes}
        for search in searches(found.trace, found.texts):
            axis = axes.get((search.band, search.axis))
            if axis is None or axis.extent is None or search.level != "outer":
                continue
            for one in search.tries:
                tried += 1
                assert one.divides is (axis.extent % one.tile == 0), (name, one)
    assert tried > 300


def chain() -> Search:
    found = opened("elementwise_chain")
    (search,) = searches(found.trace, found.texts)
    return search


def test_slack_is_half_of_the_memory_less_three_buffers() -> None:
    # 128 KiB of UB for three float16 buffers that are alive at once
    search = chain()
    whole = [one for one in search.tries if one.divides]
    assert [one.tile for one in whole] == [128, 256, 512, 1024, 2048, 4096, 8192]
    assert all(one.slack_bytes == 131072 - 3 * 2 * one.tile for one in whole)


def test_a_search_in_words_and_drawn() -> None:
    search = chain()
    assert search.adjusted == (10880, 8192) and search.proposed == (256, 131072)
    assert search_text(search) == (
        "85 tiles tried until 21,760 took more than it may; 10,880 became 8,192 for the sake of "
        "the cores; it settled on 8,192."
    )
    assert search_title(search) == "axis 0"
    figure = search_figure(search)
    tiles = sorted(x for trace in figure.data if len(trace.x) > 1 for x in trace.x)
    assert tiles == sorted(one.tile for one in search.tries)
    last = [trace for trace in figure.data if trace.marker.symbol == "star"]
    assert list(last[0].x) == [8192] and list(last[0].y) == [81920]


def test_an_axis_that_does_not_fit_has_nothing_to_draw() -> None:
    found = opened("softmax_fp16")
    for search in searches(found.trace, found.texts):
        assert not search.fits and search.tries == ()
        assert "keeps that" in search_text(search)


def test_a_cube_kernel_is_searched_twice() -> None:
    found = opened("matmul_cube")
    read = searches(found.trace, found.texts)
    assert [(each.axis, each.level, each.final) for each in read] == [
        (0, "outer", None),
        (4, "outer", 16),
        (0, "L0", None),
        (4, "L0", 2),
    ]
    assert search_title(read[-1]) == "axis 4, L0 tile"


def test_a_text_that_is_no_log_holds_no_search() -> None:
    assert read_search("") == () == read_search("final factor 8\nfactor 4 exceed memory\n")


# --- the axes -------------------------------------------------------------------------------------


def test_reasons_of_a_broadcast_with_a_sum() -> None:
    rows, columns = axis_reasons(opened("broadcast_exp_sum").trace)
    assert said(rows, "tile") == "The code cuts 1,024 iterations into 32 tiles of 32 (loops ax0)."
    assert said(rows, "range") == "The search allows 16 to 1,024."
    assert "must divide the extent 1,024" in said(rows, "remainders")
    assert said(rows, "cores") == "It may be spread over cores."
    assert said(columns, "alignment") == (
        "A multiple of 128: the loop is vectorised, and one step of the vector unit takes 128 "
        "numbers of float16 (256 B)."
    )
    assert "takes it up last (priority 0)" in said(columns, "priority")
    assert "T_cast_T_exp is reduced along it (REDUCE_AXIS)." in said(columns, "mark")
    assert "T_exp (2 B) to T_cast_T_exp (4 B) (CAST)" in said(columns, "mark")
    assert {each.source for each in columns.reasons} == {
        "poly/scop.log",
        "L1 Tile in poly/tiling.log",
        "Align to in poly/tiling.log",
        "Priority in poly/tiling.log",
        "Forbid isolate in poly/tiling.log",
        "Multi-core support in poly/tiling.log",
        "Attrs in poly/tiling.log",
    }


def test_reasons_of_a_matrix_product() -> None:
    axes = axis_reasons(opened("matmul_cube").trace)
    assert "columns of the result in blocks of 16 (GEMM:no)" in said(axes[0], "mark")
    assert said(axes[2], "alignment") == "A multiple of 16: the cube multiplies blocks of 16 x 16."
    assert said(axes[2], "range") == "The search allows 16 alone."
    assert "takes it up as number 2 of 5" in said(axes[4], "priority")


def test_where_tiles_were_given_there_is_no_log() -> None:
    (axis,) = axis_reasons(opened("elementwise_chain-tile_8192").trace)
    assert said(axis, "choice") == "It was asked for in a hint."
    assert "writes no search log" in said(axis, "range")


def test_every_recorded_axis_has_reasons_in_whole_sentences() -> None:
    for name in RECORDED:
        axes = axis_reasons(opened(name).trace)
        for axis in axes:
            assert {"tile", "choice", "range"} <= {each.about for each in axis.reasons}
            assert all(re.fullmatch(r"\w.*\.", each.sentence) for each in axis.reasons), axis


def test_both_tilers_side_by_side() -> None:
    rows, columns = sides(opened("broadcast_exp_sum").trace)
    assert (rows.searched, rows.symbolic, rows.used, rows.agree) == (16, 32, 32, False)
    assert (columns.searched, columns.symbolic, columns.used) == (384, 768, 768)
    # symbolic tiling gave way to the search
    assert [side.symbolic for side in sides(opened("softmax_fp16").trace)] == [None, None]
    table = sides_table(sides(opened("matmul_cube").trace))
    assert list(table["classic search"]) == ["1", "32 (whole)", "16 (whole)", "16 (whole)", "16"]
    assert list(table["the code uses"]) == ["16", "2", "16 (whole)", "16 (whole)", "4"]
    assert list(table["agree"]) == ["no", "no", "yes", "yes", "no"]


def test_the_share_that_automatic_tiling_aims_at() -> None:
    assert share_reason(0.5).sentence.startswith("Automatic tiling aims at 50 % of a memory")


# --- the repository -------------------------------------------------------------------------------

_OWN = """
import json, sys
from core.compilers.akg import child
child.prepare([sys.argv[1]])
from akg.composite.build_module import generate_trait
print(json.dumps([generate_trait(json.loads(open(p).read())) for p in sys.argv[2:]]))
"""


def test_kernels_are_called_what_the_compiler_calls_them(akg: Akg) -> None:
    folders = [KERNELS, PROJECT.parent / "shared" / "cases" / "akg"]
    paths = [p for folder in folders for p in sorted(folder.glob("*")) if is_described(p)]
    asked = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _OWN, str(RECIPE.folder), *map(str, paths)],
        cwd=PROJECT,
        env=child_environment(RECIPE.folder),
        capture_output=True,
        text=True,
        check=True,
    )
    named = json.loads(asked.stdout.splitlines()[-1])
    assert len(paths) > 5
    for path, theirs in zip(paths, named, strict=True):
        ours = list(traits(json.loads(path.read_text())))
        if ours[1] == "any_shape":  # the compiler looks batched products up for every shape
            theirs[1] = "any_shape"
        assert ours == theirs, path.name


def is_described(path: Path) -> bool:
    return path.suffix in (".json", ".info") and '"op_desc"' in path.read_text()


def shipped(kernel: Kernel) -> tuple[Kernel, str]:
    """A matrix product with shapes for which AKG ships tiles, and those tiles."""
    held = json.loads((RECIPE.folder / "mindspore/_akg/akg/config/repository.json").read_text())
    made = json.loads(kernel.source)
    computes, _, dtypes = traits(made)
    described = [*(each[0] for each in made["input_desc"]), *made["output_desc"]]
    for operation in made["op_desc"]:
        described += [*(each[0] for each in operation["input_desc"]), *operation["output_desc"]]
    names = list(dict.fromkeys(tensor["tensor_name"] for tensor in described))
    shapes = "1_2_16_16.64_1_16_16.64_2_16_16"
    for name, shape in zip(names, shapes.split("."), strict=True):
        for tensor in described:
            if tensor["tensor_name"] == name:
                tensor["shape"] = [int(size) for size in shape.split("_")]
    shipped_dim = held[computes][shapes][dtypes]["metadata"]["attrs"]["dim"]
    return parse_kernel(json.dumps(made), "shipped.json"), shipped_dim.strip()


def test_what_the_repository_holds_is_found_and_used(
    akg: Akg, compile_kernel: Callable[..., Opened]
) -> None:
    kernel, dim = shipped(load_kernel(KERNELS / "matmul_cube.json"))
    entry = repository_entry(kernel)
    assert entry is not None and entry.dim == dim
    assert repository_reason(entry).sentence.startswith(f"AKG ships the tiles {dim!r} for these")
    trace = compile_kernel(kernel).trace
    assert {axis.origin for axis in trace.tiling.axes} <= {"repository", "whole"}
    assert "repository" in {axis.origin for axis in trace.tiling.axes}


def test_what_the_repository_lacks_is_said(akg: Akg) -> None:
    product = repository_entry(load_kernel(KERNELS / "matmul_cube.json"))
    assert product is not None and product.dim == "" and product.others > 0
    assert "other shapes of the same computation" in repository_reason(product).sentence
    nothing = repository_entry(load_kernel(KERNELS / "elementwise_chain.json"))
    assert nothing is not None and not nothing.known
    assert repository_reason(nothing).sentence.startswith("None: AKG ships nothing for 2.Add12")
    assert repository_entry(load_kernel(KERNELS / "maxpool.py")) is None
    assert repository_reason(None).sentence.startswith("None: only kernels described in JSON")


# --- constraints ----------------------------------------------------------------------------------

CLASSIC = {"SYMBOLIC_TILING": False}


def tiles(found: Opened) -> list[int]:
    return [axis.tile for axis in found.trace.tiling.axes]


def test_constraints_change_the_tiles_where_the_classic_search_decides(
    compile_all: Callable[..., object],
) -> None:
    kernel = load_kernel(KERNELS / "broadcast_exp_sum.json")
    wanted = ("", "MAX 0.1 128", "CANDIDATE 0.1 256", "SET_MEM_RATIO 0.9")
    asked = [Hints(attributes={**CLASSIC, **({"custom_tiling": w} if w else {})}) for w in wanted]
    found = list(compile_all([(kernel, hints) for hints in asked]))  # type: ignore[call-overload]
    assert [tiles(one) for one in found] == [[16, 384], [64, 128], [32, 256], [16, 768]]
    assert all("custom_tiling" not in one.trace.hints.ignored for one in found)
    assert found[1].trace.hints.honoured["custom_tiling"] == "MAX 0.1 128"
    assert constraint_reason(found[1].trace).sentence == (
        "Asked for, and read by the classic search: MAX 0.1 128."
    )


def test_constraints_are_ignored_where_the_symbolic_tiler_decides(
    compile_kernel: Callable[..., Opened],
) -> None:
    kernel = load_kernel(KERNELS / "broadcast_exp_sum.json")
    asked = Hints(attributes={"custom_tiling": "MAX 0.1 128"})
    found = compile_kernel(kernel, asked)
    assert tiles(found) == [32, 768]
    assert "turn SYMBOLIC_TILING off" in found.trace.hints.ignored["custom_tiling"]
    assert "SYMBOLIC_TILING" in notes(asked)["custom_tiling"]
    assert "ignored" in constraint_reason(found.trace).sentence
    assert notes(Hints(attributes={**CLASSIC, "custom_tiling": "MAX 0.1 128"})) == {}


@pytest.mark.parametrize(
    "text",
    ["", "MAX", "MAX 0.1", "BIG 0.1 8", "MAX 0.1 8 9", "SET_MEM_RATIO 2", "SET_MEM_RATIO 0.0"],
)
def test_what_is_no_constraint_is_refused(text: str) -> None:
    with pytest.raises(HintError, match="custom_tiling"):
        check_hints(Hints(attributes={"custom_tiling": text}))


def test_constraints_are_read() -> None:
    first, second, third = parse_constraints("MAX 0.1 128; SET_MEM_RATIO .25,  MIN 3 64")
    assert (first.name, first.band, first.axis, first.value) == ("MAX", 0, 1, 128)
    assert (second.name, second.ratio) == ("SET_MEM_RATIO", 0.25)
    assert (third.band, third.axis, third.value) == (0, 3, 64)


# --- parameters -----------------------------------------------------------------------------------


def test_buffers_that_grow_with_a_parameter_are_named() -> None:
    own, wider = opened("hivm_vadd"), opened("hivm_vadd-tile_24576")
    assert own.kernel is not None
    alone = {each.key: each for each in parameter_reasons(own.trace, own.kernel)}
    assert "known once it is compiled with another value" in said(alone["TILE"], "memory")
    outcome = Outcome({"TILE": 24576}, "done", wider.trace)
    found = {each.key: each for each in parameter_reasons(own.trace, own.kernel, [outcome])}
    assert said(found["TILE"], "tile").startswith("It is 8192")
    names = said(found["TILE"], "memory")
    assert names.startswith("In UB it changes the size of hivm_vadd.mlir:16:15")


def test_what_hfusion_chose_is_a_reason() -> None:
    found = opened("hfusion_elementwise")
    assert found.kernel is not None
    last = parameter_reasons(found.trace, found.kernel)[-1]
    assert "16,376 over 24 cores" in said(last, "choice")
    assert parameter_reasons(found.trace, replace(found.kernel, parameters=())) == ()
