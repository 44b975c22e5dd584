"""Starting a compile from a trace, following it, and finding one that was made before."""

from __future__ import annotations

import streamlit as st

from core.hints import HintError, Hints
from core.jobs.queue import QueueError
from core.jobs.work import Job
from core.kernel import Kernel, KernelError
from core.library import LibraryError
from pages import _rooms as rooms


def start(
    kernel: Kernel, hints: Hints, parent: str | None, compiler: str, version: str = ""
) -> str | None:
    """Queue a whole compile whose parent is a trace; the job's id, or None with the reason shown.

    An equal compile of the same kernel that is under way or has its trace is taken instead.
    """
    try:
        return made_before(kernel, hints, compiler, version) or rooms.queue().submit(
            kernel, hints, compiler=compiler, version=version, parent=parent
        )
    except (QueueError, LibraryError, HintError, KernelError) as wrong:
        st.toast(str(wrong), icon=":material/error:")
        return None


def made_before(kernel: Kernel, hints: Hints, compiler: str, version: str = "") -> str | None:
    """The newest job that compiles, or has compiled, this kernel with these hints."""
    queue = rooms.queue()
    version = version or rooms.usual_version(compiler)
    for job in queue.jobs(limit=200):
        if job.kernel != kernel.name or job.hints.digest != hints.digest:
            continue
        if (job.compiler, job.version) != (compiler, version):
            continue
        if job.over and not _kept(job.trace):
            continue
        if queue.kernel(job.id).digest == kernel.digest:
            return job.id
    return None


def follow(id: str | None) -> Job | None:
    """A job as it stands; None where there is none or it is gone."""
    if id is None:
        return None
    try:
        return rooms.queue().job(id)
    except QueueError:
        return None


def _kept(trace: str | None) -> bool:
    if trace is None:
        return False
    try:
        rooms.library().row(trace)
    except LibraryError:
        return False
    return True
