"""What was said in a log: messages with their level, place and time, continued lines joined.

The forms are those of MindSpore 2.10 (C++ and Python), AKG 1.6 to 1.10, MLIR tools, Python's
tracebacks, and the last words of the C++ runtime, of a shell and of a launcher. Whatever else is
in a log belongs to the message before it, or to none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.readers.log_text import Line

Kind = Literal["mindspore", "akg", "mlir", "python", "native", "death", "text"]

_TIME = r"(\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d+\.\d+)"
_LEVEL = r"\[(DEBUG|INFO|WARNING|ERROR|CRITICAL|FATAL)\]"
#: [ERROR] ANALYZER(18810,7f91361fdb80,python):<time> [<file.cc>:764] Run] text
_CPP = re.compile(
    rf"{_LEVEL} (\w+)\((\d+),[0-9a-f]+,[^)]*\):{_TIME} "
    r"\[([^:\]]+):(\d+)\] (?:[^\[\]]*\] )?(.*)"
)
#: [WARNING] ME(11116:140062325369728,MainProcess):<time> [mindspore/context.py:1343] text
_PYTHON = re.compile(rf"{_LEVEL} (\w+)\((\d+):\d+,[^)]*\):{_TIME} \[([^\]]+?):(\d+)\] (.*)")
#: [ERROR] AKG:<time> [reduction_factor.cc:206] [pass] text
_AKG = re.compile(rf"{_LEVEL} AKG:{_TIME} \[([^\]\s]+):(\d+)\] (?:\[([^\]\s]*)\] )?(.*)")

_MLIR_WORDS = (
    *(
        "error: ",
        "[ERROR] ",
        "[NOTE] ",
        "warning: ",
        "note: ",
        "[WARNING] ",
        "LLVM ERROR",
        "option",
    ),
    *("PLEASE submit", "Stack dump:", "Assertion", "Unknown command", "remark: ", "Not enough"),
)
_MLIR = re.compile(
    r'(?:loc\(.*\): |[\w./<>@+-]*\.(?:mlir|ttir|ttadapter)"?:\d+:\d+: |<(?:unknown|stdin)>:\S+ |)'
    r"(error|warning|note|remark): "
    r"|LLVM ERROR: |PLEASE submit a bug report|Stack dump:|.*\bAssertion [`'].*['`] failed"
    r"|[\w./-]*-(?:opt|compile|a5|translate|hir): (?:for the -|Unknown command line argument|Not )"
    r"|\[(ERROR|NOTE|WARNING)\] (?:Failed to |Cannot find hivmc|Executing: |Due to |.*overflow)"
)
_LEVELS = {"error": "ERROR", "warning": "WARNING", "note": "NOTE", "remark": "NOTE"}
_WORST = ("", "NOTE", "WARNING", "ERROR")
#: What bishengir-compile says last of one compile.
_OVER = re.compile(r"\[ERROR\] Failed to (?:run \w+ pipeline|parse input file)")
_MARK = "// -----// IR Dump "
_DUMPED = re.compile(r"// -----// IR Dump (Before|After) (\S.*?)( Failed)?(?: \([\w.,:+-]*\))? ")

_TRACEBACK = "Traceback (most recent call last):"
_CHAINED = (
    "During handling of the above exception, another exception occurred",
    "The above exception was the direct cause of the following exception",
    "multiprocessing.pool.RemoteTraceback",
)
_RAISED = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: ?(.*)|$)")
_EXCEPTION = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt))(?:: |$)")
_NATIVE = re.compile(
    r"terminate called (?:after throwing an instance of '|without)"
    r"|(?:free|malloc|munmap_chunk|realloc)\(\): "
    r"|double free or corruption|corrupted (?:size|double)"
    r"|\*\*\* stack smashing"
)
_SIGNALLED = (
    r"Segmentation fault|Aborted|Killed|Illegal instruction|Bus error|Floating point exc\w+"
)
_DEATH = re.compile(
    rf"(?:^|^.*?(?:\s\d+ +|: ))(?:{_SIGNALLED})(?: \(core dumped\))?(?:\s|$)"
    r"|^Fatal Python error: "
    r"|<Signals\.SIG[A-Z]+: \d+>"
    r"|(?:by|received|caught|with|fatal) signal:? \d+|^\W*Signal: .*\(\d+\)"
    r"|exit(?:ed)?[ _-]?(?:with )?(?:code|status)\s*[:=]?\s*\(?-?0*[1-9]"
    r"|Out of memory: Killed process",
    re.IGNORECASE,
)
_DEATH_WORDS = (
    *("fault", "Aborted", "Killed", "Illegal", "Fatal", "Bus error", "Floating", "ignal"),
    *("xit", "Out of memory"),
)
#: What goes on after an empty line: the blocks that MindSpore puts behind a message.
_BLOCK = re.compile(
    r"-{5,}|- |# |\s|\(See file|\(|[\w./+-]+\.(?:cc|h|cpp|hpp|py|cu):\d+|Stack trace:|\[bt\]"
)
#: What a line in no known form may tell of a failure.
_DOUBTFUL = re.compile(
    r"error|fail|fatal|overflow|exception|abort|cannot|not support", re.IGNORECASE
)
_MOST_DOUBTFUL = 20
_MOST_BLANKS = 6  # in what an MLIR tool said
_LONGEST = 20_000  # characters of a message that are kept
_LONGEST_LINE = 1 << 18  # likewise of one line of it, which may hold the description of a kernel
_SHORT = 4000  # no line that begins a message of no known form is longer


@dataclass(frozen=True, slots=True)
class LogLine:
    """One message."""

    kind: Kind
    level: str  #: ERROR, WARNING …
    component: str  #: who says so, in its own words: PIPELINE, pass, RuntimeError
    source: str  #: file:line; "" where none is named
    time: str  #: as written
    message: str  #: continued lines joined by line breaks
    first: int  #: line of the log, from 1
    last: int
    stream: str = ""  #: the process, as the log names it
    process: str = ""  #: its number
    chained: bool = False  #: an exception that another one led to
    within: str = ""  #: of IR that was printed last: "Before CSE", "Failed PlanMemory"


@dataclass(slots=True)
class Counts:
    """What a log holds, messages and other things."""

    lines: int = 0
    dumps: int = 0  #: printings of IR
    levels: dict[str, int] = field(default_factory=dict)  #: messages by level
    #: lines in no known form that may tell of a failure, the first ones and the last
    doubtful: list[LogLine] = field(default_factory=list)
    others: int = 0  #: lines in no known form


@dataclass(slots=True)
class _Open:
    """A message that may go on."""

    kind: Kind
    level: str
    component: str
    source: str
    time: str
    first: int
    parts: list[str]
    process: str = ""
    chained: bool = False
    last: int = 0
    size: int = 0
    blank: int = 0  # empty lines since its last one
    indent: int = 0  # of a traceback
    waits: bool = False  # for the exception of a traceback, or for the text of AKG's exception
    over: bool = False  # the tool said its last words


@dataclass(slots=True)
class _Stream:
    """What one process is in the middle of."""

    name: str
    open: _Open | None = None
    chained: bool = False
    within: str = ""


def read_messages(lines: Iterable[Line], counts: Counts) -> Iterator[LogLine]:
    """The messages of a log, each when it has ended; those of one process in their order."""
    streams: dict[str, _Stream] = {}
    for line in lines:
        counts.lines = line.number
        stream = streams.get(line.stream)
        if stream is None:
            stream = streams[line.stream] = _Stream(line.stream)
        ended = _take(stream, line, counts)
        if ended:
            counts.levels[ended.level] = counts.levels.get(ended.level, 0) + 1
            yield ended
    for stream in streams.values():
        ended = _end(stream)
        if ended:
            counts.levels[ended.level] = counts.levels.get(ended.level, 0) + 1
            yield ended


def _take(stream: _Stream, line: Line, counts: Counts) -> LogLine | None:
    """Read one line; gives the message that it ends."""
    text, number, current = line.text, line.number, stream.open
    if text.startswith(_MARK):
        counts.dumps += 1
        if found := _DUMPED.match(text):
            stream.within = f"{'Failed' if found[3] else found[1]} {found[2]}"
        return _end(stream) if current and current.kind != "mlir" else None
    if not text or text.isspace():
        if current:
            current.blank += 1
        return None
    if current and current.waits and _exception(current, text, number):
        return None
    begun = _begun(text, number)
    if begun:
        if current and current.kind == begun.kind == "mlir" and _one_run(current, begun):
            _add(current, text, number)
            current.level = max(current.level, begun.level, key=_WORST.index)
            current.over = current.over or begun.over
            return None
        ended = _end(stream)
        begun.chained = stream.chained and begun.kind == "python"
        stream.chained = False
        stream.open = begun
        return ended
    if text.startswith(_CHAINED):
        ended = _end(stream)
        stream.chained = True
        return ended
    if current and _goes_on(current, text):
        _add(current, text, number)
        return None
    _doubt(stream, text, number, counts)
    return _end(stream)


def _doubt(stream: _Stream, text: str, number: int, counts: Counts) -> None:
    """Keep a line in no known form where it may tell of a failure, or is one of few."""
    counts.others += 1
    if counts.dumps or len(text) > _SHORT:
        return
    if counts.others > 3 and not _DOUBTFUL.search(text):
        return
    if len(counts.doubtful) >= 2 * _MOST_DOUBTFUL:
        del counts.doubtful[_MOST_DOUBTFUL]
    said = LogLine("text", "", "", "", "", text.strip(), number, number, stream.name)
    counts.doubtful.append(said)


def _end(stream: _Stream) -> LogLine | None:
    entry, stream.open = stream.open, None
    if entry is None:
        return None
    return LogLine(
        *(entry.kind, entry.level, entry.component, entry.source, entry.time),
        *("\n".join(entry.parts), entry.first, entry.last),
        *(stream.name, entry.process, entry.chained),
        within=stream.within if entry.kind in ("mlir", "death", "native") else "",
    )


def _add(entry: _Open, text: str, number: int) -> None:
    if entry.size < _LONGEST:
        if entry.blank:
            entry.parts.append("")
        entry.parts.append(text[:_LONGEST_LINE])
        entry.size += len(text) + 1
    entry.blank = 0
    entry.last = number


def _goes_on(entry: _Open, text: str) -> bool:
    """Whether a line that begins nothing belongs to the message before it."""
    match entry.kind:
        case "akg":
            framed = text.lstrip().startswith(("[bt]", "Stack trace:"))
            return framed or not entry.blank
        case "native":
            return text.lstrip().startswith("what()")
        case "death":
            return False
        case "mlir":
            return entry.blank < _MOST_BLANKS
        case "python" if entry.component.endswith("MLIRCompilationError"):
            return True
        case _:
            return not entry.blank or _BLOCK.match(text) is not None


def _one_run(current: _Open, begun: _Open) -> bool:
    """Whether an MLIR tool still speaks of the same compile."""
    return not (current.over and begun.level == "ERROR") and current.blank < _MOST_BLANKS


def _exception(entry: _Open, text: str, number: int) -> bool:
    """Read a line of a traceback whose exception has not come yet; False where it is none."""
    if not text[: entry.indent].strip():
        text = text[entry.indent :]
    if text[:1].isspace() or text.startswith(('"""', "[bt]")):
        _add(entry, text, number)
        return True
    if entry.component:  # the text of an exception of AKG, behind the frames of its C++ part
        entry.waits = False
        _add(entry, text, number)
        return True
    entry.waits = False
    found = _RAISED.match(text)
    if found is None:
        return False
    entry.component = found[1]
    entry.waits = (found[2] or "").startswith(_TRACEBACK)
    _add(entry, text, number)
    return True


