"""The operator graph of a fused kernel: of its composite JSON, or of a composite-stage pass."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.ir import statement
from core.ir.expression import Call, Expression, Number, String, parse_expression
from core.views.drawing import Drawing, safe
from core.views.graph import Graph
from core.views.wording import middle

_WIDTH = 34  # characters of a name


@dataclass(slots=True)
class _Tensor:
    name: str
    shape: str
    dtype: str = ""


@dataclass(slots=True)
class _Operator:
    name: str
    outputs: list[_Tensor]
    inputs: list[_Tensor] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    about: str = ""  # its attributes
    lines: tuple[int, int] | None = None


def is_operator_text(module: statement.Module) -> bool:
    """Whether a text lists operators, as the composite stage prints them, and has no loops."""
    provides = [node for node in module.body if isinstance(node, statement.Provide)]
    others = (
        node
        for node in module.body
        if not isinstance(node, statement.Provide | statement.Attribute | statement.Evaluate)
    )
    if not provides or any(others):
        return False
    return all(isinstance(_value(node), Call) for node in provides)


def of_module(module: statement.Module) -> Graph:
    """The operators of a composite-stage pass, each linked to its line."""
    operators: list[_Operator] = []
    about, first = "", 0
    for node in module.body:
        if isinstance(node, statement.Attribute):
            about, first = node.target, first or node.first
        elif isinstance(node, statement.Provide):
            operators.append(_of_provide(node, about, first or node.first))
            about, first = "", 0
    return _draw(operators, {})


def of_json(source: str) -> Graph:
    """The operators of a kernel's composite JSON. Raises ValueError where it is not one."""
    try:
        kernel = json.loads(source)
    except json.JSONDecodeError as error:
        raise ValueError(f"The kernel is not JSON: {error}.") from None
    if not isinstance(kernel, dict) or not isinstance(kernel.get("op_desc"), list):
        raise ValueError("The kernel has no list op_desc of operators.")
    operators = [_of_description(entry) for entry in kernel["op_desc"] if isinstance(entry, dict)]
    outputs = {t.name: t for t in map(_tensor, _flat(kernel.get("output_desc"))) if t.name}
    return _draw(operators, outputs)


def _value(node: statement.Provide) -> Expression:
    return parse_expression(node.value)


def _of_provide(node: statement.Provide, about: str, first: int) -> _Operator:
    value = _value(node)
    call = value if isinstance(value, Call) else Call("=", (value,), "", "")
    output = _Tensor(node.tensor, _shape(node.indices), call.dtype)
    operator = _Operator(call.name, [output], about=about, lines=(first, node.last))
    for argument in call.arguments:
        match argument:
            case Call():
                extents = tuple(
                    str(e.value) if isinstance(e, Number) else "?" for e in argument.arguments
                )
                operator.inputs.append(_Tensor(argument.name, _shape(extents), argument.dtype))
            case Number():
                operator.constants.append(f"{argument.value:g}")
            case String():
                operator.constants.append(argument.value)
    return operator


def _of_description(entry: Mapping[str, Any]) -> _Operator:
    operator = _Operator(str(entry.get("name", "?")), [])
    for raw in _flat(entry.get("output_desc")):
        operator.outputs.append(_tensor(raw))
    for raw in _flat(entry.get("input_desc")):
        if "value" in raw:
            operator.constants.append(str(raw["value"]))
        else:
            operator.inputs.append(_tensor(raw))
    operator.about = ", ".join(
        f"{a.get('name')}={a.get('value')}" for a in entry.get("attr") or () if isinstance(a, dict)
    )
    return operator


def _flat(descriptions: object) -> list[dict[str, Any]]:
    """Tensors of a description, which nests lists to no fixed depth."""
    if isinstance(descriptions, dict):
        return [descriptions]
    if isinstance(descriptions, list):
        return [tensor for inside in descriptions for tensor in _flat(inside)]
    return []


def _tensor(raw: Mapping[str, Any]) -> _Tensor:
    shape = raw.get("shape")
    extents = shape if isinstance(shape, list) else ()
    name, dtype = str(raw.get("tensor_name", "")), str(raw.get("data_type", ""))
    return _Tensor(name, _shape(map(str, extents)), dtype)


def _shape(extents: Iterable[str]) -> str:
    return "×".join(extents) or "scalar"


def _draw(operators: list[_Operator], outputs: Mapping[str, _Tensor]) -> Graph:
    drawing = Drawing()
    made: dict[str, str] = {}  # tensor to the node that it comes from
    read: set[str] = set()
    last: dict[str, _Tensor] = {}
    taken: set[str] = set()
    for operator in operators:
        name = _name(operator, taken)
        for tensor in operator.inputs:
            if tensor.name not in made:
                made[tensor.name] = _tensor_node(drawing, tensor, "input")
            read.add(tensor.name)
            drawing.edge(made[tensor.name], name, memory="GM", tooltip=_text(tensor))
        label = [middle(operator.name, _WIDTH), *(_size(t) for t in operator.outputs[:1])]
        if operator.constants:
            label.insert(1, middle(", ".join(operator.constants), _WIDTH))
        results = ", ".join(_text(t) for t in operator.outputs)
        tooltip = "\n".join(part for part in (results, operator.about) if part)
        subject = operator.outputs[0].name if operator.outputs else ""
        drawing.node(
            name,
            label,
            classes=("op",),
            lines=operator.lines,
            tooltip=tooltip,
            subject=subject,
            word=operator.name,
            key=f"{operator.name}|{subject}",
            says="|".join((*label, tooltip, *(t.name for t in operator.inputs))),
        )
        for tensor in operator.outputs:
            made[tensor.name] = name
            last[tensor.name] = tensor
    results_of = outputs or {name: t for name, t in last.items() if name not in read}
    for tensor in results_of.values():
        if tensor.name in last:
            node = _tensor_node(drawing, last[tensor.name], "output")
            drawing.edge(made[tensor.name], node, memory="GM")
    return drawing.graph(noun="operators")


def _name(operator: _Operator, taken: set[str]) -> str:
    """Named by what it makes, so that it keeps its name from pass to pass."""
    base = name = f"op.{safe(operator.outputs[0].name) if operator.outputs else operator.name}"
    number = 1
    while name in taken:
        number += 1
        name = f"{base}.{number}"
    taken.add(name)
    return name


def _tensor_node(drawing: Drawing, tensor: _Tensor, role: str) -> str:
    name = f"{role}.{safe(tensor.name)}"
    label = (middle(tensor.name, _WIDTH), _size(tensor))
    drawing.node(
        name,
        label,
        classes=("tensor",),
        memory="GM",
        tooltip=_text(tensor),
        subject=tensor.name,
        key=f"{role} {tensor.name}",
    )
    return name


def _size(tensor: _Tensor) -> str:
    return f"{tensor.shape} {tensor.dtype}".strip()


def _text(tensor: _Tensor) -> str:
    return f"{tensor.name} {_size(tensor)}"
