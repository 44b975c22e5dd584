"""The catalogue of failures: entries alive, real failures recognised, logs, the command line."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import core.compilers.akg
from core.analysis.explained import Explanation
from core.analysis.signatures import catalogue, example, explain, explain_said
from core.analysis.signatures.case import Case
from core.analysis.signatures.entries import Entry, entries, read_entries
from core.analysis.signatures.filling import FIELD, filled
from core.cli import main
from core.compilers import Limits
from core.compilers.ascendnpu_ir.recipes import TRITON_RECIPE
from core.hints import Hints, HintValue, parse_dim
from core.jobs.claims import compact
from core.kernel import Kernel, load_kernel, parse_kernel
from core.readers import open_trace
from core.trace import Compiler, Failure, Status, Trace
from tests.conftest import KERNELS, PROJECT
from tests.record_mlir_logs import DYNAMIC, REFUSED

RECORDED = PROJECT / "data" / "traces"
#: What every text of a signature may name besides groups of its own patterns.
FIELDS = {
    *("memory", "required", "available", "over", "culprit", "pass", "after", "line"),
    *("signal", "attempts", "seconds", "target", "lost"),
}
ENTRIES = {entry.id: entry for entry in entries()}


def case(entry: Entry) -> Case:
    """The example of an entry as the failure that it was."""
    seen = entry.example
    return Case(
        seen.message,
        compiler=seen.compiler,
        status=seen.status,
        kind=seen.kind,
        pass_name=seen.pass_name or None,
        after=seen.after or None,
        source=seen.source,
        component=seen.component,
        signal=seen.signal,
        memory=seen.memory,
        stack=seen.stack,
        attempts=seen.attempts,
        hints=seen.hints,
        evidence=seen.evidence,
    )


def recognised(seen: Case) -> str | None:
    found = [e for e in sorted(ENTRIES.values(), key=lambda e: e.rank) if e.recognises(seen)]
    return found[0].id if found else None


def explained(trace: Trace, id: str) -> Explanation:
    """The explanation of a trace that must have this signature, checked for being one."""
    found = explain(trace)
    assert found is not None and found.signature is not None, trace.failure
    assert found.signature.id == id
    assert found.signature.remedies and found.signature.causes and found.signature.rule
    assert "{" not in found.cause and "[[" not in found.cause and "…" not in found.cause
    assert found.pass_name == (trace.failure.pass_name if trace.failure else None)
    again = explain(compact(trace))
    assert again is not None and again.signature is not None
    assert (again.signature.id, again.fingerprint) == (id, found.fingerprint)
    return found


# The catalogue


@pytest.mark.parametrize("id", ENTRIES)
def test_an_entry_is_the_first_to_recognise_its_example(id):
    assert recognised(case(ENTRIES[id])) == id


def test_entries_are_whole_and_name_only_fields_that_there_are():
    assert len(ENTRIES) >= 150
    assert list(catalogue()) == list(ENTRIES)
    titles = [(entry.compiler, entry.title) for entry in ENTRIES.values()]
    assert len(set(titles)) == len(titles)
    for entry in ENTRIES.values():
        patterns = (re.compile(entry.when.message), re.compile(entry.when.stack))
        groups = {name for pattern in patterns for name in pattern.groupindex}
        assert groups & FIELDS <= {"memory"}, entry.id  # others would be covered by the trace's own
        known = FIELDS | groups
        sentences = (entry.means, entry.rule, *entry.causes, *entry.remedies)
        for text in (*sentences, *filter(None, [entry.doing])):
            assert set(FIELD.findall(text)) <= known, (entry.id, text)
            assert text.rstrip("]").endswith((".", ")", '"')), (entry.id, text)
            assert text.count("[[") == text.count("]]"), (entry.id, text)
        assert entry.causes and entry.remedies, entry.id
        assert not FIELD.search(entry.title) and not entry.title.endswith("."), entry.id
        assert entry.seen, entry.id


@pytest.mark.parametrize("compiler", ["akg", "ascendnpu-ir", "triton", "mindspore"])
def test_compilers_have_files_of_their_own(compiler):
    assert sum(entry.compiler == compiler for entry in ENTRIES.values()) >= 10


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"remedy": "x"}, "unknown field `remedy`"),
        ({"when": {"mesage": "x"}}, "unknown field `mesage`"),
        ({"when": {"message": "("}}, "unterminated subpattern"),
        ({"causes": "one"}, "Expected `array`"),
    ],
)
def test_a_file_with_a_mistake_is_refused_by_name(tmp_path, change, says):
    first = json.loads((PROJECT / "data" / "signatures" / "akg.json").read_text())[0]
    (tmp_path / "akg.json").write_text(json.dumps([{**first, **change}]))
    with pytest.raises(ValueError, match=rf"^akg\.json: .*{re.escape(says)}"):
        read_entries(tmp_path)


def test_an_id_is_there_once(tmp_path):
    first = json.loads((PROJECT / "data" / "signatures" / "akg.json").read_text())[0]
    (tmp_path / "akg.json").write_text(json.dumps([first, first]))
    with pytest.raises(ValueError, match=first["id"]):
        read_entries(tmp_path)


def test_parts_without_their_figures_are_left_out():
    text = "It needs {required}[[ of {memory}, which has {available}]].[[ In {pass}.]]"
    assert filled(text, {"required": "8 B"}) == "It needs 8 B."
    whole = {"required": "8 B", "memory": "UB", "available": "4 B", "pass": "CSE"}
    assert filled(text, whole) == "It needs 8 B of UB, which has 4 B. In CSE."


# Recorded compiles


RECORDINGS = {
    "conv3d_padded-4x4x4_c2_k3": ("akg-vector-offset-not-aligned", "32-byte blocks"),
    "conv3d_padded-8x8x8_c4_k3": ("akg-read-before-written", "padded_local_UB at index 0"),
    "elementwise_chain-tile_131072": ("akg-overflow-at-placing", "524,288 B in UB"),
    "hivm_vadd-tile_24577": ("bishengir-ub-overflow", "196,672 B in UB"),
    "host_elementwise": ("bishengir-no-address-space-deinterleave", "a memref does not say"),
    "maxpool-k3_s2_pad1": ("akg-hoisting-loses-loops", "MultiCoreLoopSwitchHoist"),
    "softmax_fp32": ("akg-fp32-max-over-last-axis", "float16 alone"),
    "triton_matmul-l0c_overflow": ("bishengir-l0c-overflow", "131,072 B too much"),
    "triton_matmul-l1_overflow": ("bishengir-l1-overflow", "triton_matmul.py:39:46"),
    "triton_softmax-long_rows": ("bishengir-ub-overflow", "tried 3 times"),
}


def test_every_recorded_failure_has_a_signature_and_nothing_else_has():
    opened = {path.stem: open_trace(path) for path in sorted(RECORDED.glob("*.zip"))}
    failed = {name for name, each in opened.items() if not each.trace.status.compiles}
    assert failed == set(RECORDINGS)
    for name, each in opened.items():
        if name not in RECORDINGS:
            assert explain(each.trace, each.texts) is None
            continue
        id, words = RECORDINGS[name]
        assert words in explained(each.trace, id).cause


def test_a_text_shows_what_was_lost():
    opened = open_trace(RECORDED / "maxpool-k3_s2_pad1.zip")
    with_texts, without = explain(opened.trace, opened.texts), explain(opened.trace)
    assert "cc2, cc3 and cc4" in with_texts.cause and "cc2" not in without.cause
    last = next(p for p in reversed(opened.trace.passes) if p.text)
    text = opened.texts.get(last.text)
    assert 0 < text.index("cc2") < text.index("for (cc2, ")  # used before any loop is over it


def test_a_dump_that_does_not_say_how_it_ended_is_told_by_its_last_text(tmp_path):
    with zipfile.ZipFile(PROJECT / "tests" / "dumps" / "jobs" / "segfault.zip") as archive:
        for name in archive.namelist():
            if "/dump/" in f"/{name}" and not name.endswith("/"):
                to = tmp_path / name.partition("dump/")[2]
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(archive.read(name))
    opened = open_trace(tmp_path)
    assert opened.trace.failure.signal is None and opened.kernel is None
    found = explain(opened.trace, opened.texts)
    assert found.signature.id == "akg-hoisting-loses-loops-in-a-dump"
    assert "cc2, cc3 and cc4" in found.cause


# Real compiles by AKG


def tensor(name: str, shape: list[int], dtype: str) -> dict[str, object]:
    described = {"tensor_name": name, "shape": shape, "data_type": dtype}
    return {**described, "format": "DefaultFormat"}


def composite(
    operator: str, shape: list[int], dtype: str, *, inputs: int = 1, axis: int | None = None
) -> Kernel:
    """A kernel of one operator: elementwise, or a reduction of an axis."""
    given = [tensor(f"input_{n}", shape, dtype) for n in range(inputs)]
    kept = [1 if n == axis else size for n, size in enumerate(shape)]
    made = tensor("output_0", kept if axis is not None else shape, dtype)
    attributes = [
        {"name": "axis", "data_type": "listInt", "value": [axis]},
        {"name": "keep_dims", "data_type": "bool", "value": True},
    ]
    call = {
        "name": operator,
        "impl_path": "",
        "attr": attributes if axis is not None else None,
        "input_desc": [[{**each, "name": f"input_{n}"}] for n, each in enumerate(given)],
        "output_desc": [{**made, "name": "output_0"}],
    }
    kernel = {
        "composite": True,
        "composite_graph": "1",
        "id": 0,
        "op": "kernel",
        "platform": "AKG",
        "process": "aicore",
        "version": 1,
        "input_desc": [[each] for each in given],
        "output_desc": [made],
        "op_desc": [call],
    }
    return Kernel("composite", "kernel", json.dumps(kernel), ())


def changed(entry: str, change: Callable[[dict], object]) -> Kernel:
    """A kernel of ours with a mistake that its check would not let pass."""
    kernel = load_kernel(KERNELS / entry)
    described = json.loads(kernel.source)
    change(described)
    return Kernel("composite", kernel.name, json.dumps(described), ())


def retyped(dtype: str) -> Kernel:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    return Kernel("composite", kernel.name, kernel.source.replace("float16", dtype), ())


def without_formats(described: dict) -> None:
    for each in described["op_desc"]:
        each["attr"] = [a for a in each["attr"] if not a["name"].endswith("_format")]


def python(body: str) -> Kernel:
    cases = '{"a": {"shapes": [[64, 64]], "dtypes": ["float16"], "attributes": []}}'
    text = f'"""A kernel."""\nimport akg.tvm as tvm\nimport akg.topi as topi\nCASES = {cases}\n'
    return parse_kernel(f"{text}\ndef kernel(x):\n    {body}\n", "kernel.py")


def first_input(described: dict) -> dict:
    found: dict = described["op_desc"][0]["input_desc"][0][0]
    return found


def declared(described: dict, **fields: object) -> None:
    """Declare the first tensor otherwise, where it comes in and where it is read."""
    described["input_desc"][0][0].update(fields)
    first_input(described).update(fields)


def hints(tiles: str = "", **attributes: HintValue) -> Hints:
    return Hints(parse_dim(tiles), attributes)


GATHER = """'Gathers rows.'
from akg.ops.array.ascend import GatherV2

