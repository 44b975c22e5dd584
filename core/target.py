"""The chip, as the compiler itself describes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Memory:
    name: str  #: UB, L1, L0A, L0B, L0C
    capacity_bytes: int
    alignment_bytes: int


@dataclass(frozen=True, slots=True)
class Target:
    """A chip and its on-chip memories; every figure is what the compiler reported, none is ours."""

    name: str  #: Ascend910
    architecture: str  #: dav-c100
    cores: int
    memories: tuple[Memory, ...]
    tiling_share: float  #: part of a memory that the automatic tiling aims at
    source: str  #: where the figures were read

    def capacity_bytes(self, memory: str) -> int | None:
        """Capacity of a memory, by its name; None where the chip has none of that name."""
        return next((m.capacity_bytes for m in self.memories if m.name == memory), None)
