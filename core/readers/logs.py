"""A log as somebody pastes or uploads it: what was said in it, the failures, what was recompiled.

Reads any text, of MindSpore, AKG, bishengir-compile, Triton, and of whatever else printed into the
same file, in linear time; what is kept of it is bounded.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.readers.log_events import Recovered, events
from core.readers.log_failures import Failures, Layer, LoggedFailure, doubtful
from core.readers.log_lines import Counts, LogLine, read_messages
from core.readers.log_text import read_lines
from core.readers.recompiles import Recompiled, Recompiles, Shapes
from core.readers.source import ReadError

__all__ = [
    "Layer",
    "LogLine",
    "LoggedFailure",
    "ReadLog",
    "Recompiled",
    "Recovered",
    "Shapes",
    "read_log",
    "read_log_file",
]

MAX_BYTES = 512 << 20
_CHUNK = 1 << 20
_MOST_LINES = 4000  # messages that are kept, half of them the last ones
_KEPT_LEVELS = ("WARNING", "ERROR", "CRITICAL", "FATAL", "NOTE")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class ReadLog:
    """What a log tells."""

    failures: tuple[LoggedFailure, ...]  #: in the order of the log
    #: lines in no known form that may tell of a failure; for who knows failures by their words
    doubtful: tuple[LoggedFailure, ...]
    recovered: tuple[Recovered, ...]  #: attempts that failed and did not matter
    messages: tuple[LogLine, ...]  #: warnings and worse; of very many the first ones and the last
    recompiled: tuple[Recompiled, ...]  #: what MindSpore compiled, the most often first
    levels: dict[str, int]  #: messages by level
    lines: int
    bytes: int
    dumps: int  #: printings of IR; where there are some, the log is a trace
    notes: tuple[str, ...] = ()  #: what a reader should know, one sentence each


def read_log(text: str | bytes | Iterable[bytes]) -> ReadLog:
    """Read a log that is a text, or comes in pieces. Raises ReadError where it is too large."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    chunks = _pieces(text) if isinstance(text, bytes) else text
    size = _Size()
    counts = Counts()
    failures, recompiles = Failures(), Recompiles()
    first: list[LogLine] = []
    last: deque[LogLine] = deque(maxlen=_MOST_LINES // 2)
    for said in read_messages(read_lines(size.counted(_unpacked(chunks))), counts):
        if said.kind == "mindspore":
            recompiles.take(said)
        if said.level in _KEPT_LEVELS:
            failures.take(events(said))
            (first.append if len(first) < _MOST_LINES // 2 else last.append)(said)
    found = failures.found()
    return ReadLog(
        failures=found,
        doubtful=doubtful(counts.doubtful),
        recovered=tuple(failures.recovered),
        messages=(*first, *last),
        recompiled=recompiles.found(),
        levels=counts.levels,
        lines=counts.lines,
        bytes=size.bytes,
        dumps=counts.dumps,
        notes=tuple(_notes(counts, failures.left_out, size)),
    )


def read_log_file(path: Path) -> ReadLog:
    """Read a log in a file, gzipped or not. Raises ReadError."""
    try:
        with path.open("rb") as file:
            return read_log(iter(lambda: file.read(_CHUNK), b""))
    except OSError as wrong:
        raise ReadError(f"{path.name} cannot be read: {wrong.strerror or wrong}.") from None


class _Size:
    def __init__(self) -> None:
        self.bytes = 0
        self.damaged = ""

    def counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        while True:
            try:
                chunk = next(chunks, b"")
            except (OSError, EOFError, zlib.error) as wrong:
                self.damaged = str(wrong)[:80]
                return
            if not chunk:
                return
            self.bytes += len(chunk)
            if self.bytes > MAX_BYTES:
                raise ReadError(
                    f"The log has more than {MAX_BYTES >> 20} MiB; cut it to the part in which "
                    "the failure is."
                )
            yield chunk


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a log, unpacked where it is gzip."""
    pieces = iter(chunks)
    start = next(pieces, b"")
    if not start.startswith(_GZIP):
        yield start
        yield from pieces
        return
    packed = io.BufferedReader(_Joined(start, pieces), _CHUNK)
    with gzip.GzipFile(fileobj=packed) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


class _Joined(io.RawIOBase):
    """Pieces as a file."""

    def __init__(self, start: bytes, pieces: Iterator[bytes]) -> None:
        self._held, self._pieces = start, pieces

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._held:
            self._held = next(self._pieces, b"")
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        return count


def _notes(counts: Counts, left_out: int, size: _Size) -> Iterator[str]:
    if counts.dumps:
        times = "once" if counts.dumps == 1 else f"{counts.dumps:,} times"
        yield f"The log holds the IR itself, printed {times}: open it as a trace to see every pass."
    if left_out:
        yield f"{left_out:,} more failures were found than are listed."
    if size.damaged:
        yield f"The packed file is damaged, so its end was not read ({size.damaged})."
