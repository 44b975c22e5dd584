"""What messages of a log say of a failure: who says it, of what, and how near to the cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import PurePosixPath

from core.readers import akg_failure, mlir_failure
from core.readers.log_lines import LogLine
from core.readers.log_parts import (
    SIGNALS,
    description_in,
    file_of,
    kernel_in,
    net_line,
    one_line,
    own_line,
    shortened,
    signal_in,
    thrown_at,
    triton_line,
)
from core.readers.mlir_words import Words, read_words
from core.trace import Diagnostic

AKG, MLIR, MINDSPORE = "akg", "ascendnpu-ir", "mindspore"


class Nearness(IntEnum):
    """How near to the cause those stand who say it; the smallest is believed."""

    COMPILER = 0  #: it knows why
    EXCEPTION = 1  #: of Python, with a reason in it
    FRAMEWORK = 2  #: an error that MindSpore logs
    DEATH = 3  #: of the process: a signal, an exit code
    REPEATED = 4  #: only that something else failed


@dataclass(frozen=True, slots=True)
class Event:
    """One message about a failure."""

    by: str  #: who says so: AKG, bishengir-compile, MindSpore, TVMError …
    nearness: Nearness
    message: str  #: one line
    first: int
    last: int
    compiler: str = ""
    source: str = ""
    component: str = ""
    pass_name: str = ""
    signal: str = ""
    kernel: str = ""
    description: str = ""  #: of a fused kernel, as JSON
    line: str = ""  #: of the user's own program: "nets.py:19"
    code: str = ""  #: what stands there
    stack: tuple[str, ...] = ()
    attempts: int = 1
    chained: bool = False  #: says itself that it came of the one before
    announces: bool = False  #: of a cause that is printed behind it
    stream: str = ""


@dataclass(frozen=True, slots=True)
class Recovered:
    """An attempt that failed, after which the compiler tried something else."""

    note: str  #: one sentence
    first: int
    last: int
    kernel: str = ""


_ERRORS = ("ERROR", "CRITICAL", "FATAL")
_INFER = re.compile(r"infer failed, failed info: (.*)", re.S)
_SPLIT = re.compile(r"Nodes that with kernel name \[(\w+)\] do not have compile cache .* be split")
#: Messages that only say that something else went wrong.
_REPEATED = re.compile(
    r"Response is empty|Compile error, args|Read from pipe failed|DuplexPipe|kernel server"
    r"|returned non-zero exit status|encounters error|MLIRCompilationError|^\s*$"
    r"|Broken pipe|EOFError|Connection reset|Worker \w+ (?:died|exited)|ChildFailedError"
    r"|BrokenProcessPool"
)
_CODE = re.compile(r"exit(?:ed)?[ _-]?(?:with )?(?:code|status)\s*[:=]?\s*\(?(-?)0*(\d+)", re.I)
_RECOVERED = re.compile(r"\[NOTE\] (Due to .*compilation then succeeded\.)")
_STILL = re.compile(r"\[NOTE\] Due to .*compilation still failed")
_RETRIED = re.compile(r"\[NOTE\] .*and retrying compilation")
_CRASHED = ("PLEASE submit", "Stack dump")
_GENERIC = ("kernel", "kernel.ttadapter", "kernel.ttir", "module", "-", "input")
_LONGEST = 2000


def events(said: LogLine) -> list[Event | Recovered]:
    """What one message says of failures; nothing where it is about something else."""
    if said.level not in _ERRORS and said.kind != "mlir":
        found = _SPLIT.search(said.message)
        if found:
            note = "MindSpore could not have this fused kernel compiled and took it apart again."
            return [Recovered(note, said.first, said.last, found[1])]
        return []
    found_events = _READERS[said.kind](said)
    return [
        replace(e, stream=said.stream, message=e.message[:_LONGEST]) if isinstance(e, Event) else e
        for e in found_events
    ]


def _akg(said: LogLine) -> list[Event | Recovered]:
    head, _, frames = said.message.partition("Stack trace:")
    message = one_line(head)
    diagnostic = Diagnostic(said.level, said.source, said.component, message)
    return [
        Event(
            by="AKG",
            nearness=Nearness.COMPILER,
            message=message,
            first=said.first,
            last=said.last,
            compiler=AKG,
            source=said.source,
            component=said.component,
            pass_name=akg_failure.named_pass(diagnostic) or "",
            kernel=kernel_in(head),
            stack=akg_failure.read_frames(frames),
        )
    ]


def _mindspore(said: LogLine) -> list[Event | Recovered]:
    head, _, _ = said.message.partition("\n\n---")
    inferred = _INFER.search(head)
    message = one_line(inferred[1] if inferred else head)
    line, code = net_line(said.message)
    return [
        Event(
            by="MindSpore",
            nearness=Nearness.REPEATED if _REPEATED.search(message) else Nearness.FRAMEWORK,
            message=message,
            first=said.first,
            last=said.last,
            compiler=MINDSPORE,
            source=file_of(said.source),
            component=said.component,
            kernel=kernel_in(head),
            line=line,
            code=code,
        )
    ]


def _native(said: LogLine) -> list[Event | Recovered]:
    thrown, what = akg_failure.thrown(said.message)
    ours = thrown.startswith(("akg::", "air::", "dmlc::"))
    overflow = thrown.endswith("MemoryAllocationException")
    return [
        Event(
            by="C++",
            nearness=Nearness.COMPILER,
            message=what or one_line(said.message),
            first=said.first,
            last=said.last,
            compiler=AKG if ours else "",
            pass_name=akg_failure.STORAGE_REWRITE if overflow else "",
            signal="SIGABRT",
        )
    ]


def _death(said: LogLine) -> list[Event | Recovered]:
    text = said.message
    signal, code = signal_in(text), _CODE.search(text)
    if not signal and code:
        number = int(code[2])
        signal = SIGNALS.get(number if code[1] else number - 128, "")
    silent = bool(code) and not signal
    within = said.within.removeprefix("Before ") if said.within.startswith("Before ") else ""
    return [
        Event(
            by="the process",
            nearness=Nearness.REPEATED if silent else Nearness.DEATH,
            message=one_line(text),
            first=said.first,
            last=said.last,
            signal=signal,
            pass_name=within,
            compiler=MLIR if within else "",
        )
    ]


def _python(said: LogLine) -> list[Event | Recovered]:
    if not said.component:  # a traceback without its end
        return []
    frames, message = _exception(said)
    compiler = _compiler_of(said.component, frames)
    line, code = net_line(said.message)
    if not line:
        line, code = own_line(said.message)
    name = said.component.rpartition(".")[2]
    repeated = name in ("MLIRCompilationError", "RemoteTraceback") or _REPEATED.search(
        message[:300]
    )
    front_end = name == "CompilationError" and "triton" in said.component + said.message[:2000]
    if front_end:
        line, code = triton_line(message) or (line, code)
    description = description_in(message)
    return [
        Event(
            by=name,
            nearness=Nearness.REPEATED if repeated else Nearness.EXCEPTION,
            message=shortened(message, description),
            first=said.first,
            last=said.last,
            compiler=MLIR if front_end else compiler,
            source=thrown_at(said.message) if compiler == AKG else "",
            component=name,
            pass_name=mlir_failure.FRONT_END if front_end else "",
            signal=signal_in(message) if "died with" in message else "",
            kernel=kernel_in(message),
            description=description,
            line=line,
            code=code,
            stack=tuple(akg_failure.read_frames(said.message))[::-1] if compiler == AKG else (),
            chained=said.chained,
            announces="[ERROR][Triton][BEG]" in message,
        )
    ]


def _mlir(said: LogLine) -> list[Event | Recovered]:
    text = said.message
    words = read_words([(0, text)])
    notes: list[Event | Recovered] = []
    if recovered := _RECOVERED.search(text):
        notes.append(Recovered(recovered[1], said.first, said.last))
    elif _RETRIED.search(text) and not _STILL.search(text) and not words.errors:
        tried = next(line for line in text.splitlines() if _RETRIED.search(line))
        notes.append(Recovered(tried.partition("] ")[2], said.first, said.last))
    event = _mlir_failure(said, words)
    return [*notes, event] if event else notes


def _mlir_failure(said: LogLine, words: Words) -> Event | None:
    failed = said.within.removeprefix("Failed ") if said.within.startswith("Failed ") else ""
    before = said.within.removeprefix("Before ") if said.within.startswith("Before ") else ""
    cause = mlir_failure.cause(words)
    tool = words.tool or "bishengir-compile"
    if words.crashed:
        message, place = words.fatal or _first_words(said.message), ""
        failed, stack = before, words.stack
    elif cause is None:
        return None
    else:
        message, place, stack = cause.message, cause.source, ()
        last_tool = mlir_failure.last_tool_only(words)
        if not last_tool and ("Failed to parse input file" in said.message or not place):
            failed = failed or mlir_failure.front(cause)
    source = place or words.fatal_source
    stem = PurePosixPath(source.partition(":")[0]).stem
    kernel = stem if place and stem not in _GENERIC and place.endswith(tuple("0123456789")) else ""
    return Event(
        by=tool,
        nearness=Nearness.COMPILER,
        message=message,
        first=said.first,
        last=said.last,
        compiler=MLIR,
        source=source,
        pass_name=failed,
        signal="SIGABRT" if words.crashed and words.fatal else "",
        kernel=kernel,
        stack=stack,
        attempts=1 + sum(1 for line in said.message.splitlines() if _RETRIED.search(line)),
    )


def _first_words(text: str) -> str:
    """What a tool that crashed says first, for want of a reason."""
    lines = text.splitlines()
    return next((line for line in lines if line.startswith(_CRASHED)), lines[0])


_READERS: dict[str, Callable[[LogLine], Sequence[Event | Recovered]]] = {
    "akg": _akg,
    "mindspore": _mindspore,
    "native": _native,
    "death": _death,
    "python": _python,
    "mlir": _mlir,
}


def _exception(said: LogLine) -> tuple[str, str]:
    """A traceback's frames, and what its exception says."""
    marker = f"{said.component}:"
    lines = said.message.split("\n")
    at = next(
        (
            n
            for n, line in enumerate(lines)
            if line.lstrip().startswith(marker) or line.strip() == said.component
        ),
        0,
    )
    frames, rest = "\n".join(lines[:at]), "\n".join(lines[at:])
    message = rest.lstrip().removeprefix(marker).removeprefix(said.component).strip(" ")
    if message.startswith("Traceback (most recent call last):"):
        message = message.rpartition("\n")[2]
        message = re.sub(r"^(?:\w*Error): ", "", message)
    elif said.component.endswith("CompilationError"):  # of Triton: the function, then the reason
        message = message.strip()
    else:
        message = message.partition("\n\n---")[0]
    return frames, message.removesuffix('\n"""')


def _compiler_of(component: str, frames: str) -> str:
    if component.endswith("TVMError") or "/_akg/" in frames:
        return AKG
    if "triton" in component or "/triton/" in frames:
        return MLIR
    return MINDSPORE if "/mindspore/" in frames else ""
