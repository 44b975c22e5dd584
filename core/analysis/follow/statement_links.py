"""What became of the things of one text of the statement language in the next one.

First what is written alike, then what writes and reads the same buffers, then what must be the
same because everything around it is. Names alone decide only where a buffer keeps its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import prod

from rapidfuzz.distance import LCSseq

from core.analysis.follow.sheet import Item, Link, Sheet, unique
from core.analysis.follow.statements import CORE, CORE_IN_CODE, Term, terms

#: What passes put behind a name when they make a copy of a buffer elsewhere.
_MADE = re.compile(r"(?:_local_(?:UB|BUF|L1|C1|[LC]0[ABC]|REG)|_stitch_local_\w+|_rename\d+)+\Z")
_WIDER = "fp32_"  #: before the name of a buffer, of its copy in higher precision
_PLAIN = re.compile(r"\W")
#: One word for what several stages of the compiler call differently.
_SAME = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "realdiv": "div", "maximum": "max",
    "minimum": "min", "reducemax": "max", "reducesum": "add", "reducemin": "min", "neg": "mul",
    "vector_dup": "fill", "broadcastto": "copy", "reshape": "copy", "transpose": "copy",
    "matmul": "mad", "batchmatmul": "mad", "reduce_add": "add", "reduce_max": "max",
    "log": "ln", "vcadd": "add", "vcmax": "max", "vcgmax": "max", "vcgadd": "add", "vcmin": "min",
    "vdiv": "div", "addn": "add", "=": "copy", "reduce_min": "min", "inplaceassign": "copy",
}  # fmt: skip
_Key = tuple[frozenset[str], frozenset[str]]


def stem(does: str) -> str:
    """What an operation does, whatever the stage calls it."""
    name = does.lower()
    if name in _SAME:
        return _SAME[name]
    if name.startswith(("copy", "load")):
        return "copy"
    if name.startswith("vconv"):
        return "cast"
    name = name.removeprefix("v")
    return name.removesuffix("s") if name in ("adds", "muls", "maxs", "mins") else name


class StatementLinks:
    """Between two texts of the statement language."""

    def __init__(self, a: Sheet, b: Sheet) -> None:
        self.a, self.b = a, b
        self._to: dict[int, list[Link]] = defaultdict(list)
        self._from: dict[int, list[Link]] = defaultdict(list)
        for ours, theirs in _regions(a, b):
            _Pairing(self, ours, theirs).run()

    def of(self, item: Item) -> Sequence[Link]:
        if item.kind == "loop":
            return _loops(self.a, self.b, item, self._to)
        return unique(self._to.get(item.number, ()))

    def back(self, item: Item) -> Sequence[Link]:
        if item.kind == "loop":
            return _loops(self.b, self.a, item, self._from)
        return unique(self._from.get(item.number, ()))

    def tells(self, item: Item, forward: bool) -> bool:
        here, known = (self.a, self._to) if forward else (self.b, self._from)
        near = neighbours(here, item)
        if near:
            return any(number in known for number in near)
        return 2 * sum(each.number in known for each in here.items) > len(here.items)

    def join(self, ours: Item, theirs: Item, sure: bool = True, how: str = "") -> None:
        self._to[ours.number].append(Link(theirs, sure, how))
        self._from[theirs.number].append(Link(ours, sure, how))

    def joined(self, item: Item) -> bool:
        return item.number in self._to


def neighbours(sheet: Sheet, item: Item) -> set[int]:
    """The buffers that are computed from it or that it is computed from."""
    found: set[int] = set()
    for operation in sheet.operations:
        touched = (*operation.reads, *operation.writes)
        near = (
            item.number in touched
            if item.kind == "buffer"
            else item.number in operation.loops or item.number == operation.number
        )
        if near:
            found.update(touched)
    return found - {item.number}


# Regions


def _regions(a: Sheet, b: Sheet) -> Iterable[tuple[list[Item], list[Item]]]:
    """The items of functions, or branches, that belong together."""
    ours, theirs = _by_region(a), _by_region(b)
    if len(ours) <= 1 and len(theirs) <= 1:
        yield list(a.items), list(b.items)
        return
    for name, items in ours.items():
        mine = _accesses(items)
        found = {other: _accesses(those) for other, those in theirs.items()}
        shared = {other: (mine & those).total() for other, those in found.items()}
        best = max(shared.values(), default=0)
        if not best:
            same = [other for other in theirs if other == name]
            idle = [other for other, those in found.items() if not those]
            for other in same or (list(theirs) if mine else idle):
                yield items, theirs[other]
            continue
        like = [other for other, count in shared.items() if count == best]
        if len(ours) == len(theirs) and len(like) > 1:  # twins: the one in the same place
            place = list(ours).index(name)
            like = [other for other in like if list(theirs).index(other) == place] or like
        like += [o for o in theirs if o not in like and not found[o]]  # the host's part
        # A branch that has nothing of its own is a copy of the whole, for some of the cores.
        like += [o for o in theirs if o not in like and shared[o] and found[o] <= mine]
        for other in like:
            yield items, theirs[other]


def _accesses(items: Iterable[Item]) -> Counter[str]:
    return Counter(i.text for i in items if i.kind == "operation" and (i.reads or i.writes))


def _by_region(sheet: Sheet) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = defaultdict(list)
    for item in sheet.items:
        found[item.region].append(item)
    return found


# Buffers and operations


class _Pairing:
    """One region of either text."""

    def __init__(self, links: StatementLinks, ours: list[Item], theirs: list[Item]) -> None:
        self.links = links
        self.a = {item.name: item for item in ours if item.kind == "buffer"}
        self.b = {item.name: item for item in theirs if item.kind == "buffer"}
        self.variables = [
            {item.name: item for item in items if item.kind == "variable"}
            for items in (ours, theirs)
        ]
        self.ours = [item for item in ours if item.kind == "operation"]
        self.theirs = [item for item in theirs if item.kind == "operation"]
        #: Buffers of the second text by the name of the one that they are in the first.
        self.known = {name: name for name in self.b.keys() & self.a.keys()}

    def run(self) -> None:
        for name in self.known:
            self.links.join(self.a[name], self.b[name])
        for name in self.variables[0].keys() & self.variables[1].keys():
            self.links.join(self.variables[0][name], self.variables[1][name])
        self._copies()
        self._by_use()
        self._operations()

    def _copies(self) -> None:
        for name, item in self.b.items():
            if name in self.a:
                continue
            root = _root(name)
            if root not in self.a and root.removeprefix(_WIDER) in self.a:
                self.known[name] = root.removeprefix(_WIDER)  # computed with instead of it
            elif root != name and root in self.a:
                moved = root not in self.b
                how = "renamed" if moved else "copy"
                self.links.join(self.a[root], item, how=how)
                self.known[name] = root

    def _by_use(self) -> None:
        """Buffers that lost their name: what is made in the same way of the same."""
        gone = {n: i for n, i in self.a.items() if not self.links.joined(i)}
        new = {n: i for n, i in self.b.items() if n not in self.known}
        if not gone or not new:
            return
        made_a = _made(self.ours, self.links.a, {})
        made_b = _made(self.theirs, self.links.b, self.known)
        for closely in (True, True, False):
            while pair := self._pair(gone, new, made_a, made_b, closely):
                ours, theirs, sure = pair
                how = "renamed" if sure else "probably renamed: made of the same"
                self.links.join(gone.pop(ours), new.pop(theirs), sure, how)
                self.known[theirs] = ours
                made_b = _made(self.theirs, self.links.b, self.known)

    def _pair(
        self,
        gone: dict[str, Item],
        new: dict[str, Item],
        made_a: dict[str, tuple[frozenset[str], frozenset[str]]],
        made_b: dict[str, tuple[frozenset[str], frozenset[str]]],
        closely: bool,
    ) -> tuple[str, str, bool] | None:
        for name in gone:
            of, does = made_a.get(name, (frozenset(), frozenset()))
            if not of or of & gone.keys() - {name}:
                continue
            like = [
                other
                for other in new
                if other in made_b and made_b[other][0] == of and (does & made_b[other][1])
            ]
            if not like and not closely:
                like = [o for o in new if o in made_b and made_b[o][0] == of]
            if len(like) == 1 or (like and not closely):
                return name, like[0], len(like) == 1 and bool(does & made_b[like[0]][1])
        return self._read_by_same(gone, new, closely)

    def _read_by_same(
        self, gone: dict[str, Item], new: dict[str, Item], closely: bool
    ) -> tuple[str, str, bool] | None:
        """What is read where all else that makes something is known."""
        made = {self.known[n]: n for n in self.known}
        for operation in self.ours:
            names = [self.links.a.items[n].name for n in operation.reads]
            lost = [n for n in names if n in gone]
            target = [self.links.a.items[n].name for n in operation.writes]
            if len(lost) != 1 or not target or target[0] not in made:
                continue
            read = [
                n
                for other in self.theirs
                if made[target[0]] in [self.links.b.items[w].name for w in other.writes]
                and (stem(other.word) == stem(operation.word) or not closely)
                for n in (self.links.b.items[r].name for r in other.reads)
                if n in new
            ]
            if len(set(read)) == 1:
                return lost[0], read[0], closely
        return None

    def _operations(self) -> None:
        left_a, left_b = self._alike()
        keys_a = {item.number: self._key(item, self.links.a, {}) for item in self.ours}
        keys_b = {item.number: self._key(item, self.links.b, self.known) for item in self.theirs}
        by_key: dict[_Key, list[Item]] = defaultdict(list)
        for item in self.ours:
            by_key[keys_a[item.number]].append(item)
        waiting: dict[_Key, list[Item]] = defaultdict(list)
        for item in left_b:
            waiting[keys_b[item.number]].append(item)
        for key, theirs in waiting.items():
            if any(key):
                self._share(by_key.get(key, ()), theirs)
        rest_b = [item for item in left_b if not self.links._from.get(item.number)]
        for item in left_a:
            if self.links.joined(item) or not item.writes:
                continue
            target = keys_a[item.number][0]
            near = [i for i in rest_b if keys_b[i.number][0] == target]
            like = [i for i in near if stem(i.word) == stem(item.word)] or near
            for other in like:
                self.links.join(item, other, False, "probably: writes the same buffer")

    def _alike(self) -> tuple[list[Item], list[Item]]:
        """Join what is written alike; what is left of both."""
        ids: dict[str, int] = {}
        a = [ids.setdefault(item.text, len(ids)) for item in self.ours]
        b = [ids.setdefault(item.text, len(ids)) for item in self.theirs]
        left_a, left_b = [], []
        for op in LCSseq.opcodes(a, b):
            mine = self.ours[op.src_start : op.src_end]
            others = self.theirs[op.dest_start : op.dest_end]
            if op.tag == "equal":
                for one, other in zip(mine, others, strict=True):
                    self.links.join(one, other)
            else:
                left_a += mine
                left_b += others
        return left_a, left_b

    def _key(self, item: Item, sheet: Sheet, known: dict[str, str]) -> _Key:
        names = [
            frozenset(known.get(sheet.items[n].name, sheet.items[n].name) for n in numbers)
            for numbers in (item.writes, item.reads)
        ]
        return names[0], names[1]

    def _share(self, ours: Sequence[Item], theirs: Sequence[Item]) -> None:
        """Join operations on the same buffers: one for one, or each to its share of them."""
        if not ours:
            return
        by_stem = defaultdict(list)
        for item in ours:
            by_stem[stem(item.word)].append(item)
        for place, other in enumerate(theirs):
            like = by_stem.get(stem(other.word)) or list(ours)
            if len(like) == 1:
                self.links.join(like[0], other)
            elif len(ours) == len(theirs):
                self.links.join(ours[place], other)
            else:
                self.links.join(like[place % len(like)], other, False, "probably: in this order")


def _made(
    operations: Sequence[Item], sheet: Sheet, known: dict[str, str]
) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Of what each buffer is made, and by what."""
    of: dict[str, set[str]] = defaultdict(set)
    does: dict[str, set[str]] = defaultdict(set)
    for operation in operations:
        read = [sheet.items[n].name for n in operation.reads]
        for number in operation.writes:
            name = sheet.items[number].name
            of[name].update(known.get(n, n) for n in read if n != name)
            does[name].add(stem(operation.word))
    return {n: (frozenset(of[n] - {known.get(n, n)}), frozenset(does[n])) for n in of}


