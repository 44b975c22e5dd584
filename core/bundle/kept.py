"""The bundle of a trace of the library, with all that is known of its failure by now."""

from __future__ import annotations

from core.analysis.shrinking import Shrunk
from core.bundle.write import bundle
from core.jobs.queue import Queue


def bundle_of(queue: Queue, id: str) -> bytes:
    """A trace of the library as a bundle, with the newest smaller form that was found of it.

    Raises LibraryError where there is no such trace.
    """
    library = queue.library
    return bundle(
        library.trace(id), library, library.kernel(id), shrunk=newest_small_form(queue, id)
    )


def newest_small_form(queue: Queue, id: str) -> Shrunk | None:
    """What the newest shrinking of a trace found; None where it found nothing."""
    for row in queue.inquiries(id):
        found = row.result
        if isinstance(found, Shrunk) and found.reproduced and found.steps:
            return found
    return None
