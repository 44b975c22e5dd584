"""One compile of a matrix, as little of it as thousands may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.analysis.explained import Explanation
from core.analysis.rank import Candidate, measured
from core.trace import Status, Trace

#: compiles, fails: how the compile ended. lost: there never will be one.
Verdict = Literal["compiles", "fails", "lost", "running", "queued", "cancelled"]
Explain: TypeAlias = Callable[[Trace], Explanation | None]


@dataclass(frozen=True, slots=True)
class Cell:
    """One compile of a matrix, without what takes room: it is kept for thousands."""

    verdict: Verdict
    point: str = ""  #: id of its job
    whole: str | None = None  #: id of the whole trace, where that is kept
    status: Status | None = None
    candidate: Candidate | None = None  #: what it costs, where it compiles
    kind: str = ""  #: fingerprint of the failure; "" where it did not fail
    signature: str = ""  #: id; "" where the failure is of no known kind
    title: str = ""  #: of the failure, a few words
    said: str = ""  #: the compiler's words, or why there is no compile
    place: str = ""  #: the pass that failed, or "after" the last one seen
    peak_bytes: int | None = None  #: of the limiter
    code: str = ""  #: content hash of the emitted code
    seconds: float | None = None  #: that the compile took

    @property
    def over(self) -> bool:
        return self.verdict in ("compiles", "fails", "lost")

    @property
    def compiles(self) -> bool:
        return self.verdict == "compiles"

    @property
    def fails(self) -> bool:
        """True where it is known that this case does not compile so."""
        return self.verdict in ("fails", "lost")


WAITING = Cell("queued")


def cell(
    state: str,
    trace: Trace | None,
    error: str | None,
    explain: Explain,
    *,
    point: str = "",
    whole: str | None = None,
) -> Cell:
    """What a matrix keeps of one point of a sweep."""
    if trace is None:
        if state == "lost":
            said = error or "It was given up."
            return Cell("lost", point, kind=f"lost|{said}", title="could not be run", said=said)
        return Cell(
            "running" if state == "running" else "cancelled" if state == "cancelled" else "queued",
            point,
        )
    limiter, failure = trace.limiter, trace.failure
    known = None if trace.status.compiles else explain(trace)
    place = ""
    if failure is not None and not trace.status.compiles:
        place = failure.pass_name or (f"after {failure.after}" if failure.after else "")
    return Cell(
        "compiles" if trace.status.compiles else "fails",
        point,
        whole,
        trace.status,
        measured(trace, {}) if trace.status.compiles else None,
        "" if trace.status.compiles else known.fingerprint if known else trace.status.value,
        known.signature.id if known and known.signature else "",
        known.title if known else "" if trace.status.compiles else trace.status.value,
        failure.message if failure and not trace.status.compiles else "",
        place,
        limiter.peak_bytes if limiter else None,
        trace.code or "",
        trace.seconds,
    )
