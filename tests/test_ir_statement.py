"""The statement language: whole dumps are read and printed again, with true line numbers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.hints import Hints
from core.ir import expression as e
from core.ir import statement as s
from core.kernel import example_kernels
from tests.conftest import KERNELS
from tests.dumped import dump_folders, files_of, is_schedule, recorded, recorded_files
from tests.printer import expression_text, lines_of

#: One of every sort: elementwise, reductions, cube, hybrid function, gather, transpose.
COMPILED = {
    ("broadcast_exp_sum", ""),
    ("softmax_fp16", ""),
    ("matmul_cube", ""),
    ("maxpool", "k2_s2_valid"),
    ("voxel_gather", "512x64_rows128"),
    ("elementwise_shapes", "1x511x65"),
}
STATEMENTS = [path for path in recorded_files(".cc") if not is_schedule(path)]


def plain_lines(text: str) -> list[str]:
    """A text without what the tree does not keep: AutoPoly's list, function headers, blanks."""
    if text.startswith("["):
        text = text[1:].removesuffix(", []]")
    return [line for line in text.split("\n") if line.strip() and not line.startswith("-----")]


def check(text: str) -> None:
    """Printing the tree gives the text, and every statement stands where it says."""
    module = s.parse(text)
    printed = [line for line in lines_of(module) if line.strip()]
    assert printed == plain_lines(text)
    lines = text.split("\n")
    for node in s.walk(module.body):
        first = lines[node.first - 1].strip().removeprefix("[")
        match node:
            case s.For():
                assert first.startswith(f"{node.kind} ({node.variable}, ")
            case s.If():
                assert f"if ({node.condition}) {{" in first
            case s.Produce() | s.Realize():
                assert node.name in first
            case s.Attribute():
                assert first.startswith("// attr [")
                assert f"] {node.key} = {node.value}" in lines[node.last - 1]
            case s.Evaluate():
                assert first == node.value
            case s.Store() | s.Provide() | s.Let() | s.Allocate() | s.Assert() | s.Free():
                assert node.first == node.last
                assert "=" in first or first.startswith(("allocate ", "assert(", "free "))
        for block in s.blocks(node):
            assert lines[node.last - 1].strip().startswith("}")
            # the `if` of an `else if` ends with the one before it
            last = node.last if isinstance(node, s.If) else node.last - 1
            assert all(node.first < inside.first <= inside.last <= last for inside in block)


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_recorded_dump(path):
    check(path.read_text())


def test_there_are_recorded_dumps():
    assert len(STATEMENTS) >= 12


def test_every_pass_of_fresh_compiles(compile_all):
    jobs = [(k, Hints()) for k in example_kernels(KERNELS) if (k.name, k.case) in COMPILED]
    assert len(jobs) == len(COMPILED)
    read = 0
    for opened in compile_all(jobs):
        for step in opened.trace.passes:
            if step.language == "statement" and step.text:
                check(opened.texts.get(step.text))
                read += 1
    assert read > 90 * len(COMPILED)


def test_every_pass_of_the_users_dumps():
    read_whole(dump_folders())


def read_whole(folders: list[Path]) -> None:
    """Every statement file of dump folders."""
    files = [path for path in files_of(folders, ".cc") if not is_schedule(path)]
    assert files
    for path in files:
        try:
            check(path.read_text(errors="replace"))
        except (AssertionError, s.StatementError) as error:
            raise AssertionError(f"{path}: {error}") from error


def test_autopoly_is_a_tuple():
    module = s.parse(recorded("elementwise/AutoPoly.cc"))
    assert module.extra == "[]"
    pragma, loop = module.body
    assert isinstance(pragma, s.Attribute)
    assert isinstance(loop, s.For)
    assert (pragma.first, loop.first, loop.trips) == (1, 2, 256)


def test_several_functions():
    module = s.parse(recorded("elementwise/SplitHostDevice.cc"))
    host, device = module.functions
    assert (host.name, device.name) == ("elementwise_chain", "elementwise_chain_kernel0")
    assert isinstance(host.body[0], s.Assert)
    assert next(n.key for n in device.body if isinstance(n, s.Attribute)) == "device_scope"
    assert host.last < device.first <= device.body[0].first


