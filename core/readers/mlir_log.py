"""What MLIR tools print of the IR around each pass: found in a log, indexed, read when asked for.

`PassManager::enableIRPrinting` (mlir/lib/Pass/IRPrinting.cpp) prints a line for each dump,

    // -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //

with the operation in parentheses only where whole modules are printed; then the operation, then
an empty line. Up to MLIR 14 the argument in parentheses is absent. Everything between the end of
an operation and the next such line was printed by somebody else.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import tempfile
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, BinaryIO

from core.readers.source import MAX_WHOLE_BYTES, ReadError, Source, decode

MARK = b"// -----// IR Dump "
#: A module of 2 MB printed after each of 500 passes; what packs to more than that is no log.
MAX_LOG_BYTES = 1 << 30
MAX_PACKED_BYTES = 256 << 20  # likewise, of a log that has to be unpacked first
MAX_DUMPS = 20_000  # the most seen are 1,032

_CHUNK = 1 << 20
_WORDS_KEPT = 2 << 20  # bytes of what is printed between dumps; the longest seen was 60 kB
_LEAST_WORDS = 4096  # of each, when there is no more room
_GZIP = b"\x1f\x8b"
_WIDE = (b"\xff\xfe", b"\xfe\xff")

_HEADER = re.compile(
    rb"// -----// IR Dump (Before|After) (\S.*?)( Failed)?"
    rb"(?: \(([\w.,:+-]*)\))?"
    rb"(?: \('([\w.]+)' operation(?:: @(.*?))?\))?"
    rb" //----- //\r?$"
)
#: The first line of the operation itself: custom or generic form.
_OPERATION = re.compile(rb'"?([A-Za-z_][\w$]*(?:\.[\w$]+)*)"?')
_SYMBOL = re.compile(rb'@(?:"((?:[^"\\]|\\.)*)"|([\w$.-]+))')
_GENERIC_SYMBOL = re.compile(rb'sym_name = "((?:[^"\\]|\\.)*)"')
#: How lines begin that are no IR.
_SAID = re.compile(
    rb'(?m)^(?:loc\("|loc\(unknown|loc\(fused|loc\(callsite'
    rb"|\[(?:ERROR|NOTE|WARNING|INFO|DEBUG)\]"
    rb"|\S+:\d+:\d+: (?:error|warning|note|remark): |<unknown>:0: |error: |warning: "
    rb"|PLEASE submit|LLVM ERROR|Stack dump|\S+: \S.*Assertion .*failed|terminate called"
    rb"|Traceback \(most|\[Warning\])"
)
#: What none of a whole operation's lines holds; to look for these is much quicker than for _SAID.
_NOT_IR = (b"\nloc(", b"\n[", b"\nLLVM ERROR", b": error: ", b": warning: ", MARK)
_SPEC = b"dlti.target_system_spec"
_MODULE = "builtin.module"
_SHORT_NAMES = {"module": _MODULE, "func": "func.func"}


@dataclass(frozen=True, slots=True)
class Dump:
    """One printing of the IR before or after a pass. Offsets are those in the unpacked log."""

    after: bool  #: else before
    name: str  #: class name of the pass, as printed
    argument: str  #: its name on the command line; "" where that is not printed
    failed: bool
    operation: str  #: kind of the operation that the pass ran on: builtin.module, func.func …
    symbol: str  #: that operation's name; "" where it has none
    printed: str  #: kind of the operation whose text this is
    offset: int
    bytes: int
    lines: int
    digest: str
    whole: bool  #: the text is one complete operation
    path: str  #: the file that it is in

    @property
    def of_module(self) -> bool:
        """True where the text is the whole module, whatever the pass ran on."""
        return self.printed == _MODULE

    @property
    def unit(self) -> str:
        """The function that the pass ran on; "" for the whole module."""
        return "" if self.operation == _MODULE else self.symbol


@dataclass(slots=True)
class Log:
    """The dumps of a log in its order, and what was printed between them."""

    dumps: list[Dump] = field(default_factory=list)
    words: list[tuple[int, str]] = field(default_factory=list)  #: dumps before it, text
    said: int = 0  #: characters of these
    bytes: int = 0  #: of the unpacked log
    marks: int = 0  #: how often the mark of a dump is there, torn ones included
    cut: str = ""  #: why the end could not be read; "" where all of it was
    spec: str | None = None  #: the first text that describes the chip, by its hash


class LogTexts:
    """The texts of a log by content hash, read when asked for (the `Texts` protocol).

    A log in a plain file is read again in places; one that is packed was unpacked once, into a
    file without a name that goes away with this object. So are texts that are in no file.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._unpacked: dict[str, IO[bytes]] = {}  # by path
        self._places: dict[str, tuple[str | None, int, int]] = {}
        self._made: IO[bytes] | None = None
        self._lock = threading.Lock()  # around the files that have one position for all
        self.replaced = False  #: some bytes are no UTF-8

    def place(self, data: bytes, path: str, offset: int) -> str:
        """Remember where a text is; gives its hash."""
        key = digest(data)
        if key not in self._places:
            if not data.isascii() and decode(data)[1]:
                self.replaced = True
                key = digest(decode(data)[0].encode())
            self._places[key] = (path, offset, len(data))
        return key

    def unpacked(self, path: str) -> IO[bytes]:
        """Where to write the unpacked form of a file, in which its texts are then found."""
        self._unpacked[path] = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open
        return self._unpacked[path]

    def put(self, text: str) -> str:
        """Keep a text that is in no file."""
        data = text.encode()
        key = digest(data)
        if key not in self._places:
            with self._lock:
                if self._made is None:
                    self._made = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open
                self._places[key] = (None, self._made.seek(0, os.SEEK_END), len(data))
                self._made.write(data)
        return key

    def get(self, digest_: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept, or no longer there."""
        path, offset, length = self._places[digest_]
        text = decode(self._read(path, offset, length))[0]
        if digest(text.encode()) != digest_:
            raise KeyError(digest_)  # the file was written anew since
        return text

    def _read(self, path: str | None, offset: int, length: int) -> bytes:
        own = self._made if path is None else self._unpacked.get(path)
        if own is not None:
            with self._lock:
                own.seek(offset)
                return own.read(length)
        assert path is not None
        found = self._source.part(path, offset, length)
        return found if found is not None else self._source.read(path)[offset : offset + length]


def digest(data: bytes) -> str:
    """The content hash by which texts are kept."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def has_dumps(source: Source, path: str, within: int) -> bool:
    """Whether the first bytes of a file hold a dump."""
    try:
        with source.stream(path) as raw, _plain(raw) as file:
            return MARK in file.read(within)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ReadError, KeyError):
        return False


