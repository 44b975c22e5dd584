"""Shrinking a failing kernel: what is left fails the same way, found in few compiles."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from core.analysis import shrinking
from core.analysis.fingerprint import fingerprint
from core.analysis.inquiry import Answer, Inquiry
from core.analysis.shrinking import ShrinkError, Shrunk
from core.hints import Hints, parse_dim
from core.kernel import Kernel, load_kernel, parse_kernel
from core.request import Request
from core.trace import Trace
from tests.asked import Sessions, run, sessions
from tests.conftest import KERNELS

SHAPE = [64, 512]
#: A softmax between elementwise operators: its maximum over the last axis in float32 is refused.
TWELVE = (
    ("Mul", ("x", "scale"), SHAPE),
    ("Add", ("Mul", "bias"), SHAPE),
    ("Abs", ("Add",), SHAPE),
    ("Neg", ("Abs",), SHAPE),
    ("ReduceMax", ("Neg",), [64, 1]),
    ("Sub", ("Neg", "ReduceMax"), SHAPE),
    ("Exp", ("Sub",), SHAPE),
    ("ReduceSum", ("Exp",), [64, 1]),
    ("RealDiv", ("Exp", "ReduceSum"), SHAPE),
    ("Sqrt", ("RealDiv",), SHAPE),
    ("Maximum", ("Sqrt", "x"), SHAPE),
    ("Minimum", ("Maximum", "scale"), SHAPE),
)


def composite(operators: Sequence[tuple[str, tuple[str, ...], list[int]]]) -> Kernel:
    shapes = {"x": SHAPE, "scale": SHAPE, "bias": [1, 512]}
    shapes |= {name: shape for name, _, shape in operators}

    def tensor(name: str) -> dict[str, object]:
        return {"tensor_name": name, "shape": shapes[name], "data_type": "float32"}

    def operator(name: str, inputs: tuple[str, ...]) -> dict[str, object]:
        axes = [
            {"name": "axis", "data_type": "listInt", "value": [1]},
            {"name": "keep_dims", "data_type": "bool", "value": True},
        ]
        return {
            "name": name,
            "attr": axes if name.startswith("Reduce") else None,
            "input_desc": [[tensor(each)] for each in inputs],
            "output_desc": [tensor(name)],
        }

    document = {
        "op": "twelve",
        "process": "aicore",
        "input_desc": [[tensor(each)] for each in ("x", "scale", "bias")],
        "op_desc": [operator(name, inputs) for name, inputs, _ in operators],
        "output_desc": [tensor(operators[-1][0])],
    }
    return parse_kernel(json.dumps(document), "twelve.json")


def module(buffers: int, size: int) -> Kernel:
    """Loads one buffer after the other and adds each to the first."""
    here, there = f"memref<{size}xf32, #ub>", f"memref<{size}xf32, #gm>"
    lines = []
    for at in range(buffers):
        lines += [f"%b{at} = memref.alloc() : {here}"]
        lines += [f"hivm.hir.load ins(%x : {there}) outs(%b{at} : {here})"]
    for at in range(1, buffers):
        into = f"outs(%b0 : {here})"
        lines += [f"hivm.hir.vadd ins(%b0, %b{at} : {here}, {here}) {into}"]
    lines += [f"hivm.hir.store ins(%b0 : {here}) outs(%y : {there})"]
    body = "\n".join(f"    {line}" for line in lines)
    text = f"""// Several buffers at once.
