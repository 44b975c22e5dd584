"""Every flag of bishengir-compile 1.2.0 that changes how a kernel is compiled, by heading.

Names, types and defaults are those of the compiler (`--help`, its Options.td). What each does was
measured: a kernel of each kind was compiled for Ascend910B1 with and without it, with fixed
addresses, and the finished modules compared. `nothing_for` lists the kinds whose module was the
same, but for the order of parts that do not depend on each other: the compiler walks some sets in
the order of their addresses. Flags that only crash it, or that the pipeline needs, are not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.hints import HintEffect, HintKind, HintValue

#: Kinds of kernel that differ in what flags do to them: by what they are written in, and by the
#: units that they use: the vector unit, the cube, or both taking turns.
Kind = Literal[
    "HIVM",
    "HFusion vector",
    "HFusion cube",
    "HFusion mixed",
    "Triton vector",
    "Triton cube",
    "Triton mixed",
]
KINDS: tuple[Kind, ...] = (
    "HIVM",
    "HFusion vector",
    "HFusion cube",
    "HFusion mixed",
    "Triton vector",
    "Triton cube",
    "Triton mixed",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One flag."""

    name: str
    kind: HintKind
    default: HintValue | None
    does: str
    nothing_for: tuple[Kind, ...] = ()
    effect: HintEffect = "honoured"
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    tries: tuple[HintValue, ...] = ()  #: values worth a sweep


def _but(*those: Kind) -> tuple[Kind, ...]:
    return tuple(kind for kind in KINDS if kind not in those)


_UNSIGNED = (1 << 31) - 1

