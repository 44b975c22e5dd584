"""Executed instructions per core, counted in the emitted code.

Two texts can be counted: the CCE text, which always holds the whole kernel, and a lowered pass of
the statement language (the last one, NN_DecorateDeviceScope, or the merged one of a fused kernel).
They give the same figures, but for the few calls that only the CCE text has around the kernel.

Loops are multiplied by their extents. A condition on loop variables and on the core's number is
evaluated for every value that decides it, so each branch counts as often as it runs; where cores
differ, the figures are those of the core that executes most. Only where a condition or an extent
cannot be computed (it reads data, or it would take too long) the branch with more instructions
counts every time and an unknown extent counts once; `exact` is then False.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.ir import cce, statement
from core.ir.arithmetic import Unknown, apply
from core.ir.expression import (
    Binary,
    Call,
    Cast,
    Expression,
    Load,
    Not,
    Number,
    Predicated,
    StatementError,
    Variable,
    walk,
)

Kind = Literal["transfer", "vector", "cube", "scalar", "sync", "control"]

SCALAR_STORE = "scalar store"
OVERFLOW_CHECK = "overflow check"

#: The statement language's own names for what the hardware calls otherwise.
_HARDWARE_NAMES = {
    "cce.coproc_dep_push": "set_flag",
    "cce.coproc_dep_pop": "wait_flag",
    "cce.coproc_sync": "pipe_barrier",
    "set_atomic_add_open": "set_ctrl",
    "set_atomic_add_close": "set_ctrl",
}
_SYNC = frozenset(("set_flag", "wait_flag", "pipe_barrier"))
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("copy_", "transfer"),
    ("load_", "transfer"),
    ("img2col", "transfer"),
    ("mad", "cube"),
    ("scatter_v", "vector"),
    ("v", "vector"),
    ("set_", "control"),
    ("get_", "control"),
)
#: Steps of evaluation after which the rest is estimated: about a second of Python.
_BUDGET = 300_000
_MOST_CORES = 1024  #: that are told apart; no chip has so many, a damaged text may name more


@dataclass(frozen=True, slots=True)
class Instructions:
    """How often each instruction runs on one core."""

    counts: Mapping[str, int]  #: by name; "scalar store" for a store without an instruction
    exact: bool  #: False where a branch or an extent had to be estimated
    core: int | None  #: the core that these are of, where cores differ; else None

    def by_kind(self) -> dict[Kind, int]:
        """The sums of the kinds that occur."""
        sums: Counter[Kind] = Counter()
        for name, count in self.counts.items():
            sums[kind(name)] += count
        return dict(sums)


def kind(name: str) -> Kind:
    """What an instruction is for. `control` sets modes and masks; `sync` orders the pipes.

    Whatever has no name known here runs on the scalar unit.
    """
    if name in _SYNC:
        return "sync"
    if name == OVERFLOW_CHECK:
        return "control"
    return next((k for prefix, k in _KINDS if name.startswith(prefix)), "scalar")


def hardware_name(callee: str) -> str:
    """An instruction as the hardware's manual and the CCE text call it."""
    return _HARDWARE_NAMES.get(callee, callee)


def count_instructions(text: str, block_dim: int | None = None) -> Instructions:
    """Count in a CCE text or in a lowered pass of the statement language.

    `block_dim` is the number of cores that run the kernel; the CCE text does not hold it.
    Raises CceError or StatementError where the text is neither, or is nested too deeply.
    """
    try:
        if "__aicore__" in text:
            return _count(_of_cce(cce.parse(text).body), block_dim)
        module = statement.parse(text)
        return _count(_of_statements(module.body), block_dim or thread_extent(module))
    except RecursionError:
        raise StatementError("the code is nested too deeply to be counted.", 0) from None


def thread_extent(module: statement.Module) -> int | None:
    """The number of cores that a text spreads its work over; None where it does not say."""
    for node in statement.walk(module.body):
        if (
            isinstance(node, statement.Attribute)
            and node.key == "thread_extent"
            and "blockIdx.x" in node.target
            and node.value.isdigit()
        ):
            return int(node.value)
    return None


