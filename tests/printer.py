"""Prints statement trees as AKG does: what is parsed and printed again must be the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.ir import expression as e
from core.ir import statement as s

_SUFFIX = {"float16": "h", "float32": "f", "float64": ""}
_TIGHT = ("*", "/")


def expression_text(tree: e.Expression) -> str:
    match tree:
        case e.Number(value=value, dtype=dtype):
            if dtype in _SUFFIX:
                return f"{value:g}{_SUFFIX[dtype]}"
            return str(value) if dtype == "int32" else f"({dtype}){value}"
        case e.String(value=value):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            return f'"{escaped}"'
        case e.Variable(name=name):
            return name
        case e.Not(operand=operand):
            return f"!{expression_text(operand)}"
        case e.Binary(operator=operator, left=left, right=right):
            sign = operator if operator in _TIGHT else f" {operator} "
            return f"({expression_text(left)}{sign}{expression_text(right)})"
        case e.Load(buffer=buffer, index=index, predicate=predicate):
            tail = f" if {expression_text(predicate)}" if predicate else ""
            return f"{buffer}[{expression_text(index)}]{tail}"
        case e.Cast(dtype=dtype, value=value):
            return f"{dtype}({expression_text(value)})"
        case _:
            return _rarer(tree)


def _rarer(tree: e.Expression) -> str:
    match tree:
        case e.Call(name=name, arguments=arguments, dtype=dtype, kind=kind):
            tail = f":{dtype}:{kind}" if kind else ""
            return f"{name}({_listed(arguments)}){tail}"
        case e.LetIn(name=name, value=value, body=body):
            return f"(let {name} = {expression_text(value)} in {expression_text(body)})"
        case e.Sequence(items=items):
            return f"[{_listed(items)}]"
        case e.Record(items=items):
            return "{" + ", ".join(f'"{k}": {expression_text(v)}' for k, v in items) + "}"
        case e.Keyword(name=name, value=value):
            return f"{name}={expression_text(value)}"
        case e.Predicated(value=value, predicate=predicate):
            return f"{expression_text(value)} if {expression_text(predicate)}"
        case _:
            assert isinstance(tree, e.Missing)
            return ""


def _listed(trees: Iterable[e.Expression]) -> str:
    return ", ".join(expression_text(tree) for tree in trees)


def _again(text: str) -> str:
    return expression_text(e.parse_expression(text))


def lines_of(module: s.Module) -> list[str]:
    """The text's lines, without empty ones and without those that part functions."""
    return list(_block(module.body, ""))


def _block(body: Iterable[s.Statement], indent: str) -> Iterator[str]:
    for node in body:
        yield from _statement(node, indent)


def _statement(node: s.Statement, indent: str) -> Iterator[str]:
    inner = indent + "  "
    match node:
        case s.For():
            bounds = f"{node.variable}, {_again(node.minimum)}, {_again(node.extent)}"
            yield f"{indent}{node.kind} ({bounds}) {{"
            yield from _block(node.body, inner)
            yield f"{indent}}}"
        case s.If():
            yield f"{indent}if ({_again(node.condition)}) {{"
            yield from _arms(node, indent)
        case s.Produce():
            yield f"{indent}produce {node.name} {{"
            yield from _block(node.body, inner)
            yield f"{indent}}}"
        case s.Realize():
            bounds = ", ".join(f"[{_again(low)}, {_again(size)}]" for low, size in node.bounds)
            head = f"realize {node.name}<{node.dtype}>({bounds}){_index(node.value_index)}"
            yield f"{indent}{head}{_condition(node.condition)} {{"
            yield from _block(node.body, inner)
            yield f"{indent}}}"
        case _:
            yield from f"{indent}{_leaf(node)}".split("\n")


def _leaf(node: s.Statement) -> str:
    """The text of a statement without a block: one line, or several for a nested function."""
    match node:
        case s.Attribute():
            target = node.target if node.target.startswith("hybrid(") else _again(node.target)
            return f"// attr [{target}] {node.key} = {_again(node.value)}"
        case s.Allocate():
            extents = "".join(f" * {_again(extent)}" for extent in node.extents)
            return f"allocate {node.name}[{node.dtype}{extents}]{_condition(node.condition)}"
        case s.Free():
            return f"free {node.name}"
        case s.Let():
            return f"let {node.name} = {_again(node.value)}"
        case s.Assert():
            return f"assert({_again(node.condition)}, {_again(node.message)})"
        case s.Store():
            return f"{node.buffer}[{_again(node.index)}] = {_again(node.value)}"
        case s.Provide():
            target = f"{node.tensor}({', '.join(map(_again, node.indices))})"
            return f"{target}{_index(node.value_index)} = {_again(node.value)}"
        case _:
            assert isinstance(node, s.Evaluate)
            return _again(node.value)


def _arms(node: s.If, indent: str) -> Iterator[str]:
    yield from _block(node.then, indent + "  ")
    match node.otherwise:
        case ():
            yield f"{indent}}}"
        case (s.If() as other,):
            yield f"{indent}}} else if ({_again(other.condition)}) {{"
            yield from _arms(other, indent)
        case other:
            yield f"{indent}}} else {{"
            yield from _block(other, indent + "  ")
            yield f"{indent}}}"


def _index(number: int | None) -> str:
    return "" if number is None else f".value[{number}]"


def _condition(text: str | None) -> str:
    return f" if {_again(text)}" if text else ""