ROWS: Mapping[str, tuple[Row, ...]] = {
    "Cores and tiles": (
        Row(
            "block-dim",
            "int",
            1,
            "Cores that HFusion spreads a kernel over: it changes bounds of loops, never what a "
            "memory holds. Triton's grid is set at launch instead.",
            _but("HFusion vector", "HFusion cube", "HFusion mixed"),
            minimum=1,  # 0 is taken without a word
            maximum=65535,
            tries=(1, 8, 16, 20, 24, 40, 48),
        ),
        Row(
            "hfusion-max-buffer-count-tuning",
            "int",
            0,
            "Added to the number of buffers that HFusion counts on when it chooses a tile: more "
            "gives smaller tiles (4 took 196,512 B of UB down to 112,256), -2 made UB overflow.",
            _but("HFusion vector", "HFusion mixed"),
            minimum=-64,
            maximum=64,
            tries=(0, 1, 2, 4, 8, 16),
        ),
        Row(
            "cube-tiling-tuning",
            "str",
            None,
            "Blocks of a matrix product, as M,N,K of a core, M,N,K of a step, split of K, "
            "direction, offset; the first three are enough. Blocks too large for L0C are taken in "
            "silence.",
            _but("HFusion cube"),
            tries=("128,256,64", "128,128,64", "256,128,64", "64,64,64"),
        ),
        Row(
            "tile-mix-vector-loop",
            "int",
            2,
            "Parts that the vector side of a pipelined loop is cut into: 1 took the UB of flash "
            "attention from 53,376 B to 54,272, 4 to 48,832.",
            _but("Triton mixed"),
            minimum=1,
            maximum=_UNSIGNED,
            tries=(1, 2, 4, 8),
        ),
        Row(
            "tile-mix-cube-loop",
            "int",
            2,
            "Parts that the cube side of a pipelined loop is cut into.",
            KINDS,
            "ignored",
            minimum=1,
            maximum=_UNSIGNED,
        ),
        Row(
            "enable-auto-bind-sub-block",
            "bool",
            True,
            "Spreads the vector side of a mixed kernel over both vector cores: without it, flash "
            "attention needs 81,664 B of UB in place of 53,376.",
            _but("HFusion mixed", "Triton mixed"),
            tries=(False, True),
        ),
        Row(
            "enable-auto-blockify-loop",
            "bool",
            False,
            "Puts a loop over blocks around a Triton kernel, for grids larger than the chip, which "
            "multi-buffering then fills: the UB of a vector addition went from 8,192 B to 24,576.",
            ("HIVM", "HFusion vector", "HFusion cube", "HFusion mixed"),
            tries=(False, True),
        ),
        Row(
            "enable-deterministic-computing",
            "bool",
            True,
            "Without it a reduction may be spread over cores, and the sum comes out a little "
            "different each time. It changed a plain row sum and left an RMS norm as it was.",
            _but("HFusion vector"),
        ),
        Row(
            "enable-tuning-mode",
            "bool",
            False,
            "When memory planning fails, HFusion tries again up to four times, with two buffers "
            "more each time, and says nothing of it.",
            KINDS,
        ),
    ),
    "Buffers": (
        Row(
            "enable-auto-multi-buffer",
            "bool",
            False,
            "Two copies of a buffer, so that loading and computing overlap: it doubles buffers, or "
            "HFusion halves the tile. Triton turns it on for 910B and A3.",
            ("HFusion cube", "Triton vector"),
            tries=(False, True),
        ),
        Row(
            "limit-auto-multi-buffer-only-for-local-buffer",
            "bool",
            False,
            "Keeps multi-buffering off the workspace in global memory, which takes the pipelined "
            "loop of flash attention apart.",
            _but("Triton mixed"),
        ),
        Row(
            "limit-auto-multi-buffer-of-local-buffer",
            "choice",
            "no-l0c",
            "Whether L0C may be doubled too: no-limit took that of flash attention from 32,768 B "
            "to 65,536.",
            _but("Triton mixed"),
            choices=("no-limit", "no-l0c"),
            tries=("no-limit", "no-l0c"),
        ),
        Row(
            "limit-auto-multi-buffer-buffer",
            "choice",
            "only-cube",
            "Which side of a mixed kernel is doubled: only-vector took the L1 of flash attention "
            "from 57,344 B to 32,768 and its UB from 53,376 to 69,760.",
            _but("HFusion mixed", "Triton mixed"),
            choices=("no-limit", "only-cube", "only-vector"),
            tries=("no-limit", "only-cube", "only-vector"),
        ),
        Row(
            "set-workspace-multibuffer",
            "int",
            4,
            "Copies of the workspace between cube and vector cores; 1 takes the pipelined loop "
            "apart, 2 needs a third less synchronisation.",
            _but("Triton mixed"),
            minimum=1,
            maximum=_UNSIGNED,
            tries=(1, 2, 4),
        ),
        Row(
            "enable-ubuf-saving",
            "bool",
            False,
            "Saves UB where operations allow it: a softmax went from 33,344 B to 21,056, flash "
            "attention from 53,376 to 44,928; others are only marked with it.",
            tries=(False, True),
        ),
        Row(
            "enable-hfusion-count-buffer-dma-opt",
            "bool",
            False,
            "Keeps buffers that data movement uses apart from those of the vector unit: more "
            "buffers, so smaller tiles (196,512 B of UB went down to 157,184).",
            _but("HFusion vector", "HFusion mixed"),
            tries=(False, True),
        ),
        Row(
            "enable-code-motion",
            "bool",
            True,
            "Moves what does not change out of loops, which keeps its buffers alive longer. A "
            "Triton kernel whose memory overflows is silently tried again without it.",
            ("HIVM", "HFusion cube", "Triton vector"),
            tries=(True, False),
        ),
        Row(
            "enable-hivm-auto-storage-align",
            "bool",
            True,
            "Pads rows in UB to whole blocks where an operation needs it.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-hivm-global-workspace-reuse",
            "bool",
            False,
            "Lets workspaces in global memory share a place; on-chip memories stay as they are. It "
            "changed flash attention once multi-buffering was off.",
            KINDS,
        ),
        Row(
            "disable-auto-cv-work-space-manage",
            "bool",
            False,
            "Leaves the workspace between cube and vector cores to the kernel; together with "
            "disable-auto-inject-block-sync, for kernels that do both themselves.",
            ("HIVM", "HFusion cube", "Triton vector", "Triton cube"),
            "unsafe",
        ),
        Row(
            "disable-size-align-for-cast",
            "bool",
            False,
            "Another way of narrowing integers to 8 bits, without padding; kernels without such a "
            "cast are only marked with it.",
        ),
    ),
    "Order and fusion": (
        Row(
            "enable-ops-reorder",
            "bool",
            True,
            "Reorders operations so that more of them overlap; without it their order is yours.",
            _but("HFusion vector", "HFusion mixed"),
        ),
        Row(
            "hfusion-max-horizontal-fusion-size",
            "int",
            -1,
            "How many independent operations may be fused side by side; -1 is any number.",
            KINDS,
            "ignored",
            minimum=-1,
            maximum=_UNSIGNED,
        ),
        Row(
            "enable-multi-kernel",
            "bool",
            False,
            "Lets HFusion cut a function of the host into several kernels. Functions of the device "
            "it refuses: enableMultiKernel not supported in Device mode.",
            ("HIVM", "Triton vector", "Triton cube", "Triton mixed"),
        ),
        Row(
            "enable-symbol-analysis",
            "bool",
            False,
            "Follows dynamic sizes as symbols, so that equal ones are known to be equal.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-hivm-auto-cv-balance",
            "bool",
            False,
            "Balances cube and vector work when a mixed loop is pipelined.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-preload",
            "bool",
            False,
            "Loads for the next round of a pipelined loop while this one runs. It killed the "
            "compiler (SIGSEGV in cv-pipelining) on some attention kernels, not on ours.",
            _but("Triton mixed"),
            "unsafe",
        ),
        Row(
            "enable-hivm-nd2nz-on-vector",
            "bool",
            False,
            "Rearranges matrices for the cube on the vector unit instead of while loading.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-legacy-insert-load-store-for-mix-cv",
            "bool",
            False,
            "The earlier way of putting loads and stores between cube and vector code.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-hivm-assume-alive-loops",
            "bool",
            False,
            "Takes it that every loop runs at least once; one that does not is then wrong.",
            KINDS,
            "unsafe",
        ),
    ),
    "Synchronisation": (
        Row(
            "enable-hivm-graph-sync-solver",
            "bool",
            True,
            "Chooses flags between the units of a core by a graph; the older pass sets more of "
            "them (19 became 28 in flash attention).",
            ("HFusion cube",),
        ),
        Row(
            "enable-hivm-cross-core-gss",
            "bool",
            True,
            "Chooses what cube and vector cores wait for by a graph as well.",
            _but("HFusion mixed"),
        ),
        Row(
            "enable-hivm-unit-flag-sync",
            "bool",
            False,
            "Lets cube and fixpipe hand over by unit flags instead of events.",
            _but("Triton mixed"),
        ),
        Row(
            "enable-hivm-inject-barrier-all-sync",
            "bool",
            False,
            "A barrier after every operation in place of flags: slow, and a way to find out "
            "whether synchronisation is what is wrong.",
        ),
        Row(
            "enable-hivm-inject-block-all-sync",
            "bool",
            False,
            "Makes cube and vector cores wait for each other at every hand-over.",
            _but("Triton mixed"),
        ),
        Row(
            "disable-hivm-auto-inject-sync",
            "bool",
            False,
            "Leaves all flags and barriers out: the units no longer wait for each other, unless "
            "the kernel says so itself.",
            (),
            "unsafe",
        ),
        Row(
            "disable-auto-inject-block-sync",
            "bool",
            False,
            "Leaves out what makes cube and vector cores wait for each other.",
            _but("Triton mixed"),
            "unsafe",
        ),
    ),
    "What is emitted": (
        Row(
            "enable-debug-info",
            "bool",
            False,
            "Keeps source lines in the finished module, for debuggers.",
        ),
        Row(
            "enable-sanitizer",
            "bool",
            False,
            "Keeps what Ascend's sanitizer needs in the finished module.",
        ),
        Row(
            "enable-static-bare-ptr",
            "bool",
            True,
            "Passes plain pointers where all sizes are known; it matters to CANN's last tool.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-bin-relocation",
            "bool",
            True,
            "Makes the object relocatable; it matters to CANN's last tool.",
            KINDS,
            "ignored",
        ),
        Row(
            "enable-manage-host-resources",
            "bool",
            False,
            "Writes code for the host that allocates what a kernel needs.",
            KINDS,
            "ignored",
        ),
    ),
}


@cache
def idle(level: str) -> frozenset[str]:
    """The flags that do nothing for any kernel of a level: hivm, hfusion or triton."""
    kinds = {kind for kind in KINDS if kind.lower().startswith(level)}
    rows = [row for each in ROWS.values() for row in each]
    return frozenset(row.name for row in rows if kinds and kinds <= set(row.nothing_for))
