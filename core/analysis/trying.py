""" "Try all": remedies compiled in order of promise, until enough of them work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.analysis.explained import Remedy
from core.analysis.fingerprint import fingerprint
from core.analysis.inquiry import Answer, Inquiry
from core.analysis.remedies import remedies
from core.compilers.registry import compiler, installed_versions
from core.kernel import Kernel
from core.trace import Texts, Trace

ENOUGH = 3  #: remedies of different kinds that work
_MOST = 40  # compiles
_BATCH = 4  # asked for at a time: two cores, and two that wait
_SLOW = 8.0  # seconds of a compile from which fewer are asked for at a time
_PATIENCE = 60.0  # seconds of compiles after which anything that works is enough


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one remedy ended."""

    remedy: Remedy
    status: str  #: a `Status` value; "" where there never will be one
    compiles: bool
    occupancy: float | None = None  #: of the fullest memory, 1.0 = full
    limiter: str = ""  #: its name
    cores: int | None = None
    instructions: int | None = None  #: executed per core, all kinds together
    seconds: float | None = None  #: of the compile
    message: str = ""  #: why it failed, one sentence
    fingerprint: str = ""  #: of the failure


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying."""

    outcomes: tuple[Outcome, ...]  #: in the order in which they were tried
    untried: tuple[Remedy, ...]  #: left when enough worked
    same: str  #: fingerprint of the failure that was to be cured

    @property
    def working(self) -> tuple[Outcome, ...]:
        return tuple(each for each in self.outcomes if each.compiles)


def proposed(trace: Trace, kernel: Kernel) -> tuple[Remedy, ...]:
    """The remedies of a trace, with the hints of its compiler and the versions that are installed.

    () where its compiler is none that can be started here.
    """
    try:
        made_by = compiler(trace.compiler.name)
    except RuntimeError:  # read from a dump of another tool
        return ()
    return remedies(trace, kernel, made_by.catalogue, installed_versions(trace.compiler.name))


def start(trace: Trace, texts: Texts, kernel: Kernel, options: Mapping[str, Any]) -> Inquiry[Tried]:
    """Try the remedies of a failed trace.

    Options: `enough` (3) remedies of different kinds that work end it, `most` (40) compiles. Where
    compiles are slow, fewer that work are enough.
    Raises ValueError where there is nothing to try.
    """
    found = proposed(trace, kernel)[: int(options.get("most", _MOST))]
    if not found:
        raise ValueError("There is nothing to try: no remedy is known for this trace.")
    batch = _BATCH if (trace.seconds or 0.0) < _SLOW else _BATCH // 2
    return _tried(found, fingerprint(trace), int(options.get("enough", ENOUGH)), batch)


def _tried(found: tuple[Remedy, ...], same: str, enough: int, size: int) -> Inquiry[Tried]:
    outcomes: list[Outcome] = []
    at = 0
    while at < len(found):
        batch = found[at : at + size]
        answers = yield [remedy.request for remedy in batch]
        outcomes += [_outcome(r, a) for r, a in zip(batch, answers, strict=True)]
        at += len(batch)
        if len({each.remedy.kind for each in outcomes if each.compiles}) >= enough:
            break
        works = sum(each.compiles for each in outcomes)
        waited = sum(each.seconds or 0.0 for each in outcomes)
        if works >= 2 * enough or (works and waited > _PATIENCE):
            break
    return Tried(tuple(outcomes), found[at:], same)


def _outcome(remedy: Remedy, answer: Answer) -> Outcome:
    trace = answer.trace
    if trace is None:
        return Outcome(remedy, "", False, message=answer.error)
    limiter = trace.limiter
    return Outcome(
        remedy=remedy,
        status=str(trace.status),
        compiles=trace.status.compiles,
        occupancy=limiter.occupancy if limiter else None,
        limiter=limiter.memory if limiter else "",
        cores=trace.block_dim,
        instructions=sum(trace.instructions.values()) or None,
        seconds=trace.seconds,
        message=trace.failure.message if trace.failure else "",
        fingerprint=fingerprint(trace),
    )
