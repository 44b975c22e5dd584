"""Kernel files: what is wrong is said of the field that is wrong, and the compiler agrees."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from core.kernel import (
    LARGEST_FILE_BYTES,
    Kernel,
    KernelError,
    Tensor,
    kernel_cases,
    load_kernel,
    parse_kernel,
)
from core.trace import Status

DELETE = object()


def tensor(name: str, shape: list[int], dtype: str = "float16") -> dict[str, Any]:
    return {"data_type": dtype, "shape": shape, "tensor_name": name}


def operator(name: str, inputs: list[Any], output: Any, attr: Any = None) -> dict[str, Any]:
    return {
        "attr": attr,
        "input_desc": [[{"name": f"input_{i}", **each}] for i, each in enumerate(inputs)],
        "name": name,
        "output_desc": [{"name": "output", **output}],
    }


def chain() -> dict[str, Any]:
    """(x + y) * 2, summed over the last axis."""
    x, y = tensor("input_0", [512, 64]), tensor("input_1", [512, 64])
    added, doubled = tensor("output_0_0", [512, 64]), tensor("output_0_1", [512, 64])
    total = tensor("output_0_2", [512, 1])
    two = {**tensor("constant_0", [1]), "value": 2.0}
    axis = [{"name": "axis", "value": [1]}, {"name": "keep_dims", "value": True}]
    return {
        "composite": True,
        "op": "Fused_Add_Mul",
        "process": "aicore",
        "input_desc": [[x], [y]],
        "op_desc": [
            operator("Add", [x, y], added),
            operator("Mul", [added, two], doubled),
            operator("ReduceSum", [doubled], total, axis),
        ],
        "output_desc": [total],
    }


def changed(path: str, value: Any) -> dict[str, Any]:
    """`chain()` with one field replaced or, by DELETE, left out: "op_desc.0.name"."""
    kernel = chain()
    parent: Any = kernel
    *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in keys:
        parent = parent[key]
    if value is DELETE:
        del parent[last]
    else:
        parent[last] = value
    return kernel


def refusal(data: bytes | str | dict[str, Any], filename: str = "k.info", case: str = "") -> str:
    text = json.dumps(data) if isinstance(data, dict) else data
    with pytest.raises(KernelError) as refused:
        parse_kernel(text, filename, case)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_a_kernel_as_it_should_be():
    text = json.dumps(chain())
    kernel = parse_kernel(text, "anything.at.all")
    assert (kernel.kind, kernel.name, kernel.case, kernel.source) == (
        "composite",
        "Fused_Add_Mul",
        "",
        text,
    )
    assert kernel.tensors == (
        Tensor("input_0", (512, 64), "float16", "input"),
        Tensor("input_1", (512, 64), "float16", "input"),
        Tensor("output_0_2", (512, 1), "float16", "output"),
    )


#: Field, what is put there (or left out), and how the sentence starts. AKG refuses or crashes on
#: every one of them.
REFUSED = [
    ("process", DELETE, "process: missing"),
    ("process", "cuda", 'process: this kernel is for "cuda"; to compile it for Ascend set process'),
    ("process", "cpu", 'process: this kernel is for "cpu"; to compile it for Ascend set process'),
    ("process", "ascend", "process: 'ascend' is no chip that AKG knows"),
    ("process", None, "process: must be a string, not null"),
    ("op", DELETE, "op: missing"),
    ("op", "a b", "op: 'a b' is no kernel name"),
    ("op", "a/b", "op: 'a/b' is no kernel name"),
    ("op", "x" * 246, "op: has 246 characters"),
    ("op", 5, "op: must be a string, not the number 5"),
    ("version", 2, "version: 2 is newer than AKG reads"),
    ("version", 99, "version: 99 is newer than AKG reads"),
    ("version", "1", "version: must be 0 or 1, not '1'"),
    ("op_desc", DELETE, "op_desc: missing"),
    ("op_desc", None, "op_desc: must be a list of operators, not null"),
    ("op_desc", [], "op_desc: must not be empty: AKG crashes"),
    ("op_desc.0", None, "op_desc[0]: must be an object"),
    ("op_desc.0.name", DELETE, "op_desc[0].name: missing"),
    ("op_desc.0.name", "Foo", "op_desc[0].name: AKG has no operator 'Foo'"),
    ("op_desc.0.name", "add", "op_desc[0].name: AKG has no operator 'add'; did you mean Add"),
    ("op_desc.0.attr", DELETE, "op_desc[0].attr: missing"),
    ("op_desc.2.attr", "x", "op_desc[2].attr: must be a list"),
    ("op_desc.2.attr.0", {"value": [1]}, "op_desc[2].attr[0].name: missing"),
    ("op_desc.2.attr.0", {"name": "axis"}, "op_desc[2].attr[0].value: missing"),
    ("op_desc.0.input_desc", DELETE, "op_desc[0].input_desc: missing"),
    ("op_desc.0.input_desc", None, "op_desc[0].input_desc: must be a list"),
    ("op_desc.0.input_desc", [], "op_desc[0].input_desc: must not be empty: AKG crashes"),
    ("op_desc.0.input_desc.0", [], "op_desc[0].input_desc[0]: must not be empty"),
    ("op_desc.0.input_desc.1", DELETE, "op_desc[0].input_desc: Add takes two tensors, not 1"),
    ("op_desc.0.output_desc", DELETE, "op_desc[0].output_desc: missing"),
    ("op_desc.0.output_desc", [], "op_desc[0].output_desc: must not be empty"),
    ("op_desc.0.input_desc.0.0.shape", DELETE, "op_desc[0].input_desc[0][0].shape: missing"),
    ("op_desc.0.input_desc.0.0.shape", None, "op_desc[0].input_desc[0][0].shape: must be a list"),
    ("op_desc.0.input_desc.0.0.shape", [], "op_desc[0].input_desc[0][0].shape: an empty shape"),
    ("op_desc.0.input_desc.0.0.data_type", DELETE, "op_desc[0].input_desc[0][0].data_type: miss"),
    (
        "op_desc.0.input_desc.0.0.tensor_name",
        DELETE,
        "op_desc[0].input_desc[0][0].tensor_name: missing",
    ),
    (
        "op_desc.0.input_desc.0.0.tensor_name",
        "input_00",
        "op_desc[0].input_desc[0][0].tensor_name: neither an input of the graph nor an earlier "
        "operator makes 'input_00'; did you mean 'input_0'",
    ),
    ("op_desc.0.input_desc.0.0.format", None, "op_desc[0].input_desc[0][0].format: must be a str"),
    ("op_desc.1.input_desc.1.0.value", "2", "op_desc[1].input_desc[1][0].value: must be one num"),
    ("op_desc.1.input_desc.1.0.shape", [2], "op_desc[1].input_desc[1][0].shape: must be [1]"),
    (
        "op_desc.1.input_desc.1.0.data_type",
        "float32",
        "op_desc[1].input_desc[1][0].data_type: float32 does not go with float16",
    ),
    ("op_desc.0.output_desc.0.data_type", DELETE, "op_desc[0].output_desc[0].data_type: missing"),
    ("op_desc.1.output_desc.0.tensor_name", "output_0_0", "op_desc[1].output_desc[0].tensor_name"),
    ("op_desc.0.output_desc.0.tensor_name", "input_0", "op_desc[0].output_desc[0].tensor_name"),
    ("input_desc", DELETE, "input_desc: missing"),
    ("input_desc", None, "op_desc[0].input_desc[0][0].tensor_name: neither an input"),
    ("input_desc.0", [], "input_desc[0]: must not be empty"),
    ("input_desc.0.0.shape", DELETE, "input_desc[0][0].shape: missing"),
    ("input_desc.0.0.data_type", DELETE, "input_desc[0][0].data_type: missing"),
    ("input_desc.0.0.tensor_name", DELETE, "input_desc[0][0].tensor_name: missing"),
    ("input_desc.0.0.tensor_name", "a-b", "input_desc[0][0].tensor_name: 'a-b' cannot name"),
    ("output_desc", DELETE, "output_desc: missing"),
    ("output_desc", None, "output_desc: must be a list"),
    ("output_desc", [], "output_desc: must not be empty: AKG crashes"),
    ("output_desc.0.shape", DELETE, "output_desc[0].shape: missing"),
    ("output_desc.0.data_type", DELETE, "output_desc[0].data_type: missing"),
    ("output_desc.0.tensor_name", DELETE, "output_desc[0].tensor_name: missing"),
    ("output_desc.0.tensor_name", "zzz", "output_desc[0].tensor_name: no operator makes 'zzz'"),
    ("output_desc.0", tensor("input_0", [512, 64]), "output_desc: lists only inputs of the graph"),
    ("buffer_stitch", {}, "buffer_stitch.stitch_op: missing"),
    ("parallel_fusion", {}, "parallel_fusion.fusion_type: missing"),
    ("op_desc.0.input_desc.0.0.shape", ["512", 64], "op_desc[0].input_desc[0][0].shape[0]: must"),
    ("op_desc.0.input_desc.0.0.shape", [512.0, 64], "op_desc[0].input_desc[0][0].shape[0]: must"),
    ("op_desc.0.input_desc.0.0.shape", [True, 64], "op_desc[0].input_desc[0][0].shape[0]: must"),
]


def everywhere(old: str, new: str) -> dict[str, Any]:
    """`chain()` with a text replaced wherever it stands, so that declarations still agree."""
    assert old in json.dumps(chain())
    kernel: dict[str, Any] = json.loads(json.dumps(chain()).replace(old, new))
    return kernel


def unused_input() -> dict[str, Any]:
    kernel = chain()
    kernel["input_desc"].append([tensor("input_2", [512, 64])])
    return kernel


def narrower() -> dict[str, Any]:
    kernel = chain()
    for place in (kernel["input_desc"][1][0], kernel["op_desc"][0]["input_desc"][1][0]):
        place["shape"] = [7, 64]
    return kernel


def out_of_order() -> dict[str, Any]:
    kernel = chain()
    kernel["op_desc"].reverse()
    return kernel


#: Whole kernels that are wrong in themselves, and how the sentence starts. AKG refuses or crashes
#: on every one of them.
REFUSED_WHOLE = {
    "type that does not exist": (
        everywhere('"float16"', '"float17"'),
        "input_desc[0][0].data_type: 'float17' is not a type AKG knows; use float16, float32, ",
    ),
    "bfloat16": (
        everywhere('"float16"', '"bfloat16"'),
        "input_desc[0][0].data_type: 'bfloat16' is not a type AKG knows",
    ),
    "float64": (
        everywhere('"float16"', '"float64"'),
        "input_desc[0][0].data_type: AKG cannot compile float64 for this chip; use float32",
    ),
    "type that is no text": (
        everywhere('"float16"', "5"),
        "input_desc[0][0].data_type: must be a string, not the number 5",
    ),
    "negative size": (
        everywhere("[512, 64]", "[-512, 64]"),
        "input_desc[0][0].shape[0]: -512 is no size; AKG compiles for fixed shapes",
    ),
    "no size": (everywhere("[512, 64]", "[0, 64]"), "input_desc[0][0].shape[0]: 0 is no size"),
    "scalars only": (
        everywhere("[512, 64]", "[]"),
        "op_desc[0].input_desc[0][0].shape: an empty shape",
    ),
    "input that nothing uses": (unused_input(), "input_desc[2][0].tensor_name: no operator uses"),
    "shapes that cannot be broadcast": (
        narrower(),
        "op_desc[0].input_desc[1][0].shape: [7, 64] cannot be broadcast with [512, 64]",
    ),
    "operators out of order": (
        out_of_order(),
        "op_desc[0].input_desc[0][0].tensor_name: neither an input of the graph nor an earlier",
    ),
}

_IDS = [f"{path}={'(none)' if value is DELETE else str(value)[:12]}" for path, value, _ in REFUSED]


@pytest.mark.parametrize(("path", "value", "starts"), REFUSED, ids=_IDS)
def test_a_malformed_field_is_named(path, value, starts):
    assert refusal(changed(path, value)).startswith(starts)


#: Sizes beyond 32 bits, and how the sentence starts. AKG compiles a kernel of some other size.
WRAPPED = {
    "huge size": (
        everywhere("[512, 64]", "[10000000000, 64]"),
        "input_desc[0][0].shape[0]: 10000000000 is too large",
    ),
    "too many elements": (
        everywhere("[512, 64]", "[65536, 65536]"),
        "input_desc[0][0].shape: [65536, 65536] has 4294967296 elements",
    ),
}


@pytest.mark.parametrize("what", WRAPPED)
def test_sizes_that_would_wrap_round_are_named(compile_kernel, what):
    kernel, starts = WRAPPED[what]
    assert refusal(kernel).startswith(starts)
    assert compile_kernel(unchecked(kernel)).trace.status is Status.OK_TO_LAST_STEP


@pytest.mark.parametrize("what", REFUSED_WHOLE)
def test_what_is_wrong_with_a_whole_kernel_is_named(what):
    kernel, starts = REFUSED_WHOLE[what]
    assert refusal(kernel).startswith(starts)


def unchecked(kernel: dict[str, Any]) -> Kernel:
    """A kernel that went past our checks."""
    return Kernel("composite", "unchecked", json.dumps(kernel), ())


#: Without a type AKG takes whatever its memory holds: mostly it refuses, now and then it compiles.
_CHANCE = "data_type=(none)"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param(path, value, id=id)
        for (path, value, _), id in zip(REFUSED, _IDS, strict=True)
        if not id.endswith(_CHANCE)
    ],
)
def test_the_compiler_refuses_it_too(compile_kernel, path, value):
    trace = compile_kernel(unchecked(changed(path, value))).trace
    assert trace.status in (Status.FAILED, Status.CRASHED)


@pytest.mark.parametrize("what", REFUSED_WHOLE)
def test_the_compiler_refuses_the_whole_kernel_too(compile_kernel, what):
    trace = compile_kernel(unchecked(REFUSED_WHOLE[what][0])).trace
    assert trace.status in (Status.FAILED, Status.CRASHED)


#: Declarations that contradict each other: AKG follows one of them and says nothing.
SILENT = [
    (
        "input_desc.0.0.shape",
        [64, 64],
        "op_desc[0].input_desc[0][0].shape: 'input_0' is [512, 64] ",
    ),
    ("input_desc.0.0.data_type", "float32", "op_desc[0].input_desc[0][0].data_type: 'input_0' is "),
    ("op_desc.0.output_desc.0.shape", [64], "op_desc[1].input_desc[0][0].shape: 'output_0_0' is "),
    ("op_desc.1.input_desc.0.0.data_type", "float32", "op_desc[1].input_desc[0][0].data_type: "),
    (
        "output_desc.0.shape",
        [512],
        "output_desc[0].shape: 'output_0_2' is [512] here and [512, 1] ",
    ),
    (
        "output_desc.0.data_type",
        "float32",
        "output_desc[0].data_type: 'output_0_2' is float32 here",
    ),
]


@pytest.mark.parametrize(("path", "value", "starts"), SILENT, ids=lambda part: str(part)[:36])
def test_a_contradiction_is_named_though_the_compiler_takes_it(compile_kernel, path, value, starts):
    sentence = refusal(changed(path, value))
    assert sentence.startswith(starts)
    assert "make them equal" in sentence
    silent = compile_kernel(unchecked(changed(path, value))).trace
    assert silent.code is not None
    assert silent.code == compile_kernel(unchecked(chain())).trace.code


def test_both_places_of_a_contradiction_are_named():
    assert "at input_desc[0][0].shape" in refusal(changed("input_desc.0.0.shape", [64, 64]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Not JSON"),
        ('{"op": ', "Not JSON: Expecting value at line 1, column 8"),
        ("[]", "The file holds a list"),
        ("5", "The file holds the number 5"),
        ("{}", "Not a composite kernel: the JSON object has none of process, op, "),
        ('{"kernelName": "k_kernel0", "binFileName": "k"}', "Not a composite kernel"),
        ('{"op": "k", "binFileName": "k"}', "op_desc: missing; this file describes a kernel that "),
        (b"\x7fELF\xff\xff", "The file is not UTF-8 text"),
        (b" " * (LARGEST_FILE_BYTES + 1), "The file is larger than 8 MiB"),
        ('{"op": ' + "[" * 100 + "]" * 100 + "}", "The JSON is nested more than 64 levels deep"),
        ("[" * 200_000, "The JSON is nested more than 64 levels deep"),
        ('{"op": ' + "1" * 5000 + "}", "A number in the JSON has too many digits"),
        ('{"op": NaN}', "NaN is not a JSON number"),
        ('{"op": 1e999}', "1e999 is not a JSON number"),
        ('{"op": "\\ud800", "op_desc": []}', "op: '\\ud800' holds half a character"),
    ],
    ids=lambda part: str(part)[:24],
)
def test_what_is_no_kernel_at_all(text, says):
    assert refusal(text).startswith(says)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(KernelError, match="cannot be read"):
        load_kernel(tmp_path / "none.info")


def test_a_byte_order_mark_is_left_out():
    text = json.dumps(chain())
    assert parse_kernel("\ufeff" + text, "k.json").source == text
    assert parse_kernel(b"\xef\xbb\xbf" + text.encode(), "k.json").source == text


# What MindSpore and the compiler take, and must pass


def no_inputs() -> dict[str, Any]:
    zero = {**tensor("constant_0", [1], "float32"), "value": 0.0}
    out = tensor("output_0_0", [64], "float32")
    shape = [{"name": "shape", "value": [64]}]
    return {
        "op": "Fused_BroadcastTo",
        "process": "aicore",
        "input_desc": None,
        "op_desc": [operator("BroadcastTo", [zero], out, shape)],
        "output_desc": [out],
    }


def bare() -> dict[str, Any]:
    """Without everything that AKG does without."""
    kernel = chain()
    del kernel["composite"]
    for each in kernel["op_desc"]:
        for place in [*each["output_desc"], *(t for group in each["input_desc"] for t in group)]:
            del place["name"]
    del kernel["op_desc"][1]["input_desc"][1][0]["tensor_name"]
    del kernel["op_desc"][1]["input_desc"][1][0]["data_type"]
    return kernel


def scalar() -> dict[str, Any]:
    """A scalar is [] where the graph declares it and [1] where an operator takes it."""
    kernel = chain()
    kernel["input_desc"][1][0]["shape"] = []
    kernel["op_desc"][0]["input_desc"][1][0]["shape"] = [1]
    return kernel


def passing_an_input_on() -> dict[str, Any]:
    kernel = chain()
    del kernel["op_desc"][2]
    kernel["output_desc"] = [tensor("output_0_1", [512, 64]), tensor("input_0", [512, 64])]
    return kernel


TAKEN = {
    "no inputs": no_inputs(),
    "nothing more than needed": bare(),
    "a scalar": scalar(),
    "attributes {}": changed("op_desc.0.attr", {}),
    "an integer constant": changed("op_desc.1.input_desc.1.0.value", 2),
    "a constant of another kind": changed("op_desc.1.input_desc.1.0.data_type", "int32"),
    "version 1": changed("version", 1),
    "a name that starts with a digit": changed("op", "1_Fused"),
    "the longest name": changed("op", "x" * 245),
    "an output that is an input": passing_an_input_on(),
}


@pytest.mark.parametrize("what", TAKEN)
def test_what_the_compiler_takes_is_not_refused(compile_kernel, what):
    kernel = parse_kernel(json.dumps(TAKEN[what]), "k.info")
    assert compile_kernel(kernel).trace.status is Status.OK_TO_LAST_STEP


def test_every_fused_kernel_of_the_cases_passes(cases):
    files = sorted([*cases.glob("akg/*.info"), *cases.glob("akg_sweep/*.json")])
    assert len(files) == 37
    for file in files:
        kernel = load_kernel(file)
        described = json.loads(file.read_text())
        assert kernel.name == described["op"]
        assert [t.name for t in kernel.tensors if t.role == "output"] == [
            each["tensor_name"] for each in described["output_desc"]
        ]


def test_the_digest_is_that_of_the_content():
    one = parse_kernel(json.dumps(chain()), "one.info")
    assert parse_kernel(json.dumps(chain()), "other.json").digest == one.digest
    wider = copy.deepcopy(chain())
    wider["op"] = "Fused_Other"
    assert parse_kernel(json.dumps(wider), "one.info").digest != one.digest


# Python kernels

PYTHON = '''"""Adds two tensors.

