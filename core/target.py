"""The chip, as the compiler itself describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

#: What compilers said of their chips, recorded when they were installed: for dumps that were made
#: elsewhere and do not say. Written by `python -m core toolchain record`.
_RECORDED = Path(__file__).resolve().parents[1] / "data" / "targets"


@dataclass(frozen=True, slots=True)
class Memory:
    name: str  #: UB, L1, L0A, L0B, L0C
    capacity_bytes: int
    alignment_bytes: int  #: 0 where the compiler does not say


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


def target_from_json(facts: Mapping[str, Any]) -> Target:
    """A Target from the JSON form that `dataclasses.asdict` gives. Raises ValueError."""
    target: Target = msgspec.convert(facts, Target)
    return target


@cache
def recorded_targets() -> Mapping[str, Target]:
    """The chips that compilers described on a machine where they ran, by name."""
    files = sorted(_RECORDED.glob("*.json"))
    targets = [target_from_json(json.loads(file.read_text())) for file in files]
    return {target.name: target for target in targets}


def record_target(target: Target) -> Path:
    """Keep a compiler's description of its chip in the project; returns the file."""
    _RECORDED.mkdir(parents=True, exist_ok=True)
    file = _RECORDED / f"{target.name}.json"
    file.write_text(json.dumps(asdict(target), indent=1) + "\n")
    return file
