"""Look for a text in all passes of a trace at once: where it is, appears and disappears.

Patterns are read by RE2, through Arrow, which counts in whole texts at once: it takes time in
proportion to the text whatever the pattern, so that none can keep the server busy for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.analysis.sequence import Step, sequence
from core.trace import Texts, Trace

_LINES = 1000  #: of one text that are listed
_MATCHED = re.compile(r"^Invalid regular expression: ([^:]*)(?:: (.*))?$", re.DOTALL)


class QueryError(ValueError):
    """A pattern that cannot be read: one sentence with its place."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    text: str
    #: The text is a regular expression, looked for line by line: Python's, without look-around,
    #: back references, atomic groups and possessive repetition, and repeating a thousand times
    #: at most.
    pattern: bool = False
    case: bool = False  #: letter case matters
    word: bool = False  #: only whole names: `cc1` is not found in `cc12`


@dataclass(frozen=True, slots=True)
class Hits:
    """What one pass holds of it."""

    index: int  #: of the pass; the number of passes and on for the emitted code and the logs
    count: int
    lines: tuple[int, ...]  #: from 1, each once, the first thousand


@dataclass(frozen=True, slots=True)
class Found:
    """Where it is, over the whole sequence."""

    hits: tuple[Hits, ...]  #: of the texts that have it, in order
    appears: tuple[int, ...]  #: passes that have it while the one before in their sequence has not
    disappears: tuple[int, ...]  #: passes that have it no more while the one before had it

    @property
    def first(self) -> Hits | None:
        return self.hits[0] if self.hits else None

    @property
    def last(self) -> Hits | None:
        return self.hits[-1] if self.hits else None


#: Occurrences in a text, and the lines where they begin.
_Hit = tuple[int, tuple[int, ...]]
_Search = Callable[[bytes], _Hit]


@runtime_checkable
class _Batched(Protocol):
    """A store of texts that reads several at once."""

    def blobs(self, digests: Iterable[str]) -> Iterator[tuple[str, bytes]]: ...


def search(trace: Trace, texts: Texts, query: Query) -> Found:
    """Look through all passes, the emitted code and the logs; a text that several share, once.

    The emitted code counts as a pass that is last; logs neither begin nor end anything. Raises
    QueryError, and KeyError where a text is not kept.
    """
    if not query.text:
        return Found((), (), ())
    look = _search(query)
    places = _places(trace)
    hit: dict[str, _Hit] = {}
    for digest, data in _read(texts, dict.fromkeys(places.values())):
        found = look(_newlines(data))
        if found[0]:
            hit[digest] = found
    hits = tuple(Hits(at, *hit[digest]) for at, digest in places.items() if digest in hit)
    return Found(hits, *_turns(sequence(trace), frozenset(hit)))


def _places(trace: Trace) -> dict[int, str]:
    """Content hashes by index: the passes, then the emitted code, then the logs."""
    found = {step.index: step.text for step in trace.passes if step.text is not None}
    beside = [*([trace.code] if trace.code is not None else []), *(log.text for log in trace.logs)]
    return found | dict(enumerate(beside, len(trace.passes)))


