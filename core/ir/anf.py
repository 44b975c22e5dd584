"""MindSpore's graph IR as it is dumped (.ir): subgraphs of nodes, with scopes and source lines.

The text is one of `MS_DEV_SAVE_GRAPHS`. Every line is read or passed over; none raises. A value may
spread over lines (a tensor constant does), so lines are joined until their brackets balance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_HEADER = re.compile(r"# IR entry: @(\S+)")
_PARAMETER = re.compile(r"%(para\d+_[^:]*): (.*)")
_SUBGRAPH = re.compile(r"subgraph @(\S+?)(?: parent: \[subgraph @(\S+)\])?\((.*)\) \{")
_NODE = re.compile(r"  %(\d+)\((.*?)\) = (.*)", re.DOTALL)
_RETURN = re.compile(r"  Return\((.*)\)(?: .*)?$", re.DOTALL)
_SCOPE = re.compile(r"\s*# Fullname with scope: \((.*)\)")
_PLACE = re.compile(r"\s*# In file (.*?):(\d+)(?:~(\d+))?(?:, (\d+)~(\d+))?/(.*)")
_COUNT = re.compile(r"Total number of (c?nodes): (\d+)")
_ATTRIBUTE = re.compile(r"([^\s:#][^:]*): (.*)")
_NAMED = re.compile(r"(primitive_attrs|cnode_attrs|instance name): ?")
_REFERENCE = re.compile(r"%(\d+|para\d+_[^\s,)\[\]]+)")
_CALLED = re.compile(r"@([^\s,()\]]+)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_OPENING, _CLOSING = "([{<", ")]}>"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a line of the network's Python."""

    file: str
    line: int
    last_line: int
    column: int | None
    last_column: int | None
    text: str  #: of the line, as the dump has it; its end may be cut


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a subgraph; the last one of a subgraph returns."""

    id: str  #: "3" as in %3; "" of a return
    label: str  #: the name in brackets behind it: "CNode_17"
    operator: str  #: MatMul, call, Return …: without "PrimFunc_"
    arguments: tuple[str, ...]  #: as they are written
    inputs: tuple[str, ...]  #: ids of nodes, or of parameters ("para1_x"), in their order
    graphs: tuple[str, ...]  #: the subgraphs that it calls, or hands on
    attributes: Mapping[str, str]
    type: str  #: of its result, as it is written: "(<Tensor[Float32], (32, 128)>)"
    scope: str  #: "Default/fc1-Dense/MatMul-op1"; "" where it has none
    places: tuple[Place, ...]  #: the stack of source lines, outermost first
    line: int  #: from 0
    last: int  #: its last line, with types, scope and places


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a subgraph is given."""

    id: str  #: "para1_x"
    name: str
    type: str  #: "" where it is not said


@dataclass(frozen=True, slots=True)
class Graph:
    """One subgraph."""

    name: str
    parent: str  #: the subgraph whose values it uses; ""
    parameters: tuple[Parameter, ...]
    nodes: tuple[Node, ...]
    attributes: Mapping[str, str]
    places: tuple[Place, ...]
    line: int  #: from 0, where its head stands
    last: int  #: where its closing brace stands


@dataclass(frozen=True, slots=True)
class Module:
    """One dumped file."""

    entry: str  #: the subgraph that is called from outside
    attributes: Mapping[str, str]
    parameters: tuple[Parameter, ...]
    graphs: tuple[Graph, ...]
    declared_nodes: int | None  #: what the file itself says its operations are (cnodes)

    @property
    def nodes(self) -> int:
        """Operations, returns among them, which is how the dump counts."""
        return sum(len(graph.nodes) for graph in self.graphs)

    def graph(self, name: str) -> Graph | None:
        return next((graph for graph in self.graphs if graph.name == name), None)