def _begun(text: str, number: int) -> _Open | None:
    """The message that a line begins, if it does."""
    bare = text.lstrip() if text[:1].isspace() else text
    if bare[:1] == "[":
        if found := _CPP.match(bare) or _PYTHON.match(bare):
            level, component, process, time, file, at, message = found.groups()
            source = f"{file}:{at}"
            return _opened("mindspore", level, component, source, time, number, message, process)
        if found := _AKG.match(bare):
            level, time, file, at, tag, message = found.groups()
            return _opened("akg", level, tag or "", f"{file}:{at}", time, number, message)
    elif bare.startswith(_TRACEBACK):
        begun = _opened("python", "ERROR", "", "", "", number, bare)
        begun.indent, begun.waits = len(text) - len(bare), True
        return begun
    if len(bare) > _SHORT and not bare.startswith("loc("):
        return None
    if any(word in bare for word in _MLIR_WORDS) and (found := _MLIR.match(bare)):
        level = _LEVELS.get(found[1], "ERROR") if found[1] else found[2] or "ERROR"
        begun = _opened("mlir", level, "", "", "", number, bare)
        begun.over = _OVER.match(bare) is not None
        return begun
    if bare is not text:
        return None
    if found := _EXCEPTION.match(bare):
        begun = _opened("python", "ERROR", found[1], "", "", number, bare)
        begun.waits = bare.endswith(_TRACEBACK)
        return begun
    if _NATIVE.match(bare):
        return _opened("native", "ERROR", "", "", "", number, bare)
    if any(word in bare for word in _DEATH_WORDS) and _DEATH.search(bare):
        return _opened("death", "ERROR", "", "", "", number, bare)
    return None


def _opened(
    kind: Kind,
    level: str,
    component: str,
    source: str,
    time: str,
    number: int,
    message: str,
    process: str = "",
) -> _Open:
    return _Open(
        *(kind, level, component, source, time, number, [message[:_LONGEST_LINE]], process),
        last=number,
        size=len(message),
    )
