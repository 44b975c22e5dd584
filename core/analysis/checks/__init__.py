"""Defects that stand in a text for whoever reads all of it: the checks, and which text each reads.

A check is a function of the parsed text and the chip's memories. It reports what is certain and
keeps silent otherwise: a red mark on a pass that did nothing wrong costs more than one missed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol, TypeVar

from core.analysis.checks import (
    alignment,
    bounds,
    mlir_checks,
    overlap,
    scalar,
    undefined,
    unwritten,
)
from core.analysis.checks.finding import Finding
from core.ir import cce, mlir, statement
from core.trace import Language

__all__ = ["Finding", "MemoryLike", "check"]

_log = logging.getLogger(__name__)
_Tree = TypeVar("_Tree")


class MemoryLike(Protocol):
    """What a check has to know of a memory; `core.target.Memory` is one."""

    @property
    def capacity_bytes(self) -> int: ...

    @property
    def alignment_bytes(self) -> int: ...


Memories = Mapping[str, MemoryLike]  #: by name: UB, L1, L0A, L0B, L0C

_STATEMENT: Sequence[Callable[[statement.Module, Memories], Iterable[Finding]]] = (
    undefined.in_statements,
    bounds.in_statements,
    unwritten.in_statements,
    alignment.in_statements,
    scalar.in_statements,
)
_CCE: Sequence[Callable[[cce.Kernel, Memories], Iterable[Finding]]] = (
    alignment.in_code,
    overlap.in_code,
    scalar.in_code,
)
_MLIR: Sequence[Callable[[mlir.Module, Memories], Iterable[Finding]]] = (mlir_checks.in_mlir,)


def check(
    text: str, language: Language | Literal["cce"], memories: Memories
) -> tuple[Finding, ...]:
    """The defects of one text, in the order of its lines, one for each check and root.

    Empty where the text cannot be read. Never raises: what a check cannot follow, it leaves out.
    """
    try:
        found = _found(text, language, memories)
    except (ValueError, RecursionError):  # what the parsers raise for text they cannot read
        return ()
    return tuple(sorted(found, key=lambda finding: (finding.line, finding.check, finding.subject)))


def _found(text: str, language: str, memories: Memories) -> list[Finding]:
    match language:
        case "statement":
            return _run(_STATEMENT, statement.parse(text), memories)
        case "cce":
            return _run(_CCE, cce.parse(text), memories)
        case "mlir":
            return _run(_MLIR, mlir.parse(text), memories)
        case _:
            return []


def _run(
    checks: Sequence[Callable[[_Tree, Memories], Iterable[Finding]]],
    tree: _Tree,
    memories: Memories,
) -> list[Finding]:
    found: list[Finding] = []
    for one in checks:
        try:
            found += one(tree, memories)
        except (ValueError, RecursionError) as error:  # an expression that cannot be read
            _log.debug("%s: %s", one.__module__, error)
    return found