CASES = {
    "a": {"shapes": [[1, 512, 64], [256]], "dtypes": ["float16", "int32"], "attributes": [1]}
}


def kernel(x, index, axis):
    return GatherV2(x, index, axis)
"""
CHAIN, SOFTMAX, PRODUCT = "elementwise_chain.json", "softmax_fp16.json", "matmul_cube.json"
#: Of AKG 1.10: what is compiled, how it must be called, the pass, and words of the cause.
AKG = {
    "tile that does not fit": (
        CHAIN,
        hints("0 0 131072 1"),
        "akg-overflow-at-placing",
        "StorageRewriteCCE",
        "524,288 B in UB",
    ),
    "tile larger than UB": (
        CHAIN,
        hints("0 0 262144 1"),
        "akg-buffer-larger-than-memory",
        "StorageFlatten",
        "524,288 B in UB, which has 262,144 B",
    ),
    "a gather of half a memory": (
        parse_kernel(GATHER, "gather.py"),
        hints(),
        "akg-overflow-in-every-attempt",
        "StorageRewriteCCE",
        "4 times",
    ),
    "schedule that overflows": (
        SOFTMAX,
        hints(pragma_reorder_schedule=True),
        "akg-buffer-larger-in-every-attempt",
        None,
        "4 times",
    ),
    "fp32 maximum": (
        composite("ReduceMax", [64, 128], "float32", axis=1),
        hints(),
        "akg-fp32-max-over-last-axis",
        "EmitInsn",
        "in float32",
    ),
    "sum of integers": (
        composite("ReduceSum", [64, 128], "int32", axis=1),
        hints(),
        "akg-integer-reduction-over-last-axis",
        "EmitInsn",
        "floats alone",
    ),
    "sum of uint8": (
        composite("ReduceSum", [64, 128], "uint8", axis=0),
        hints(),
        "akg-constant-of-uint8",
        "EmitInsn",
        "vector_dup",
    ),
    "sum of bool": (
        composite("ReduceSum", [64, 128], "bool", axis=0),
        hints(),
        "akg-reduction-of-bool",
        "MultiLastAxisReductions",
        "finds 0",
    ),
    "minus of uint8": (
        composite("Neg", [64, 128], "uint8"),
        hints(),
        "akg-instruction-with-two-operands",
        "RecoverStore",
        "become vmuls",
    ),
    "product": (
        composite("ReduceProd", [64, 128], "float32", axis=1),
        hints(),
        "akg-no-such-instruction",
        "EmitInsn",
        "not even a kind",
    ),
    "remainder": (
        composite("Mod", [64, 129], "int32", inputs=2),
        hints(),
        "akg-no-such-instruction",
        "EmitInsn",
        "vec_binary_mod",
    ),
    "floor": (
        composite("Floor", [64, 129], "float16"),
        hints(),
        "akg-no-such-conversion",
        "EmitInsn",
        "vconv_f162f16",
    ),
    "sine": (
        composite("Sin", [64, 129], "float16"),
        hints(),
        "akg-unknown-primitive",
        "AutoPoly",
        "does not know sin",
    ),
    "and of numbers": (
        composite("LogicalAnd", [64, 129], "float16", inputs=2),
        hints(),
        "akg-bool-wanted",
        None,
        "take bool",
    ),
    "power of integers": (
        composite("Pow", [64, 129], "int32", inputs=2),
        hints(),
        "akg-power-of-integers",
        None,
        "takes floats",
    ),
    "sigmoid": (
        composite("Sigmoid", [64, 129], "float16"),
        hints(),
        "akg-unknown-operator",
        None,
        "called Sigmoid",
    ),
    "any element": (
        composite("ElemAny", [64, 128], "float16"),
        hints(),
        "akg-no-lowering-of-kind",
        None,
        "ElemAny",
    ),
    "gather in a fused kernel": (
        composite("Gather", [64, 128], "float16", inputs=2),
        hints(),
        "akg-no-lowering-of-kind",
        None,
        "kind Tot",
    ),
    "mi of 8": (
        PRODUCT,
        hints("0 0 8 8 0 1 8 8 0 2 8 8 0 3 16 16 0 4 8 8"),
        "akg-inner-tile-of-matrix-product",
        "EmitInsn",
        "not 16",
    ),
    "L1 passed by": (
        PRODUCT,
        hints(bypassL1=1),
        "akg-no-transpose-on-the-way-to-l0",
        "EmitInsn",
        "bypassL1=1",
    ),
    "product without formats": (
        changed(PRODUCT, without_formats),
        hints(),
        "akg-attribute-of-operator-missing",
        None,
        '"left_format"',
    ),
    "reduction that is not seen": (
        SOFTMAX,
        hints(pragma_disable_schedule_shift=True),
        "akg-unknown-reduce-type",
        "TileOuterBand",
        "no outer axis",
    ),
    "tiler that is forced": (
        SOFTMAX,
        hints(FORCE_SYMBOLIC_TILING=True),
        "akg-vector-offset-not-aligned",
        "AnalyzeMinAlignStatic",
        "different places",
    ),
    "dim of three numbers": (
        CHAIN,
        hints(dim="0 0 8192"),
        "akg-dim-not-in-groups-of-four",
        "TileOuterBand",
        "four numbers",
    ),
    "band of dim": (CHAIN, hints(dim="-1 0 8192 1"), "akg-band-of-dim", "TileOuterBand", ", -1,"),
    "attribute of another type": (
        CHAIN,
        hints(enable_multicore="x"),
        "akg-attribute-of-another-type",
        "AutoPoly",
        "enable_multicore as integer",
    ),
    "switch of 2": (
        CHAIN,
        hints(pragma_enable_reschedule=2),
        "akg-attribute-neither-0-nor-1",
        "AutoPoly",
        "given 2",
    ),
    "no attempt": (
        composite("ReduceSum", [4, 4], "float16", axis=1),
        hints(max_num_retry_poly=0),
        "akg-no-attempt-left",
        "MakeAPI",
        "max_num_retry_poly is 0",
    ),
    "no operators": (
        changed(CHAIN, lambda d: d.update(op_desc=[])),
        hints(),
        "akg-no-operators",
        "BroadcastInserter",
        "nothing in it",
    ),
    "input without shape": (
        changed(CHAIN, lambda d: first_input(d).pop("shape")),
        hints(),
        "akg-input-without-shape",
        "ToThreeAddress",
        'no "shape"',
    ),
    "input without type": (
        changed(CHAIN, lambda d: first_input(d).pop("data_type")),
        hints(),
        "akg-vector-of-another-width",
        "LoopPartitionCCE",
        "element type",
    ),
    "not JSON": (
        Kernel("composite", "kernel", "{nope", ()),
        hints(),
        "akg-not-json",
        None,
        "line 1, column 2",
    ),
    "no process": (
        changed(CHAIN, lambda d: d.pop("process")),
        hints(),
        "akg-field-missing",
        None,
        '"process"',
    ),
    "no op_desc": (
        changed(CHAIN, lambda d: d.pop("op_desc")),
        hints(),
        "akg-no-op-desc",
        None,
        "nothing to compile",
    ),
    "tensor that is not there": (
        changed(CHAIN, lambda d: first_input(d).update(tensor_name="nosuch")),
        hints(),
        "akg-tensor-that-nothing-makes",
        None,
        "nosuch",
    ),
    "another output": (
        changed(CHAIN, lambda d: d["output_desc"][0].update(tensor_name="zzz")),
        hints(),
        "akg-output-not-made",
        None,
        "zzz",
    ),
    "a name with a slash": (
        changed(CHAIN, lambda d: d.update(op="a b/c")),
        hints(),
        "akg-kernel-name",
        None,
        "a b/c",
    ),
    "another chip": (
        changed(CHAIN, lambda d: d.update(process="ascend")),
        hints(),
        "akg-unknown-process",
        None,
        "repository_ascend.json",
    ),
    "a processor": (
        changed(CHAIN, lambda d: d.update(process="cpu")),
        hints(),
        "akg-target-not-built-in",
        None,
        "llvm",
    ),
    "a version to come": (
        changed(CHAIN, lambda d: d.update(version=99)),
        hints(),
        "akg-version-of-description",
        None,
        "says 99",
    ),
    "an operator that is none": (
        changed(CHAIN, lambda d: d["op_desc"][0].update(name="Foo")),
        hints(),
        "akg-unknown-operator",
        None,
        "Foo",
    ),
    "bfloat16": (retyped("bfloat16"), hints(), "akg-type-not-read", None, "bfloat16"),
    "float64": (retyped("float64"), hints(), "akg-type-not-on-chip", None, "float64"),
    "two types": (
        changed(CHAIN, lambda d: declared(d, data_type="float32")),
        hints(),
        "akg-types-of-operands-differ",
        None,
        "float32",
    ),
    "two shapes": (
        changed(CHAIN, lambda d: declared(d, shape=[7, 13])),
        hints(),
        "akg-shapes-do-not-broadcast",
        None,
        "91",
    ),
    "Python that raises": (
        python("raise ValueError('no good')"),
        hints(),
        "akg-raised-in-kernel",
        None,
        "Before any pass",
    ),
    "Python without return": (
        python("pass"),
        hints(),
        "akg-python-returns-nothing",
        None,
        "without a tensor",
    ),
    "Python without a name": (
        python("return y"),
        hints(),
        "akg-python-name",
        None,
        "y is not defined",
    ),
    "too few indices": (
        python("return tvm.compute((64,), lambda i: x[i])"),
        hints(),
        "akg-python-index",
        None,
        "2 axes",
    ),
    "input returned": (
        python("return x"),
        hints(),
        "akg-nothing-to-compute",
        None,
        "returns a tensor it was given",
    ),
    "diagonal": (
        python("return tvm.compute((64,), lambda i: x[i, i], name='y')"),
        hints(),
        "akg-diagonal",
        "AutoPoly",
        "diagonal",
    ),
    "sorting": (
        python("return topi.argsort(x)"),
        hints(),
        "akg-undefined-variable",
        "UnifyLoopVars",
        "data_buf",
    ),
}


@pytest.mark.parametrize("name", AKG)
def test_a_failure_of_akg_is_recognised_and_explained(name, compile_kernel, monkeypatch):
    what, asked, id, pass_name, words = AKG[name]
    kernel = load_kernel(KERNELS / what) if isinstance(what, str) else what
    # As if somebody else had called the compiler: our own checks would stop half of these.
    monkeypatch.setattr(core.compilers.akg, "check_hints", lambda hints: None)
    trace = compile_kernel(kernel, asked).trace
    assert not trace.status.compiles
    assert trace.failure.pass_name == pass_name
    assert words in explained(trace, id).cause


@pytest.mark.parametrize(
    ("file", "id"),
    [
        ("concat.info", "akg-no-lowering-of-kind"),
        ("Fused_Reshape_ReduceMax_split_8362895048803899266.info", "akg-fp32-max-over-last-axis"),
    ],
)
def test_a_fused_kernel_of_the_cases_that_fails(cases, file, id, compile_kernel):
    explained(compile_kernel(load_kernel(cases / "akg" / file)).trace, id)


def test_a_compile_that_is_stopped_says_where_it_was(compile_kernel):
    kernel = load_kernel(KERNELS / "conv3d_padded.py", "8x8x8_c4_k3")
    trace = compile_kernel(kernel, limits=Limits(seconds=0.7)).trace
    assert trace.status is Status.TIMED_OUT
    stuck = trace.failure.pass_name
    id = "akg-timed-out-in-scheduling" if stuck == "AutoPoly" else "timed-out"
    assert "after 0." in explained(trace, id).cause


# Real compiles by AscendNPU IR


def mlir(text: str, name: str = "kernel") -> Kernel:
    return Kernel("mlir", name, text, ())


ADDED = """func.func @k(%a: memref<16xf32>) {
  %x = arith.addi %a, %a : memref<16xf32>
  return
}"""
ELEMENTWISE = """func.func @k(%x: tensor<64x{type}>) -> tensor<64x{type}>
    attributes {{hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>}} {{
  %y = tensor.empty() : tensor<64x{type}>
  %z = {made} outs(%y : tensor<64x{type}>) -> tensor<64x{type}>
  return %z : tensor<64x{type}>
}}"""
OR = "hfusion.elemwise_binary {fun = #hfusion.binary_fn<vor>}"
BOTH = "ins(%x, %x : tensor<64xf16>, tensor<64xf16>)"
ABS = "linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%x : tensor<64xi64>)"
ATAN2 = REFUSED["no_lowering"]
FLOAT8 = REFUSED["double"].replace("f64", "f8E5M2")
#: What is compiled, parameters, how it must be called, the pass, and words of the cause; those
#: that take longest are among the recorded ones.
IR = {
    "undefined": (
        mlir(REFUSED["undefined"], "undefined"),
        {},
        "bishengir-undeclared-value",
        "parser",
        "undefined.mlir:2:21",
    ),
    "unknown dialect": (
        mlir(REFUSED["unknown_dialect"]),
        {},
        "bishengir-unknown-operation",
        "parser",
        "kernel.mlir:2:13",
    ),
    "no MLIR": (
        mlir("module { func.func @k( { }"),
        {},
        "bishengir-text-not-mlir",
        "parser",
        "1:23",
    ),
    "two types": (
        mlir(REFUSED["two_types"]),
        {},
        "bishengir-element-types-differ",
        "verifier",
        "hivm.hir.vadd",
    ),
    "no such cast": (
        mlir(REFUSED["no_such_cast"]),
        {},
        "bishengir-cast",
        "verifier",
        "int64_t to int8_t",
    ),
    "memrefs added": (mlir(ADDED), {}, "bishengir-operation-not-allowed", "verifier", "arith.addi"),
    "atan2": (mlir(ATAN2), {}, "bishengir-not-lowered", "ConvertLinalgToHFusion", "math.atan2"),
    "cbrt": (
        mlir(ATAN2.replace("math.atan2 %in, %in", "math.cbrt %in")),
        {},
        "bishengir-not-lowered",
        "ConvertLinalgToHFusion",
        "math.cbrt",
    ),
    "convolution": (
        mlir(REFUSED["convolution"]),
        {},
        "bishengir-flatten-of-convolution",
        "FlattenOps",
        "convolution",
    ),
    "double": (
        mlir(REFUSED["double"]),
        {},
        "bishengir-element-type",
        "ConvertHFusionToHIVM",
        "hivm.hir.load",
    ),
    "or of floats": (
        mlir(ELEMENTWISE.format(made=f"{OR} {BOTH}", type="f16")),
        {},
        "bishengir-function-of-another-type",
        None,
        "vor",
    ),
    "abs of integers": (
        mlir(ELEMENTWISE.format(made=ABS, type="i64")),
        {},
        "bishengir-math-of-integers",
        "verifier",
        "math.absf",
    ),
    "8-bit floats": (mlir(FLOAT8), {}, "bishengir-fp8", "ConvertHFusionToHIVM", "Ascend910B1"),
    "size at run time": (
        mlir(DYNAMIC),
        {},
        "bishengir-size-known-at-run-time",
        "PlanMemory",
        "kernel.mlir:3:11",
    ),
    "UB": (
        "hivm_vadd.mlir",
        {"TILE": 24577},
        "bishengir-ub-overflow",
        "PlanMemory",
        "64 B too much. The largest is %alloc",
    ),
    "UB of HFusion": (
        "hfusion_elementwise.mlir",
        {"hfusion-max-buffer-count-tuning": -2},
        "bishengir-ub-overflow",
        "PlanMemory",
        "589,632 B",
    ),
    "UB of Ascend950": (
        "hivm_vadd.mlir",
        {"TILE": 65536, "target": "Ascend950PR_9579"},
        "bishengir-ub-overflow",
        "PlanMemory",
        "253,952 B",
    ),
}


@pytest.mark.parametrize("name", IR)
def test_a_failure_of_ascendnpu_ir_is_recognised_and_explained(name, compile_mlir):
    what, parameters, id, pass_name, words = IR[name]
    kernel = kernel_of(what) if isinstance(what, str) else what
    trace = compile_mlir(kernel, Hints((), parameters), full=False).trace
    assert not trace.status.compiles
    assert trace.failure.pass_name == pass_name
    assert words in explained(trace, id).cause


@pytest.mark.parametrize(
    ("case", "id"),
    [
        ("f1", "bishengir-undeclared-value"),
        ("f3", "bishengir-element-types-differ"),
        ("g2", "bishengir-not-lowered"),
        ("g5", "bishengir-element-type"),
        ("g9", "bishengir-cast"),
        ("v32768", "bishengir-ub-overflow"),
    ],
)
def test_a_measured_kernel_that_fails(cases, case, id, compile_mlir):
    explained(compile_mlir(load_kernel(cases / "mlir" / f"{case}.mlir"), full=False).trace, id)


def kernel_of(entry: str) -> Kernel:
    if ".py" in entry and not TRITON_RECIPE.installed():
        pytest.skip(f"Triton is not installed; run: {TRITON_RECIPE.command}")
    file, _, case = entry.partition(":")
    return load_kernel(KERNELS / file, case)


WHERE = "where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)"
LOAD, STORE = "left = tl.load(x + where)", "tl.store(out + where, left)"
TRITON = {
    "tl.store(out + where, tl.nothing(left))": ("triton-no-such-function", "has no nothing"),
    "tl.store(out + where, left + absent)": ("triton-undefined-name", "absent is not defined"),
    "tl.store(out + tl.arange(0, n), 1.0)": (
        "triton-argument-not-constant",
        "when the kernel runs",
    ),
    "tl.store(out + where, left + tl.arange(0, 512))": ("triton-shapes-differ", "1024 and 512"),
    "tl.store(out + where, tl.dot(left, left))": ("triton-dot", "two axes"),
    "f = lambda z: z": ("triton-python-not-taken", "a Lambda"),
    "if n > 3:\n        left = where": ("triton-type-changes-in-branch", "left is"),
    "tl.store(left, 3)": ("triton-pointer", "tl.store"),
    "left = tl.reshape(left, (3, 7))": ("triton-reshape", "number of elements"),
    "left = tl.sum(left, axis=3)": ("triton-axis", "The axis 3"),
    "tl.static_assert(BLOCK > 5000)": ("triton-refuses", "17:5"),
    "left = left.to(tl.float64)": ("bishengir-arith-cast", "ExtFOp"),
}


@pytest.mark.parametrize("line", TRITON)
def test_what_triton_refuses_is_recognised(line, compile_mlir):
    id, words = TRITON[line]
    source = kernel_of("triton_add.py:fp32").source
    head = source[: source.index("    where =")]
    body = "".join(f"    {each}\n" for each in (WHERE, LOAD, line, STORE))
    kernel = parse_kernel(head + body, "triton_add.py", "fp32")
    found = explained(compile_mlir(kernel, full=False).trace, id)
    assert words in found.cause


# Lines of a log


#: Words as the compilers print them; those of failures that take minutes or another machine too.
SAID = [
    (said["message"], said["known"], said["id"], said["words"])
    for said in json.loads(Path(__file__).with_name("failures_said.json").read_text())
]


@pytest.mark.parametrize(("message", "known", "id", "words"), SAID)
def test_a_line_of_a_log_is_recognised(message, known, id, words):
    found = explain_said(message, **known)
    assert found.signature is not None and found.signature.id == id
    assert words in found.cause
    assert found.signature.remedies
    assert message.strip() == found.said


def test_a_message_that_no_compiler_says_leads_to_the_pass():
    found = explain_said("Pattern match failed in rewrite pass")
    assert found.signature.source == ""
    assert "with dumps" in found.signature.remedies[0] and "last one" in found.signature.remedies[0]
    assert "failed to legalize" in found.signature.rule


def test_words_of_one_compiler_mean_nothing_of_another():
    """A KeyError is AKG's reading of a description only where AKG raised it."""
    assert explain_said("'nosuch'", compiler="akg").signature is not None
    for words in ("'nosuch'", "'NoneType' object is not iterable", "name 'y' is not defined"):
        assert explain_said(words).signature is None
        assert explain_said(words, compiler="mindspore").signature is None


