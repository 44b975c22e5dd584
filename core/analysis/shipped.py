"""Whether the compiler of a trace ships tiles for its kernel."""

from __future__ import annotations

from core.analysis.reasons import Reason, repository_reason
from core.compilers.akg.repository import repository_entry
from core.kernel import Kernel
from core.trace import Trace


def shipped_reason(trace: Trace, kernel: Kernel | None) -> Reason | None:
    """What the compiler's repository of tiles says; None where it has no repository."""
    if trace.compiler.name != "akg":
        return None
    return repository_reason(repository_entry(kernel) if kernel is not None else None)
