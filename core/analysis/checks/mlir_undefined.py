"""Values of MLIR that nothing defines, or that are defined further down.

The compiler itself refuses such text, so this is found in what people wrote or cut out.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.checks.finding import Finding
from core.analysis.checks.mlir_text import Gathered
from core.ir.mlir import Operation, Value


def undefined(gathered: Gathered) -> Iterator[Finding]:
    """Uses of values that the text does not define before."""
    found: dict[str, list[tuple[Operation, Value]]] = {}
    for operation in gathered.operations:
        for value in operation.operands:
            owner = value.owner
            if owner is None or (
                isinstance(owner, Operation)
                and owner.parent is operation.parent
                and owner.first > operation.first
            ):
                found.setdefault(value.name, []).append((operation, value))
    for name, uses in found.items():
        operation, value = uses[0]
        where = f"is defined only in line {value.line}" if value.line else "is defined nowhere"
        yield Finding(
            check="undefined",
            harm="wrong",
            line=operation.first,
            subject=name,
            message=f"{operation.name} uses {name}, which {where}.",
            root=f"{name} in {operation.name}",
            times=len({operation.first for operation, _ in uses}),
        )