#gm = #hivm.address_space<gm>
#ub = #hivm.address_space<ub>
module {{
  func.func @several(%x: {there}, %y: {there})
      attributes {{hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>}} {{
{body}
    return
  }}
}}
"""
    return parse_kernel(text, "several.mlir")


@pytest.fixture(scope="module")
def asked(akg, ascendnpu_ir) -> Iterator[Sessions]:
    with sessions() as opened:
        yield opened


def compiled(asked: Sessions, kernel: Kernel, hints: Hints | None = None) -> Trace:
    (answer,) = asked.answers([Request(kernel, hints or Hints())])
    assert answer.trace is not None, answer.error
    return answer.trace


def shrink(
    asked: Sessions, kernel: Kernel, hints: Hints | None = None, **options: object
) -> tuple[Trace, Shrunk, list[Answer]]:
    trace = compiled(asked, kernel, hints)
    # What is tried first hangs on how long the compile took, which a busy machine must not decide.
    quick = replace(trace, seconds=0.1)
    shrunk, answers = run(shrinking.start(quick, None, kernel, options), asked)
    assert shrunk.reproduced
    assert fingerprint(compiled(asked, shrunk.kernel, shrunk.hints)) == fingerprint(trace)
    return trace, shrunk, answers


def test_twelve_operators_of_which_one_is_refused(asked):
    hints = Hints(parse_dim("0 0 8 1 0 1 512 1"), {"enable_multicore": 0})
    trace, shrunk, answers = shrink(asked, composite(TWELVE), hints)
    assert trace.failure and trace.failure.pass_name == "EmitInsn"
    assert (shrunk.operators_before, shrunk.operators) == (12, 1)
    assert [op["name"] for op in json.loads(shrunk.kernel.source)["op_desc"]] == ["ReduceMax"]
    assert shrunk.hints == Hints() and shrunk.hints_before == 2
    assert shrunk.elements_before == 3 * 64 * 512 + 512
    assert shrunk.elements is not None and shrunk.elements <= 4
    assert shrunk.compiles == len(answers) <= 24 and shrunk.complete
    assert [step.compiles for step in shrunk.steps] == sorted(s.compiles for s in shrunk.steps)
    # What a page can show while it goes on.
    so_far = [shrinking.smallest(trace, answers[:n]) for n in range(1, len(answers) + 1)]
    sizes = [form.size.operators for form in so_far if form]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == 12 and sizes[-1] == 1


def test_a_module_of_twelve_operations_that_does_not_fit(asked):
    kernel = module(6, 16384)
    trace, shrunk, answers = shrink(asked, kernel)
    assert trace.failure and trace.failure.memory == "UB"
    assert shrunk.operators_before == 12
    assert shrunk.operators <= 7  # four buffers of 64 KiB have to be there
    wide, fewer, _ = shrink(asked, module(6, 65536))
    assert fingerprint(wide) == fingerprint(trace)
    assert fewer.operators_before == 12 and fewer.operators <= 3
    assert len(answers) <= 60


def test_a_crash_needs_no_operation_at_all(asked):
    kernel = load_kernel(KERNELS / "host_elementwise.mlir")
    trace, shrunk, _ = shrink(asked, kernel, budget=4)
    assert trace.failure and trace.failure.signal == "SIGSEGV"
    assert shrunk.operators == 0 and not shrunk.kernel.parameters
    assert shrunk.elements is not None and shrunk.elements_before == 3 * shrunk.elements


def test_statements_of_a_triton_kernel_go(asked):
    kernel = load_kernel(KERNELS / "triton_softmax.py", "long_rows")
    _, shrunk, answers = shrink(asked, kernel, budget=24)
    assert len(answers) <= 24 and not shrunk.complete
    assert shrunk.hints.attributes == {"COLUMNS": 8192}
    assert shrunk.kernel.source != kernel.source


def test_the_same_answers_give_the_same_questions(asked):
    kernel = composite(TWELVE)
    trace = compiled(asked, kernel)

    def questions() -> list[list[str]]:
        given: list[list[str]] = []

        def listening(inner: Inquiry[Shrunk]) -> Inquiry[Shrunk]:
            requests = next(inner)
            while True:
                given.append([request.digest for request in requests])
                answers = yield requests
                try:
                    requests = inner.send(answers)
                except StopIteration as ended:
                    return ended.value

        run(listening(shrinking.start(trace, None, kernel, {})), asked)
        return given

    first = questions()
    assert first == questions()
    assert max(map(len, first)) == 2
    assert len({digest for some in first for digest in some}) == sum(map(len, first))


def test_a_failure_that_is_no_more_is_said(asked):
    kernel = composite(TWELVE)
    trace = compiled(asked, kernel)
    harmless = composite(TWELVE[:4])
    shrunk, answers = run(shrinking.start(trace, None, harmless, {}), asked)
    assert not shrunk.reproduced and len(answers) == 1
    assert shrunk.kernel == harmless and not shrunk.steps


def test_what_did_not_fail_cannot_be_shrunk(asked):
    kernel = composite(TWELVE[:4])
    trace = compiled(asked, kernel)
    with pytest.raises(ShrinkError, match="did not fail"):
        shrinking.start(trace, None, kernel, {})
    with pytest.raises(ShrinkError, match="no kernel"):
        shrinking.start(trace, None, None, {})
