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
    attempts: dict[str, int] = {}  # the newest of each unit; one of the whole is one of every unit
    for step in trace.passes:
        if step.text is None:
            continue
        again = None
        if step.attempt > max(attempts.get(step.unit, 1), attempts.get("", 1)):
            attempts[step.unit] = step.attempt
            again = _restart(step, steps, trace.passes)
        if again is not None:
            before, part = again.before, again.part
            if not step.unit:
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
    """Where a pass begins another attempt: the step that stood there in an attempt before.

    A stage may have left behind its last attempt alone: then the next stage tells.
    """
    stood: dict[tuple[str, str], Step] = {}
    for earlier in steps:
        if earlier.unit == step.unit:
            known = passes[earlier.index]
            stood.setdefault((known.stage, known.name), earlier)
    for later in passes[step.index :]:
        if (later.unit, later.attempt) == (step.unit, step.attempt):
            found = stood.get((later.stage, later.name))
            if found is not None:
                return found
    return None
