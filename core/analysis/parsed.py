"""Texts read into trees, the last few kept: who studies a pass reads its text and the one before.

Damaged MLIR is read as far as it goes; of the other languages there is a tree or None.
"""

from __future__ import annotations

from functools import lru_cache

from core.ir import cce, mlir, schedule, statement

_KEPT = 6


@lru_cache(_KEPT)
def statements(text: str) -> statement.Module | None:
    """The tree of a text of the statement language."""
    try:
        return statement.parse(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(_KEPT)
def schedule_tree(text: str) -> schedule.Tree | None:
    """The tree of an isl schedule."""
    try:
        return schedule.parse(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(_KEPT)
def mlir_module(text: str) -> mlir.Module | None:
    """The tree of an MLIR text."""
    try:
        return mlir.parse(text, tolerant=True)
    except (ValueError, RecursionError):
        return None


@lru_cache(2)
def cce_kernel(text: str) -> cce.Kernel | None:
    """The tree of an emitted CCE text."""
    try:
        return cce.parse(text)
    except (ValueError, RecursionError):
        return None


def forget() -> None:
    """Let go of what is kept, which may be hundreds of megabytes."""
    for kept in (statements, schedule_tree, mlir_module, cce_kernel):
        kept.cache_clear()
