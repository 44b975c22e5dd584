"""What was tried on a failed compile: what changes, whether it compiles, what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.explained import Remedy
from core.analysis.rank import Candidate, measured
from core.jobs.work import State
from core.trace import Trace
from core.views.marks import failure_place, status_mark
from core.views.ranking import ABOUT, occupancy_text, time_text
from core.views.wording import count

#: Columns with what each says, for hovering.
HELP: Mapping[str, str] = {
    "change": "What is different from the compile that failed; all else is as it was.",
    "result": "How it ended when it was compiled; opened in full, its code is checked too.",
    "fullest": ABOUT["fullest"],
    "cores": ABOUT["cores"],
    "instructions": ABOUT["instructions"],
    "time": ABOUT["time"],
    "numerics": "Where results may differ from those of the kernel as it was given.",
    "why": "Why it should help.",
}
_STATES: Mapping[State | None, str] = {None: "", "queued": "waits", "running": "compiling…"}


@dataclass(frozen=True, slots=True)
class Trial:
    """A remedy and how it stands."""

    remedy: Remedy
    state: State | None  #: None: nobody has tried it
    trace: Trace | None = None  #: compact, or whole
    error: str = ""  #: one sentence, where it never will have one
    whole: str | None = None  #: id of its whole trace, where that is kept
    wrong: int = 0  #: places where the checks found its code to be wrong, where it is whole

    @property
    def compiles(self) -> bool:
        return self.trace is not None and self.trace.status.compiles

    @property
    def cost(self) -> Candidate | None:
        """What it costs to run, where it compiles."""
        return measured(self.trace, {}) if self.trace is not None and self.compiles else None


def result_text(trial: Trial) -> str:
    """How a remedy ended, or how far it is, in a few words."""
    if trial.trace is None:
        return trial.error or _STATES.get(trial.state, trial.state or "")
    if trial.compiles:
        return f"compiles, {trial.wrong} wrong" if trial.wrong else "compiles"
    place = failure_place(trial.trace)
    where = "" if not place else f" {place}" if place.startswith("after") else f" in {place}"
    return f"{status_mark(trial.trace.status).word}{where}"


def trials_table(trials: Sequence[Trial]) -> pd.DataFrame:
    """One row a remedy, in the order given."""
    return pd.DataFrame([_row(each) for each in trials], columns=list(HELP), dtype=object)


def _row(trial: Trial) -> dict[str, object]:
    cost = trial.cost
    return {
        "change": trial.remedy.title,
        "result": result_text(trial),
        "fullest": occupancy_text(cost) if cost else "",
        "cores": count(cost.cores) if cost and cost.cores else "",
        "instructions": count(cost.instructions) if cost and cost.instructions else "",
        "time": time_text(cost) if cost and cost.time is not None else "",
        "numerics": trial.remedy.numerics,
        "why": trial.remedy.reason,
    }


def working_first(trials: Sequence[Trial]) -> list[Trial]:
    """Those that compile before the others, wrong code last of them, each in order of promise."""
    return sorted(trials, key=lambda each: (not each.compiles, bool(each.wrong)))


def advice(trials: Sequence[Trial]) -> str:
    """Which of those that compile to take first, and why; "" where none does."""
    good = [each for each in trials if each.compiles]
    if not good:
        return ""
    sound = [each for each in good if not each.wrong] or good
    exact = [each for each in sound if not each.remedy.numerics] or sound
    timed = [(cost.time, each) for each in exact if (cost := each.cost) and cost.time is not None]
    same = {cost.per for each in exact if (cost := each.cost) and cost.time is not None}
    best = (
        min(timed, key=lambda pair: pair[0])[1] if len(timed) > 1 and len(same) == 1 else exact[0]
    )
    cost = best.cost
    facts = []
    if len(timed) > 1 and len(same) == 1:
        facts.append("least time by estimate")
    elif len(exact) > 1:
        facts.append("the most promising")
    if cost is not None and cost.occupancy is not None:
        facts.append(f"{occupancy_text(cost)} full")
    if cost is not None and cost.cores:
        facts.append(f"{count(cost.cores)} {'core' if cost.cores == 1 else 'cores'}")
    if best.remedy.numerics:
        facts.append("results may differ")
    return f"{best.remedy.title}: {', '.join(facts)}." if facts else f"{best.remedy.title}."


def tally(trials: Sequence[Trial]) -> str:
    """How many were tried and how many of them compile; "" before one is over."""
    over = [each for each in trials if each.trace is not None or each.error]
    good = sum(each.compiles for each in over)
    if not over:
        return ""
    return f"{good} of {len(over)} tried {'compiles' if good == 1 else 'compile'}"