def read_log(source: Source, path: str, texts: LogTexts) -> Log:
    """Index a log, packed or not. Raises ReadError where it is no text, or too large."""
    log = Log()
    with source.stream(path) as raw, _plain(raw) as file:
        packed = file is not raw or source.part(path, 0, 0) is None
        copy = texts.unpacked(path) if packed else None
        for header, offset, body in _sections(_Copied(file, copy, log, path), path):
            _add(log, texts, path, header, offset, body)
    return log


def alone(texts: LogTexts, path: str, data: bytes, name: str, argument: str) -> Dump:
    """A text that has a file of its own, as what a pass of this name made."""
    start, end, whole = _extent(data)
    text = data[start:end]
    printed, symbol = _described(text)
    key = texts.place(text, path, start)
    return Dump(
        *(True, name, argument, False, printed, symbol, printed),
        *(start, len(text), _lines(text), key, whole, path),
    )


class _Copied:
    """A stream read in chunks, counted, and copied to where its texts are read from later."""

    def __init__(self, file: BinaryIO, copy: IO[bytes] | None, log: Log, path: str) -> None:
        self._file, self._copy, self._log, self._path = file, copy, log, path

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._next():
            self._log.bytes += len(chunk)
            most = MAX_PACKED_BYTES if self._copy else MAX_LOG_BYTES
            if self._log.bytes > most:
                packed = ", unpack it," if self._copy else ""
                raise ReadError(
                    f"{self._path} holds more than {most >> 20} MiB of text; print only "
                    f"what changes (--mlir-print-ir-after-change){packed} or cut it."
                )
            if self._copy:
                self._copy.write(chunk)
            yield chunk

    def _next(self) -> bytes:
        if self._log.cut:
            return b""
        try:
            return self._file.read(_CHUNK)
        except EOFError:
            self._log.cut = "the packed file ends in the middle"
        except (OSError, zlib.error, zipfile.BadZipFile) as wrong:
            self._log.cut = f"the file is damaged ({str(wrong)[:60]})"
        return b""


def _plain(raw: BinaryIO) -> BinaryIO:
    """The stream itself, unpacked where it is gzip."""
    try:
        start = raw.read(2)
        raw.seek(0)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile):
        raise ReadError("The log is damaged; save or send it again.") from None
    if start == _GZIP:
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]  # it is one but in name
    if start in _WIDE:
        raise ReadError(
            "The log is UTF-16, as some shells write what they redirect; save it as UTF-8."
        )
    return raw


def _sections(
    chunks: Iterable[bytes], path: str
) -> Iterator[tuple[re.Match[bytes] | None, int, bytes]]:
    """The log cut in front of each header: header, offset of what follows it, and that."""
    held = bytearray()
    base = 0  # offset of `held` in the log
    header: re.Match[bytes] | None = None
    start = look = 0  # in `held`: where the section begins, and from where to look for the next
    for chunk in chunks:
        held += chunk
        while (at := held.find(MARK, look)) >= 0:
            line_end = held.find(b"\n", at)
            if line_end < 0:
                break
            found = _HEADER.match(bytes(held[at:line_end]))
            look = line_end + 1
            if found is None:
                continue
            yield header, base + start, bytes(held[start:at])
            header, start = found, look
        look = max(start, look, len(held) - len(MARK)) if at < 0 else at
        del held[:start]
        base += start
        look -= start
        start = 0
        if len(held) > MAX_WHOLE_BYTES:
            size = f"{MAX_WHOLE_BYTES >> 20} MiB"
            what = f"a dump of more than {size}" if header else f"no IR in its first {size}"
            raise ReadError(f"{path} holds {what}; cut the log, or print less.")
    rest = bytes(held)
    last = rest.find(MARK, look)
    if last >= 0 and (found := _HEADER.match(rest[last:])):
        yield header, base, rest[:last]
        header, base, rest = found, base + len(rest), b""
    yield header, base, rest