def parse(text: str) -> Module:
    """The module of a dump. What is not understood is left out; nothing raises."""
    return _Reader(text).module()


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0

    def module(self) -> Module:
        entry, declared = "", None
        attributes: dict[str, str] = {}
        parameters: list[Parameter] = []
        graphs: list[Graph] = []
        own: dict[str, str] = {}
        places: list[Place] = []
        head = True  # until the first subgraph's attributes begin
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if found := _HEADER.match(line):
                entry = found[1]
            elif line.startswith("subgraph @"):
                graph = self._graph(own, tuple(places))
                own, places = {}, []
                if graph is not None:
                    graphs.append(graph)
                continue
            elif line.startswith("subgraph attr:"):
                head, own, places = False, {}, []
            elif found := _PLACE.match(line):
                places.append(_place(found))
            elif found := _COUNT.match(line):
                declared = int(found[2]) if found[1] == "cnodes" else declared
            elif line.startswith("%") and (found := _PARAMETER.match(line)):
                parameters.append(_parameter(found[1], found[2]))
            elif not line.startswith("#") and (found := _ATTRIBUTE.match(line)):
                (attributes if head else own)[found[1]] = found[2]
            self._at += 1
        return Module(entry, attributes, tuple(parameters), tuple(graphs), declared)

    def _graph(self, attributes: Mapping[str, str], places: tuple[Place, ...]) -> Graph | None:
        start = self._at
        head, self._at = self._joined(start)
        found = _SUBGRAPH.match(head)
        if found is None:
            return None
        nodes: list[Node] = []
        while self._at < len(self._lines) and self._lines[self._at] != "}":
            node = self._node()
            if node is not None:
                nodes.append(node)
        last = min(self._at, len(self._lines) - 1)
        self._at += 1
        parameters = tuple(
            _parameter(written.lstrip("%").strip(), "")
            for written in split(found[3])
            if written.strip()
        )
        return Graph(
            name=found[1],
            parent=(found[2] or "").rstrip("]"),
            parameters=parameters,
            nodes=tuple(nodes),
            attributes=dict(attributes),
            places=places,
            line=start,
            last=last,
        )

    def _node(self) -> Node | None:
        start = self._at
        line = self._lines[start]
        if not line.startswith(("  %", "  Return(")):
            self._at += 1
            return None
        head, self._at = self._joined(start)
        type_, scope, places = "", "", []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.startswith("      "):
                break
            if line.startswith("      : "):
                said, following = self._joined(self._at)
                type_ = type_ or said.strip().removeprefix(": ")
                self._at = following
                continue
            if found := _SCOPE.match(line):
                scope = found[1]
            elif found := _PLACE.match(line):
                places.append(_place(found))
            self._at += 1
        return _node(head, type_, scope, tuple(places), start, self._at - 1)

    def _joined(self, start: int) -> tuple[str, int]:
        """A line with those that its open brackets reach over, and where the next one begins."""
        joined, at = self._lines[start], start + 1
        depth = _depth(joined)
        while depth > 0 and at < len(self._lines) and not self._lines[at].startswith("      #"):
            joined += "\n" + self._lines[at]
            depth += _depth(self._lines[at])
            at += 1
        return joined, at


def _depth(line: str) -> int:
    """How many round and square brackets stay open; those in quotes do not count."""
    bare = _QUOTED.sub("", line) if '"' in line else line
    return bare.count("(") + bare.count("[") - bare.count(")") - bare.count("]")


def _node(
    head: str, type_: str, scope: str, places: tuple[Place, ...], line: int, last: int
) -> Node | None:
    found = _NODE.match(head)
    id_, label, rest = (found[1], found[2], found[3]) if found else ("", "", head.strip())
    operator, arguments, tail = _applied(rest)
    if not operator:
        return None
    attributes = dict(_attributes(tail))
    graphs = tuple(dict.fromkeys(_CALLED.findall(" ".join((operator, *arguments)))))
    inputs = tuple(_REFERENCE.findall(" ".join(arguments)))
    if operator.startswith("%"):  # a value that is a function
        inputs = (*_REFERENCE.findall(operator), *inputs)
    shown = "call" if operator.startswith(("call ", "%")) else operator.removeprefix("PrimFunc_")
    return Node(
        *(id_, label, shown, arguments, inputs, graphs, attributes),
        *(_result(type_), scope, places, line, last),
    )


