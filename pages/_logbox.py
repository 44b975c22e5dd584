"""A pasted or uploaded log."""

from __future__ import annotations


def show(id: str = "") -> None:
    """The box for a log."""
