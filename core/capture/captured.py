"""What MindSpore makes of a network: fused kernels, library kernels, graphs; plain values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.kernel import Kernel
from core.source_lines import SourceLine


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one operator of a fused kernel comes from."""

    operator: str  #: of the kernel: "RealDiv"
    scope: (
        str  #: of the operator of the network that it is of: "Default/softmax-Softmax/Softmax-op0"
    )
    expanded: str  #: that operator, where it was expanded into several: "Softmax"; else ""
    line: SourceLine | None  #: the innermost line in the network's own files; None where none is


@dataclass(frozen=True, slots=True)
class CapturedKernel:
    """One fused kernel, retargeted to Ascend."""

    kernel: Kernel
    times: int  #: how often it occurs in the network
    origins: tuple[Origin, ...]  #: of its first occurrence, an entry an operator
    conversions: tuple[str, ...]  #: what was changed to retarget it, one sentence each
    original: str  #: JSON as MindSpore made it
    cluster: str  #: the fused node that it was split from: "BiasAdd_Add_Softmax_fusion"
    backward: bool  #: some of it is of the gradient
    problem: str = ""  #: one sentence where no compiler would take it

    @property
    def lines(self) -> tuple[SourceLine, ...]:
        """The source lines that it stands for, each once, in the order of its operators."""
        return tuple(dict.fromkeys(origin.line for origin in self.origins if origin.line))


@dataclass(frozen=True, slots=True)
class LibraryKernel:
    """An operator that is not fused: a kernel of MindSpore's own library runs it."""

    operator: str  #: "Conv3D"
    times: int
    shapes: tuple[str, ...]  #: of its first occurrence's result, as MindSpore writes types
    line: SourceLine | None
    instead: str = ""  #: an example kernel of ours that computes the same, or ""


@dataclass(frozen=True, slots=True)
class Input:
    """What the network is called with."""

    shape: tuple[int, ...]
    dtype: str


CaptureKind = Literal["cell", "function", "kernel"]


@dataclass(frozen=True, slots=True)
class Capture:
    """What came of capturing a network."""

    network: str  #: name
    file: str  #: name of its file
    kind: CaptureKind  #: kernel: a @kernel function, captured without MindSpore's passes
    inputs: tuple[Input, ...]
    kernels: tuple[CapturedKernel, ...]  #: in the order in which the network calls them
    library: tuple[LibraryKernel, ...]
    graphs: Path | None  #: the folder of MindSpore's graphs, which opens as a trace
    log: str  #: what MindSpore printed
    seconds: float  #: wall clock
    problem: str = ""  #: one sentence where MindSpore did not get to all kernels; else ""
    notes: tuple[str, ...] = ()  #: what a reader should know, one sentence each


class CaptureError(ValueError):
    """A network that cannot be captured: one sentence saying what is wrong and what to do."""
