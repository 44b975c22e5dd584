"""What is worked out once for a whole trace: figures of every pass, what it did, what it broke."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.analysis.checks.finding import Finding
from core.trace import Language

#: The languages of passes, and that of the code which AKG emits.
StudiedLanguage: TypeAlias = Language | Literal["cce"]

#: Of what studies say. Counted up whenever the same trace would get another study; those that were
#: kept before are then worked out again.
VERSION = 3


@dataclass(frozen=True, slots=True)
class Held:
    """What a text allocates in one memory."""

    buffers: int  #: realize, allocate, memref.alloc, pointer_cast …: as often as they stand there
    bytes: int | None  #: of all of them, copies included; None where a text does not tell


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of what stands in one text, each once however often it runs."""

    lines: int
    #: assignments and calls of the statement language and of CCE, operations of MLIR, nodes of a
    #: schedule tree
    statements: int
    loops: int  #: members of bands in a schedule tree
    depth: int  #: of the deepest loop
    conditionals: int  #: `if` and `else if`; guards of a schedule tree
    casts: int  #: conversions of values between types, as expressions and as instructions
    syncs: int  #: flags set, flags waited for, barriers
    #: by memory; GM is not counted; "" where no memory is chosen yet
    allocations: Mapping[str, Held] = field(default_factory=dict)
    #: by kind: transfer, vector, cube, scalar, sync, control; none for a kind that is not there,
    #: and none at all before instructions are emitted
    instructions: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PassStudy:
    """What is known of one pass beyond its text."""

    figures: Figures | None  #: None where it left no text
    did: tuple[str, ...] = ()  #: what it changed, in words: "tiled cc0 by 8192", "2 loops added"


@dataclass(frozen=True, slots=True)
class Report:
    """A finding at the pass that brought it into the code."""

    finding: Finding  #: as the first text that has it says it
    index: int  #: of that pass; the number of passes where only the emitted code has it
    last: int  #: the last pass that still has it; likewise


@dataclass(frozen=True, slots=True)
class Study:
    """Everything of a trace that takes reading all its texts."""

    passes: tuple[PassStudy, ...]  #: one a pass of the trace, in order
    reports: tuple[Report, ...]  #: those that harm most first, then by pass
    code: PassStudy | None = None  #: of the emitted code, where there is one