# What nobody knows


def unknown(message: str, signal: str | None = None, pass_name: str | None = "CSE") -> Trace:
    failure = Failure("error", pass_name, "12_LICM", "nowhere.cc:1", "x", message, signal)
    return Trace("k", "", Compiler("akg", "9"), "Ascend910", Status.FAILED, failure=failure)


def test_an_unknown_failure_is_called_unknown_and_groups_with_its_like():
    one, two = (explain(unknown(f"The gizmo {n} of x_{n}_local_UB is blue")) for n in (3, 40))
    other = explain(unknown("The gadget is red"))
    assert one.signature is None and one.title == "CSE failed, for a reason not known"
    assert "gizmo 3" in one.cause and one.said == one.cause
    assert one.fingerprint == two.fingerprint != other.fingerprint
    lost = explain(unknown("The compiler died of SIGBUS and printed nothing.", "SIGBUS", None))
    assert lost.signature is None
    assert lost.title == "SIGBUS after 12_LICM, for a reason not known"


def test_a_crash_in_another_pass_is_not_taken_for_a_known_one():
    trace = open_trace(RECORDED / "maxpool-k3_s2_pad1.zip").trace
    moved = replace(trace, failure=replace(trace.failure, pass_name="Simplify"))
    assert explain(trace).signature is not None and explain(moved).signature is None


