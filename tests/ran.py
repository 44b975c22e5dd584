"""What a compile of bishengir-compile left in its folder, read without the readers."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from core.compilers import Ended, Limits, Session
from core.hints import Hints, HintValue
from core.kernel import Kernel

_BITS = {"i1": 1, "i8": 8, "i16": 16, "f16": 16, "bf16": 16, "i32": 32, "f32": 32, "i64": 64}
#: The compiler's names of the memories.
SPACES = {"ub": "UB", "cbuf": "L1", "cc": "L0C"}


@dataclass(frozen=True)
class Ran:
    """One compile that has ended."""

    folder: Path
    ended: Ended

    @cached_property
    def log(self) -> str:
        return (self.folder / "printed.log").read_text()

    @cached_property
    def module(self) -> str:
        """The finished module; "" where there is none."""
        file = self.folder / "dump" / "module.hivm.opt.mlir"
        return file.read_text() if file.exists() else ""

    @property
    def job(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads((self.folder / "job.json").read_text())
        return facts

    @property
    def command(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads((self.folder / "command.json").read_text())
        return facts

    @property
    def attempts(self) -> int:
        """How often the pipeline began: a pass that always changes something is its first."""
        return self.log.count("IR Dump After AppendTargetDeviceSpec ")

    @property
    def failed_pass(self) -> str:
        """The argument of the pass that failed, or that the compiler died in; "" of neither."""
        found = re.findall(r"IR Dump After \S+ Failed \(([\w-]+)\)", self.log)
        before = self.folder / "dump" / "crashed_before.log"
        if before.exists():
            found = re.findall(r"^// -----// IR Dump Before \S+ \(([\w-]+)\)", before.read_text())
        return found[-1] if found else ""

    @property
    def peaks(self) -> dict[str, int]:
        """max(offset + bytes) by memory, from the addresses in the finished module."""
        numbers = {
            name: int(value)
            for name, value in re.findall(
                r"(%\w+) = (?:arith\.constant |llvm\.mlir\.constant\()(\d+) : ", self.module
            )
        }
        peaks: dict[str, int] = {}
        for addresses, shape, space in re.findall(
            r"hivm\.hir\.pointer_cast\(([^)]*)\)[^:\n]*: memref<([\w?x]+)[^\n]*?"
            r"#hivm\.address_space<(\w+)>",
            self.module,
        ):
            *sizes, dtype = shape.split("x")
            bits = _BITS[dtype]
            for size in sizes:
                bits *= int(size)
            for address in re.findall(r"%\w+", addresses):
                end = numbers[address] + ceil(bits / 8)
                peaks[SPACES[space]] = max(peaks.get(SPACES[space], 0), end)
        return peaks


def run(
    session: Session,
    kernel: Kernel,
    attributes: Mapping[str, HintValue] | None = None,
    *,
    full: bool = True,
    limits: Limits | None = None,
) -> Ran:
    """Compile once."""
    return next(iter(run_all(session, [(kernel, attributes or {})], full=full, limits=limits)))


def run_all(
    session: Session,
    jobs: Iterable[tuple[Kernel, Mapping[str, HintValue]]],
    *,
    full: bool = True,
    limits: Limits | None = None,
) -> Iterator[Ran]:
    """Compile many, two at a time, in that order."""
    started: deque[tuple[Path, Any]] = deque()
    for kernel, attributes in jobs:
        folder = Path(tempfile.mkdtemp())
        hints = Hints(attributes=attributes)
        started.append(
            (folder, session.start(folder, kernel, hints, limits or Limits(), full=full))
        )
        if len(started) == 2:
            yield _ended(*started.popleft())
    while started:
        yield _ended(*started.popleft())


def _ended(folder: Path, running: Any) -> Ran:
    ended = running.wait()
    assert ended is not None
    ran = Ran(folder, ended)
    weakref.finalize(ran, shutil.rmtree, folder, ignore_errors=True)
    return ran
