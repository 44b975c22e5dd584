"""Remedies of failed compiles, tried by the real compilers, and what failures hang on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from core.analysis import bisecting, trying
from core.analysis.bisecting import Bisected
from core.analysis.inquiry import Answer
from core.analysis.remedies import remedies
from core.analysis.trying import Outcome, Tried, proposed
from core.compilers.akg import rewrites
from core.compilers.akg.convolution import (
    Convolution,
    convolution,
    with_data_padded,
    with_padding_in_columns,
)
from core.compilers.registry import compiler_for
from core.hints import Hints, HintValue, parse_dim
from core.jobs.inquiries import read_result, write_result
from core.kernel import Kernel, load_kernel, parse_kernel
from core.readers import Opened, open_trace
from core.reference import evaluate, inputs_for
from core.reference.ascend import check_code
from core.request import Request
from core.trace import HintsOutcome, Trace
from tests.asked import Sessions, run, sessions
from tests.conftest import KERNELS, PROJECT

TRACES = PROJECT / "data" / "traces"


@pytest.fixture(scope="module")
def asked(akg, ascendnpu_ir) -> Iterator[Sessions]:
    with sessions() as opened:
        yield opened


def recorded(name: str) -> tuple[Opened, Kernel]:
    opened = open_trace(TRACES / f"{name}.zip")
    assert opened.kernel is not None and not opened.trace.status.compiles
    return opened, opened.kernel


def try_all(asked: Sessions, name: str, **options: int) -> Tried:
    opened, kernel = recorded(name)
    tried, answers = run(trying.start(opened.trace, opened.texts, kernel, options), asked)
    assert len(tried.outcomes) == len(answers)
    return tried


def try_kernel(asked: Sessions, kernel: Kernel, hints: Hints, **options: int) -> Tried:
    trace = compiled(asked, kernel, hints)
    assert not trace.status.compiles
    return run(trying.start(trace, NOTHING, kernel, options), asked)[0]


class _Nothing:
    def get(self, digest: str) -> str:
        raise KeyError(digest)


NOTHING = _Nothing()


def compiled(asked: Sessions, kernel: Kernel, hints: Hints) -> Trace:
    by = compiler_for(kernel)  # as remedies name it, so that nothing is compiled twice
    (answer,) = asked.answers([Request(kernel, hints, by.name, by.version)])
    assert answer.trace is not None, answer.error
    return answer.trace


def first_working(tried: Tried) -> Outcome:
    assert tried.working, [(each.remedy.title, each.message) for each in tried.outcomes]
    best = tried.working[0]
    assert best.limiter and best.occupancy is not None and 0 < best.occupancy <= 1
    return best


# "Try all"


def test_max_pooling_needs_one_switch(asked):
    tried = try_all(asked, "maxpool-k3_s2_pad1", most=3)
    best = first_working(tried)
    assert best.remedy.request.hints.as_dict() == {"multicore_loop_switch_hoist": 0}
    assert best.remedy.kind == "pass_switch" and best.cores == 1 and best.instructions
    one_core = next(o for o in tried.working if o.remedy.kind == "cores")
    assert one_core.remedy.request.hints.as_dict() == {"enable_multicore": 0}
    # The other tiler dies of the same.
    same = next(o for o in tried.outcomes if "SYMBOLIC_TILING" in o.remedy.title)
    assert not same.compiles and "SIGSEGV" in same.message and same.fingerprint
    assert read_result("remedies", write_result(tried)) == tried


@pytest.mark.parametrize("tile", [131072, 262144])
def test_a_tile_too_large_is_left_to_the_compiler_or_made_smaller(asked, tile):
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    tried = try_kernel(asked, kernel, Hints(parse_dim(f"0 0 {tile} 1")), enough=1)
    assert first_working(tried).remedy.request.hints == Hints()
    half = next(o for o in tried.outcomes if "65,536" in o.remedy.title)
    assert half.compiles and half.remedy.request.hints.dim == "0 0 65536 1"
    assert (half.limiter, half.occupancy) == ("UB", 1.0)
    assert f"for {tile:,}" in half.remedy.title and "262,144 B" in half.remedy.reason


def test_tiles_of_the_cube(asked):
    kernel = load_kernel(KERNELS / "matmul_cube.json")
    hints = Hints(parse_dim("0 0 64 64 0 1 64 64 0 2 16 16 0 3 16 16 0 4 64 64"))
    proposals = remedies(compiled(asked, kernel, hints), kernel, ())
    tiles = [p for p in proposals if p.kind == "tile"]
    quarter = next(p for p in tiles if "a quarter" in p.title)
    inner = next(p for p in tiles if p.title == "L0 tiles of 4 at most")
    # The cube's own blocks of 16 x 16 stay.
    assert quarter.request.hints.dim.endswith("0 2 16 16 0 3 16 16 0 4 8 16")
    assert inner.request.hints.dim == "0 0 64 4 0 1 64 4 0 2 16 16 0 3 16 16 0 4 64 4"
    assert not [p for p in tiles if "axis 2" in p.title]
    for answer in asked.answers([quarter.request, inner.request]):
        assert answer.compiles, answer.error


def test_the_largest_of_a_row_of_float32(asked):
    source = (KERNELS / "softmax_fp32.json").read_text().replace("1024", "128")
    kernel = parse_kernel(source.replace("256", "32"), "softmax_fp32.json")
    tried = try_kernel(asked, kernel, Hints(), enough=2, most=3)
    narrow, halved, whole = tried.outcomes
    assert [o.remedy.kind for o in tried.outcomes] == ["precision", "decomposition", "precision"]
    assert all(o.compiles and o.instructions for o in tried.outcomes)
    assert "float16" in narrow.remedy.numerics and "float16" in whole.remedy.numerics
    # By halves nothing is rounded.
    assert not halved.remedy.numerics and "Neither step rounds" in halved.remedy.reason
    assert halved.remedy.request.kernel.name == "softmax_fp32_halved"
    for outcome in (narrow, halved):
        assert outcome.remedy.request.hints.as_dict() == {"enable_polytops": "always"}


def test_what_compiles_computes_what_it_should(compile_all):
    """With the usual scheduler the code of the first writes beyond its buffers."""
    opened, kernel = recorded("softmax_fp32")
    source = kernel.source.replace("1024", "128").replace("256", "64")
    found = remedies(opened.trace, parse_kernel(source, "softmax_fp32.json"), ())
    requests = [r.request for r in found if r.kind in ("decomposition", "precision")]
    assert len(requests) == 3
    made = compile_all([(request.kernel, request.hints) for request in requests])
    for request, each in zip(requests, made, strict=True):
        code = each.texts.get(each.trace.code)
        for difference in check_code(request.kernel, code, each.trace.block_dim):
            assert difference.agrees, (request.kernel.name, difference)


@pytest.mark.parametrize(
    ("name", "lowered"),
    [
        ("hivm_vadd-tile_24577", {"TILE": 24576}),
        ("triton_softmax-long_rows", {"COLUMNS": 4096}),
        ("triton_matmul-l1_overflow", {"BN": 128}),
        ("triton_matmul-l0c_overflow", {"BM": 128}),
    ],
)
def test_parameters_are_lowered_until_it_fits(asked, name, lowered):
    tried = try_all(asked, name, enough=1)
    best = first_working(tried)
    assert best.remedy.kind == "parameter"
    # What is proposed and no longer needed is said.
    opened, kernel = recorded(name)
    known = proposed(opened.trace, kernel)
    assert (*(o.remedy for o in tried.outcomes), *tried.untried) == known
    assert len(tried.outcomes) <= 8  # two rounds
    working = [o.remedy.request.hints.as_dict() for o in tried.working]
    assert any(lowered.items() <= hints.items() for hints in working)
    # Not one that is larger than what failed.
    given = {p.name: opened.trace.hints.asked.get(p.name, p.default) for p in kernel.parameters}
    for outcome in tried.outcomes:
        for parameter, value in outcome.remedy.request.hints.attributes.items():
            now = given.get(parameter)
            assert not isinstance(now, int) or int(value) <= now


VADD = """
#gm = #hivm.address_space<gm>
#ub = #hivm.address_space<ub>
module {
  func.func @vadd(%x: memref<TOTALxf32, #gm>, %y: memref<TOTALxf32, #gm>)
      attributes {hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>} {
    %first = arith.constant 0 : index
    %all = arith.constant TOTAL : index
    %step = arith.constant 49152 : index
    scf.for %i = %first to %all step %step {
      %from = memref.subview %x[%i] [49152] [1] : memref<TOTALxf32, #gm> to PART
      %into = memref.subview %y[%i] [49152] [1] : memref<TOTALxf32, #gm> to PART
      %a = memref.alloc() : memref<49152xf32, #ub>
      hivm.hir.load ins(%from : PART) outs(%a : memref<49152xf32, #ub>)
      %b = memref.alloc() : memref<49152xf32, #ub>
      hivm.hir.vadd ins(%a, %a : memref<49152xf32, #ub>, memref<49152xf32, #ub>)
          outs(%b : memref<49152xf32, #ub>)
      hivm.hir.vadd ins(%a, %b : memref<49152xf32, #ub>, memref<49152xf32, #ub>)
          outs(%b : memref<49152xf32, #ub>)
      hivm.hir.store ins(%b : memref<49152xf32, #ub>) outs(%into : PART)
    }
    return
  }
}
""".replace("PART", "memref<49152xf32, strided<[1], offset: ?>, #gm>")


def test_a_size_that_stands_in_the_text_of_a_module(asked):
    kernel = parse_kernel(VADD.replace("TOTAL", "983040"), "vadd.mlir")
    best = first_working(try_kernel(asked, kernel, Hints(), enough=1))
    assert best.remedy.title == "24,576 wherever the module says 49,152"
    made = best.remedy.request.kernel
    assert made.name == "vadd_24576" and "49152" not in made.source
    assert made.tensors == kernel.tensors and made.source.count("24576") == VADD.count("49152")
    assert best.occupancy == 1.0
    # Where a tensor as a whole has that size, another size would be another kernel.
    whole = parse_kernel(VADD.replace("TOTAL", "49152"), "vadd.mlir")
    proposals = remedies(compiled(asked, whole, Hints()), whole, ())
    assert not [p for p in proposals if p.kind == "parameter"]


def test_the_measured_case_of_a_module_without_parameters(asked, cases):
    kernel = load_kernel(cases / "mlir" / "v32768.mlir")
    best = first_working(try_kernel(asked, kernel, Hints(), enough=1))
    assert best.remedy.title == "16,384 wherever the module says 32,768"


def test_a_padded_convolution_becomes_columns_and_a_product(asked):
    tried = try_all(asked, "conv3d_padded-8x8x8_c4_k3", most=1)
    best = first_working(tried)
    assert best.remedy.kind == "decomposition" and best.cores and best.cores > 1
    made = best.remedy.request.kernel
    assert [t.shape for t in made.tensors] == [(1, 4, 10, 10, 10), (4, 4, 3, 3, 3)]
    assert "1 zeros on every side" in best.remedy.reason
    # The smaller one compiles with its padding too.
    opened, kernel = recorded("conv3d_padded-4x4x4_c2_k3")
    inside = next(p for p in proposed(opened.trace, kernel) if "padded while" in p.title)
    assert inside.request.kernel.tensors == kernel.tensors
    (answer,) = asked.answers([inside.request])
    assert answer.compiles


def test_a_function_of_the_host_becomes_one_of_the_device(asked):
    tried = try_all(asked, "host_elementwise", enough=1, most=2)
    best = first_working(tried)
    assert best.remedy.request.kernel.name == "host_elementwise_device" and best.cores == 24


def test_nothing_is_proposed_for_what_compiles_or_was_stopped(asked):
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    trace = open_trace(TRACES / "elementwise_chain.zip").trace
    assert proposed(trace, kernel) == ()
    with pytest.raises(ValueError, match="nothing to try"):
        trying.start(trace, NOTHING, kernel, {})


def test_every_failed_trace_has_remedies_with_reasons():
    """One for each kind of failure that is recorded, none of them what failed."""
    for file in sorted(TRACES.glob("*.zip")):
        opened = open_trace(file)
        if opened.trace.status.compiles or opened.kernel is None:
            continue
        found = proposed(opened.trace, opened.kernel)
        assert len({each.kind for each in found}) >= 2, file.stem
        digests = [each.request.digest for each in found]
        assert len(set(digests)) == len(digests)
        for each in found:
            assert each.reason.endswith(".") and each.title
            assert (each.kind == "precision") == bool(each.numerics), each.title
        # An answer or a document may be kept and read again.
        document = msgspec.json.encode(found)
        assert msgspec.json.decode(document, type=type(found) and list[type(found[0])]) == list(
            found
        )


def test_a_neighbouring_shape_is_filled_up():
    opened, _ = recorded("softmax_fp32")
    source = json.loads((KERNELS / "softmax_fp32.json").read_text())
    kernel = parse_kernel(json.dumps(source).replace("1024", "1000"), "softmax_fp32.json")
    found = remedies(opened.trace, kernel, ())
    shapes = [each for each in found if each.kind == "shape"]
    # A softmax over rows with more in them is another softmax, unless what fills them is minus
    # infinity, which is said; none changes the number of rows.
    for each in shapes:
        assert each.request.kernel.tensors[0].shape[0] == 256
        assert each.request.kernel.tensors[0].shape[1] % 16 == 0
        assert "filled" in each.reason


# Other operators, the same results


def row_kernel(name: str, shape: list[int], keep: bool, dtype: str = "float32") -> Kernel:
    out = [*shape[:-1], 1] if keep else (shape[:-1] or [1])
    tensor = {"tensor_name": "x", "shape": shape, "data_type": dtype}
    result = {"tensor_name": "y", "shape": out, "data_type": dtype}
    attributes = [
        {"name": "axis", "data_type": "listInt", "value": [-1]},
        {"name": "keep_dims", "data_type": "bool", "value": keep},
    ]
    operator = {
        "name": name, "attr": attributes, "impl_path": "",
        "input_desc": [[{**tensor, "name": "input_0"}]],
        "output_desc": [{**result, "name": "output_0"}],
    }  # fmt: skip
    document = {
        "composite": True, "op": "rows", "platform": "AKG", "process": "aicore",
        "input_desc": [[tensor]], "op_desc": [operator], "output_desc": [result],
    }  # fmt: skip
    return parse_kernel(json.dumps(document), "rows.json")


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("ReduceMax", "float32"), ("ReduceMin", "float32"), ("ReduceMax", "int32"),
     ("ReduceSum", "int32")],
)  # fmt: skip
@pytest.mark.parametrize("shape", [[6, 8], [4, 5, 33], [1000], [16, 64]])
@pytest.mark.parametrize("keep", [True, False])
def test_rewritten_rows_have_the_same_result(name, dtype, shape, keep):
    kernel = row_kernel(name, shape, keep, dtype)
    inputs = inputs_for(kernel)
    right = evaluate(kernel, inputs)["y"]
    halved, lanes = rewrites.halved(kernel), rewrites.in_lanes(kernel)
    assert (halved is not None) == (name != "ReduceSum" or shape[-1] in (8, 64))
    assert (lanes is not None) == (shape == [16, 64])
    in_float = rewrites.summed_in_float(kernel)
    assert (in_float is not None) == (name == "ReduceSum")
    for made in (halved, lanes, in_float):
        if made is not None:
            assert made.name.startswith("rows_") and made.tensors == kernel.tensors
            assert np.array_equal(evaluate(made, inputs)["y"], right)
    if halved is not None:
        assert name not in [op["name"] for op in json.loads(halved.source)["op_desc"]]


def test_what_the_chip_can_do_is_not_rewritten():
    softmax = load_kernel(KERNELS / "softmax_fp16.json")
    assert rewrites.halved(softmax) is None and rewrites.in_lanes(softmax) is None
    assert rewrites.halved(load_kernel(KERNELS / "maxpool.py")) is None


@pytest.mark.parametrize(
    ("name", "dtype", "said"),
    [("ReduceMax", "float32", "only support float16"), ("ReduceSum", "int32", "is_float()")],
)
def test_rows_that_the_chip_does_not_reduce(asked, name, dtype, said):
    kernel = row_kernel(name, [64, 64], True, dtype)
    trace = compiled(asked, kernel, Hints())
    assert trace.failure is not None and said in trace.failure.message
    found = [r for r in proposed(trace, kernel) if r.kind in ("decomposition", "precision")]
    # Exact ones first.
    assert [bool(each.numerics) for each in found][:2] == [False, dtype == "float32"]
    assert all(answer.compiles for answer in asked.answers([each.request for each in found]))


def test_a_convolution_is_known_by_its_form():
    padded = load_kernel(KERNELS / "conv3d_padded.py", "8x8x8_c4_k3")
    found = convolution(padded)
    assert found == Convolution(
        (1, 4, 8, 8, 8), (4, 4, 3, 3, 3), ("float16", "float16"), 1, "float32"
    )
    direct = convolution(load_kernel(KERNELS / "conv3d_direct.py"))
    assert direct is not None and direct.pad == 0
    for name in ("conv3d_im2col_gemm", "maxpool", "voxel_gather", "scatter_add"):
        assert convolution(load_kernel(KERNELS / f"{name}.py")) is None
    # A stride, a difference, another order: something else, which is left alone.
    for old, new in (
        ("z + d, y + h", "2 * z + d, y + h"),
        ("z + d, y + h", "y + h, z + d"),
        ("at[4] - pad]", "at[4]]"),
        ("tvm.const(0, x.dtype)", "tvm.const(1, x.dtype)"),
    ):
        assert padded.source.count(old) == 1
        assert convolution(replace(padded, source=padded.source.replace(old, new))) is None
    for make in (with_data_padded, with_padding_in_columns):
        assert make(padded, found) is not None


# What a failure hangs on


def bisect(
    asked: Sessions, kernel: Kernel, hints: Hints, trace: Trace | None = None
) -> tuple[Bisected, int]:
    trace = trace or compiled(asked, kernel, hints)
    found, answers = run(bisecting.start(trace, NOTHING, kernel, {}), asked)
    assert len(found.steps) == len(answers)
    assert read_result("bisect", write_result(found)) == found
    return found, len(answers)


def test_the_switch_of_max_pooling(asked):
    opened, kernel = recorded("maxpool-k3_s2_pad1")
    found, compiles = bisect(asked, kernel, Hints(), opened.trace)
    assert found.switch == "multicore_loop_switch_hoist = 0" and found.switch in found.sentence
    assert found.cure is not None
    assert found.cure.hints.as_dict() == {"multicore_loop_switch_hoist": 0}
    assert compiles <= 4 and not found.hints


SIX: dict[str, HintValue] = {
    "enable_compute_in_place": True,
    "dead_code_elim": True,
    "enable_multicore": 8,
    "pragma_enable_reschedule": False,
    "disable_cse": True,
    "enable_sink_allocate": False,
}


def test_one_of_six_hints_is_to_blame(asked):
    found, compiles = bisect(asked, load_kernel(KERNELS / "elementwise_chain.json"), Hints((), SIX))
    assert found.hints == ("pragma_enable_reschedule = off",)
    assert "this hint alone" in found.sentence and compiles <= 12
    assert found.cure is not None
    left = {name: value for name, value in SIX.items() if name != "pragma_enable_reschedule"}
    assert found.cure.hints.attributes == left
    (cured,) = asked.answers([found.cure])
    assert cured.compiles


def test_a_tile_among_hints_is_to_blame(asked):
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    hints = Hints(parse_dim("0 0 43690 1"), {"dead_code_elim": True})
    found, compiles = bisect(asked, kernel, hints)
    assert found.hints == ("tile of axis 0.0 = 43,690",) and compiles == 3
    assert found.cure is not None and found.cure.hints == Hints((), {"dead_code_elim": True})


def test_a_hint_that_a_compile_needs(asked):
    kernel = load_kernel(KERNELS / "maxpool.py", "k3_s2_pad1")
    found, compiles = bisect(asked, kernel, Hints((), {"multicore_loop_switch_hoist": 0}))
    assert found.sentence == "It needs this hint alone: multicore_loop_switch_hoist = 0."
    assert found.cure is not None and compiles == 2
    assert found.cure.hints.attributes == {"multicore_loop_switch_hoist": 0}
    with pytest.raises(ValueError, match="nothing was asked"):
        bisecting.start(open_trace(TRACES / "elementwise_chain.zip").trace, NOTHING, kernel, {})


@pytest.mark.parametrize("needed", [(0,), (5,), (1, 4), (0, 2, 5), (0, 1, 2, 3, 4, 5)])
@pytest.mark.parametrize("fails", [True, False])
def test_no_hint_of_a_set_that_was_found_can_be_left_out(needed, fails):
    """Any set of six, with outcomes that were recorded: it is found, whichever it is."""
    names = list(SIX)
    wanted = {names[at] for at in needed}
    bad = open_trace(TRACES / "elementwise_chain-tile_131072.zip")
    good = open_trace(TRACES / "elementwise_chain.zip").trace
    asked_for = HintsOutcome(asked=SIX)
    trace = replace(bad.trace if fails else good, hints=asked_for)
    assert bad.kernel is not None
    inquiry = bisecting.start(trace, NOTHING, bad.kernel, {})
    requests = next(inquiry)
    compiles = 0
    try:
        while True:
            compiles += len(requests)
            there = [wanted <= set(request.hints.attributes) for request in requests]
            traces = [bad.trace if each == fails else good for each in there]
            requests = inquiry.send([Answer(r, t) for r, t in zip(requests, traces, strict=True)])
    except StopIteration as ended:
        found = ended.value
    assert {words.partition(" = ")[0] for words in found.hints} == wanted
    assert compiles == len(found.steps) <= 40
    if not fails:
        assert set(found.cure.hints.attributes) == wanted
