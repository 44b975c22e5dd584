"""The sequence of passes as a strip: one bar a pass, its height the size of the text.

Below the bars stands where something is, above them what a pass broke.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import log1p
from typing import Literal

from core.analysis.checks.finding import Harm
from core.analysis.follow.trail import Trail
from core.analysis.search import Found
from core.analysis.studied import Study
from core.trace import Pass, Trace
from core.views.marks import pass_title
from core.views.wording import count, seconds_text

#: How a bar is shown; "text" is a text that is no pass.
Look = Literal["same", "changed", "failed", "text"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One pass."""

    index: int  #: position in `Trace.passes`
    height: float  #: 0 … 1, logarithmic in lines: a 20,000-line pass must not flatten the rest
    look: Look
    title: str  #: whole, for hovering


@dataclass(frozen=True, slots=True)
class Segment:
    """Neighbouring passes under one heading."""

    label: str
    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Presence:
    """Where in the sequence something is."""

    kind: Literal["found", "followed"]
    title: str  #: what it is
    counts: Mapping[int, int]  #: of occurrences, by the index of the pass
    appears: Sequence[int] = ()
    disappears: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Sign:
    """A defect at the pass that brought it in."""

    index: int
    harm: Harm
    title: str  #: one sentence


def presence(found: Found, title: str) -> Presence:
    """Where a search found something."""
    counts = {hits.index: hits.count for hits in found.hits}
    return Presence("found", title, counts, found.appears, found.disappears)


def trail_presence(trail: Trail) -> Presence:
    """Where a thing is that is followed."""
    counts = {stop.index: len(stop.places) for stop in trail.stops}
    return Presence("followed", trail.subject, counts)


def signs(study: Study) -> tuple[Sign, ...]:
    """What the passes of a trace broke."""
    return tuple(Sign(r.index, r.finding.harm, r.finding.message) for r in study.reports)


def beside_segment(texts: Sequence[tuple[int, str, int]]) -> Segment:
    """The texts that are no pass, as a last segment: index, name and bytes of each."""
    top = log1p(max((size for _, _, size in texts), default=0)) or 1.0
    bars = tuple(Bar(index, log1p(size) / top, "text", name) for index, name, size in texts)
    names = ", ".join(name for _, name, _ in texts)
    return Segment("code, logs", names, bars)


def look(step: Pass) -> Look:
    """How a pass is shown: failed before changed before same."""
    if step.status != "ok":
        return "failed"
    return "changed" if step.changed else "same"


def segment_label(step: Pass, attempts: int) -> str:
    """Stage, sub-kernel and attempt, each only where it tells something."""
    parts = [step.stage]
    if step.unit:
        parts.append(step.unit)
    if attempts > 1:
        parts.append(f"attempt {step.attempt}")
    return " · ".join(parts)


def labels(trace: Trace) -> tuple[str, ...]:
    """The heading of each pass, by its index; neighbours of one heading belong together.

    Sub-kernels that are worked on one after another have headings of their own. Functions whose
    passes take turns with those of the module have not: a heading a pass would tell nothing.
    """
    tried = attempts(trace)
    found: list[str] = []
    for _, run in groupby(trace.passes, key=lambda step: (step.stage, step.attempt)):
        steps = tuple(run)
        units = [unit for unit, _ in groupby(step.unit for step in steps)]
        turns = len(units) > len(set(units))
        for step in steps:
            shown = replace(step, unit="") if turns else step
            found.append(segment_label(shown, tried[step.stage, step.unit]))
    return tuple(found)


def strip(trace: Trace) -> tuple[Segment, ...]:
    """All passes of a trace in order, cut where their heading changes."""
    if not trace.passes:
        return ()
    top = log1p(max(step.lines for step in trace.passes)) or 1.0
    headings = labels(trace)
    segments = []
    for label, run in groupby(trace.passes, key=lambda step: headings[step.index]):
        steps = tuple(run)
        bars = tuple(
            Bar(step.index, log1p(step.lines) / top, look(step), _hover(step)) for step in steps
        )
        changed = sum(step.changed for step in steps)
        title = f"{label}: {len(steps)} passes, {changed} changed something"
        segments.append(Segment(label, title, bars))
    return tuple(segments)


def attempts(trace: Trace) -> dict[tuple[str, str], int]:
    """How often each stage of each sub-kernel was tried."""
    seen: dict[tuple[str, str], int] = {}
    for step in trace.passes:
        key = (step.stage, step.unit)
        seen[key] = max(seen.get(key, 1), step.attempt)
    return seen


def _hover(step: Pass) -> str:
    parts = [part for part in (pass_title(step), step.argument, step.unit) if part]
    if step.status != "ok":
        parts.append({"timed_out": "timed out"}.get(step.status, step.status))
    else:
        parts.append(f"{count(step.lines)} lines")
        parts.append("changed" if step.changed else "no change")
    if step.seconds is not None:
        parts.append(seconds_text(step.seconds))
    return " · ".join(parts)
