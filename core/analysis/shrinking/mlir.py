"""Smaller forms of a module of MLIR. What is valid the compiler says: a refusal is no match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.analysis.shrinking.search import Asking, Form, Search
from core.analysis.shrinking.size import counts
from core.compilers.ascendnpu_ir import mlir_kernel
from core.hints import HintError, Hints
from core.ir import mlir, mlir_syntax
from core.ir.mlir import Operation, Value

#: Of no effect: it is dropped with the last use of its result.
_IDLE = ("arith.constant", "tensor.empty", "memref.alloc", "memref.subview", "tensor.extract_slice")
_HEADING = re.compile(r"\A\s*(?://[^\n]*\n\s*)+")
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")
_RETURN = re.compile(r"((?:func\.)?return)\b[^\n]*")

#: Places of a text and what comes there instead.
Edits = dict[tuple[int, int], str]


def shrink(search: Search) -> Asking[None]:
    """Fewer functions, operations, loops, results and arguments."""
    yield from _closed(search)
    yield from _fewer_functions(search)
    while not search.spent:
        before = len(search.steps)
        yield from _fewer_operations(search)
        yield from _unwrap(search)
        if len(search.steps) == before:
            break
    yield from _fewer_results(search)
    yield from _fewer_arguments(search)


def _closed(search: Search) -> Asking[None]:
    """Fill the places of parameters, and drop what the head says of the kernel as given."""
    kernel, hints = search.best.kernel, search.best.hints
    placed = mlir_kernel.places(kernel.source)
    values = {p.name: hints.attributes.get(p.name, p.default) for p in kernel.parameters}
    try:
        text = mlir_kernel.instantiate(kernel.source, values)
    except HintError:
        return
    flags = {name: value for name, value in values.items() if name not in placed}
    kept = {name: v for name, v in hints.attributes.items() if name not in placed}
    form = search.with_source(_HEADING.sub("", text))
    if form:
        form = replace(form, hints=Hints(hints.tiles, {**flags, **kept}))
    if form and form != search.best:
        yield from search.first("parameters", [(True, form)])


def _fewer_functions(search: Search) -> Asking[None]:
    module = _module(search)
    functions = [op for op in module.walk() if op.name.endswith(".func")]
    if len(functions) > 1:

        def build(kept: Sequence[Operation]) -> Form | None:
            gone = {_span(op): "" for op in functions if op not in kept}
            return _form(search, gone, module.text)

        yield from search.fewest("functions", functions, build)


def _fewer_operations(search: Search) -> Asking[None]:
    module = _module(search)
    operations = [op for op in module.walk() if counts(op)]
    yield from search.fewest(
        "operators", operations, lambda kept: _without(search, module, operations, kept), least=0
    )


def _without(
    search: Search, module: mlir.Module, operations: Sequence[Operation], kept: Sequence[Operation]
) -> Form | None:
    edits = _Removal(module, set(operations) - set(kept)).edits()
    return None if edits is None else _form(search, edits, module.text)


class _Removal:
    """Operations taken out of a module, and what their users take instead."""

    def __init__(self, module: mlir.Module, gone: set[Operation]) -> None:
        self._text = module.text
        self._gone = set(mlir.walk(gone))
        self._operations = list(module.walk())
        self._instead: dict[Value, str] = {}
        self._new: dict[Operation, list[str]] = {}  # arguments by function

    def edits(self) -> Edits | None:
        """The changes to the text; None where a result cannot be replaced."""
        left = [op for op in self._operations if op not in self._gone]
        uses: dict[Value, list[Operation]] = {}
        for operation in left:
            for value in operation.operands:
                if value.owner in self._gone:
                    uses.setdefault(value, []).append(operation)
        for value in uses:
            if self._replace(value) is None:
                return None
        self._drop_idle(left)
        edits: Edits = {_span(op): "" for op in self._gone if _parent(op) not in self._gone}
        for value, users in uses.items():
            for operation in users:
                for start, end in operation.spans:
                    text = edits.get((start, end), self._text[start:end])
                    edits[start, end] = _renamed(text, {value.name: self._instead[value]})
        for function, arguments in self._new.items():
            _append_arguments(function, arguments, self._text, edits)
        return edits

    def _drop_idle(self, left: Sequence[Operation]) -> None:
        for operation in reversed(left):
            if operation.name in _IDLE and operation.results:
                users = (use for value in operation.results for use in value.uses)
                names = {value.name for value in operation.results}
                if all(use in self._gone for use in users) and not names & set(
                    self._instead.values()
                ):
                    self._gone.add(operation)

    def _replace(self, value: Value) -> str | None:
        """The name that stands for a value whose operation is gone; None where there is none."""
        if value in self._instead:
            return self._instead[value]
        owner = value.owner
        if not isinstance(owner, Operation) or not value.type:
            return None
        function = _function(owner)
        arguments = function.regions[0][0].arguments if function and function.regions else []
        for other in (*owner.operands, *arguments):
            if other is not value and other.type == value.type:
                name = self._replace(other) if other.owner in self._gone else other.name
                if name is not None:
                    self._instead[value] = name
                    return name
        if function is None or function.generic:
            return None
        name = value.name.replace("#", "_")
        self._new.setdefault(function, []).append(f"{name}: {value.type}")
        self._instead[value] = name
        return name


def _unwrap(search: Search) -> Asking[None]:
    """Put the body of a loop in place of the loop."""
    going = True
    while going and not search.spent:
        module = _module(search)
        loops = [
            op
            for op in module.walk()
            if op.name == "scf.for" and not op.results and len(op.regions) == 1
        ]
        tries = [(True, _form(search, edits, module.text)) for edits in map(_body, loops)]
        going = bool((yield from search.first("operators", tries)))
    yield from _drop_idle(search)


def _drop_idle(search: Search) -> Asking[None]:
    """Leave out numbers and room that nothing uses."""
    module = _module(search)
    edits = _Removal(module, set()).edits()
    if edits:
        yield from search.first("numbers", [(True, _form(search, edits, module.text))])


def _body(loop: Operation) -> Edits:
    (block,) = loop.regions[0]
    counter, start = block.arguments[0], loop.operands[0]
    edits: Edits = dict.fromkeys(loop.spans, "")
    # A piece ends before the brace that opens a region, and the next begins behind the other.
    (_, opening), (closing, _) = loop.spans
    edits[opening, opening + 1] = edits[closing - 1, closing] = ""
    for operation in mlir.walk(block.operations):
        if operation.name == "scf.yield" and operation.parent is block:
            edits[_span(operation)] = ""
        elif counter in operation.operands:
            for span in operation.spans:
                text = operation.module.text[slice(*span)]
                edits[span] = _renamed(text, {counter.name: start.name})
    return edits


def _fewer_results(search: Search) -> Asking[None]:
    module = _module(search)
    for function in [op for op in module.functions if not op.generic]:
        end = function.regions[0][-1].terminator
        results = _result_types(function)
        if end is not None and len(results) > 1 and len(end.operands) == len(results):

            def build(
                kept: Sequence[int], f: Operation = function, e: Operation = end
            ) -> Form | None:
                return _form(search, _returning(f, e, kept), module.text)

            yield from search.fewest("results", range(len(results)), build)
            return  # positions of other functions have moved


def _result_types(function: Operation) -> list[str]:
    head = function.module.text[slice(*function.spans[0])]
    found = _results_place(head)
    if found is None:
        return []
    listed = head[slice(*found)].strip()
    inside = listed[1:-1] if listed.startswith("(") else listed
    return [each.strip() for each in mlir_syntax.split(inside)]


def _results_place(head: str) -> tuple[int, int] | None:
    """Where a function's head lists its results, behind the arrow; None where it has none."""
    opening = head.find("(")
    closing = mlir_syntax.closing(head, opening) if opening >= 0 else None
    arrow = re.compile(r"\s*->\s*").match(head, closing) if closing else None
    return (arrow.end(), mlir_syntax.end_of_type(head, arrow.end())) if arrow else None


