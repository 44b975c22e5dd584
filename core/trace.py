"""The data model: what one compile did, as plain frozen values.

A `Trace` holds no pass text. Texts are kept by content hash in a `Texts` store beside it (a dump
folder, the library), so that opening a trace costs memory proportional to what is looked at.
Everything here is measured by a compiler; nothing here computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol


class Status(StrEnum):
    """How a compile ended."""

    OK = "ok"  #: machine code was made
    OK_TO_LAST_STEP = "ok_to_last_step"  #: every pass ran; only CANN's own last tool is absent
    FAILED = "failed"  #: the compiler said no
    CRASHED = "crashed"  #: the compiler died of a signal
    TIMED_OUT = "timed_out"  #: stopped by the wall-clock limit
    CANCELLED = "cancelled"  #: stopped by the user

    @property
    def compiles(self) -> bool:
        """True where every pass of the compiler ran."""
        return self in (Status.OK, Status.OK_TO_LAST_STEP)


PassStatus = Literal["ok", "failed", "crashed", "timed_out", "cancelled"]
Language = Literal["statement", "schedule", "text", "mlir", "anf"]
Origin = Literal["hint", "kernel", "repository", "symbolic", "search", "whole", "unknown"]
FailureKind = Literal["error", "memory", "crash", "timeout", "cancelled", "bad_input", "tool"]


class Texts(Protocol):
    """Where texts are kept: content hash to text."""

    def get(self, digest: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept."""
        ...


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a compiler, in the order in which it ran."""

    index: int  #: position in `Trace.passes`
    stage: str  #: composite, lowering, poly, device, merge, stitch …
    unit: str  #: the sub-kernel it works on ("Parallel_3", "Stitch_1"); "" for the whole kernel
    attempt: int  #: from 1; a compiler may silently retry the pipeline with weaker options
    name: str
    number: int | None  #: the compiler's own number of it within its folder
    text: str | None  #: content hash; None where the pass left none (it failed, it crashed)
    lines: int
    bytes: int
    changed: bool  #: differs from the one before in stage, unit and attempt, addresses masked
    language: Language
    seconds: float | None  #: where the compiler itself says so
    status: PassStatus
    argument: str = ""  #: what its compiler calls it on the command line ("hivm-plan-memory")
    given: str | None = None  #: hash of the text it was given, where order does not tell


@dataclass(frozen=True, slots=True)
class Constraints:
    """What the compiler's own tiler allowed on one axis (AKG: poly/tiling.log)."""

    minimum: int
    maximum: int
    multiple_of: int
    priority: int
    forbid_isolate: bool  #: the tile must divide the extent
    multicore: bool  #: the axis may be spread over cores
    attributes: tuple[str, ...]  #: the compiler's own marks, such as "REDUCE_AXIS:t"


@dataclass(frozen=True, slots=True)
class Axis:
    """One tileable loop. Numbers are those after the compiler folded axes together."""

    band: int
    axis: int  #: order within the band, which is how AKG reads a `dim` hint
    name: str  #: the compiler's own name where it has one (no, mo, ni, ko, H …), else its number
    loops: tuple[str, ...]  #: the loops it stands for
    extent: int | None  #: iterations; None where the dump does not tell
    tile: int  #: outer tile that the emitted code uses, clipped to the extent
    tile_l0: int  #: tile of the L0 level; equals `tile` where there is none
    origin: Origin  #: where the choice came from
    searched: int | None  #: what the classic search proposed, which is not always what is used
    constraints: Constraints | None
    unit: str = ""  #: the sub-kernel that it belongs to; bands count anew in each


@dataclass(frozen=True, slots=True)
class Tiling:
    axes: tuple[Axis, ...] = ()
    search: str | None = None  #: content hash of the search log
    note: str = ""  #: one sentence on who decided and why


@dataclass(frozen=True, slots=True)
class Buffer:
    """One allocation in one memory, as the emitted code places it."""

    name: str
    bytes: int
    offset_bytes: int | None
    dtype: str
    first_use: int | None  #: position in program order (line of the emitted code), first touch
    last_use: int | None  #: likewise, last touch
    copy_of: str  #: the buffer that this one doubles (half of a double buffer, or a tail); or ""
    source: str = ""  #: the kernel's own line that it is from ("kernel.py:16:21")


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """What one on-chip memory holds. Occupancy is peak_bytes / capacity_bytes."""

    memory: str  #: UB, L1, L0A, L0B, L0C
    peak_bytes: int  #: max(offset + bytes) over the buffers
    capacity_bytes: int | None  #: as the compiler reports it; None where nothing told us
    buffers: tuple[Buffer, ...]

    @property
    def occupancy(self) -> float | None:
        """peak / capacity, 1.0 = full; None where the capacity is unknown."""
        return self.peak_bytes / self.capacity_bytes if self.capacity_bytes else None