def _applied(text: str) -> tuple[str, tuple[str, ...], str]:
    """Operator, arguments and what stands behind them, of "Add(%0, %1) {instance name: add} …"."""
    at = text.find("(")
    if at < 0:
        return "", (), ""
    end = _matching(text, at)
    return text[:at].strip(), tuple(split(text[at + 1 : end])), text[end + 1 :]


def _matching(text: str, at: int) -> int:
    """Where the bracket that opens at a place closes."""
    depth, quoted = 0, False
    for place in range(at, len(text)):
        letter = text[place]
        if letter == '"':
            quoted = not quoted
        elif not quoted:
            depth += (letter in "([{") - (letter in ")]}")
            if depth == 0:
                return place
    return len(text)


def split(text: str) -> list[str]:
    """The parts of a list between commas that stand in no bracket."""
    parts: list[str] = []
    depth, quoted, start = 0, False, 0
    for at, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING and not (letter == ">" and text[at - 1 : at] == "-"):
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    tail = text[start:].strip()
    return [*parts, tail] if tail else parts


def _attributes(text: str) -> Iterator[tuple[str, str]]:
    """Attributes of the primitive and of the node; the node's own win."""
    for found in _NAMED.finditer(text):
        if found[1] == "instance name":
            yield "instance name", text[found.end() :].partition("}")[0]
            continue
        at = found.end()
        if text[at : at + 1] != "{":
            continue
        for entry in split(text[at + 1 : _matching(text, at)]):
            name, _, value = entry.partition(": ")
            yield name, value


def _result(type_: str) -> str:
    """The part of a type line behind its arrow, or the whole of one without."""
    head, arrow, tail = type_.rpartition(") -> (")
    return f"({tail}" if arrow and head else type_


def _parameter(id_: str, type_: str) -> Parameter:
    return Parameter(id_, id_.partition("_")[2], type_)


def _place(found: re.Match[str]) -> Place:
    file, line, last, column, last_column, text = found.groups()
    return Place(
        file=file,
        line=int(line),
        last_line=int(last or line),
        column=int(column) if column else None,
        last_column=int(last_column) if last_column else None,
        text=text.partition("/<~~")[0].removesuffix("/"),
    )


def shape_of(module: Module) -> str:
    """A text equal for modules that compute the same in the same order, however they are named.

    Values are numbered by where they are defined, subgraphs by where they are first used, so that
    neither running numbers nor addresses count. Names of parameters, types and attributes do.
    """
    order = {graph.name: number for number, graph in enumerate(_reached(module))}
    parts: list[str] = []
    for name in order:
        graph = module.graph(name)
        if graph is None:
            continue
        known: dict[str, str] = {p.id: f"p{at}" for at, p in enumerate(graph.parameters)}
        parts.append(f"graph {len(graph.parameters)}")
        for at, node in enumerate(graph.nodes):
            known[node.id] = f"n{at}"
            arguments = [_unnamed(each, known, order) for each in node.arguments]
            called = [str(order.get(each, "?")) for each in node.graphs]
            parts.append(
                f"{node.operator}({', '.join(arguments)}) {','.join(called)} {node.type}"
                f" {sorted(node.attributes.items())}"
            )
    return "\n".join(parts)


def _unnamed(argument: str, known: Mapping[str, str], order: Mapping[str, int]) -> str:
    """An argument with what it refers to by position."""
    called = _CALLED.sub(lambda found: f"@{order.get(found[1], '?')}", argument)
    # What is defined in a subgraph around this one keeps the name of a parameter at most.
    return _REFERENCE.sub(
        lambda found: known.get(found[1], found[1].partition("_")[2] or "outer"), called
    )


def _reached(module: Module) -> list[Graph]:
    """The subgraphs in the order in which a walk from the entry meets them, then the others."""
    by_name = {graph.name: graph for graph in module.graphs}
    seen: dict[str, Graph] = {}
    waiting = [module.entry, *by_name]
    while waiting:
        name = waiting.pop(0)
        if name in seen or name not in by_name:
            continue
        seen[name] = by_name[name]
        met = [each for node in by_name[name].nodes for each in node.graphs]
        waiting[:0] = met
    return list(seen.values())
