"""What the library knows of a failure by now, for its bundle."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.shrinking import Shrunk
from core.analysis.trying import Outcome, Tried
from core.bundle.write import Change, bundle
from core.jobs.queue import Queue


@dataclass(frozen=True, slots=True)
class Known:
    """What inquiries about a trace have found."""

    shrunk: Shrunk | None
    tried: tuple[Change, ...]


def known(queue: Queue, id: str) -> Known:
    """The newest smaller form of a trace's kernel, and what was tried last."""
    found = [row.result for row in queue.inquiries(id)]  # the newest first
    small = (each for each in found if isinstance(each, Shrunk) and each.reproduced and each.steps)
    trying = next((each for each in found if isinstance(each, Tried)), None)
    changes = tuple(map(_change, trying.outcomes)) if trying else ()
    return Known(next(small, None), changes)


def bundle_of(queue: Queue, id: str) -> bytes:
    """A trace of the library as a bundle. Raises LibraryError where there is no such trace."""
    library, found = queue.library, known(queue, id)
    return bundle(
        *(library.trace(id), library, library.kernel(id)), shrunk=found.shrunk, tried=found.tried
    )


def _change(outcome: Outcome) -> Change:
    """What was changed and how that ended, in words."""
    if not outcome.compiles:
        said = f"{outcome.status or 'not compiled'}: {outcome.message}".rstrip(": ")
        return Change(outcome.remedy.title, said)
    costs = []
    if outcome.occupancy is not None:
        costs.append(f"{outcome.limiter} {outcome.occupancy:.0%} full")
    if outcome.cores is not None:
        costs.append(f"{outcome.cores} cores")
    if outcome.instructions is not None:
        costs.append(f"{outcome.instructions:,} instructions a core")
    said = f"compiles ({', '.join(costs)})" if costs else "compiles"
    return Change(outcome.remedy.title, said, outcome.remedy.numerics)