@dataclass(frozen=True, slots=True)
class Culprit:
    """A buffer alive at the moment at which a memory overflows."""

    name: str
    bytes: int  #: that it takes, its copies included
    source: str  #: the kernel's own line that it is from ("kernel.py:16:21"); or ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a compile did not end well, from the compiler's own words."""

    kind: FailureKind
    pass_name: str | None  #: the pass that failed; None where only its predecessor is certain
    after: str | None  #: the last pass that left a text ("84_LoopPartitionCCE")
    source: str | None  #: compiler source file:line, or the kernel's own line where that is named
    component: str | None  #: the compiler's own tag ("emit_insn")
    message: str  #: one sentence, the compiler's
    signal: str | None = None  #: SIGABRT, SIGSEGV …
    memory: str | None = None  #: the memory that overflowed
    required_bytes: int | None = None
    available_bytes: int | None = None
    stack: tuple[str, ...] = ()
    attempts: int = 1
    culprits: tuple[Culprit, ...] = ()  #: of an overflow, largest first


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One line that the compiler printed."""

    level: str  #: ERROR, WARNING …
    source: str  #: compiler source file:line, or the kernel's own line where that is named
    component: str
    message: str


@dataclass(frozen=True, slots=True)
class Log:
    """A whole text that is no pass: scop.log, tiling.log, what was printed, the description."""

    name: str
    text: str  #: content hash
    bytes: int


@dataclass(frozen=True, slots=True)
class Traffic:
    """What one core moves over one path, taken over its whole run."""

    path: str  #: from where to where: "GM→UB", "UB→GM", "GM→L1", "L1→L0A" …
    transfers: int  #: instructions that move
    bytes: int
    smallest_bytes: int  #: of one transfer
    largest_bytes: int
    small: int  #: transfers from or to global memory of less than 16 KiB
    unaligned: int | None  #: those off a multiple of 512 B in global memory; None: not known
    wasteful: int  #: those that are small or, as far as known, unaligned
    pieces: int  #: runs of bytes without a gap in global memory that the transfers are made of


@dataclass(frozen=True, slots=True)
class Work:
    """What one core executes, the busiest where they differ, counted in the emitted code."""

    traffic: tuple[Traffic, ...] = ()
    vector_steps: int = 0  #: repeats of vector instructions, each of 256 B or less
    fractals: int = 0  #: products of 16 x 16 x 16 (8-bit numbers: 16 x 32 x 16)
    scalar_stores: int = 0
    syncs: int = 0
    double_buffered: bool = False  #: one tile is loaded while another is computed
    exact: bool = True  #: False where a size, a branch or an extent had to be taken at its largest
    why_not: str = ""  #: where nothing could be counted: the reason, one sentence
    note: str = ""  #: what the figures leave out or assume; ""


@dataclass(frozen=True, slots=True)
class Compiler:
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class HintsOutcome:
    """What was asked of the compiler, and what became of it. Keys are `dim` and attribute names."""

    asked: Mapping[str, object] = field(default_factory=dict)
    honoured: Mapping[str, object] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)  #: name to the reason, one sentence


@dataclass(frozen=True, slots=True)
class Trace:
    """One compile of one kernel."""

    kernel: str  #: name
    kernel_hash: str  #: content hash of the kernel; "" where the dump holds no kernel
    compiler: Compiler
    target: str  #: the chip's name
    status: Status
    passes: tuple[Pass, ...] = ()
    tiling: Tiling = Tiling()
    memory: tuple[MemoryPlan, ...] = ()
    hints: HintsOutcome = HintsOutcome()
    block_dim: int | None = None  #: cores used
    instructions: Mapping[str, int] = field(default_factory=dict)  #: executed per core, by name
    failure: Failure | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    logs: tuple[Log, ...] = ()
    code: str | None = None  #: content hash of the emitted code, kernel-name and addresses as given
    seconds: float | None = None  #: wall clock of the compile
    started: str = ""  #: ISO 8601, UTC
    host: str = ""  #: machine type, such as x86_64
    notes: tuple[str, ...] = ()  #: what a reader of this trace should know, one sentence each
    work: Work | None = None  #: None where it was not counted (read by an earlier version)

    @property
    def changed(self) -> tuple[Pass, ...]:
        """The passes that changed something, or failed."""
        return tuple(p for p in self.passes if p.changed or p.status != "ok")

    def plan(self, memory: str) -> MemoryPlan | None:
        """The plan of one memory, by its name."""
        return next((m for m in self.memory if m.memory == memory), None)

    @property
    def limiter(self) -> MemoryPlan | None:
        """The memory that is fullest."""
        known = [m for m in self.memory if m.occupancy is not None]
        return max(known, key=lambda m: m.occupancy or 0.0, default=None)
