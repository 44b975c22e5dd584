"""What the checks of MLIR share: one walk of a text, the limits of the chip, names for findings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ir.mlir import Module, Operation, Value
from core.ir.mlir_memory import memory_of, target_spec

if TYPE_CHECKING:
    from core.analysis.checks import Memories

_SHAPE = re.compile(r"<([^,<>]*)")
#: Memories, and the alignment that all chips of AscendNPU IR have in them (NPUTargetSpec.td): what
#: one pass prints of one function does not repeat it.
_ALIGNMENTS = {"UB": 32, "L1": 32, "L0A": 0, "L0B": 0, "L0C": 512}
LOOPS = frozenset(
    ("scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one memory, in bytes; 0 where nobody says it."""

    capacity: int
    alignment: int


class Gathered:
    """The operations of a text by name, and what is known of the chip."""

    def __init__(self, module: Module, memories: Memories) -> None:
        self.module = module
        self.operations: list[Operation] = list(module.walk())
        self.named: dict[str, list[Operation]] = defaultdict(list)
        for operation in self.operations:
            self.named[operation.name].append(operation)
        self._memories = memories
        self._limits: Mapping[str, Limits] | None = None

    @property
    def limits(self) -> Mapping[str, Limits]:
        """Of every on-chip memory: what the text's own module says, else what was handed in."""
        if self._limits is None:
            said = target_spec(self.module)
            self._limits = {
                name: Limits(
                    self._figure(said, name, "SIZE"), self._figure(said, name, "ALIGN_SIZE")
                )
                for name in _ALIGNMENTS
            }
        return self._limits

    def _figure(self, said: Mapping[str, int | str], memory: str, what: str) -> int:
        figure = said.get(f"{memory}_{what}")
        if isinstance(figure, int):
            return figure
        known = self._memories.get(memory)
        if what == "SIZE":
            return known.capacity_bytes if known else 0
        return (known.alignment_bytes if known else 0) or _ALIGNMENTS[memory]


def root_of(value: Value, *more: str) -> str:
    """A value as passes do not rename it: where in the source it is from, or what it looks like."""
    operation = value.owner if isinstance(value.owner, Operation) else None
    location = operation.location if operation else None
    if location:
        return " ".join((location.short, shape_text(value.type), *more)).strip()
    memory = memory_of(value.type)
    return " ".join(part for part in (memory, shape_text(value.type), *more) if part)


def shape_text(type_: str) -> str:
    """Extents and element of a type: "64x64xf32"."""
    found = _SHAPE.search(type_)
    return found[1].strip() if found else type_


def place_of(value: Value) -> str:
    """A buffer in words: its name, its shape, its memory."""
    memory = memory_of(value.type)
    return f"{value.name} ({shape_text(value.type)}{f' in {memory}' if memory else ''})"
