"""Buffers of planned MLIR that begin off what their memory asks for.

Only places that the planner gives are looked at. Parts of a buffer may begin anywhere: the
library that moves and works on them (AscendNPU IR, lib/Template) takes what stands before the
first aligned address element by element.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_text import Gathered, place_of, root_of
from core.ir.mlir import Operation
from core.ir.mlir_memory import PLACED, allocation


def misplaced(gathered: Gathered) -> Iterator[Finding]:
    """Addresses that are no multiple of their memory's alignment, those of every copy."""
    found: dict[str, list[tuple[Operation, str]]] = defaultdict(list)
    for operation in gathered.named.get(PLACED, ()):
        if not operation.results:
            continue
        each = allocation(operation)
        limits = gathered.limits.get(each.memory)
        if not limits or not limits.alignment:
            continue
        off = [offset for offset in each.offsets if offset % limits.alignment]
        if off:
            said = (
                f"begins at byte {off[0]:,} of {each.memory}, which is no multiple of "
                f"{limits.alignment:,}"
            )
            found[root_of(operation.results[0])].append((operation, said))
    for root, group in found.items():
        operation, said = group[0]
        value = operation.results[0]
        yield Finding(
            check="alignment",
            harm="wrong",
            line=operation.first,
            subject=value.name,
            message=f"{place_of(value)} {said}.",
            root=root,
            times=len(group),
        )