# Loops


def _loops(here: Sheet, there: Sheet, loop: Item, joined: dict[int, list[Link]]) -> list[Link]:
    """The loops around the same operations that move over the same part of their buffers."""
    found: dict[int, Link] = {}
    for operation in here.operations:
        if loop.number not in operation.loops:
            continue
        ours = [here.items[n] for n in operation.loops]
        for link in joined.get(operation.number, ()):
            theirs = [there.items[n] for n in link.item.loops]
            for other in _twins(loop, ours, theirs, here, there, operation, link.item):
                known = found.get(other.item.number)
                if known is None or (other.sure and not known.sure):
                    found[other.item.number] = other
    return sorted(found.values(), key=lambda link: link.item.number)


def _twins(
    loop: Item,
    ours: Sequence[Item],
    theirs: Sequence[Item],
    here: Sheet,
    there: Sheet,
    operation: Item,
    twin: Item,
) -> list[Link]:
    """What a loop around an operation is around its counterpart."""
    own = _moves(here, operation, loop)
    moves = {other.number: _moves(there, twin, other) for other in theirs}
    same = [o for o in theirs if (o.name, o.extent) == (loop.name, loop.extent)]
    if same and (not own or not moves[same[-1].number] or _overlap(
        own, moves[same[-1].number], loop, same[-1]
    )):  # fmt: skip
        return [Link(same[-1])]
    found = {o.number: Link(o) for o in theirs if _overlap(own, moves[o.number], loop, o)}
    if not found:
        found = _summed(loop, ours, theirs, here, there, operation, twin)
    if not found:
        found = _by_place(loop, ours, theirs)
    _tiles(loop, theirs, found)
    return list(found.values())


