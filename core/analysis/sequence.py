"""In which order the passes of a trace worked on one another's results.

A list of passes is no single file: sub-kernels go their own way and are merged again, passes on
one function print that function alone, and a compiler that retries begins again from a text that
it kept. Passes that left no text are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.trace import Pass, Trace


@dataclass(frozen=True, slots=True)
class Step:
    """A text of the sequence, and the texts that it was made from."""

    index: int  #: of the pass; the number of passes for the emitted code
    text: str  #: content hash
    unit: str
    before: tuple[int, ...]  #: indices; several where sub-kernels are merged; none for the first
    part: bool  #: it begins a part of the one before it: what is elsewhere is not in its text


def sequence(trace: Trace) -> tuple[Step, ...]:
    """The passes that left a text, and the emitted code, in order."""
    steps: list[Step] = []
    newest: dict[str, int] = {}  # index by unit
    since: dict[str, None] = {}  # units that ran since the last pass on the whole
    for step in trace.passes:
        if step.text is None:
            continue
        again = _restart(step, steps, trace.passes)
        if again is not None:
            before, part = again.before, again.part
            newest = {trace.passes[i].unit: i for i in before}
            since = dict.fromkeys(unit for unit in newest if unit)
        elif step.unit:
            own = step.unit in since
            before = (newest[step.unit],) if own else _known(newest, [""])
            part = not own and bool(before)
        else:
            before, part = _known(newest, ["", *since]), False
        steps.append(Step(step.index, step.text, step.unit, before, part))
        newest[step.unit] = step.index
        if step.unit:
            since[step.unit] = None
        else:
            since = {}
    if trace.code is not None:
        before = _known(newest, ["", *since])
        steps.append(Step(len(trace.passes), trace.code, "", before, False))
    return tuple(steps)


def _known(newest: dict[str, int], units: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(newest[unit] for unit in units if unit in newest))


def _restart(step: Pass, steps: Sequence[Step], passes: Sequence[Pass]) -> Step | None:
    """Where a pass begins another attempt: the step that stood there in the attempt before."""
    same = [s for s in steps if s.unit == step.unit]
    if not same or passes[same[-1].index].attempt >= step.attempt:
        return None
    return next(
        (
            s
            for s in same
            if (passes[s.index].stage, passes[s.index].name) == (step.stage, step.name)
        ),
        None,
    )
