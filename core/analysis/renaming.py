"""Texts whose names carry running numbers: told apart from their numbering, and lined up again.

A compiler numbers what it prints. One value more near the top of an MLIR text moves the number of
every value below it, and a second compile in one process goes on counting where the first stopped.
Such a text is read here as lines without the names, and the names apart; `Renaming` finds which
name of one text is which of the other, and `agreeing` says of which lines that holds.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

import numpy as np
import numpy.typing as npt

#: exact: names are what they say · values: %3, %arg0 and #map1 of MLIR are numbered as they come ·
#: counters: the numbers within names of any language run on (T_red_5, cc12).
Naming = Literal["exact", "values", "counters"]

#: Two runs of lines that are the same but for their names: start in a, start in b, how many.
Run = tuple[int, int, int]

_MARK = "\x01"  # stands for a name; no text of a compiler holds it
_VALUE = re.compile(r"(%[\w$.-]++|#[A-Za-z_]\w*+(?![.<(]))")
_NUMBERED = re.compile(r"((?<![A-Za-z_0-9])[A-Za-z_]++\d\w*+)")
#: Digits that are no counter: of a memory (L0A, _local_L1).
_COUNTED = re.compile(r"(?<![Ll\d])\d+")
#: Names whose numbers are what they are: types, conversions between them, pipes, pragmas.
_FIXED = re.compile(
    r"(?:u?int|b?float|bf|fp|[fiu]|[su]i)(?:1|4|8|16|32|64|128)(?:x\d+)?(?:_t)?"
    r"|\w*[fsu]\d+2[fsu]\d+\w*|pragma_\w+|(?!S_\d)[A-Z_0-9]+"
)
#: What follows a name that is defined: "%x = ", "%x: type" of an argument, "%x:2 = " of several.
_DEFINING = frozenset({" =", ": ", *(f":{digit}" for digit in range(1, 10))})
_FREE, _NONE = -1, -2  # not bound yet · bound to nothing of the other text
_LOOPS = ("forall (", "parallel (")


@dataclass(frozen=True, slots=True)
class Named:
    """A text read as lines without their names, and its names."""

    lines: list[str]  #: each name a mark; numbers of counters are left out of theirs
    starts: npt.NDArray[np.int64]  #: of each line among the names; one more entry at the end
    values: npt.NDArray[np.int64]  #: of each name, what it means: a number that is that value's
    defines: npt.NDArray[np.bool_]  #: of each name, whether the value begins to be there
    names: list[str]  #: of each value
    outer: dict[str, int]  #: values that nothing in the text defines, by name


def read(text: str, naming: Literal["values", "counters"]) -> Named:
    """Read a text whose lines end in \\n."""
    text = text.replace(_MARK, " ")
    parts = (_VALUE if naming == "values" else _NUMBERED).split(text)
    found = parts[1::2]
    if naming == "values":
        bare = _MARK.join(parts[::2])
        named = _values(text, parts[::2], found)
    else:
        forms = {name: _form(name) for name in set(found)}
        parts[1::2] = [_MARK + forms[name] for name in found]
        bare = "".join(parts)
        named = _counters(found)
    lines = bare.split("\n")
    starts = np.fromiter(accumulate((line.count(_MARK) for line in lines), initial=0), np.int64)
    values, defines, names, outer = named
    return Named(
        lines, starts, np.array(values, np.int64), np.array(defines, np.bool_), names, outer
    )


_Read = tuple[list[int], list[bool], list[str], dict[str, int]]


def _values(text: str, between: Sequence[str], found: Sequence[str]) -> _Read:
    """The values of MLIR: one at each place that defines a name, which may be used again later."""
    defines = [after[:2] in _DEFINING for after in between[1:]]
    # Several at a time: "%a, %b = " at the start of a line, and "forall (%i, %j)".
    for at, after in enumerate(between[1:]):
        if after == ", " and between[at].rstrip(" ")[-1:] in ("", "\n"):
            _define_several(between, defines, at, (" =", ":"))
    if any(loop in text for loop in _LOOPS):
        for at, before in enumerate(between[:-1]):
            if before.endswith(_LOOPS):
                _define_several(between, defines, at, (")",))
    # An alias (#map) means the same everywhere in a text, and may stand before its definition.
    aliases = {name for name, new in zip(found, defines, strict=True) if new and name[0] == "#"}
    known: dict[str, int] = {}
    outer: dict[str, int] = {}
    names: list[str] = []
    values: list[int] = []
    for name, new in zip(found, defines, strict=True):
        if (new and name not in aliases) or name not in known:
            if not new and name not in aliases:
                outer[name] = len(names)
            known[name] = len(names)
            names.append(name)
        values.append(known[name])
    return values, defines, names, outer


def _define_several(
    between: Sequence[str], defines: list[bool], at: int, ends: tuple[str, ...]
) -> None:
    """Mark the names of a list as definitions, where the list ends in one of these ways."""
    last = at
    while between[last + 1] == ", " and last < len(defines) - 1:
        last += 1
    if between[last + 1].startswith(ends):
        defines[at : last + 1] = [True] * (last + 1 - at)


def _counters(found: Sequence[str]) -> _Read:
    known: dict[str, int] = {}
    values = [known.setdefault(name, len(known)) for name in found]
    return values, [False] * len(found), list(known), dict(known)


def _form(name: str) -> str:
    return name if _FIXED.fullmatch(name) else _COUNTED.sub("#", name)


@dataclass(slots=True)
class Renaming:
    """Which value of text b each value of text a is, and the other way round."""

    a: Named
    b: Named
    naming: Literal["values", "counters"]
    _to: npt.NDArray[np.int64] = field(init=False)
    _from: npt.NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self._to = np.full(len(self.a.names), _FREE, np.int64)
        self._from = np.full(len(self.b.names), _FREE, np.int64)

    def learn(self, runs: Iterable[Run]) -> None:
        """Find it anew from lines that stand for one another."""
        self._to.fill(_FREE)
        self._from.fill(_FREE)
        x, y = self._places(runs)
        ours, theirs = self.a.values[x], self.b.values[y]
        if self.naming == "values":
            # Where a line that defines stands for one that defines, so do their values.
            both = self.a.defines[x] & self.b.defines[y]
            self._to[ours[both]] = theirs[both]
            self._from[theirs[both]] = ours[both]
            # What comes from outside is named there, and the same in both.
            self._from[list(self.b.outer.values())] = _NONE
            for name, value in self.a.outer.items():
                self._to[value] = self.b.outer.get(name, _NONE)
            free = (self._to[ours] == _FREE) & (self._from[theirs] == _FREE)
            ours, theirs = ours[free], theirs[free]
        self._vote(ours, theirs)

    def _vote(self, ours: npt.NDArray[np.int64], theirs: npt.NDArray[np.int64]) -> None:
        """What stands for one another most often does; a counter keeps its order besides."""
        order = _Order(self.a.names, self.b.names) if self.naming == "counters" else None
        votes = Counter(zip(ours.tolist(), theirs.tolist(), strict=True))
        for (x, y), _ in votes.most_common():
            if self._to[x] != _FREE or self._from[y] != _FREE:
                continue
            if order is None or order.admits(self.a.names[x], self.b.names[y]):
                self._to[x], self._from[y] = y, x

    def disagreeing(self, runs: Iterable[Run]) -> frozenset[int]:
        """The lines of a whose names do not fit those of the line that stands for them in b."""
        x, y = self._places(runs)
        ours, theirs = self.a.values[x], self.b.values[y]
        wrong = x[self._to[ours] != theirs]
        lines = np.searchsorted(self.a.starts, wrong, side="right") - 1
        return frozenset(lines.tolist())

    def lines(self) -> tuple[list[object], list[object]]:
        """The lines of both texts with a's values called as b's are; one that is defined has no
        name, since it is the line that gives it one."""
        to = np.where(self._to >= 0, self._to, -3 - np.arange(len(self._to)))
        return (
            _with_names(self.a, np.where(self.a.defines, -1, to[self.a.values])),
            _with_names(self.b, np.where(self.b.defines, -1, self.b.values)),
        )

    def _places(self, runs: Iterable[Run]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The places of all names of these lines, in a and in b."""
        none = np.empty(0, np.int64)
        x, y = [none], [none]
        for a, b, lines in runs:
            x.append(np.arange(self.a.starts[a], self.a.starts[a + lines]))
            y.append(np.arange(self.b.starts[b], self.b.starts[b + lines]))
        return np.concatenate(x), np.concatenate(y)


