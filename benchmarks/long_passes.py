"""Traces of a wanted size: real texts of a compile, or its passes, repeated until they have it.

They measure size: no such text is shown anywhere as one of a compiler.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.analysis.diff import split_lines
from core.library import text_hash
from core.readers import Opened
from core.trace import Pass, Texts, Trace


@dataclass(frozen=True, slots=True)
class Stretched:
    """A trace, with texts of its own for some of its passes."""

    trace: Trace
    texts: Texts
    first: Pass  #: the pass to open: changed, of the wanted length, as is the one before it
    second: Pass  #: the next one that changed


@dataclass(frozen=True, slots=True)
class _Overlaid:
    own: Mapping[str, str]
    under: Texts

    def get(self, digest: str) -> str:
        return self.own[digest] if digest in self.own else self.under.get(digest)


@dataclass(frozen=True, slots=True)
class _Own:
    own: Mapping[str, str]

    def get(self, digest: str) -> str:
        return self.own[digest]


def lengthened(opened: Opened, count: int) -> tuple[Trace, Texts]:
    """So many passes: those of a trace after one another, each told apart by a line at its end."""
    own: dict[str, str] = {}
    passes: list[Pass] = []
    given = [step for step in opened.trace.passes if step.text]
    for index in range(count):
        step = given[index % len(given)]
        assert step.text is not None
        text = f"{opened.texts.get(step.text).rstrip()}\n// {index}\n"
        digest = text_hash(text)
        own[digest] = text
        passes.append(replace(step, index=index, text=digest, given=None, bytes=len(text)))
    trace = replace(opened.trace, kernel="long", passes=tuple(passes), code=None, logs=())
    return replace(trace, tiling=type(trace.tiling)()), _Own(own)


def stretched(opened: Opened, about: int, lines: int) -> Stretched:
    """Repeat the texts of two neighbouring changed passes, and of the one before them.

    Taken are those of the statement language whose first has a length nearest to `about` lines;
    each is repeated so often that the first has at least `lines`.
    """
    trace = opened.trace
    first, second = _neighbours(trace, about)
    before = next(p for p in reversed(trace.passes[: first.index]) if p.text != first.text)
    times = max(1, -(-lines // first.lines))
    own: dict[str, str] = {}
    became: dict[str, tuple[str, int, int]] = {}
    for step in (before, first, second):
        assert step.text is not None
        text = (opened.texts.get(step.text).rstrip("\n") + "\n") * times
        digest = text_hash(text)
        own[digest] = text
        became[step.text] = digest, len(split_lines(text)), len(text.encode())
    passes = tuple(_with(p, became.get(p.text or "")) for p in trace.passes)
    return Stretched(
        replace(trace, passes=passes),
        _Overlaid(own, opened.texts),
        passes[first.index],
        passes[second.index],
    )


def _neighbours(trace: Trace, about: int) -> tuple[Pass, Pass]:
    changed = trace.changed
    fit = [
        (one, two)
        for zero, one, two in zip(changed, changed[1:], changed[2:], strict=False)
        if all(p.text and p.language == "statement" for p in (zero, one, two))
        and len({(p.stage, p.unit, p.attempt) for p in (zero, one, two)}) == 1
    ]
    return min(fit, key=lambda pair: abs(pair[0].lines - about))


def _with(step: Pass, became: tuple[str, int, int] | None) -> Pass:
    if became is None:
        return step
    text, lines, size = became
    return replace(step, text=text, lines=lines, bytes=size)