def _returning(function: Operation, end: Operation, kept: Sequence[int]) -> Edits:
    text = function.module.text
    types, values = _result_types(function), [value.name for value in end.operands]
    start = function.spans[0][0]
    place = _results_place(text[slice(*function.spans[0])])
    assert place is not None  # it has results
    listed = ", ".join(types[at] for at in kept)
    given = ", ".join(values[at] for at in kept)
    said = _RETURN.sub(lambda found: f"{found[1]} {given} : {listed}", text[slice(*_span(end))])
    return {(start + place[0], start + place[1]): f"({listed})", _span(end): said}


def _fewer_arguments(search: Search) -> Asking[None]:
    module = _module(search)
    for function in [op for op in module.functions if not op.generic]:
        listed = _arguments(function, module.text)
        values = function.regions[0][0].arguments
        idle = [at for at, value in enumerate(values) if not value.uses]
        if idle and len(listed) == len(values):

            def build(
                kept: Sequence[int],
                f: Operation = function,
                texts: Sequence[str] = listed,
                gone: frozenset[int] = frozenset(idle),
            ) -> Form | None:
                left = [text for at, text in enumerate(texts) if at not in gone or at in kept]
                return _form(search, {_argument_list(f, module.text): ", ".join(left)}, module.text)

            yield from search.fewest("arguments", idle, build, least=0)
            return  # positions of other functions have moved


def _arguments(function: Operation, text: str) -> list[str]:
    start, end = _argument_list(function, text)
    return [each.strip() for each in mlir_syntax.split(text[start:end])]


def _argument_list(function: Operation, text: str) -> tuple[int, int]:
    """The place between the parentheses of a function's arguments."""
    start, end = function.spans[0]
    opening = text.index("(", start, end)
    closing = mlir_syntax.closing(text, opening)
    return opening + 1, (closing or end) - 1


def _append_arguments(
    function: Operation, arguments: Sequence[str], text: str, edits: Edits
) -> None:
    start, end = _argument_list(function, text)
    before = "" if not text[start:end].strip() else ", "
    edits[end, end] = before + ", ".join(arguments)


def _module(search: Search) -> mlir.Module:
    return mlir.parse(search.best.kernel.source, tolerant=True)


def _form(search: Search, edits: Mapping[tuple[int, int], str], text: str) -> Form | None:
    pieces, at = [], 0
    for (start, end), instead in sorted(edits.items()):
        if start < at:
            continue  # inside of what is gone
        pieces += [text[at:start], instead]
        at = end
    made = _BLANK.sub("\n", "".join((*pieces, text[at:])))
    return search.with_source(made)


def _span(operation: Operation) -> tuple[int, int]:
    return operation.spans[0][0], operation.spans[-1][1]


def _parent(operation: Operation) -> Operation | None:
    return operation.parent.parent


def _function(operation: Operation) -> Operation | None:
    above: Iterator[Operation] = _above(operation)
    return next((each for each in above if each.name.endswith(".func")), None)


def _above(operation: Operation) -> Iterator[Operation]:
    parent = _parent(operation)
    while parent is not None:
        yield parent
        parent = _parent(parent)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    for name, other in names.items():
        text = re.sub(rf"{re.escape(name)}(?![\w$.#-])", other, text)
    return text