# --- one small tree for both languages -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Step:
    name: str
    variables: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    start: Expression | None  #: None where it cannot be read
    stop: Expression | None
    relative: bool  #: `stop` is an extent, to be added to `start`
    body: tuple[_Part, ...]
    variables: frozenset[str]  #: that decide how often something inside runs, bound ones apart


@dataclass(frozen=True, slots=True)
class _Branch:
    condition: Expression | None
    then: tuple[_Part, ...]
    otherwise: tuple[_Part, ...]
    variables: frozenset[str]


_Part = _Step | _Loop | _Branch
_CORE = "block_idx"


def _names(trees: Iterable[Expression | None]) -> frozenset[str]:
    return frozenset(
        _CORE if node.name == "blockIdx.x" else node.name
        for tree in trees
        if tree is not None
        for node in walk(tree)
        if isinstance(node, Variable)
    )


def _inside(*blocks: tuple[_Part, ...]) -> frozenset[str]:
    return frozenset().union(*(part.variables for block in blocks for part in block))


def _loop(
    variable: str,
    start: Expression | None,
    stop: Expression | None,
    relative: bool,
    body: tuple[_Part, ...],
) -> _Loop:
    variables = (_inside(body) - {variable}) | _names((start, stop))
    return _Loop(variable, start, stop, relative, body, variables)


def _branch(
    condition: Expression | None, then: tuple[_Part, ...], otherwise: tuple[_Part, ...]
) -> _Branch:
    variables = _inside(then, otherwise) | _names((condition,))
    return _Branch(condition, then, otherwise, variables)


def _of_statements(body: Iterable[statement.Statement]) -> tuple[_Part, ...]:
    return tuple(part for node in body for part in _of_statement(node))


def _of_statement(node: statement.Statement) -> Iterator[_Part]:
    match node:
        case statement.For():
            start, stop = _statement_value(node.minimum), _statement_value(node.extent)
            yield _loop(node.variable, start, stop, True, _of_statements(node.body))
        case statement.If():
            then, otherwise = _of_statements(node.then), _of_statements(node.otherwise)
            yield _branch(_statement_value(node.condition), then, otherwise)
        case statement.Produce() | statement.Realize():
            yield from _of_statements(node.body)
        case statement.Store() | statement.Provide():
            yield _Step(SCALAR_STORE)
        case statement.Evaluate():
            # What starts with tvm_ runs on the host, in the passes that hold both sides.
            if node.callee and not node.callee.startswith("tvm_"):
                yield _Step(hardware_name(node.callee))
        case _:
            return


def _statement_value(text: str) -> Expression | None:
    try:
        return statement.parse_expression(text)
    except StatementError:
        return None


def _of_cce(body: Iterable[cce.Statement]) -> tuple[_Part, ...]:
    return tuple(part for node in body for part in _of_cce_statement(node))


def _of_cce_statement(node: cce.Statement) -> Iterator[_Part]:
    match node:
        case cce.Loop():
            start, stop = _cce_value(node.start), _cce_value(node.limit)
            yield _loop(node.variable, start, stop, False, _of_cce(node.body))
        case cce.Branch() if "overflowStatus" in node.condition:
            yield _Step(OVERFLOW_CHECK)
        case cce.Branch():
            then, otherwise = _of_cce(node.then), _of_cce(node.otherwise)
            yield _branch(_cce_value(node.condition), then, otherwise)
        case cce.Invoke():
            yield _Step(node.name)
        case cce.Assign():
            yield _Step(SCALAR_STORE)
        case cce.Declare():
            value = _cce_value(node.value) if node.value else None
            if isinstance(value, Call):
                yield _Step(value.name)
        case _:
            return


def _cce_value(text: str) -> Expression | None:
    try:
        return cce.parse_expression(text)
    except cce.CceError:
        return None


