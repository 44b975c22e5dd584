"""Line operations between two texts, fast on any input: what the diff viewer draws.

Lines are interned to numbers and compared with addresses masked, so that a pointer printed by the
compiler, which differs in every run, is no change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

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

    @property
    def equal(self) -> bool:
        """True where no line differs, addresses masked."""
        return not self.hunks


def mask_addresses(text: str) -> str:
    """The text with every memory address (0x55f1…) replaced by the same mark."""
    return _ADDRESS.sub("0x", text)


def split_lines(text: str) -> list[str]:
    """The lines of a text; a line break at its very end begins no further line.

    Only \\n, \\r\\n and \\r end a line: that is how the viewer in the browser counts, so that line
    numbers mean the same on both sides.
    """
    lines = _LINE_BREAK.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def diff(a: str, b: str) -> Diff:
    """The line operations between two texts, addresses masked.

    The fewest insertions, deletions and replacements of lines (Levenshtein), in the time of a few
    tens of milliseconds for 20,000 lines however repetitive they are.
    """
    lines_a = split_lines(a)
    lines_b = split_lines(b)
    ids: dict[str, int] = {}
    ids_a = [ids.setdefault(mask_addresses(line), len(ids)) for line in lines_a]
    ids_b = [ids.setdefault(mask_addresses(line), len(ids)) for line in lines_b]
    added = removed = changed = 0
    runs: list[tuple[int, int, int, int]] = []
    if ids_a != ids_b:
        for op in Levenshtein.opcodes(ids_a, ids_b):
            if op.tag == "equal":
                continue
            if op.tag == "insert":
                added += op.dest_end - op.dest_start
            elif op.tag == "delete":
                removed += op.src_end - op.src_start
            else:
                changed += op.src_end - op.src_start
            runs.append((op.src_start, op.src_end, op.dest_start, op.dest_end))
    return Diff(tuple(_merge(runs)), len(lines_a), len(lines_b), added, removed, changed)


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