def test_an_attribute_holds_a_hybrid_function():
    text = recorded("maxpool/ScheduleOps.cc")
    first = s.parse(text).body[0]
    assert isinstance(first, s.Attribute)
    assert first.target.startswith("hybrid(static_max_pool_hybrid_0, 0x")
    assert first.key == "realize_scope"
    assert first.last > 40
    inside = first.target.partition(")")[2]
    assert isinstance(s.parse(inside).body[0], s.For)


def test_operators_of_the_composite_stage():
    module = s.parse(recorded("elementwise/00_Origin.cc"))
    add = next(node for node in module.body if isinstance(node, s.Provide))
    assert add.indices == ("4096", "1024")
    call = e.parse_expression(add.value)
    assert isinstance(call, e.Call)
    assert (call.name, call.dtype, call.kind) == ("Add", "float16", "PI")


def test_else_if_is_nested():
    text = "if ((a < 1)) {\n  0\n} else if ((a < 2)) {\n  1\n} else {\n  2\n  3\n}\n"
    (outer,) = s.parse(text).body
    assert isinstance(outer, s.If)
    (inner,) = outer.otherwise
    assert isinstance(inner, s.If)
    assert (outer.first, inner.first, inner.last) == (1, 3, 8)
    assert [node.first for node in inner.otherwise] == [6, 7]


def test_a_predicate_belongs_to_the_load_before_it():
    tree = e.parse_expression("(a[i] if -2*b[i] if -2) if -2")
    assert isinstance(tree, e.Predicated)
    assert isinstance(tree.value, e.Binary)
    assert tree.value.left == e.Load("a", e.Variable("i"), e.Number(-2, "int32"))


@pytest.mark.parametrize(
    ("text", "value", "dtype"),
    [
        ("-65504h", -65504.0, "float16"),
        ("1e-06f", 1e-06, "float32"),
        ("inff", float("inf"), "float32"),
        ("-inff", float("-inf"), "float32"),
        ("2.5", 2.5, "float64"),
        ("-3", -3, "int32"),
        ("(uint64)18446744073709551615", 2**64 - 1, "uint64"),
        ("(bool)1", 1, "bool"),
    ],
)
def test_constants(text, value, dtype):
    assert e.parse_expression(text) == e.Number(value, dtype)
    assert expression_text(e.parse_expression(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "(let x = (a + 1) in (x*x))",
        "[iter_var(blockIdx.x, , blockIdx.x), range(min=0, ext=32)]",
        '{"axis": [1, 2], "keep_dims": (int1)1, "name": "a \\"b\\" \\\\ c"}',
        "!(a && !b)",
        "select((i < 32), x(i, 0), floordiv(i, 3))",
        "x4(ramp(0, 1, 4))",
        "float32(a[b[i]])",
    ],
)
def test_rare_expressions(text):
    assert expression_text(e.parse_expression(text)) == text


@pytest.mark.parametrize("text", ["(a + b", "a +", "f(a,", "(a ? b)", "a[1", ")", "", "1 2"])
def test_what_is_no_expression(text):
    with pytest.raises(e.StatementError):
        e.parse_expression(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("for (i, 0, 4) {\n  a[i] = 1\n", 1),
        ("a[0] = 1\n}\n", 2),
        ("0\nwhile (1) {\n}\n", 2),
        ("0\n} else {\n}\n", 2),
        ("0\n0\nfor (i, 0) {\n}\n", 3),
        ("// attr [x] nothing\n0\n", 1),
        ("if ((a < 1)) {\n} else {\n} else {\n}\n", 3),
        ("[0\n0\n", 1),
        ("for (i, 0, 4) {\n---------f\n0\n", 1),
    ],
)
def test_errors_name_the_line(text, line):
    with pytest.raises(s.StatementError) as caught:
        s.parse(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"Line {line}: ")


def test_deep_nesting():
    deep = "(" * 400 + "a" + " + 1)" * 400
    assert expression_text(e.parse_expression(deep)) == deep
    with pytest.raises(e.StatementError, match="too deeply"):
        e.parse_expression("(" * 100_000 + "a" + " + 1)" * 100_000)


def test_a_large_pass_is_read_at_once():
    body = recorded("elementwise_129/DecorateDeviceScope.cc")
    text = body * (1_700_000 // len(body))
    started = time.process_time()
    module = s.parse(text)
    seconds = time.process_time() - started
    assert sum(1 for _ in s.walk(module.body)) > 10_000
    assert len(text) / seconds > 2_000_000, f"{len(text) / seconds / 1e6:.1f} MB/s"