def _read(texts: Texts, digests: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    if isinstance(texts, _Batched):
        yield from texts.blobs(digests)
        return
    for digest in digests:
        yield digest, texts.get(digest).encode("utf-8", "surrogatepass")


def _newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


# Appearing and disappearing


def _turns(steps: Iterable[Step], having: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    has: dict[int, bool] = {}
    appears: list[int] = []
    disappears: list[int] = []
    parts: list[Step] = []  # that began since the last pass on the whole, and have it not
    units: set[str] = set()  # that had it
    for step in steps:
        here = has[step.index] = step.text in having
        had = [has[at] for at in step.before]
        if here and not any(had):
            appears.append(step.index)
        if step.part and any(had) and not here:
            parts.append(step)
        elif any(had) and not here:
            disappears.append(_where_lost(step, has, parts, units))
        if here:
            units.add(step.unit)
        if not step.unit:
            parts = []
    return tuple(appears), tuple(sorted(disappears))


def _where_lost(step: Step, has: Mapping[int, bool], parts: list[Step], units: set[str]) -> int:
    """A part without it does not tell, for it may be in another one; the next whole text does."""
    only_whole = bool(parts) and len(step.before) > 1 and not any(has[at] for at in step.before[1:])
    if step.unit or not only_whole:
        return step.index
    return next((p for p in parts if p.unit in units), parts[0]).index


# One text


def _search(query: Query) -> _Search:
    if not query.pattern and ("\n" in query.text or "\r" in query.text):
        return partial(_over_lines, _compiled(query))
    escaped = query.text if query.pattern else re.escape(query.text)
    if query.word and query.pattern:
        escaped = rf"\b(?:{escaped})\b"
    elif query.word:
        escaped = _bounded(query.text, r"\b", escaped, r"\b")
    count = (
        partial(pc.count_substring_regex, pattern=escaped, ignore_case=not query.case)
        if query.pattern or query.word
        else partial(pc.count_substring, pattern=query.text, ignore_case=not query.case)
    )
    _try(count, query)
    return partial(_by_line, count, _needle(query), query.case)


def _bounded(text: str, before: str, escaped: str, after: str) -> str:
    """Boundaries only where the text itself begins and ends with a letter of a name."""
    begins, ends = re.match(r"\w", text), re.search(r"\w\Z", text)
    return (before if begins else "") + escaped + (after if ends else "")


def _needle(query: Query) -> bytes:
    """What a text must have as it stands for anything to be found there; b"" where unknown."""
    if query.pattern:
        return b""
    if query.case:
        return query.text.encode("utf-8", "surrogatepass")
    return query.text.lower().encode() if query.text.isascii() else b""


def _by_line(count: Callable[[pa.Array], pa.Array], needle: bytes, case: bool, data: bytes) -> _Hit:
    if needle and needle not in (data if case else data.lower()):
        return 0, ()
    counts = count(_lines(data)).to_numpy()
    return int(counts.sum(dtype=np.int64)), _numbers(np.flatnonzero(counts))


def _numbers(places: np.ndarray) -> tuple[int, ...]:
    return tuple((places[:_LINES] + 1).tolist())


def _lines(data: bytes) -> pa.Array:
    """The lines of a text, without what ends them."""
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    letters = data.replace(b"\n", b"")
    ends = breaks - np.arange(len(breaks))
    if data and not data.endswith(b"\n"):  # a break at the very end begins no further line
        ends = np.append(ends, len(letters))
    bounds = np.zeros(len(ends) + 1, np.int32)
    bounds[1:] = ends
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(bounds), pa.py_buffer(letters))


def _compiled(query: Query) -> re.Pattern[bytes]:
    text = query.text.replace("\r\n", "\n").replace("\r", "\n")
    escaped = re.escape(text)
    if query.word:
        escaped = _bounded(text, r"(?<!\w)", escaped, r"(?!\w)")
    return re.compile(escaped.encode("utf-8", "surrogatepass"), 0 if query.case else re.IGNORECASE)


def _over_lines(pattern: re.Pattern[bytes], data: bytes) -> _Hit:
    lines: dict[int, None] = {}
    count, line, at = 0, 1, 0
    for match in pattern.finditer(data):
        line += data.count(b"\n", at, match.start())
        at = match.start()
        lines[line] = None
        count += 1
    return count, tuple(islice(lines, _LINES))


# Patterns that cannot be read


def _try(count: Callable[[pa.Array], pa.Array], query: Query) -> None:
    try:
        count(pa.array(["x"]))
    except pa.ArrowInvalid as refused:
        raise QueryError(_sentence(query.text, str(refused))) from None
    except UnicodeEncodeError:
        raise QueryError("The text to look for has letters that no text can have.") from None


def _sentence(pattern: str, refused: str) -> str:
    """What is wrong with a pattern, and where: as Python says it, where it is wrong there too."""
    try:
        re.compile(pattern)
    except re.error as wrong:
        place = f" at character {wrong.pos + 1}" if wrong.pos is not None else ""
        return f"The pattern cannot be read: {wrong.msg}{place}."
    except (RecursionError, OverflowError):
        pass
    found = _MATCHED.match(refused)
    reason, part = (found[1], found[2] or "") if found else (refused, "")
    at = pattern.find(part) if part else -1
    place = f" at character {at + 1}" if at >= 0 else ""
    if reason in ("invalid perl operator", "invalid escape sequence", "bad repetition operator"):
        return (
            f"The pattern uses {part or 'something'}{place}, which cannot be looked for in bounded"
            " time; leave out look-around, back references and possessive repetition."
        )
    if reason == "invalid repetition size":
        return f"The pattern repeats too often: {part}{place}; at most 1,000 times is possible."
    return f"The pattern cannot be used: {reason}{place}."