def _with_names(text: Named, values: npt.NDArray[np.int64]) -> list[object]:
    plain, starts = values.tolist(), text.starts.tolist()
    return [
        (line, *plain[starts[at] : starts[at + 1]]) if starts[at + 1] > starts[at] else line
        for at, line in enumerate(text.lines)
    ]


class _Order:
    """Names of counters may be taken for one another only so that none overtakes another: two that
    swap are a change. Where both texts have the same names of one form, nothing was renumbered."""

    def __init__(self, ours: Iterable[str], theirs: Iterable[str]) -> None:
        self._bound: dict[str, list[tuple[list[int], list[int]]]] = defaultdict(list)
        a, b = _by_form(ours), _by_form(theirs)
        self._same = {form for form, names in a.items() if b.get(form) == names}

    def admits(self, ours: str, theirs: str) -> bool:
        form = _form(ours)
        if form in self._same:
            return ours == theirs
        x, y = list(_numbers(ours)), list(_numbers(theirs))
        bound = self._bound[form]
        at = bisect_left(bound, (x, []))
        if (at > 0 and bound[at - 1][1] >= y) or (at < len(bound) and bound[at][1] <= y):
            return False
        bound.insert(at, (x, y))
        return True


def _by_form(names: Iterable[str]) -> dict[str, set[str]]:
    forms: dict[str, set[str]] = defaultdict(set)
    for name in names:
        forms[_form(name)].add(name)
    return forms


def _numbers(name: str) -> Iterator[int]:
    return (int(digits) for digits in _COUNTED.findall(name))
