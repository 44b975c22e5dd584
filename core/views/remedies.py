"""What was tried on a failed compile: what changes, whether it compiles, what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.explained import Remedy
from core.analysis.rank import Candidate, measured
from core.jobs.work import State
from core.trace import Status, Trace
from core.views.marks import failure_place, trace_mark
from core.views.ranking import ABOUT, occupancy_text, time_text
from core.views.wording import count

#: Columns with what each says, for hovering.
HELP: Mapping[str, str] = {
    "change": "What is different from the compile that failed, and from nothing else.",
    "result": "Compiled for real, in full where it is opened.",
    "fullest": ABOUT["fullest"],
    "cores": ABOUT["cores"],
    "instructions": ABOUT["instructions"],
    "time": ABOUT["time"],
    "numerics": "Where results may differ from those of the kernel as it was given.",
    "why": "Why it should help.",
}


@dataclass(frozen=True, slots=True)
class Tried:
    """A remedy and how it stands."""

    remedy: Remedy
    state: State | None  #: None: nobody has tried it
    trace: Trace | None = None  #: compact, or whole
    error: str = ""  #: one sentence, where it never will have one

    @property
    def compiles(self) -> bool:
        return self.trace is not None and self.trace.status.compiles


def result_text(tried: Tried) -> str:
    """How a remedy ended, or how far it is, in a few words."""
    if tried.trace is not None:
        word = trace_mark(tried.trace).word
        if tried.compiles:
            return "compiles" if tried.trace.status is Status.OK else "compiles to the last step"
        place = failure_place(tried.trace)
        where = "" if not place else f" {place}" if place.startswith("after") else f" in {place}"
        return f"{word}{where}"
    if tried.error:
        return tried.error
    return {None: "", "queued": "waits", "running": "compiling"}.get(tried.state, tried.state or "")


def remedies_table(rows: Sequence[Tried]) -> pd.DataFrame:
    """One row a remedy, in the order given."""
    return pd.DataFrame(
        [_row(each) for each in rows],
        columns=["change", "result", "fullest", "cores", "instructions", "time", "numerics", "why"],
        dtype=object,
    )


def _row(tried: Tried) -> dict[str, object]:
    cost = _cost(tried)
    return {
        "change": tried.remedy.title,
        "result": result_text(tried),
        "fullest": occupancy_text(cost) if cost else "",
        "cores": count(cost.cores) if cost and cost.cores else "",
        "instructions": count(cost.instructions) if cost and cost.instructions else "",
        "time": time_text(cost) if cost and cost.time is not None else "",
        "numerics": "may differ" if tried.remedy.numerics else "",
        "why": tried.remedy.reason,
    }


def _cost(tried: Tried) -> Candidate | None:
    return measured(tried.trace, {}) if tried.trace is not None and tried.compiles else None


def tally(rows: Sequence[Tried]) -> str:
    """How many were tried and how many of them compile, in a sentence."""
    over = [each for each in rows if each.trace is not None or each.error]
    good = sum(each.compiles for each in over)
    if not over:
        return ""
    return f"{good} of {len(over)} tried {'compiles' if good == 1 else 'compile'}"
