"""A variable, or a buffer on the chip, that is used where nothing around defines it.

What defines a name is a loop, a `let`, a thread axis, a realize or an allocation, each for the rest
of its block. Tensors of the kernel, what the runtime hands over and the variables of dynamic shapes
are defined outside every text. So a name counts as lost only if it is one that the compiler gives
to its loops (cc0), a thread axis, a buffer with a memory in its name, or a name that the text does
define elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.analysis.checks.finding import Finding
from core.analysis.checks.order import Step, steps
from core.analysis.checks.touched import root
from core.ir.access import SCOPES
from core.ir.expression import (
    Call,
    Expression,
    LetIn,
    Load,
    Variable,
    children,
    parse_expression,
)
from core.ir.statement import (
    Allocate,
    Assert,
    Attribute,
    Evaluate,
    For,
    Function,
    If,
    Let,
    Module,
    Provide,
    Realize,
    Statement,
    Store,
)

#: What AKG calls every loop from UnifyLoopVars on, with what later passes add to it.
_LOOP = re.compile(r"cc\d+(?:[._]\w+)*")
_THREAD = re.compile(r"(?:block|thread)Idx\.[xyz]")
_ON_CHIP = re.compile(r"_local_(?:" + "|".join({s.removeprefix("local.") for s in SCOPES}) + r")\b")
_SHOWN = 4  # uses that a message tells of


def in_statements(module: Module, memories: object) -> Iterator[Finding]:
    """Findings of the names that are used and not defined, one for each name."""
    for function in module.functions:
        walk = _Walk()
        walk.run(function.body)
        if walk.uses:
            yield from _findings(function, walk)


@dataclass(slots=True)
class _Use:
    """Where a name is used without a definition."""

    lines: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    sizes: bool = False  #: whether as a bound of a loop or of an allocation


class _Walk:
    def __init__(self) -> None:
        self.defined: dict[str, int] = {}  # name to how many definitions are in force
        self.known: dict[str, list[tuple[str, int]]] = {}  # every definition: what it is, its line
        self.uses: dict[str, _Use] = {}

    def run(self, body: Sequence[Statement]) -> None:
        ends: list[list[str]] = [[]]  # what is defined until each open block ends
        for step, statement in steps(body):
            if step is Step.LEAVE or step is Step.OTHERWISE:
                for name in ends.pop():
                    self.defined[name] -= 1
                if step is Step.OTHERWISE:
                    ends.append([])
            elif isinstance(statement, Store):
                self.store(statement)
            elif isinstance(statement, Evaluate):
                self.use(statement, statement.value, "")
            elif isinstance(statement, Provide):
                self.provide(statement)
            elif step is Step.ENTER:
                ends.append([])
                self.opens(statement, ends[-1])
            else:
                self.declares(statement, ends[-1])

    def store(self, statement: Store) -> None:
        defined = self.defined
        for text in (statement.index, statement.value):
            for name in _names(text):
                if not defined.get(name):
                    where = "the index" if text is statement.index else "the value"
                    self.add(statement, name, f"{where} of {statement.buffer}")
        if _ON_CHIP.search(statement.buffer) and not defined.get(statement.buffer):
            self.add(statement, statement.buffer, "a store")

    def provide(self, statement: Provide) -> None:
        for text in (*statement.indices, statement.value):
            self.use(statement, text, f"what {statement.tensor} is given")
        if _ON_CHIP.search(statement.tensor) and not self.defined.get(statement.tensor):
            self.add(statement, statement.tensor, "a store")

    def opens(self, statement: Statement, ended: list[str]) -> None:
        match statement:
            case For(variable=name):
                self.use(statement, statement.minimum, f"the first value of loop {name}", True)
                self.use(statement, statement.extent, f"the extent of loop {name}", True)
                self.define(name, "loop", statement, ended)
            case If():
                self.use(statement, statement.condition, "a condition")
            case Realize():
                for bound in statement.bounds:
                    for text in bound:
                        self.use(statement, text, f"the size of {statement.name}", True)
                self.define(statement.name, "buffer", statement, ended)

    def declares(self, statement: Statement, ended: list[str]) -> None:
        match statement:
            case Allocate():
                for text in statement.extents:
                    self.use(statement, text, f"the size of {statement.name}", True)
                self.define(statement.name, "buffer", statement, ended)
            case Attribute(key="thread_extent"):
                self.use(statement, statement.value, "the extent of a thread axis", True)
                name = statement.target.removeprefix("iter_var(").partition(",")[0]
                self.define(name, "thread axis", statement, ended)
            case Let():
                self.use(statement, statement.value, f"the value of {statement.name}")
                self.define(statement.name, "let", statement, ended)
            case Assert():
                self.use(statement, statement.condition, "an assertion")

    def define(self, name: str, what: str, statement: Statement, ended: list[str]) -> None:
        self.defined[name] = self.defined.get(name, 0) + 1
        self.known.setdefault(name, []).append((what, statement.first))
        ended.append(name)

    def use(self, statement: Statement, text: str, place: str, size: bool = False) -> None:
        defined = self.defined
        for name in _names(text):
            if not defined.get(name):
                self.add(statement, name, place, size)

    def add(self, statement: Statement, name: str, place: str, size: bool = False) -> None:
        use = self.uses.setdefault(name, _Use())
        use.sizes = use.sizes or size
        if not use.lines or use.lines[-1] != statement.first:
            use.lines.append(statement.first)
            use.places.append(place)
        elif place and place not in use.places[-1]:
            use.places[-1] = f"{use.places[-1]} and {place}" if use.places[-1] else place


def _findings(function: Function, walk: _Walk) -> Iterator[Finding]:
    for name, use in walk.uses.items():
        known = walk.known.get(name, ())
        if not _lost(name, use, bool(known)):
            continue
        yield Finding(
            "undefined",
            "wrong",
            use.lines[0],
            name,
            _message(name, use, known),
            root(name),
            len(use.lines),
        )


def _lost(name: str, use: _Use, known: bool) -> bool:
    if _LOOP.fullmatch(name) or _THREAD.fullmatch(name) or _ON_CHIP.search(name):
        return True
    # A dynamic shape's variable may have a loop's name; then it is the size of something.
    return known and not use.sizes


def _message(name: str, use: _Use, known: Sequence[tuple[str, int]]) -> str:
    shown = [
        f"in line {line:,}" + (f" ({place})" if place else "")
        for line, place in zip(use.lines[:_SHOWN], use.places, strict=False)
    ]
    if len(use.lines) > _SHOWN:
        shown.append(f"{len(use.lines) - _SHOWN:,} more")
    where = ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
    return (
        f"{name} is used {where}, where no {_kind(name, known)} around "
        f"defines it{_elsewhere(known)}."
    )


def _kind(name: str, known: Sequence[tuple[str, int]]) -> str:
    if known:
        return known[0][0]
    if _THREAD.fullmatch(name):
        return "thread axis"
    return "buffer" if _ON_CHIP.search(name) else "loop"


def _elsewhere(known: Sequence[tuple[str, int]]) -> str:
    if not known:
        return ", nor does any in the text"
    lines = list(dict.fromkeys(line for _, line in known))
    shown = [f"{line:,}" for line in lines[:_SHOWN]]
    if len(lines) > _SHOWN:
        shown.append(f"{len(lines) - _SHOWN:,} more")
    one = len(lines) == 1
    where = shown[0] if one else ", ".join(shown[:-1]) + " and " + shown[-1]
    return f" (that of line {where} does not)" if one else f" (those of lines {where} do not)"


@lru_cache(maxsize=16384)
def _names(text: str) -> tuple[str, ...]:
    """The names that an expression takes from around it: variables, and buffers on the chip."""
    if text.isdigit():
        return ()
    found: dict[str, None] = {}
    _collect(parse_expression(text), frozenset(), found)
    return tuple(found)


def _collect(tree: Expression, bound: frozenset[str], found: dict[str, None]) -> None:
    match tree:
        case Variable(name=name):
            if name not in bound and not name.startswith("0x"):
                found[name] = None
        case LetIn():
            _collect(tree.value, bound, found)
            _collect(tree.body, bound | {tree.name}, found)
        case _:
            if isinstance(tree, Load):
                name = tree.buffer
            elif isinstance(tree, Call) and not tree.kind:
                name = tree.name
            else:
                name = ""
            if name and _ON_CHIP.search(name):
                found[name] = None
            for operand in children(tree):
                _collect(operand, bound, found)
