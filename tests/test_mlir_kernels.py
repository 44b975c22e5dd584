"""MLIR and Triton kernels: what their text says, and how each of our own ends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from core.compilers import Session
from core.compilers.ascendnpu_ir import TRITON_RECIPE, AscendNpuIr
from core.compilers.ascendnpu_ir.mlir_kernel import instantiate, level
from core.hints import HintError
from core.kernel import KernelError, Parameter, Tensor, kernel_cases, load_kernel, parse_kernel
from core.trace import Status
from tests.conftest import KERNELS
from tests.ran import run, run_all

INDEX = json.loads((KERNELS / "index.json").read_text())

# Reading MLIR

COPY = """// Copies.
// parameters: N = 16, 32; block-dim = 4, 8
module {
  func.func private @other(memref<4xf32>)
  func.func @copy(%x: memref<${N}xf16, #hivm.address_space<gm>>, %n: i32, %y: memref<?x${N*2}xi8>)
      attributes {hacc.entry} {
    %part = memref.subview %y[0, 0] [1, ${N}] [1, 1] : memref<?x${N*2}xi8> to memref<1x${N}xi8>
    hivm.hir.store ins(%x : memref<${N}xf16>) outs(%part : memref<1x${N}xi8>)
    return
  }
}
"""


def test_a_module_says_its_parameters_and_tensors():
    kernel = parse_kernel(COPY, "copy it.mlir")
    assert (kernel.kind, kernel.name, kernel.case, kernel.about) == (
        *("mlir", "copy_it", "", "Copies."),
    )
    assert kernel.parameters == (Parameter("N", (16, 32), 16), Parameter("block-dim", (4, 8), 4))
    assert kernel.tensors == (
        Tensor("x", (16,), "float16", "input"),
        Tensor("y", (-1, 32), "int8", "output"),
    )


def test_places_are_filled_and_lines_stay_where_they_are():
    text = instantiate(COPY, {"N": 24})
    assert "memref<24xf16" in text
    assert "memref<?x48xi8>" in text
    assert "$" not in text
    assert text.count("\n") == COPY.count("\n")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("N", "7"),
        ("N + 1", "8"),
        (" N * (N - 2) ", "35"),
        ("N // 2", "3"),
        ("WORD", "aiv"),
        ("100", "100"),
    ],
)
def test_a_place_holds_a_sum_of_parameters(place, says):
    assert instantiate(f"<${{{place}}}>", {"N": 7, "WORD": "aiv"}) == f"<{says}>"


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("N // 0", "divides by 0"),
        ("N / 2", "is not a parameter, nor a sum"),
        ("N.real", "is not a parameter, nor a sum"),
        ("f(N)", "is not a parameter, nor a sum"),
        ("WORD + 1", "is not a parameter, nor a sum"),
        ("2 **", "is not a parameter, nor a sum"),
    ],
)
def test_a_place_holds_nothing_else(place, says):
    with pytest.raises(HintError, match=says):
        instantiate(f"${{{place}}}", {"N": 7, "WORD": "aiv"})


FUNCTION = "func.func @f() { return }"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no function"),
        ("module {}", "holds no function"),
        ("// func.func @f() in a comment", "holds no function"),
        ("// -----// IR Dump After CSE (cse) //----- //\n" + FUNCTION, "open it as a trace"),
        (f"{FUNCTION} // ${{N}}", r"\$\{N\}: N is not declared"),
        (f"// parameters: N 16\n{FUNCTION} // ${{N}}", "'N 16' is not NAME = VALUE"),
        (f"// parameters: N =\n{FUNCTION} // ${{N}}", "has no value"),
        (f"// parameters: N = 1, 1\n{FUNCTION} // ${{N}}", "gives a value twice"),
        (f"// parameters: N = 1; N = 2\n{FUNCTION} // ${{N}}", "N is declared twice"),
        (f"// parameters: block-dmi = 1\n{FUNCTION}", "did you mean block-dim"),
        (f"// parameters: block-dim = 0\n{FUNCTION}", "block-dim must be 1 or more"),
        (f"// parameters: N = 2\n{FUNCTION} // ${{4 // (N - 2)}}", "divides by 0"),
    ],
)
def test_text_that_no_compiler_should_see_is_refused(text, says):
    with pytest.raises(KernelError, match=says) as error:
        parse_kernel(text, "k.mlir")
    assert "\n" not in str(error.value)


def test_the_generic_form_is_taken_as_it_is():
    text = '"builtin.module"() ({ "func.func"() <{sym_name = "f"}> ({}) : () -> () }) : () -> ()'
    assert parse_kernel(text, "k.mlir").tensors == ()


@pytest.mark.parametrize(
    ("entry", "made_of"),
    [
        ("hivm_vadd.mlir", "hivm"),
        ("hfusion_elementwise.mlir", "hfusion"),
        ("hfusion_matmul.mlir", "hfusion"),
        ("host_elementwise.mlir", "hfusion"),
    ],
)
def test_what_a_module_is_made_of_decides_the_pipeline(entry, made_of):
    assert level((KERNELS / entry).read_text()) == made_of


@pytest.mark.parametrize(
    ("case", "made_of"), [("v1024", "hivm"), ("f3", "hivm"), ("g2", "triton"), ("g5", "hfusion")]
)
def test_what_a_measured_case_is_made_of(cases, case, made_of):
    assert level((cases / "mlir" / f"{case}.mlir").read_text()) == made_of


def test_torch_is_told_by_its_dialect():
    assert level("func.func @f() { %0 = torch.aten.mul %a, %b : !torch.vtensor }") == "torch"


# Reading Triton

SCALE = '''"""Scales."""
import triton
import triton.language as tl

CASES = {
    "half": {"signature": {"x": "*fp16", "out": "*fp16", "n": "i32"}, "constants": {"BY": 3}},
    "wide": {"signature": {"x": "*fp32", "out": "*fp32", "n": "i32"},
             "constants": {"BLOCK": 64, "BY": 0.5}},
}
PARAMETERS = {"BLOCK": [32, 64], "tile-mix-vector-loop": [1, 2]}

raise SystemExit("a file is read and never run")

@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr, BY: tl.constexpr, MORE: tl.constexpr = 1):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    into = out + where
    tl.store(into, tl.load(x + where) * BY, mask=where < n)
'''


def test_a_triton_file_says_its_cases_parameters_and_tensors():
    assert kernel_cases(SCALE, "scale.py") == ("half", "wide")
    half = parse_kernel(SCALE, "scale.py")
    assert (half.kind, half.name, half.case, half.about) == ("triton", "scale", "half", "Scales.")
    assert half.parameters == (
        Parameter("BLOCK", (32, 64), 32),
        Parameter("tile-mix-vector-loop", (1, 2), 1),
    )
    assert half.tensors == (
        Tensor("x", (-1,), "float16", "input"),
        Tensor("out", (-1,), "float16", "output"),
    )
    wide = parse_kernel(SCALE, "scale.py", "wide")
    assert wide.parameters[0].default == 64
    assert wide.digest != half.digest


def test_python_without_triton_is_akgs_own_language():
    assert parse_kernel((KERNELS / "maxpool.py").read_bytes(), "maxpool.py").kind == "python"
    with pytest.raises(KernelError, match="Line 2: Not Python"):
        parse_kernel("import triton\ndef", "k.py")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("CASES = ", "CASE = ", "CASES: missing"),
        ('"half": {"sig', '7: {"sig', "the name of a case must be a text, not 7"),
        ('{"BY": 3}', "{'BY': len('ab')}", "must be written out in full"),
        ('{"BY": 3}', "{'BY': None}", "BY must be a number, a text, True or False"),
        ('{"BY": 3}', "{}", "gives no value for BY"),
        ('{"BY": 3}', "{'BY': 3, 'BLOCK': 33}", "gives BLOCK a value that PARAMETERS does not"),
        ('{"BY": 3}', "{'BY': 3, 'B': 1}", "'B', which is no tl.constexpr argument of scale"),
        ('"constants": {"BY": 3}', '"grid": {}', "has 'grid', which means nothing"),
        ('{"x": "*fp16", ', "{", "gives no type for x"),
        ('"n": "i32"}, "c', '"n": "int"}, "c', "'int' is no type of Triton"),
        ('"n": "i32"}, "c', '"n": "i32", "m": "i32"}, "c', "has 'm', which is no argument"),
        ("@triton.jit", "@other", "no function with @triton.jit"),
        ("[32, 64]", "32", "must be a list"),
        ("[32, 64]", "[32, True]", "True is neither a whole number nor a text"),
        ("[32, 64]", "[32, 32]", "gives a value twice"),
        ('{"BLOCK": [', '{"BLOK": [', "no such flag; did you mean BLOCK"),
        ("[1, 2]}", "[0, 2]}", "tile-mix-vector-loop must be 1 or more"),
    ],
)
def test_a_triton_file_that_cannot_be_compiled_is_refused(old, new, says):
    assert SCALE.count(old) >= 1
    with pytest.raises(KernelError, match=re.escape(says)) as error:
        parse_kernel(SCALE.replace(old, new, 1), "scale.py")
    assert "\n" not in str(error.value)


def test_of_several_functions_the_case_names_one():
    two = SCALE + "\n@triton.jit\ndef other(x, BY: tl.constexpr):\n    pass\n"
    with pytest.raises(KernelError, match="give 'function', one of scale, other"):
        parse_kernel(two, "two.py")
    named = two.replace('"constants": {"BY": 3}', '"constants": {"BY": 3}, "function": "scale"')
    assert parse_kernel(named, "two.py").parameters
    with pytest.raises(KernelError, match="'third' is no function with"):
        parse_kernel(named.replace('"function": "scale"', '"function": "third"'), "two.py")


# Compiling


@dataclass(frozen=True)
class Outcome:
    status: Status
    peaks: dict[str, int] = field(default_factory=dict)
    failed_pass: str = ""
    words: str = ""  #: what the compiler says
    attempts: int = 1
    signal: str | None = None


def compiles(**peaks: int) -> Outcome:
    return Outcome(Status.OK_TO_LAST_STEP, peaks)


def overflows(words: str, attempts: int = 3) -> Outcome:
    return Outcome(Status.FAILED, {}, "hivm-plan-memory", words, attempts)


#: What bishengir-compile 1.2.0 did with each for Ascend910B1 on x86-64.
OUTCOMES = {
    "hivm_vadd.mlir": compiles(UB=65_536),
    "hfusion_elementwise.mlir": compiles(UB=196_512),
    "hfusion_reduce.mlir": compiles(UB=131_068),
    "hfusion_rms_norm.mlir": compiles(UB=76_736),
    "hfusion_matmul.mlir": compiles(),
    "hfusion_matmul_add.mlir": compiles(UB=196_480),
    "host_elementwise.mlir": Outcome(
        Status.CRASHED,
        failed_pass="hivm-recognize-deinterleave-op",
        words="PLEASE submit a bug report",
        signal="SIGSEGV",
    ),
    "triton_add.py:fp32": compiles(UB=8_192),
    "triton_add.py:fp16": compiles(UB=4_096),
    "triton_softmax.py:fp32": compiles(UB=33_344),
    "triton_softmax.py:long_rows": overflows("ub overflow, requires 6291712 bits"),
    "triton_matmul.py:fp16": compiles(L1=65_536, L0C=65_536),
    "triton_matmul.py:l1_overflow": overflows("cbuf overflow, requires 6291456 bits"),
    "triton_matmul.py:l0c_overflow": overflows("cc overflow, requires 2097152 bits"),
    "triton_matmul.py:saved_by_a_retry": Outcome(
        Status.OK_TO_LAST_STEP,
        {"L1": 393_216, "L0C": 131_072},
        "hivm-plan-memory",
        "set enable-auto-multi-buffer to false; compilation then succeeded.",
        3,
    ),
    "triton_flash_attention.py:fp16": compiles(UB=53_376, L1=57_344, L0C=32_768),
}


@pytest.fixture(scope="module")
def session(ascendnpu_ir: AscendNpuIr) -> Iterator[Session]:
    session = ascendnpu_ir.session()
    yield session
    session.close()


def needs_triton(entry: str) -> None:
    if ".py" in entry and not TRITON_RECIPE.installed():
        pytest.skip(f"Triton is not installed; run: {TRITON_RECIPE.command}")


def kernel_of(entry: str):
    needs_triton(entry)
    file, _, case = entry.partition(":")
    return load_kernel(KERNELS / file, case)


def test_every_example_of_this_compiler_has_an_outcome():
    ours = [e for e in INDEX if ".mlir" in e or e.startswith("triton_")]
    assert list(OUTCOMES) == ours
    assert len(ours) >= 10


@pytest.mark.parametrize("entry", OUTCOMES)
def test_an_example_ends_as_it_is_said_to(session, entry):
    expected = OUTCOMES[entry]
    ran = run(session, kernel_of(entry))
    assert ran.ended.status is expected.status
    assert ran.ended.signal == expected.signal
    assert ran.peaks == expected.peaks
    assert ran.failed_pass == expected.failed_pass
    assert ran.attempts == expected.attempts
    assert expected.words in ran.log


def test_24576_floats_fill_ub_and_one_more_does_not_fit(session):
    kernel = kernel_of("hivm_vadd.mlir")
    fits, one_more = run_all(session, [(kernel, {"TILE": tile}) for tile in (24_576, 24_577)])
    assert fits.peaks == {"UB": 196_608}
    assert one_more.ended.status is Status.FAILED
    assert "ub overflow, requires 1573376 bits while 1572864 bits available!" in one_more.log
    planned = json.loads((one_more.folder / "dump" / "memory_info_aiv.json").read_text())
    assert {r["status"] for r in planned["Record"]} == {"fail"}


@pytest.mark.parametrize(
    ("entry", "lower"),
    [
        ("triton_softmax.py:long_rows", {"COLUMNS": 4096}),
        ("triton_matmul.py:l1_overflow", {"BK": 256}),
        ("triton_matmul.py:l0c_overflow", {"BM": 128}),
    ],
)
def test_lowering_a_parameter_helps_what_overflows(session, entry, lower):
    assert run(session, kernel_of(entry), lower, full=False).ended.status.compiles


@pytest.mark.parametrize("bm", [16, 64, 256])
@pytest.mark.parametrize("bk", [32, 128])
def test_a_triton_product_takes_what_its_tiles_need(session, bm, bk):
    kernel = kernel_of("triton_matmul.py:fp16")
    ran = run(session, kernel, {"BM": bm, "BN": 64, "BK": bk}, full=False)
    # Two copies, of halves, in L1; one of floats in L0C.
    assert ran.peaks == {"L1": 2 * 2 * (bm * bk + bk * 64), "L0C": 4 * bm * 64}


def test_every_level_of_a_triton_kernel_is_kept_with_its_lines(session):
    ran = run(session, kernel_of("triton_add.py:fp32"))
    dump = ran.folder / "dump"
    assert dump.joinpath("triton_add.py").read_text() == kernel_of("triton_add.py:fp32").source
    stores = 1 + kernel_of("triton_add.py:fp32").source[:SOURCE_OF_STORE].count("\n")
    place = rf'"triton_add.py":{stores}:'
    assert "tt.store" in (dump / "triton_add.ttir.mlir").read_text()
    assert "bufferization.materialize" in (dump / "triton_add.ttadapter.mlir").read_text()
    for text in (
        (dump / "triton_add.ttir.mlir").read_text(),
        (dump / "triton_add.ttadapter.mlir").read_text(),
        ran.log,
    ):
        assert place in text
    assert "IR Dump Before TritonCombineOps" in (dump / "triton_add.ttir.log").read_text()
    assert "IR Dump After TritonToLinalg" in (dump / "triton_add.ttadapter.log").read_text()


SOURCE_OF_STORE = (KERNELS / "triton_add.py").read_text().index("tl.store")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    tl.store(out, tl.nothing(x))\n", "has no attribute 'nothing'"),
        ("    tl.store(out, tl.load(x) + absent)\n", "absent is not defined"),
    ],
)
def test_what_triton_refuses_is_told_in_its_words(session, body, says):
    needs_triton("k.py")
    source = SCALE.replace('raise SystemExit("a file is read and never run")\n', "")
    source = source[: source.index("    where =")] + body
    ran = run(session, parse_kernel(source, "k.py"))
    assert ran.ended.status is Status.FAILED
    assert says in (ran.folder / "error.txt").read_text()


def test_a_kernel_below_decorators_of_triton_is_found(session):
    needs_triton("k.py")
    source = SCALE.replace('raise SystemExit("a file is read and never run")\n', "").replace(
        "@triton.jit", "@triton.heuristics({'MORE': lambda given: 1})\n@triton.jit"
    )
    assert run(session, parse_kernel(source, "k.py"), full=False).ended.status.compiles