def _add(
    log: Log,
    texts: LogTexts,
    path: str,
    header: re.Match[bytes] | None,
    offset: int,
    body: bytes,
) -> None:
    log.marks += body.count(MARK) + (header is not None)
    if header is None:
        _say(log, body, 0)
        return
    if len(log.dumps) >= MAX_DUMPS:
        raise ReadError(
            f"{path} holds more than {MAX_DUMPS:,} dumps; print only what changes "
            "(--mlir-print-ir-after-change) or cut it."
        )
    start, end, whole = _extent(body)
    text = body[start:end]
    printed, symbol = _described(text)
    when, name, failed, argument, operation, of = header.groups()
    log.dumps.append(
        Dump(
            after=when == b"After",
            name=_text(name),
            argument=_text(argument),
            failed=failed is not None,
            operation=_text(operation) or printed,
            symbol=_text(of) if operation else symbol,
            printed=printed,
            offset=offset + start,
            bytes=len(text),
            lines=_lines(text),
            digest=texts.place(text, path, offset + start),
            whole=whole,
            path=path,
        )
    )
    if log.spec is None and _SPEC in text:
        log.spec = log.dumps[-1].digest
    _say(log, body[:start], len(log.dumps) - 1)
    _say(log, body[end:], len(log.dumps))


def _say(log: Log, data: bytes, after: int) -> None:
    """Keep what was printed between dumps; of very much of it the beginning and the end."""
    if not data.strip():
        return
    room = max(_WORDS_KEPT - log.said, _LEAST_WORDS)
    if len(data) > room:
        data = data[: room // 2] + b"\n" + data[-room // 2 :]
    log.words.append((after, decode(data)[0]))
    log.said += len(data)


def _extent(body: bytes) -> tuple[int, int, bool]:
    """Where in what follows a header the operation begins and ends, and whether it is whole."""
    start, first, first_end = _first_line(body)
    if first < 0:
        return start, start, False
    line = body[first:first_end].rstrip()
    if line.endswith(b"{") or line.endswith(b"("):
        close = body.find(b"\n}", first_end - 1)
        while close >= 0 and body.startswith(b"\n}, {", close):
            close = body.find(b"\n}", close + 1)
        if close < 0:
            said = _SAID.search(body, first)
            return start, said.start() if said else len(body), False
        end = _line_end(body, close + 1)
    else:
        end = first_end
    end = _with_aliases(body, end)
    text = body[start:end]
    torn = text.count(b"{") != text.count(b"}") or any(said in text for said in _NOT_IR)
    return start, end, not torn


def _first_line(body: bytes) -> tuple[int, int, int]:
    """Where the text begins, where its operation does, and where that one's first line ends.

    Aliases (`#map = …`) come before the operation; words of somebody else before them are left
    out. The second number is -1 where there is no operation.
    """
    start = at = 0
    while at < len(body):
        end = _line_end(body, at)
        letter = body[at : at + 1]
        if letter in (b"\n", b"\r") or body[at:end].isspace():
            if start == at:
                start = end
        elif letter in (b"#", b"!", b"/"):
            pass
        elif _SAID.match(body, at):
            start = end
        else:
            return start, at, end
        at = end
    return start, -1, start


def _with_aliases(body: bytes, end: int) -> int:
    """The end of the aliases and resources that follow an operation."""
    at = end
    while at < len(body):
        if body.startswith(b"{-#", at):
            close = body.find(b"#-}", at)
            if close < 0:
                return end
            end = at = _line_end(body, close)
        elif body[at : at + 1] in (b"#", b"!"):
            end = at = _line_end(body, at)
        elif body[at : at + 1] == b"\n":
            at += 1
        else:
            break
    return end


def _described(text: bytes) -> tuple[str, str]:
    """Kind and name of the operation whose text this is."""
    _, first, end = _first_line(text)
    if first < 0:
        return "", ""
    line = text[first:end]
    found = _OPERATION.match(line)
    if found is None:
        return "", ""
    kind = _text(found[1])
    if line.startswith(b'"'):
        named = _GENERIC_SYMBOL.search(line)
        return kind, _text(named[1]) if named else ""
    kind = _SHORT_NAMES.get(kind, kind)
    # The name stands before the arguments, whose attributes may name other symbols.
    symbol = _SYMBOL.search(line[: line.find(b"(")] if b"(" in line else line)
    if kind == _MODULE and symbol and b"attributes" in line[: symbol.start()]:
        symbol = None
    return kind, _text(symbol[1] or symbol[2]) if symbol else ""


def _line_end(body: bytes, at: int) -> int:
    end = body.find(b"\n", at)
    return len(body) if end < 0 else end + 1


def _lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") if text else 0)


def _text(data: bytes | None) -> str:
    return decode(data)[0] if data else ""
