"""What is asked for and how it stands, as plain values: jobs, and sweeps with their points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from core.hints import Hints
from core.jobs.progress import Progress
from core.trace import Status, Trace

State = Literal["queued", "running", "done", "cancelled", "lost"]
Kind = Literal["compile", "point"]


@dataclass(frozen=True, slots=True)
class Job:
    """One compile that was asked for."""

    id: str
    kind: Kind  #: "point" where it belongs to sweeps
    state: State  #: done: the compile ended and was read, however it ended; lost: it never will be
    kernel: str  #: name
    hints: Hints
    compiler: str  #: name
    version: str
    trace: str | None  #: id in the library; of a compile that was read
    status: Status | None  #: how the compile ended, where it was read
    error: str | None  #: one sentence: why it is lost
    folder: Path | None  #: of the running compile
    parent: str | None  #: the trace that it is a re-run of
    created: datetime
    started: datetime | None
    ended: datetime | None
    progress: Progress | None  #: while it runs

    @property
    def over(self) -> bool:
        """True where nothing more will come of it."""
        return self.state not in ("queued", "running")


@dataclass(frozen=True, slots=True)
class Point:
    """One compile of a sweep."""

    job: str  #: id
    hints: Hints
    state: State
    trace: Trace | None  #: compact: no passes, logs, diagnostics or texts; `code` is a hash alone
    error: str | None  #: one sentence: why it is lost
    kernel: str = ""  #: name
    kernel_hash: str = ""
    compiler: str = ""  #: name
    version: str = ""
    fingerprint: str = ""  #: of the kind of failure; "" where it compiles
    whole: str | None = None  #: id of its whole trace, where that is kept


@dataclass(frozen=True, slots=True)
class Sweep:
    """One kernel compiled with many hints, or several kernels."""

    id: str
    kernel: str  #: name; of its first point
    kernel_hash: str  #: "" where its points are of several kernels
    compiler: str  #: name
    axes: Mapping[str, Any]  #: what is swept, as given when it was asked for
    points: tuple[Point, ...]  #: in the order given
    created: datetime
    parent: str | None  #: the trace that it was asked for from
    cancelled: bool

    @property
    def counts(self) -> Mapping[State, int]:
        """Points by state; a state that no point is in counts 0."""
        return Counter(point.state for point in self.points)

    @property
    def over(self) -> bool:
        """True where no point is waited for."""
        return not any(point.state in ("queued", "running") for point in self.points)


#: A point that is over, by its job's id, and when it ended: who resumes it changes that.
Stamp: TypeAlias = tuple[str, float | None]


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep is, for who has seen some of it already."""

    states: Mapping[str, State]  #: of every point, by its job's id
    ended: Mapping[Stamp, Point]  #: those that are done or lost and were not seen

    @property
    def counts(self) -> Mapping[State, int]:
        """Compiles by state; a state that none is in counts 0."""
        return Counter(self.states.values())

    @property
    def over(self) -> bool:
        """True where no point is waited for."""
        return not any(state in ("queued", "running") for state in self.states.values())


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One line of the list of sweeps."""

    id: str
    kernel: str
    kernel_hash: str
    compiler: str
    axes: Mapping[str, Any]
    points: int
    done: int
    waiting: int  #: queued or running
    created: datetime
    parent: str | None
    cancelled: bool


InquiryState = Literal["queued", "running", "done", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class InquiryRow:
    """A question that takes several compiles, and what is known of its answer."""

    id: str
    kind: str  #: of `core.jobs.inquiries.KINDS`
    parent: str | None  #: the trace that it is about
    options: Mapping[str, Any]
    state: InquiryState
    sweep: str | None  #: id of the sweep that holds its compiles; None before the first
    asked: int  #: compiles so far
    answered: int  #: of these, over
    result: Any  #: what it found, of the kind's type; None until it is done
    error: str | None  #: one sentence: why it failed
    created: datetime

    @property
    def over(self) -> bool:
        """True where nothing more will come of it."""
        return self.state not in ("queued", "running")