# --- counting -------------------------------------------------------------------------------------


def _count(parts: tuple[_Part, ...], block_dim: int | None) -> Instructions:
    counter = _Counter()
    if _CORE not in _inside(parts) or block_dim is None or not 0 < block_dim <= _MOST_CORES:
        return Instructions(dict(counter.block(parts)), counter.exact, None)
    per_core = []
    for core in range(block_dim):
        counter.values[_CORE] = core
        per_core.append(counter.block(parts))
    busiest = max(range(block_dim), key=lambda core: per_core[core].total())
    same = all(counts == per_core[0] for counts in per_core)
    return Instructions(dict(per_core[busiest]), counter.exact, None if same else busiest)


class _Counter:
    """Counts, given the values of the variables in scope."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.exact = True
        self.left = _BUDGET
        # What a part counts to depends only on the variables that decide something inside it.
        self.known: dict[tuple[int, tuple[int | None, ...]], Counter[str]] = {}

    def block(self, parts: tuple[_Part, ...]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for part in parts:
            if isinstance(part, _Step):
                counts[part.name] += 1
            else:
                counts.update(self._part(part))
        return counts

    def _part(self, part: _Loop | _Branch) -> Counter[str]:
        key = (id(part), tuple(self.values.get(v) for v in sorted(part.variables)))
        if key not in self.known:
            self.left -= 1
            counts = self._loop(part) if isinstance(part, _Loop) else self._branch(part)
            self.known[key] = counts
        return self.known[key]

    def _loop(self, loop: _Loop) -> Counter[str]:
        start, stop = self._bounds(loop)
        trips = max(0, stop - start)
        decides = loop.variable in _inside(loop.body)
        if decides and trips <= self.left:
            counts: Counter[str] = Counter()
            outer = self.values.get(loop.variable)  # a loop inside may have the same name
            for value in range(start, stop):
                self.values[loop.variable] = value
                counts.update(self.block(loop.body))
            self.values.pop(loop.variable, None)
            if outer is not None:
                self.values[loop.variable] = outer
            return counts
        if decides:
            self.exact = False
        return Counter({name: n * trips for name, n in self.block(loop.body).items()})

    def _bounds(self, loop: _Loop) -> tuple[int, int]:
        try:
            start, stop = self._value(loop.start), self._value(loop.stop)
        except Unknown:
            self.exact = False
            return 0, 1
        return start, start + stop if loop.relative else stop

    def _branch(self, branch: _Branch) -> Counter[str]:
        try:
            taken = self._value(branch.condition)
        except Unknown:
            self.exact = False
            arms = self.block(branch.then), self.block(branch.otherwise)
            return max(arms, key=Counter.total)
        return self.block(branch.then if taken else branch.otherwise)

    def _value(self, tree: Expression | None) -> int:
        match tree:
            case Number(value=int()):
                return int(tree.value)
            case Variable():
                name = _CORE if tree.name == "blockIdx.x" else tree.name
                if name in self.values:
                    return self.values[name]
            case Binary():
                return self._binary(tree)
            case Not():
                return int(not self._value(tree.operand))
            case Cast() | Predicated() if not isinstance(tree.value, Load):
                return self._value(tree.value)
            case Call():
                return self._call(tree)
        raise Unknown

    def _binary(self, tree: Binary) -> int:
        left = self._value(tree.left)
        if tree.operator == "&&":
            return int(bool(left) and bool(self._value(tree.right)))
        if tree.operator == "||":
            return int(bool(left) or bool(self._value(tree.right)))
        return apply(tree.operator, left, self._value(tree.right))

    def _call(self, tree: Call) -> int:
        if tree.name == "select" and len(tree.arguments) == 3:
            condition, then, otherwise = tree.arguments
            return self._value(then if self._value(condition) else otherwise)
        if len(tree.arguments) != 2:
            raise Unknown
        left, right = tree.arguments
        return apply(tree.name, self._value(left), self._value(right))
