"""Line operations between two texts, fast on any input: what the diff viewer draws.

Lines are interned to numbers and compared with addresses masked, so that a pointer printed by the
compiler, which differs in every run, is no change. Where it is asked for, neither is a name that
only carries another running number.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from core.analysis.renaming import Naming, Renaming, Run, read

HunkTag = Literal["insert", "delete", "replace"]

#: A pointer as C++ prints it: lower case. MLIR writes the bits of a float constant in upper case
#: (0xFF800000 is minus infinity), and those are no addresses.
_ADDRESS = re.compile(r"0x[0-9a-f]{4,12}\b")
_LINE_BREAK = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Hunk:
    """One run of lines that differ. Line numbers count from 0; ends are exclusive."""

    tag: HunkTag
    a0: int
    a1: int
    b0: int
    b1: int


@dataclass(frozen=True, slots=True)
class Diff:
    """What turns text a into text b, line by line."""

    hunks: tuple[Hunk, ...]  #: in order, never touching one another
    lines_a: int
    lines_b: int
    added: int  #: lines that only b has
    removed: int  #: lines that only a has
    changed: int  #: lines of a that another line of b stands for
    readdressed: int = 0  #: lines taken for the same though the addresses in them differ
    renumbered: int = 0  #: likewise, though the numbers in their names differ
    reindented: int = 0  #: likewise, though they stand further in or out

    @property
    def equal(self) -> bool:
        """True where no line differs, but for what is masked."""
        return not self.hunks


#: Tag, then begin and end in a and in b, as Levenshtein's operations say it.
_Operation = tuple[str, int, int, int, int]


def mask_addresses(text: str) -> str:
    """The text with every memory address (0x55f1…) replaced by the same mark."""
    return _ADDRESS.sub("0x", text)


def split_lines(text: str) -> list[str]:
    """The lines of a text; a line break at its very end begins no further line.

    Only \\n, \\r\\n and \\r end a line: that is how the viewer in the browser counts, so that line
    numbers mean the same on both sides.
    """
    lines = _LINE_BREAK.split(text) if "\r" in text else text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def diff(a: str, b: str, naming: Naming = "exact", *, indented: bool = True) -> Diff:
    """The line operations between two texts, addresses masked.

    The fewest insertions, deletions and replacements of lines (Levenshtein), in the time of a few
    tens of milliseconds for 20,000 lines however repetitive they are. With `naming`, lines that are
    the same once the names of the two texts are lined up are not different, wherever lines came in
    between; names that trade places are. A line that is the same to the letter never differs.
    Without `indented`, neither does one that only stands further in or out, as all do in a loop
    that came around them.
    """
    lines_a, lines_b = split_lines(a), split_lines(b)
    plain_a, plain_b = split_lines(mask_addresses(a)), split_lines(mask_addresses(b))
    masked_a, masked_b = plain_a, plain_b
    if not indented:
        masked_a = [line.lstrip(" \t") for line in plain_a]
        masked_b = [line.lstrip(" \t") for line in plain_b]
    if masked_a == masked_b:
        operations: list[_Operation] = [("equal", 0, len(lines_a), 0, len(lines_b))]
    elif naming == "exact":
        operations = _operations(masked_a, masked_b)
    else:
        operations = _renumbered(masked_a, masked_b, naming)
    return _diff(operations, (lines_a, plain_a, masked_a), (lines_b, plain_b, masked_b))


def renamed(a: str, b: str, naming: Literal["values", "counters"]) -> bool:
    """Whether two texts are the same line by line once their names are lined up throughout."""
    one, other = read(mask_addresses(a), naming), read(mask_addresses(b), naming)
    if one.lines != other.lines:
        return False
    whole = [(0, 0, len(one.lines))]
    renaming = Renaming(one, other, naming)
    renaming.learn(whole)
    return not renaming.disagreeing(whole)


#: Lines as they are, without addresses, and without indentation where that is not asked for.
_Lines = tuple[Sequence[str], Sequence[str], Sequence[str]]


def _diff(operations: Iterable[_Operation], a: _Lines, b: _Lines) -> Diff:
    added = removed = changed = 0
    unlike = [0, 0, 0]  # lines that are taken for the same and are not, with more and more masked
    runs: list[tuple[int, int, int, int]] = []
    for tag, a0, a1, b0, b1 in operations:
        if tag == "equal":
            if a[0][a0:a1] != b[0][b0:b1]:
                for at, (x, y) in enumerate(zip(a, b, strict=True)):
                    unlike[at] += sum(map(str.__ne__, x[a0:a1], y[b0:b1]))
            continue
        if tag == "insert":
            added += b1 - b0
        elif tag == "delete":
            removed += a1 - a0
        else:
            changed += a1 - a0
        runs.append((a0, a1, b0, b1))
    plain, indentation, names = unlike
    return Diff(
        tuple(_merge(runs)),
        len(a[0]),
        len(b[0]),
        added,
        removed,
        changed,
        readdressed=plain - indentation,
        renumbered=names,
        reindented=indentation - names,
    )


def _operations(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[_Operation]:
    ids: dict[Hashable, int] = {}
    ids_a = [ids.setdefault(line, len(ids)) for line in a]
    ids_b = [ids.setdefault(line, len(ids)) for line in b]
    return [
        (op.tag, op.src_start, op.src_end, op.dest_start, op.dest_end)
        for op in Levenshtein.opcodes(ids_a, ids_b)
    ]


# Names lined up


def _renumbered(
    a: Sequence[str], b: Sequence[str], naming: Literal["values", "counters"]
) -> list[_Operation]:
    """The operations between the lines that are not the same to the letter at either end."""
    head = _alike(a, b) if naming == "values" else 0
    tail = 0
    if naming == "values":
        tail = min(_alike(a[::-1], b[::-1]), len(a) - head, len(b) - head)
    inner_a, inner_b = a[head : len(a) - tail], b[head : len(b) - tail]
    inner = (
        _lined_up(inner_a, inner_b, naming)
        if inner_a and inner_b
        else (_operations(inner_a, inner_b))
    )
    return [
        ("equal", 0, head, 0, head),
        *((tag, a0 + head, a1 + head, b0 + head, b1 + head) for tag, a0, a1, b0, b1 in inner),
        ("equal", len(a) - tail, len(a), len(b) - tail, len(b)),
    ]


def _alike(a: Sequence[str], b: Sequence[str]) -> int:
    """How many lines at the beginning are the same."""
    shorter = min(len(a), len(b))
    return next((i for i in range(shorter) if a[i] != b[i]), shorter)


def _lined_up(
    a: Sequence[str], b: Sequence[str], naming: Literal["values", "counters"]
) -> list[_Operation]:
    """Align the lines without their names; where names then disagree, align them again with the
    names that were found, and keep what leaves fewer lines different."""
    one, other = read("\n".join(a), naming), read("\n".join(b), naming)
    renaming = Renaming(one, other, naming)

    def judged(operations: list[_Operation]) -> tuple[list[_Operation], int]:
        # Lines that stand for one another may be the same but for a name that only now is known.
        runs = [*_runs(operations, one.lines, other.lines)]
        renaming.learn(runs)
        wrong = renaming.disagreeing(runs)
        return _told(operations, runs, wrong, a, b)

    first, different = judged(_operations(one.lines, other.lines))
    if not any(tag != "equal" for tag, *_ in first) or not renaming.disagreeing(
        _runs(first, one.lines, other.lines)
    ):
        return first
    second, still = judged(_operations(*renaming.lines()))
    return second if still < different else first


def _runs(operations: Iterable[_Operation], a: Sequence[str], b: Sequence[str]) -> Iterator[Run]:
    """Lines that stand for one another and are the same without their names."""
    for tag, a0, a1, b0, _ in operations:
        if tag == "equal":
            yield a0, b0, a1 - a0
        elif tag == "replace":
            yield from ((i, b0 + i - a0, 1) for i in range(a0, a1) if a[i] == b[b0 + i - a0])


def _told(
    operations: Iterable[_Operation],
    runs: Iterable[Run],
    wrong: frozenset[int],
    a: Sequence[str],
    b: Sequence[str],
) -> tuple[list[_Operation], int]:
    """The operations with each line told as what it turned out to be, and how many differ."""
    same = {i for i, _, lines in runs for i in range(i, i + lines)} - wrong
    told: list[_Operation] = []
    different = 0
    for tag, a0, a1, b0, b1 in operations:
        if tag in ("insert", "delete"):
            told.append((tag, a0, a1, b0, b1))
            different += a1 - a0 + b1 - b0
            continue
        start = a0
        for i in range(a0, a1 + 1):
            alike = i < a1 and (i in same or a[i] == b[b0 + i - a0])
            if i == a0:
                kind = alike
            if i == a1 or alike != kind:
                told.append(
                    ("equal" if kind else "replace", start, i, b0 + start - a0, b0 + i - a0)
                )
                different += 0 if kind else i - start
                start, kind = i, alike
    return told, different


def _merge(runs: Iterable[tuple[int, int, int, int]]) -> Iterable[Hunk]:
    """Join operations that touch, so that one edit is one hunk."""
    open_run: tuple[int, int, int, int] | None = None
    for a0, a1, b0, b1 in runs:
        if open_run is not None and open_run[1] == a0 and open_run[3] == b0:
            open_run = (open_run[0], a1, open_run[2], b1)
            continue
        if open_run is not None:
            yield _hunk(*open_run)
        open_run = (a0, a1, b0, b1)
    if open_run is not None:
        yield _hunk(*open_run)


def _hunk(a0: int, a1: int, b0: int, b1: int) -> Hunk:
    tag: HunkTag = "insert" if a0 == a1 else "delete" if b0 == b1 else "replace"
    return Hunk(tag, a0, a1, b0, b1)