More on it.
"""
import nothing_that_exists
raise SystemExit("a kernel file is read, never run")
CASES = {
    "small": {"shapes": [[16, 64], [16, 64]], "dtypes": ["float16", "float16"], "attributes": [2]},
    "large": {"shapes": [(512, 64), (512, 1)], "dtypes": ["float32", "float32"], "attributes": [3]},
}
def kernel(x, y, factor, keep=True):
    return x + y
'''


def test_a_python_kernel_is_read_and_not_run():
    kernel = parse_kernel(PYTHON, "my kernel.py")
    assert (kernel.kind, kernel.name, kernel.case) == ("python", "my_kernel", "small")
    assert (kernel.about, kernel.source) == ("Adds two tensors.", PYTHON)
    assert kernel.tensors == (
        Tensor("input_1", (16, 64), "float16", "input"),
        Tensor("input_2", (16, 64), "float16", "input"),
    )
    assert kernel_cases(PYTHON, "k.py") == ("small", "large")
    assert kernel_cases(json.dumps(chain()), "k.json") == ()


def test_a_case_is_a_kernel_of_its_own():
    small, large = (parse_kernel(PYTHON, "k.py", case) for case in ("small", "large"))
    assert large.tensors[1] == Tensor("input_2", (512, 1), "float32", "input")
    assert small.digest != large.digest


def test_one_argument_may_be_several_tensors():
    text = PYTHON.replace("[[16, 64], [16, 64]]", "[[[16, 64], [8, 64]], [16]]")
    names = [(t.name, t.shape) for t in parse_kernel(text, "k.py").tensors]
    assert names == [("input_1_1", (16, 64)), ("input_1_2", (8, 64)), ("input_2", (16,))]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("def kernel(", "def kernel(:", "Line 11: Not Python: "),
        ("CASES", "SHAPES", "CASES: missing"),
        ('"shapes": [[16', '"shapes": [[4 * 4', "CASES: must be written out in full"),
        ('"shapes": [[16', '"shapes": [[size', "CASES: must be written out in full"),
        ('"small"', "5", "CASES: the name of a case must be a text"),
        ('"attributes": [2]', '"axis": 2', "CASES['small']: has 'axis', which means nothing"),
        ('"attributes": [2]', '"attributes": 2', "CASES['small']['attributes']: must be a list"),
        ('"shapes": [[16', '"shape": [[16', "CASES['small']: has 'shape', which means nothing"),
        (', "float16"]', "]", "CASES['small']: has 2 shapes and 1 dtypes"),
        ("[[16, 64], ", "[[16, 0], ", "CASES['small']['shapes'][0]: 0 is no size"),
        ("[[16, 64], ", "[[16, '64'], ", "CASES['small']['shapes'][0]: '64' is no size"),
        ("[[16, 64], ", "[[], ", "CASES['small']['shapes'][0]: must be a list of whole numbers"),
        ("[[16, 64], ", "[[65536, 65536], ", "CASES['small']['shapes'][0]: has 4294967296 elem"),
        ('"float16", "float16"', '"half", "float16"', "CASES['small']['dtypes'][0]: 'half' is not"),
        ("def kernel(", "def other(", "kernel: missing"),
        (
            "(x, y, factor",
            "(x, y, z, factor, more",
            "kernel (line 11): takes 5 to 6 arguments, but",
        ),
        ("(x, y, factor, keep=True)", "(x, y)", "kernel (line 11): takes 2 arguments, but"),
        ("factor, keep=True", "*, factor", "kernel (line 11): takes 2 arguments, but"),
        ("keep=True", "*, keep", "kernel (line 11): keep can only be given by name"),
        ('"""Adds', "(" * 5000 + '"""Adds', "Line 1: Not Python: too many"),
        ('"""Adds', "\0", "Not Python: source code string cannot contain null bytes"),
    ],
    ids=lambda part: str(part)[:20],
)
def test_a_malformed_python_kernel_is_refused_in_one_sentence(old, new, says):
    assert old in PYTHON
    assert refusal(PYTHON.replace(old, new, 1), "k.py").startswith(says)


def test_a_case_that_does_not_exist():
    sentence = refusal(PYTHON, "k.py", "medium")
    assert sentence == "CASES has no 'medium'; choose one of small, large."


def test_cases_of_a_kernel_need_not_be_its_only_statement():
    typed = PYTHON.replace("CASES = {", "CASES: dict[str, object] = {")
    assert kernel_cases(typed, "k.py") == ("small", "large")
    taking_all = PYTHON.replace("(x, y, factor, keep=True)", "(*everything)")
    assert parse_kernel(taking_all, "k.py").name == "k"
