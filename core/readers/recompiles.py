"""Which functions a MindSpore program compiled again, and for which shapes: read from its log.

MindSpore 2.10 says it at GLOG_v=1 only (executor_py.cc, graph_executor_py.cc, jit_executor_py.cc):

    Generate a new compile key for new args, key: 1
    New cached args:
    Arg[0]: AbstractTensor(shape: (5, 16), element: AbstractScalar(Type: Float32, …
    Start compiling, phase: train.1796091688227821824.140190034624336.1
    Start compiling 'Net.construct' and it will take a while. Please wait...
    End compiling 'Net.construct'.
    [PROF]compile_graph costs 88.984 msec.

The last number of a phase is the key, what stands before it the object that is compiled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.readers.log_lines import LogLine

_KEY = re.compile(r"Generate a new compile key for new args, key: (\d+)")
_PHASE = re.compile(r"Start compiling, phase: (\S+)\.(\d+)$")
_NAME = re.compile(r"Start compiling '([^']+)'")
_END = re.compile(r"End compiling '([^']+)'")
_COST = re.compile(r"\[PROF\]compile_graph costs ([\d.]+) msec")
_ARGUMENT = re.compile(r"^Arg\[\d+\]: (.*)$", re.MULTILINE)
_TENSOR = re.compile(r"AbstractTensor\(shape: \(([^)]*)\), element: AbstractScalar\(Type: (\w+)")
_AGAIN = re.compile(r'The function "([^"]+)" at the file "[^"]*", line \d+ has been compiled again')
_MOST_OPEN = 1000  # compiles and keys that are waited for

#: The tensors that a function was called with: the shape of each, -1 where a size is left open.
Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Recompiled:
    """A function or cell that was compiled, once or more often."""

    name: str  #: "Net.construct"
    count: int  #: compiles
    shapes: Mapping[Shapes, int]  #: of its tensor arguments, with how often each was compiled
    seconds: float  #: all compiles together; 0 where the log does not say
    objects: int = 1  #: made anew and therefore compiled anew: cells, or decorated functions
    dtypes: tuple[str, ...] = ()  #: of its tensor arguments when first compiled: "float32"


@dataclass(slots=True)
class _Compile:
    object: str
    key: str
    began: str
    process: str
    name: str = ""
    seconds: float = 0.0


@dataclass(slots=True)
class _Counted:
    count: int = 0
    shapes: Counter[Shapes] = field(default_factory=Counter)
    seconds: float = 0.0
    objects: set[str] = field(default_factory=set)
    dtypes: tuple[str, ...] = ()


class Recompiles:
    """Takes the messages of a log in their order."""

    def __init__(self) -> None:
        self._arguments: dict[tuple[str, str], tuple[Shapes, tuple[str, ...]]] = {}
        self._key: dict[str, str] = {}  # of the arguments that are listed next, by process
        self._running: dict[str, _Compile] = {}  # by process
        self._counted: dict[str, _Counted] = {}
        self._said: Counter[str] = Counter()

    def take(self, said: LogLine) -> None:
        if said.kind != "mindspore" or said.component not in ("PIPELINE", "ME", "COMPILER"):
            return
        text = said.message
        process = f"{said.stream}/{said.process}"
        if "ompil" not in text and "args" not in text:
            return
        if found := _KEY.search(text):
            self._key[process] = found[1]
        elif text.startswith("New cached args"):
            self._take_arguments(process, text)
        elif found := _PHASE.search(text):
            self._finish(process)
            self._running[process] = _Compile(found[1], found[2], said.time, process)
        elif (found := _NAME.search(text)) and (running := self._running.get(process)):
            running.name = running.name or found[1]
        elif (found := _END.search(text)) and (running := self._running.get(process)):
            if found[1] == running.name and not running.seconds:
                running.seconds = _between(running.began, said.time)
        elif (found := _COST.search(text)) and (running := self._running.get(process)):
            running.seconds = float(found[1]) / 1000
            self._finish(process)
        elif found := _AGAIN.search(text):
            self._said[found[1]] += 1

    def _take_arguments(self, process: str, text: str) -> None:
        tensors = [
            (_shape(shape), dtype.lower())
            for argument in _ARGUMENT.findall(text)
            for shape, dtype in _TENSOR.findall(argument)
        ]
        if len(self._arguments) >= _MOST_OPEN:
            self._arguments.pop(next(iter(self._arguments)))
        key = self._key.get(process, "")
        shapes = tuple(shape for shape, _ in tensors)
        self._arguments[process, key] = (shapes, tuple(dtype for _, dtype in tensors))

    def _finish(self, process: str) -> None:
        """Count the compile that this process was in the middle of."""
        done = self._running.pop(process, None)
        if done is None:
            return
        counted = self._counted.setdefault(done.name or done.object, _Counted())
        counted.count += 1
        counted.seconds += done.seconds
        counted.objects.add(f"{process}/{done.object}")
        arguments = self._arguments.get((process, done.key))
        if arguments:
            counted.shapes[arguments[0]] += 1
            counted.dtypes = counted.dtypes or arguments[1]

    def found(self) -> tuple[Recompiled, ...]:
        """What was compiled, the most often first."""
        for process in list(self._running):
            self._finish(process)
        found = [
            Recompiled(
                name, each.count, dict(each.shapes), each.seconds, len(each.objects), each.dtypes
            )
            for name, each in self._counted.items()
        ]
        for name, times in self._said.items():  # at the usual level it only warns
            if name not in self._counted:
                found.append(Recompiled(name, times + 1, {}, 0.0, times + 1))
        return tuple(sorted(found, key=lambda each: (-each.count, each.name)))


def _shape(text: str) -> tuple[int, ...]:
    """A shape as MindSpore prints it: (4, 16), (8), (); an open size is -1."""
    return tuple(int(n) if re.fullmatch(r"-?\d+", n) else -1 for n in re.findall(r"[-\w]+", text))


def _between(began: str, ended: str) -> float:
    """Seconds between two stamps: 2026-12-01-02:21:29.202.160."""
    try:
        return max((_stamp(ended) - _stamp(began)).total_seconds(), 0.0)
    except ValueError:
        return 0.0


def _stamp(text: str) -> datetime:
    whole, milli, micro = text.rsplit(".", 2)
    return datetime.strptime(f"{whole}.{milli}{micro:0>3}", "%Y-%m-%d-%H:%M:%S.%f")
