"""All checks of a text of MLIR, over one walk of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_alignment import misplaced
from core.analysis.checks.mlir_bounds import beyond
from core.analysis.checks.mlir_buffers import misread
from core.analysis.checks.mlir_scalar import scalar_stores
from core.analysis.checks.mlir_text import Gathered
from core.analysis.checks.mlir_undefined import undefined
from core.ir.mlir import Module

if TYPE_CHECKING:
    from core.analysis.checks import Memories

_CHECKS: Sequence[Callable[[Gathered], Iterable[Finding]]] = (
    undefined,
    beyond,
    misread,
    misplaced,
    scalar_stores,
)


def in_mlir(module: Module, memories: Memories) -> Iterator[Finding]:
    """The findings of every check."""
    gathered = Gathered(module, memories)
    for one in _CHECKS:
        yield from one(gathered)
