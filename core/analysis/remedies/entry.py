"""A module's entry as a function of the device, where none can be outlined from the host's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.analysis.remedies.case import Case, Proposal, proposal

_HOST, _DEVICE = "function_kind<HOST>", "function_kind<DEVICE>"


def entry(case: Case) -> Iterator[Proposal]:
    """The entry marked as a kernel of the device itself: nothing has to be outlined from it."""
    source = case.kernel.source
    if case.kernel.kind != "mlir" or _HOST not in source or case.memory:
        return
    kernel = replace(
        case.kernel,
        name=f"{case.kernel.name}_device",
        source=source.replace(_HOST, _DEVICE),
    )
    yield proposal(
        84.0,
        "decomposition",
        "the entry as a function of the device",
        "From a function of the host the compiler outlines a kernel, and fails on what it made; "
        "written as a function of the device it is the kernel itself. Whoever launches it then "
        "calls the kernel and no host function.",
        case.request(kernel=kernel),
    )
