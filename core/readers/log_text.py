"""The lines of a log as its programs wrote them: decoded, without colours and what stands before.

A log comes from anywhere: a terminal, a container, a launcher of many processes, a mail. What those
put in front of each line is taken off; where it tells processes apart, they are kept apart.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

#: The longest line seen, a fused kernel in an exception of MindSpore, has 14 kB.
LONGEST_LINE = 1 << 20
_MOST_STREAMS = 256

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: When it was written: containers, systemd, Python's logging.
_TIME = re.compile(
    r"\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]+(?:[-|] )?"
)
#: Who wrote it: ranks of a launcher, processes of MPI, services of compose, of Ray, of systemd.
_WHO = re.compile(
    r"(\[?rank[ _-]?\d+\]?\s*[:|]"
    r"|\[\d+,\d+\]<std(?:out|err)>\s?:"
    r"|[\w.-]*[-_]\d+\s+\|"
    r"|\([\w. ]+ pid=\d+(?:, ip=[\d.:]+)?\)"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w./-]+\[\d+\]:"
    r"|(?:stdout|stderr) F(?= ))"
    r"[ \t]?"
)
#: Quoted in a mail; the exception as pytest shows it.
_QUOTED = re.compile(r"> |E {3}(?=\S)")
_FIRST = frozenset("0123456789[(>EJFMASONDrRsw") | frozenset("abcdefghijklmnopqrstuvwxyz_")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log."""

    number: int  #: from 1
    stream: str  #: the process that wrote it, as the log names it; "" where it does not
    text: str


def read_lines(chunks: Iterable[bytes]) -> Iterator[Line]:
    """The lines of a log given in pieces, in linear time; a longer line than any is cut."""
    streams: set[str] = set()
    for number, raw in enumerate(_raw_lines(chunks), 1):
        text = raw
        if "\x1b" in text:
            text = _ESCAPE.sub("", text)
        if "\r" in text:
            text = text.rstrip("\r").rpartition("\r")[2]  # what a terminal shows in the end
        stream, text = _without_prefix(text)
        if stream and stream not in streams:
            if len(streams) >= _MOST_STREAMS:
                stream = ""
            else:
                streams.add(stream)
        yield Line(number, stream, text)


def _raw_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decode: codecs.IncrementalDecoder | None = None
    rest = ""
    for chunk in chunks:
        if decode is None:
            encoding, chunk = _encoding(chunk)
            decode = codecs.getincrementaldecoder(encoding)("replace")
        pieces = decode.decode(chunk).split("\n")
        pieces[0] = rest + pieces[0]
        rest = pieces.pop()[:LONGEST_LINE]
        for piece in pieces:
            yield piece[:LONGEST_LINE]
    if decode is not None:
        rest += decode.decode(b"", final=True)
    if rest:
        yield rest


def _encoding(start: bytes) -> tuple[str, bytes]:
    """How a log is encoded, and its start without the mark that says so."""
    for mark, encoding in _BOMS:
        if start.startswith(mark):
            return encoding, start[len(mark) :]
    sample = start[:4096]
    if sample.count(0) * 3 > len(sample):
        return ("utf-16-le" if sample[1:2] == b"\0" else "utf-16-be"), start
    return "utf-8", start


def _without_prefix(text: str) -> tuple[str, str]:
    stream = ""
    for _ in range(3):
        if text[:1] not in _FIRST:
            break
        if found := _TIME.match(text):
            text = text[found.end() :]
        elif found := _WHO.match(text):
            stream = stream or _name(found[1])
            text = text[found.end() :]
        elif found := _QUOTED.match(text):
            text = text[found.end() :]
        else:
            break
    return stream, text


def _name(prefix: str) -> str:
    """The process that a prefix names, without what changes from line to line."""
    if prefix.startswith("std"):
        return ""
    words = re.sub(r"^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d ", "", prefix)
    words = re.sub(r"<std(?:out|err)>", "", words)
    return words.strip("[]:|() \t")
