"""How changes are put in words: numbers, plurals, names, and what came and went of many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.analysis.studied import Figures

_NAMES = 3  #: named in one phrase; the rest is counted
_LONGEST = 48  #: characters of a name or a condition


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 loop", "3 loops"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def cut(text: str, length: int = _LONGEST) -> str:
    """A text with its middle left out where it is long."""
    if len(text) <= length:
        return text
    head = length // 2
    return f"{text[:head]}…{text[len(text) - (length - head - 1) :]}"


def names(found: Sequence[str], most: int = _NAMES) -> str:
    """ "a, b, c and 4 more"."""
    shown = ", ".join(cut(name) for name in found[:most])
    return f"{shown} and {len(found) - most:,} more" if len(found) > most else shown


def tally(counts: Mapping[str, int], most: int = _NAMES) -> str:
    """ "vadd 4, vmul 2 and 3 others", the commonest first; a count of 1 is left out."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = ", ".join(f"{cut(n)} {c:,}" if c > 1 else cut(n) for n, c in ordered[:most])
    rest = sum(number for _, number in ordered[most:])
    return f"{shown} and {counted(rest, 'other')}" if rest else shown


def moved(counts: Counter[str], one: str, word: str) -> str:
    """ "6 set_vector_mask removed", "3 instructions added: vadd 2, vmul"."""
    if len(counts) == 1:
        ((name, number),) = counts.items()
        return f"{number:,} {cut(name)} {word}"
    return f"{counted(counts.total(), one)} {word}: {tally(counts)}"


def gone_and_new(before: Counter[str], after: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """What the first has more of, and what the second has more of."""
    return before - after, after - before


def came_or_went(
    before: int, after: int, one: str, many: str = "", *, added: str = "added"
) -> Iterator[str]:
    """ "2 loops added", "1 loop removed"."""
    if after > before:
        yield f"{counted(after - before, one, many)} {added}"
    elif after < before:
        yield f"{counted(before - after, one, many)} removed"


def memories(before: Figures, after: Figures, word: str = "buffer") -> Iterator[str]:
    """What became of every memory: "UB: 4 → 6 buffers, 65,536 → 131,072 bytes"."""
    for memory in sorted({*before.allocations, *after.allocations} - {""}):
        old, new = before.allocations.get(memory), after.allocations.get(memory)
        if old == new:
            continue
        if old is None and new is not None:
            size = f", {new.bytes:,} bytes" if new.bytes is not None else ""
            yield f"{counted(new.buffers, word)} in {memory}{size}"
        elif new is None and old is not None:
            yield f"{counted(old.buffers, word)} of {memory} gone"
        elif old is not None and new is not None:
            parts = []
            if old.buffers != new.buffers:
                parts.append(f"{old.buffers:,} → {counted(new.buffers, word)}")
            if old.bytes != new.bytes:
                parts.append(_bytes(old.bytes, new.bytes))
            yield f"{memory}: {', '.join(parts)}"


def _bytes(before: int | None, after: int | None) -> str:
    if before is None:
        return f"sizes known now, {after:,} bytes"
    if after is None:
        return "sizes now known at run time only"
    return f"{before:,} → {after:,} bytes"


_TOKEN = re.compile(r"[\w.]+|\s+|.")
_EXAMPLE = 36  #: characters


def example(before: str, after: str) -> str:
    """ "8192*cc0 → cc0*8192": the part in which two lines differ; "" where it is long."""
    a, b = _TOKEN.findall(before), _TOKEN.findall(after)
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    old, new = "".join(a[start : len(a) - end]).strip(), "".join(b[start : len(b) - end]).strip()
    fits = all(0 < len(each) <= _EXAMPLE and _balanced(each) for each in (old, new))
    return f"{old} → {new}" if fits else ""


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return False
    return depth == 0


def first(*groups: Iterable[str]) -> tuple[str, ...]:
    """The phrases of several groups in order."""
    return tuple(phrase for group in groups for phrase in group)
