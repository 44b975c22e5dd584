"""Kernel and hints in, dump folder out: one small protocol, one folder a compiler behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.hints import Hints, HintSpec, HintValue
from core.kernel import Kernel, KernelKind
from core.target import Target
from core.trace import Status


class ToolMissing(RuntimeError):
    """A compiler is not installed: one sentence that says which command installs it."""


class SessionLost(RuntimeError):
    """The warm process itself is gone: start another session and the compile again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a compile may use before it is stopped."""

    seconds: float = 120.0  #: wall clock
    memory_bytes: int = 8 << 30  #: address space of the child


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child process ended."""

    status: Status
    signal: str | None  #: SIGSEGV …, where it died of one
    exit_code: int | None
    seconds: float  #: wall clock


class Running(Protocol):
    """A compile under way in its own process group."""

    def wait(self, timeout: float | None = None) -> Ended | None:
        """How it ended, or None where it still runs after `timeout` seconds."""
        ...

    def cancel(self) -> None:
        """Kill the whole process group; `wait` then gives `Status.CANCELLED`."""
        ...


class Session(Protocol):
    """A warm compiler that starts compiles at once. Not shared between threads."""

    def start(
        self, folder: Path, kernel: Kernel, hints: Hints, limits: Limits, *, full: bool = True
    ) -> Running:
        """Compile in `folder` (made by the caller, empty). `readers.open_trace` reads it after.

        Without `full` only the outcome is wanted: a compiler may leave out what it prints of each
        pass, where that is quicker. Raises HintError where the compiler cannot take the hints,
        KernelError where it cannot take the kernel, ToolMissing where another toolchain is needed.
        """
        ...

    def close(self) -> None:
        """End the warm process and every compile of it."""
        ...


class Compiler(Protocol):
    """One compiler, installed or not."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def kinds(self) -> tuple[KernelKind, ...]:
        """The kinds of kernel it takes."""
        ...

    @property
    def catalogue(self) -> tuple[HintSpec, ...]:
        """The hints it takes, with what each was seen to do."""
        ...

    def installed(self) -> bool: ...

    def lacks(self, kernel: Kernel) -> str | None:
        """The toolchain that a compile of this kernel needs and that is not installed, by name."""
        ...

    def targets(self) -> tuple[Target, ...]:
        """The chips it compiles for, as it reports them itself. Raises ToolMissing."""
        ...

    def target(self, name: str = "") -> Target:
        """One of `targets`; without a name the one that it compiles for when nothing is asked.

        Raises ToolMissing, and HintError where it has none of that name.
        """
        ...

    def parse_attribute(self, text: str, kernel: Kernel) -> tuple[str, HintValue]:
        """Read `NAME=VALUE` as it is written on a command line. Raises HintError."""
        ...

    def check(self, hints: Hints, kernel: Kernel) -> None:
        """Raise HintError for hints that a compile of this kernel cannot take."""
        ...

    def session(self) -> Session:
        """Start a warm process. Raises ToolMissing."""
        ...
