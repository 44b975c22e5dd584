"""Look for a text in all passes of a trace at once: where it is, appears and disappears."""

from __future__ import annotations

from dataclasses import dataclass


class QueryError(ValueError):
    """A pattern that cannot be read: one sentence with its place."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    text: str
    pattern: bool = False  #: the text is a regular expression (of Python's re, line by line)
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
