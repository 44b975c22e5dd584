"""The emitted CCE text: where buffers lie, when they are used, loops and calls."""

from __future__ import annotations

import re

import pytest

from core.ir import cce
from core.ir import expression as e
from tests.dumped import dump_folders, files_of, recorded, recorded_files

KERNELS = recorded_files(".cce")


def check(text: str) -> None:
    """Every declaration, brace and call of the text is in the kernel, on its line."""
    kernel = cce.parse(text)
    lines = text.split("\n")
    declared = re.findall(r"(__\w+__)\s+\w+\*\s+(\w+) = \(__\w+__\s+\w+ \*\)\((\d+)\);", text)
    assert [(cce.MEMORIES[q], n, int(o)) for q, n, o in declared] == [
        (p.memory, p.name, p.offset_bytes) for p in kernel.pointers
    ]
    nodes = list(cce.walk(kernel.body))
    loops = [node for node in nodes if isinstance(node, cce.Loop)]
    assert len(loops) == text.count("for (")
    assert sum(isinstance(node, cce.Branch) for node in nodes) == text.count("if (")
    calls = re.findall(r"^\s*(\w+)\(.*\);$", text, re.MULTILINE)
    assert calls == [node.name for node in nodes if isinstance(node, cce.Invoke)]
    assert not [node for node in nodes if isinstance(node, cce.Other)]
    for node in nodes:
        if isinstance(node, cce.Loop):
            assert lines[node.last - 1].strip() == "}"
            assert f" {node.variable} < {node.limit};" in lines[node.first - 1]
        expressions(node)
    for name, use in kernel.uses.items():
        where = [n for n, line in enumerate(lines, 1) if re.search(rf"\b{name}\b", line)]
        apart = {p.line for p in (*kernel.pointers, *kernel.parameters)}
        where = [n for n in where if n not in apart]
        assert (use.first, use.last) == (where[0], where[-1])


def expressions(node: cce.Statement) -> None:
    """Every C expression can be read."""
    match node:
        case cce.Loop():
            cce.parse_expression(node.start)
            cce.parse_expression(node.limit)
        case cce.Branch():
            cce.parse_expression(node.condition)
        case cce.Invoke():
            cce.parse_expression(f"f({node.arguments})")
        case cce.Assign():
            cce.parse_expression(node.target)
            cce.parse_expression(node.value)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.parent.name)
def test_recorded_kernel(path):
    check(path.read_text())


def test_there_are_recorded_kernels():
    assert len(KERNELS) == 4


def test_every_kernel_of_the_users_dumps():
    files = list(files_of(dump_folders(), ".cce"))
    assert files
    for path in files:
        try:
            check(path.read_text())
        except (AssertionError, cce.CceError) as error:
            raise AssertionError(f"{path}: {error}") from error


def test_the_memories_of_a_matrix_product():
    kernel = cce.parse(recorded("matmul/.cce"))
    assert kernel.name == "matmul_cube_kernel0"
    assert {p.memory for p in kernel.pointers} == {"UB", "L1", "L0A", "L0B", "L0C"}
    assert {p.dtype for p in kernel.pointers if p.memory == "L0C"} == {"float32"}
    assert {p.dtype for p in kernel.parameters} == {"float16"}


def test_uses_leave_the_declaration_out():
    kernel = cce.parse(recorded("elementwise/.cce"))
    for pointer in kernel.pointers:
        use = kernel.uses[pointer.name]
        assert pointer.line < use.first <= use.last


def test_else_if_is_nested():
    text = (
        "__aicore__ void k(__gm__ float* __restrict__ a) {\n"
        "  if (block_idx < 1) {\n    vadd(a);\n  } else if (block_idx < 2) {\n    vmul(a);\n"
        "  } else {\n    vexp(a);\n    vln(a);\n  }\n}\n"
    )
    (outer,) = cce.parse(text).body
    assert isinstance(outer, cce.Branch)
    (inner,) = outer.otherwise
    assert isinstance(inner, cce.Branch)
    assert (outer.first, outer.last, inner.first, inner.last) == (2, 9, 4, 9)
    assert [n.name for n in inner.otherwise if isinstance(n, cce.Invoke)] == ["vexp", "vln"]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + 2 * b", e.Binary("+", e.Variable("a"), e.Binary("*", e.Number(2, "int32"),
                                                              e.Variable("b")))),
        ("a - b - c", e.Binary("-", e.Binary("-", e.Variable("a"), e.Variable("b")),
                               e.Variable("c"))),
        ("((int32_t)block_idx) >> 2", e.Binary(">>", e.Cast("int32", e.Variable("block_idx")),
                                               e.Number(2, "int32"))),
        ("((__ubuf__ half *)x + 0)", e.Binary("+", e.Variable("x"), e.Number(0, "int32"))),
        ("(half)-6.5e+04f", e.Cast("float16", e.Number(-6.5e4, "float32"))),
        ("0x10llu", e.Number(16, "int64")),
        ("!a[i]", e.Not(e.Load("a", e.Variable("i"), None))),
    ],
)  # fmt: skip
def test_c_expressions(text, tree):
    assert cce.parse_expression(text) == tree


@pytest.mark.parametrize("text", ["a +", "f(a", "(a", "a b", "a[1", "", "f(a,,b)"])
def test_what_is_no_c_expression(text):
    with pytest.raises(cce.CceError):
        cce.parse_expression(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("int main() { return 0; }\n", 0),
        ("__aicore__ void k() {\n  vadd();\n", 1),
        ("__aicore__ void k() {\n  while (1) {\n  }\n}\n", 2),
        ("__aicore__ void k() {\n  vadd();\n  } else {\n  }\n", 3),
    ],
)
def test_errors_name_the_line(text, line):
    with pytest.raises(cce.CceError) as caught:
        cce.parse(text)
    assert caught.value.line == line