def _summed(
    loop: Item,
    ours: Sequence[Item],
    theirs: Sequence[Item],
    here: Sheet,
    there: Sheet,
    operation: Item,
    twin: Item,
) -> dict[int, Link]:
    """Of loops that what is written does not depend on, the one in the same order."""
    own = [o.number for o in ours if _only_read(_moves(here, operation, o))]
    other = [o for o in theirs if _only_read(_moves(there, twin, o))]
    if loop.number not in own or len(own) != len(other):
        return {}
    same = other[own.index(loop.number)]
    return {same.number: Link(same, False, "probably: in the same order")}


def _only_read(moves: Sequence[Term]) -> bool:
    return bool(moves) and not any(term.written for term in moves)


def _tiles(loop: Item, candidates: Sequence[Item], found: dict[int, Link]) -> None:
    """The loop around that makes up for what is lacking: indices of a tile do not have it."""
    covered = prod(link.item.extent or 1 for link in found.values())
    if not found or not loop.extent or covered >= loop.extent:
        return
    lacking = -(-loop.extent // covered)
    outer = [c for c in candidates if c.extent == lacking and c.number not in found]
    if outer:
        found[outer[0].number] = Link(outer[0], len(outer) == 1)


def _moves(sheet: Sheet, operation: Item, loop: Item) -> list[Term]:
    """Where a loop moves in the buffers that an operation accesses."""
    line = sheet.line(operation.first)
    return [term for name, term in terms(line) if name == loop.name]


def _overlap(own: Sequence[Term], theirs: Sequence[Term], loop: Item, other: Item) -> bool:
    """Whether two loops move over a common part of one dimension of a buffer.

    Where an operation writes by a loop, what it writes tells; what it reads may lie otherwise.
    """
    if _only_read(own) != _only_read(theirs):
        return False
    own = [term for term in own if term.written] or own
    theirs = [term for term in theirs if term.written] or theirs
    for one in own:
        for two in theirs:
            same = _root(one.buffer) == _root(two.buffer)
            if not same or (one.dimension, one.dimensions) != (two.dimension, two.dimensions):
                continue
            reach, other_reach = one.step * (loop.extent or 2), two.step * (other.extent or 2)
            if one.step < other_reach and two.step < reach:
                return True
    return False


def _root(name: str) -> str:
    while _MADE.search(name):
        name = _MADE.sub("", name)
    return name


def _by_place(loop: Item, ours: Sequence[Item], theirs: Sequence[Item]) -> dict[int, Link]:
    """Where the indices do not tell: the same name, the same extent, the same depth."""
    taken = {other.name for other in ours}
    place = [other.number for other in ours].index(loop.number)
    named = [o for o in theirs if o.name == loop.name]
    if named:
        return {named[-1].number: Link(named[-1])}
    new = [o for o in theirs if o.name not in taken and o.name != CORE]
    like = [o for o in new if o.extent == loop.extent]
    if not like and len(ours) == len(theirs) and theirs[place] in new:
        like = [theirs[place]]
    return {o.number: Link(o, False, "probably: the same place") for o in like[:1]}


# The emitted code


class CodeLinks:
    """From the last text of the statement language into the emitted CCE code."""

    def __init__(self, a: Sheet, b: Sheet) -> None:
        self.a, self.b = a, b
        self._to: dict[int, list[Link]] = defaultdict(list)
        self._from: dict[int, list[Link]] = defaultdict(list)
        self._names()
        self._operations()

    def of(self, item: Item) -> Sequence[Link]:
        return unique(self._to.get(item.number, ()))

    def back(self, item: Item) -> Sequence[Link]:
        return unique(self._from.get(item.number, ()))

    def tells(self, item: Item, forward: bool) -> bool:
        """Not so where the text before is of the host."""
        emitted = sum(other.number in self._from for other in self.b.operations)
        return 2 * emitted > len(self.b.operations)

    def _join(self, ours: Item, theirs: Item, sure: bool = True, how: str = "") -> None:
        self._to[ours.number].append(Link(theirs, sure, how))
        self._from[theirs.number].append(Link(ours, sure, how))

    def _names(self) -> None:
        """The names that the code generator gives: a number behind what is declared again."""
        given: dict[str, int] = {}
        for item in self._declared():
            name = CORE_IN_CODE if item.name == CORE else _PLAIN.sub("_", item.name)
            if name in given and name != CORE_IN_CODE:
                while (again := f"{name}{given[name] + 1}") in given:
                    given[name] += 1
                given[name] += 1
                if again in self.b.by_name or name not in self.b.by_name:
                    name = again
            given.setdefault(name, 0)
            for number in self.b.by_name.get(name, ()):
                other = self.b.items[number]
                if (other.kind == "loop") == (item.kind == "loop") and other.kind != "operation":
                    self._join(item, other)

    def _declared(self) -> list[Item]:
        """Parameters, then whatever is declared, as often as it is, in the order of the text."""
        found: list[tuple[int, int, Item]] = []
        for item in self.a.items:
            if item.kind == "buffer":
                lines = [p.line for p in item.places if p.role == "allocated"]
                found += [(line or 0, item.number, item) for line in lines or [0]]
            elif item.kind == "loop":
                found.append((item.first, item.number, item))
        return [item for _, _, item in sorted(found, key=lambda each: each[:2])]

    def _operations(self) -> None:
        ids: dict[str, int] = {}
        a = [ids.setdefault(_emitted(item), len(ids)) for item in self.a.operations]
        b = [ids.setdefault(item.word, len(ids)) for item in self.b.operations]
        for op in LCSseq.opcodes(a, b):
            if op.tag == "equal":
                for one, other in zip(
                    self.a.operations[op.src_start : op.src_end],
                    self.b.operations[op.dest_start : op.dest_end],
                    strict=True,
                ):
                    self._join(one, other)


def _emitted(item: Item) -> str:
    return item.word if item.text.startswith(f"{item.word}(") else "="
