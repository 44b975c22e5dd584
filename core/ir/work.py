"""What one core moves and computes, counted in the emitted CCE text: executions, not lines.

Sizes are arguments of the instructions: a copy moves bursts of blocks of 32 B, a load into L0A or
L0B fractals of 512 B, a vector instruction repeats steps of 256 B, `mad` multiplies m x k x n
(the compiler's own back end hands them over so, and so the buffers' sizes come out). Loops,
branches and cores are run as far as they decide a figure; where one begins in global memory only
matters by its remainder of 512 B, which repeats, so that a long loop is never run to its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from core.ir import cce
from core.ir.arithmetic import CORE, Unknown, Values, function
from core.ir.expression import Binary, Call, Cast, Expression, Number, Variable, walk
from core.ir.instructions import kind
from core.trace import Traffic, Work

#: A transfer of less wastes bandwidth, and one that does not begin at a multiple of the second in
#: global memory may fall to 70 % of it: both from Ascend C's best practices of data transfer
#: (hiascend.com, techArticles/20240906-1 and atlas_ascendc_best_practices_10_0014, written of A2).
SMALL_BYTES = 16 << 10
GLOBAL_ALIGNMENT = 512

VECTOR_BYTES = 256  #: that one step of the vector unit takes in
FRACTAL = 16  #: rows and columns of what the cube multiplies at once
_BLOCK = 32
_FRACTAL_BYTES = 512
#: Parts that are evaluated until the rest is taken as if it did not vary, about a second; less for
#: where transfers begin, which is given up then.
_BUDGET_OF_PLACES = 6_000
_BUDGET = 40_000

_SPACES = {"gm": "GM", "ubuf": "UB", "cbuf": "L1", "ca": "L0A", "cb": "L0B", "cc": "L0C"}
_COPY = re.compile(r"copy_(?:matrix_)?(gm|ubuf|cbuf|cc)_to_(gm|ubuf|cbuf|cc)")
_LOAD = re.compile(r"load_(gm|cbuf)_to_(ca|cb)")
_POINTED = re.compile(r"\(__(gm|ubuf|cbuf|ca|cb|cc)__ (\w+) \*\)")
_BYTES = {"half": 2, "float": 4, "double": 8, "bool": 1}
_WIDTH = re.compile(r"u?int(\d+)_t")
#: Vector instructions with a number between their operands and the repeats.
_SCALAR_FORMS = frozenset(("vadds", "vmuls", "vmaxs", "vmins", "vaxpy", "vshl", "vshr"))
_SYNC = "sync"


class Moved(NamedTuple):
    """One kind of transfer."""

    path: str
    bytes: int
    pieces: int
    off: bool | None  #: does not begin at a multiple of 512 B in global memory; None: not known


_Tally = Counter[Moved | str]


@dataclass(frozen=True, slots=True)
class _Step:
    """An instruction: what it adds, given the variables around it."""

    amounts: Callable[[Values], Iterable[tuple[Moved | str, int]]]
    variables: frozenset[str]  #: whose values decide it
    periods: Mapping[str, int]  #: variables of which only the remainder decides


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    start: Callable[[Values], int]
    stop: Callable[[Values], int]
    body: tuple[_Part, ...]
    variables: frozenset[str]
    periods: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Branch:
    condition: Callable[[Values], int]
    then: tuple[_Part, ...]
    otherwise: tuple[_Part, ...]
    variables: frozenset[str]
    periods: Mapping[str, int]


_Part = _Step | _Loop | _Branch


def count_work(text: str, block_dim: int | None = None) -> Work:
    """Count in a CCE text. `block_dim` is the number of cores; without it, core 0 is counted.

    Raises CceError where the text is no CCE kernel or is nested too deeply.
    """
    try:
        body = cce.parse(text).body
        reading, counting = _Reading(places=False), _Counting(_BUDGET)
        core, tally = _busiest(counting, reading.block(body), block_dim or 1)
        placed = _Reading(places=True)
        with suppress(_TooLong):  # where transfers begin then stays unknown
            tally = _Counting(_BUDGET_OF_PLACES, give_up=True).core(placed.block(body), core)
        return _work(tally, reading, counting)
    except RecursionError:
        raise cce.CceError("the code is nested too deeply to be counted.", 0) from None


# --- reading --------------------------------------------------------------------------------------


class _Reading:
    """The statements of a kernel as parts, and what was met that cannot be counted."""

    def __init__(self, *, places: bool) -> None:
        self.places = places  #: whether it matters where in global memory a transfer begins
        self.unread: set[str] = set()
        self.doubled = False

    def block(self, body: Iterable[cce.Statement]) -> tuple[_Part, ...]:
        parts: list[_Part] = []
        for node in body:
            part = self._part(node)
            if part is not None:
                parts.append(part)
        return tuple(parts)

    def _part(self, node: cce.Statement) -> _Part | None:
        match node:
            case cce.Loop():
                self.doubled = self.doubled or "_db" in node.variable
                return self._loop(node)
            case cce.Branch() if "overflowStatus" in node.condition:
                return None
            case cce.Branch():
                then, otherwise = self.block(node.then), self.block(node.otherwise)
                condition = _tree(node.condition)
                names = _names([condition])
                inside = (*then, *otherwise)
                return _Branch(
                    _value(condition), then, otherwise, _deciding(inside) | names, _periods(inside)
                )
            case cce.Assign():
                return _fixed("store")
            case cce.Invoke():
                return self._instruction(node)
            case _:
                return None

    def _loop(self, node: cce.Loop) -> _Loop:
        start, stop = _tree(node.start), _tree(node.limit)
        body = self.block(node.body)
        own = node.variable
        variables = (_deciding(body) - {own}) | _names([start, stop])
        periods = {name: p for name, p in _periods(body).items() if name != own}
        return _Loop(own, _value(start), _value(stop), body, variables, periods)

    def _instruction(self, node: cce.Invoke) -> _Step | None:
        try:
            step = _step(node, self.places)
        except (cce.CceError, IndexError, KeyError):
            step = None
        if step is None and kind(node.name) in ("transfer", "vector", "cube"):
            self.unread.add(node.name)
        return step


def _step(node: cce.Invoke, places: bool) -> _Step | None:
    what = kind(node.name)
    if what == "sync":
        return _fixed(_SYNC)
    if what not in ("transfer", "vector", "cube"):
        return None
    call = cce.parse_expression(f"{node.name}({node.arguments})")
    if not isinstance(call, Call):
        return None
    arguments = call.arguments
    pointed = _POINTED.findall(node.arguments)
    if what == "vector":
        return _vector(node.name, arguments, len(pointed))
    if what == "cube":
        m, k, n = arguments[3:6]
        depth = FRACTAL * 2 if _size(pointed[1][1]) == 1 else FRACTAL
        return _scaled("fractals", ((m, FRACTAL), (k, depth), (n, FRACTAL)))
    copy, load = _COPY.fullmatch(node.name), _LOAD.fullmatch(node.name)
    if load:
        path = f"{_SPACES[load[1]]}→{_SPACES[load[2]]}"
        return _transfer(path, None, Number(1, "int32"), arguments[3], None, _FRACTAL_BYTES)
    if not copy:
        return None
    source, destination = _SPACES[copy[1]], _SPACES[copy[2]]
    unit = _BLOCK
    if source == "L0C":
        unit = FRACTAL * FRACTAL * _size(dict(pointed)["cc"])
    path = f"{source}→{destination}"
    bursts, length = arguments[3:5]
    if "GM" not in (source, destination):
        return _transfer(path, None, bursts, length, None, unit)
    at, gap = (arguments[1], arguments[5]) if source == "GM" else (arguments[0], arguments[6])
    place = (at, _size(dict(pointed)["gm"])) if places else None
    return _transfer(path, place, bursts, length, gap, unit)


def _size(ctype: str) -> int:
    width = _WIDTH.fullmatch(ctype)
    return int(width[1]) // 8 if width else _BYTES[ctype]


def _vector(name: str, arguments: tuple[Expression, ...], operands: int) -> _Step | None:
    if name == "vtranspose":
        return _fixed("vector", 2)  # 16 x 16 numbers of 16 bits
    at = operands + (name in _SCALAR_FORMS or name.startswith(("vector_dup", "vcmpvs")))
    if name.startswith("scatter_"):
        at = 2
    return _scaled("vector", ((arguments[at], 1),)) if at < len(arguments) else None


def _fixed(key: str, amount: int = 1) -> _Step:
    amounts = [(key, amount)]
    return _Step(lambda _: amounts, frozenset(), {})


def _scaled(key: str, factors: Iterable[tuple[Expression, int]]) -> _Step:
    """One that adds the product of some arguments, each rounded up in units."""
    read = [(function(tree), unit) for tree, unit in factors]

    def amounts(values: Values) -> Iterable[tuple[Moved | str, int]]:
        product = 1
        for value, unit in read:
            product *= -(-value(values) // unit)
        return [(key, product)]

    return _Step(amounts, _names(tree for tree, _ in factors), {})


def _transfer(
    path: str,
    place: tuple[Expression, int] | None,
    bursts: Expression,
    length: Expression,
    gap: Expression | None,
    unit: int,
) -> _Step:
    """A transfer of `bursts` runs of `length` units, in global memory `gap` blocks apart."""
    count, size = function(bursts), function(length)
    apart = function(gap) if gap is not None else None
    offset, variables, periods = _remainder(*place) if place else (None, frozenset[str](), {})

    def amounts(values: Values) -> Iterable[tuple[Moved | str, int]]:
        runs, each = count(values), size(values) * unit
        between = apart(values) * _BLOCK if apart else 0
        pieces = runs if between else 1
        off = False if gap is None else None
        if offset is not None:
            step = (each + between) % GLOBAL_ALIGNMENT if pieces > 1 else 0
            off = bool(step or offset(values) % GLOBAL_ALIGNMENT)
        return [(Moved(path, runs * each, pieces, off), 1)]

    sizes = _names(tree for tree in (bursts, length, gap) if tree is not None)
    return _Step(amounts, sizes | variables, periods)


def _remainder(
    at: Expression, size: int
) -> tuple[Callable[[Values], int], frozenset[str], dict[str, int]]:
    """Where a place lies from the start of its tensor, in bytes, as a remainder of 512.

    Only terms that change the remainder are kept: their variables decide it, those that are
    multiplied by a number alone only by their own remainder.
    """
    terms: list[tuple[int, Callable[[Values], int]]] = []
    variables: set[str] = set()
    periods: dict[str, int] = {}
    for factor, atom in _terms(_offset(at), size):
        left = factor % GLOBAL_ALIGNMENT
        if not left:
            continue
        terms.append((left, function(atom) if atom is not None else lambda _: 1))
        if isinstance(atom, Variable) and atom.name != CORE:
            period = GLOBAL_ALIGNMENT // gcd(left, GLOBAL_ALIGNMENT)
            periods[atom.name] = max(period, periods.get(atom.name, 1))
        elif atom is not None:
            variables |= _names([atom])
    for name in variables:
        periods.pop(name, None)
    return (
        lambda values: sum(factor * value(values) for factor, value in terms),
        frozenset(variables),
        periods,
    )


def _offset(place: Expression) -> Expression:
    """What is added to the tensor in `tensor + …`."""
    match place:
        case Binary(operator="+", left=Variable()):
            return place.right
        case Binary(operator="+"):
            return Binary("+", _offset(place.left), place.right)
        case _:
            return Number(0, "int32")


def _terms(tree: Expression, factor: int) -> Iterable[tuple[int, Expression | None]]:
    """A sum as numbers times atoms; the atom of a number alone is None."""
    match tree:
        case Number(value=int(number)):
            yield factor * number, None
        case Binary(operator="+"):
            yield from _terms(tree.left, factor)
            yield from _terms(tree.right, factor)
        case Binary(operator="-"):
            yield from _terms(tree.left, factor)
            yield from _terms(tree.right, -factor)
        case Binary(operator="*", left=inside, right=Number(value=int(number))):
            yield from _terms(inside, factor * number)
        case Binary(operator="*", left=Number(value=int(number)), right=inside):
            yield from _terms(inside, factor * number)
        case Cast() if "int" in tree.dtype:
            yield from _terms(tree.value, factor)
        case _:
            yield factor, tree


def _tree(text: str) -> Expression | None:
    try:
        return cce.parse_expression(text)
    except cce.CceError:
        return None


def _value(tree: Expression | None) -> Callable[[Values], int]:
    return function(tree) if tree is not None else _unknown


def _unknown(_: Values) -> int:
    raise Unknown


def _names(trees: Iterable[Expression | None]) -> frozenset[str]:
    return frozenset(
        node.name
        for tree in trees
        if tree is not None
        for node in walk(tree)
        if isinstance(node, Variable)
    )


def _deciding(parts: Iterable[_Part]) -> frozenset[str]:
    return frozenset[str]().union(*(part.variables for part in parts))


def _periods(parts: Iterable[_Part]) -> dict[str, int]:
    """The longest period of each variable; all are powers of two, so it holds for every part."""
    longest: dict[str, int] = {}
    for part in parts:
        for name, period in part.periods.items():
            longest[name] = max(period, longest.get(name, 1))
    return longest


# --- counting -------------------------------------------------------------------------------------


class _TooLong(Exception):
    """More would have to be evaluated than was allowed."""


class _Counting:
    """Amounts, given the values of the variables in scope."""

    def __init__(self, budget: int, *, give_up: bool = False) -> None:
        self.give_up = give_up
        self.values: dict[str, int] = {}
        self.exact = True
        self.left = budget
        self.known: dict[tuple[object, ...], _Tally] = {}

    def core(self, parts: Iterable[_Part], core: int) -> _Tally:
        """What one core does."""
        self.values = {CORE: core}
        return self.block(parts)

    def block(self, parts: Iterable[_Part]) -> _Tally:
        tally: _Tally = Counter()
        for part in parts:
            tally.update(self._part(part))
        return tally

    def _part(self, part: _Part) -> _Tally:
        values = self.values
        key = (
            id(part),
            tuple([values.get(name) for name in part.variables]),
            tuple([values.get(name, 0) % period for name, period in part.periods.items()]),
        )
        if key not in self.known:
            self.left -= 1
            if self.give_up and self.left <= 0:
                raise _TooLong
            self.known[key] = self._new(part)
        return self.known[key]

    def _new(self, part: _Part) -> _Tally:
        match part:
            case _Step():
                try:
                    return Counter(dict(part.amounts(self.values)))
                except Unknown:
                    self.exact = False
                    return Counter()
            case _Loop():
                return self._loop(part)
            case _Branch():
                return self._branch(part)

    def _loop(self, loop: _Loop) -> _Tally:
        try:
            start, stop = loop.start(self.values), loop.stop(self.values)
        except Unknown:
            self.exact = False
            start, stop = 0, 1
        trips = max(0, stop - start)
        turns = 1
        if loop.variable in _deciding(loop.body):
            turns = trips
        elif loop.variable in (periods := _periods(loop.body)):
            turns = min(trips, periods[loop.variable])
        if turns > max(self.left, 1):
            self.exact = False
            turns = 1
        tally: _Tally = Counter()
        for turn in range(min(turns, trips)):
            self.values[loop.variable] = start + turn
            times = -(-(trips - turn) // turns)
            for key, amount in self.block(loop.body).items():
                tally[key] += amount * times
        self.values.pop(loop.variable, None)
        return tally

    def _branch(self, branch: _Branch) -> _Tally:
        try:
            taken = branch.condition(self.values)
        except Unknown:
            self.exact = False
            return max(self.block(branch.then), self.block(branch.otherwise), key=Counter.total)
        return self.block(branch.then if taken else branch.otherwise)


def _busiest(counting: _Counting, parts: tuple[_Part, ...], block_dim: int) -> tuple[int, _Tally]:
    every = [counting.core(parts, core) for core in range(block_dim)]
    core = max(range(block_dim), key=lambda core: _weight(every[core]))
    return core, every[core]


def _work(tally: _Tally, reading: _Reading, counting: _Counting) -> Work:
    unread = ", ".join(sorted(reading.unread))
    return Work(
        traffic=traffic((key, n) for key, n in tally.items() if isinstance(key, Moved)),
        vector_steps=tally["vector"],
        fractals=tally["fractals"],
        scalar_stores=tally["store"],
        syncs=tally[_SYNC],
        double_buffered=reading.doubled,
        exact=counting.exact and not unread,
        note=f"Not counted: {unread}." if unread else "",
    )


def _weight(tally: _Tally) -> tuple[int, int]:
    """What makes a core the busiest: the bytes that it moves, then all else that it does."""
    moved = sum(key.bytes * n for key, n in tally.items() if isinstance(key, Moved))
    return moved, sum(n for key, n in tally.items() if isinstance(key, str))


def traffic(moved: Iterable[tuple[Moved, int]]) -> tuple[Traffic, ...]:
    """Transfers with how often each is made, summed by path."""
    paths: dict[str, list[tuple[Moved, int]]] = {}
    for each, times in moved:
        if times and each.bytes:
            paths.setdefault(each.path, []).append((each, times))
    return tuple(_summed(path, paths[path]) for path in sorted(paths, key=_from_global_first))


def _summed(path: str, rows: list[tuple[Moved, int]]) -> Traffic:
    outside = "GM" in path
    unknown = any(each.off is None for each, _ in rows)
    return Traffic(
        path,
        transfers=sum(n for _, n in rows),
        bytes=sum(each.bytes * n for each, n in rows),
        smallest_bytes=min(each.bytes for each, _ in rows),
        largest_bytes=max(each.bytes for each, _ in rows),
        small=sum(n for each, n in rows if each.bytes < SMALL_BYTES) if outside else 0,
        unaligned=None if unknown else sum(n for each, n in rows if each.off),
        wasteful=sum(n for each, n in rows if outside and (each.bytes < SMALL_BYTES or each.off)),
        pieces=sum(each.pieces * n for each, n in rows),
    )


def _from_global_first(path: str) -> tuple[int, str]:
    return (0 if path.startswith("GM") else 2 if path.endswith("GM") else 1), path
