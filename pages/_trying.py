"""What can be tried on a failed trace."""

from __future__ import annotations

from core.trace import Trace


def show(id: str, trace: Trace) -> None:
    """Remedies of a failed trace."""