def test_a_compile_without_failure_has_no_explanation():
    assert explain(replace(unknown(""), status=Status.OK, failure=None)) is None


def test_a_failure_that_left_nothing_is_explained_too():
    found = explain(replace(unknown(""), failure=None))
    assert found.signature is None and found.title


# The command line


def test_explain_prints_a_dump_for_scripts(capsys):
    assert main(["explain", str(RECORDED / "triton_matmul-l1_overflow.zip"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kernel"], told["status"]) == ("triton_matmul", "failed")
    (failure,) = told["failures"]
    assert failure["signature"] == "bishengir-l1-overflow"
    assert (failure["pass"], failure["after"]) == ("PlanMemory", "ExtendedCanonicalizer")
    assert failure["said"].startswith("cbuf overflow, requires 6291456 bits")
    assert failure["remedies"] and failure["source"].startswith("bishengir/lib/")
    assert failure["lines"] is None


def test_explain_prints_for_people(capsys):
    assert main(["explain", str(RECORDED / "maxpool-k3_s2_pad1.zip")]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "cc2, cc3 and cc4" in text and "multicore_loop_switch_hoist=0" in text
    assert "in LoopPartitionCCE, after 44_LoopSwitchHoist" in text
    assert main(["explain", str(RECORDED / "softmax_fp16.zip")]) == 0
    assert "softmax_fp16 (akg 1.10.0): ok_to_last_step" in capsys.readouterr().out


def test_explain_finds_the_failures_of_a_log(tmp_path, capsys):
    log = tmp_path / "build.log"
    printed = "[ERROR] AKG:2026-11-30-16:00:42.804.155 [insn_builder_vector.cc:813] [emit_insn] "
    words = ["building", printed + example("akg-fp32-max-over-last-axis"), "done"]
    log.write_text("\n".join(words))
    assert main(["explain", str(log), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["compiler"] is None and told["trace"] is None
    (failure,) = told["failures"]
    assert failure["signature"] == "akg-fp32-max-over-last-axis"
    assert failure["lines"][0] == 2


def test_explain_takes_a_trace_of_the_library(home: Path, capsys):
    from core.library import Library

    opened = open_trace(RECORDED / "softmax_fp32.zip")
    id = Library(home).add(opened.trace, opened.texts, opened.kernel)
    assert main(["explain", id, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["trace"] == id
    assert told["failures"][0]["signature"] == "akg-fp32-max-over-last-axis"
    assert main(["explain", "nosuchtrace"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
