"""The files of a dump, read one at a time out of a folder or a zip; nothing is ever written.

What is opened may come from anyone: links are not followed, a zip is never extracted, and the
number and size of files are bounded before anything is read.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import threading
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

#: The largest dump seen has 865 files and 18.8 MB, its largest file 1.6 MB.
MAX_FILES = 20_000
MAX_FILE_BYTES = 128 << 20  # of a member of a zip; a log is read in pieces
MAX_TOTAL_BYTES = 1 << 30
MAX_WHOLE_BYTES = 32 << 20  # of a file that is held whole
MAX_READ_BYTES = 256 << 20  # of all files of one dump that are read whole
_MAX_DEPTH = 12
_END_RECORD_BYTES = 20 + 22 + 65_535  #: a zip's end record with the longest comment, and zip64's
_MEMBER_BYTES = 512  #: what one member takes in a zip's list, names and extras included

_LONGEST_SENTENCE = 600

#: What reading a zip raises where its bytes are not those that were written.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, ArithmeticError),
    *(LookupError, RuntimeError),  # the latter is that of an encrypted member as well
)

_STORED_OR_DEFLATED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ReadError(ValueError):
    """What cannot be read: one sentence saying what is wrong, where, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(_printable(sentence))


def _printable(sentence: str) -> str:
    """The sentence on one line, whatever a file's name or content has put into it."""
    words = " ".join(clean(sentence).split())
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in words)
    if len(shown) <= _LONGEST_SENTENCE:
        return shown
    half = _LONGEST_SENTENCE // 2
    return f"{shown[:half]} … {shown[-half:]}"


def clean(name: str) -> str:
    """A name as text: bytes of it that are no UTF-8 are replaced."""
    if name.isascii():
        return name
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file."""

    path: str  #: relative, with "/"
    bytes: int
    modified: float  #: seconds; in a zip to the even second


class Source(ABC):
    """Regular files by relative path."""

    def __init__(self, name: str, entries: dict[str, Entry]) -> None:
        self.name = clean(name)  #: of the folder, or of the zip without its suffix
        self.entries = entries
        self._whole: set[str] = set()  # that were read
        self._bytes = 0  # of these

    def read(self, path: str) -> bytes:
        """The whole of one file. Raises KeyError where there is none, ReadError where it is bad."""
        size = self.entries[path].bytes
        if size > MAX_WHOLE_BYTES:
            raise ReadError(
                f"{path} is larger than {MAX_WHOLE_BYTES >> 20} MiB, which no file of a dump is; "
                "leave it out."
            )
        if path not in self._whole:
            self._whole.add(path)
            self._bytes += size
            if self._bytes > MAX_READ_BYTES:
                raise ReadError(
                    f"{self.name} holds more than {MAX_READ_BYTES >> 20} MiB of IR, which no dump "
                    "does; open the folder or zip of one dump alone."
                )
        return self._read(path)

    @abstractmethod
    def _read(self, path: str) -> bytes:
        """The same, of a file that is not too large."""

    @abstractmethod
    def stream(self, path: str) -> BinaryIO:
        """One file to be read from its start. Raises as `read` does, also while it is read."""

    def part(self, path: str, offset: int, length: int) -> bytes | None:
        """Some bytes of one file; None where files can only be read from their start."""
        return None

    def text(self, path: str) -> tuple[str, bool]:
        """The text of one file, and whether bytes that are no UTF-8 had to be replaced."""
        return decode(self.read(path))

    def under(self, folder: str) -> Iterator[str]:
        """The paths below a folder ("" for all)."""
        prefix = f"{folder}/" if folder else ""
        return (path for path in self.entries if path.startswith(prefix))


def decode(data: bytes) -> tuple[str, bool]:
    """Bytes as text, and whether some were no UTF-8 and had to be replaced."""
    try:
        return data.decode(), False
    except UnicodeDecodeError:
        return data.decode(errors="replace"), True


def digest(data: bytes) -> str:
    """The content hash by which texts are kept."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class FolderSource(Source):
    """A folder. Links, sockets and devices in it are passed over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._named: dict[str, str] = {}  # what the file system calls a path that is no UTF-8
        entries: dict[str, Entry] = {}
        try:
            for entry in _walk(folder, "", 0):
                path = clean(entry.path)
                if path != entry.path:
                    self._named[path] = entry.path
                entries[path] = replace(entry, path=path)
                if len(entries) > MAX_FILES:
                    raise ReadError(
                        f"{folder} holds more than {MAX_FILES:,} files; open the dump's own folder."
                    )
        except OSError as wrong:
            raise ReadError(f"{folder} cannot be listed: {wrong.strerror}.") from None
        super().__init__(folder.resolve().name, entries)

    def _read(self, path: str) -> bytes:
        return self.part(path, 0, self.entries[path].bytes)

    def stream(self, path: str) -> BinaryIO:
        if path not in self.entries:
            raise KeyError(path)
        try:
            # Opened without following a link that has replaced the file since it was listed.
            file = self._folder / self._named.get(path, path)
            handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            return os.fdopen(handle, "rb")
        except FileNotFoundError:
            raise KeyError(path) from None
        except OSError as wrong:
            raise ReadError(f"{path} cannot be read: {wrong.strerror}.") from None

    def part(self, path: str, offset: int, length: int) -> bytes:
        with self.stream(path) as file:
            try:
                file.seek(offset)
                return file.read(length)
            except OSError as wrong:
                raise ReadError(f"{path} cannot be read: {wrong.strerror}.") from None


class FileSource(FolderSource):
    """One file alone."""

    def __init__(self, path: Path) -> None:
        self._file = path
        try:
            status = path.stat()
        except OSError as wrong:
            raise ReadError(f"{path.name} cannot be opened: {wrong.strerror}.") from None
        name = clean(path.name)
        entry = Entry(name, status.st_size, status.st_mtime)
        Source.__init__(self, name.partition(".")[0] or name, {name: entry})

    def stream(self, path: str) -> BinaryIO:
        if path not in self.entries:
            raise KeyError(path)
        try:
            return self._file.open("rb")  # its user named it, link or not
        except FileNotFoundError:
            raise KeyError(path) from None
        except OSError as wrong:
            raise ReadError(f"{path} cannot be read: {wrong.strerror}.") from None


def _walk(folder: Path, prefix: str, depth: int) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        for item in sorted(found, key=lambda each: each.name):
            path = f"{prefix}{item.name}"
            if item.is_dir(follow_symlinks=False):
                if depth < _MAX_DEPTH:
                    yield from _walk(folder / item.name, f"{path}/", depth + 1)
                continue
            status = item.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                yield Entry(path, status.st_size, status.st_mtime)


class ZipSource(Source):
    """A zip, read member by member without extracting it."""

    def __init__(self, path: Path) -> None:
        try:
            _check_directory(path)
            self._zip = zipfile.ZipFile(path)
        except ReadError:
            raise
        except _DAMAGE:
            raise ReadError(
                f"{path.name} is no whole zip file; save or send it again, or open the folder."
            ) from None
        except OSError as wrong:
            raise ReadError(f"{path.name} cannot be opened: {wrong.strerror}.") from None
        try:
            self._members = _members(path.name, self._zip.infolist())
        except ReadError:
            self._zip.close()
            raise
        self._lock = threading.Lock()
        entries = {
            inside: Entry(inside, info.file_size, _time(info))
            for inside, info in self._members.items()
        }
        super().__init__(path.stem, entries)

    def _read(self, path: str) -> bytes:
        info = self._members[path]
        try:
            with self._lock, self._zip.open(info) as file:
                # Given no size, zipfile inflates all there is, whatever the member declares.
                return file.read(info.file_size)
        except _DAMAGE:
            raise ReadError(
                f"{path} in the zip is damaged; save or send the zip again, or open the folder."
            ) from None
        except OSError as wrong:
            raise ReadError(f"{path} in the zip cannot be read: {wrong.strerror}.") from None

    def stream(self, path: str) -> BinaryIO:
        try:
            return cast(BinaryIO, self._zip.open(self._members[path]))
        except (*_DAMAGE, OSError):
            raise ReadError(
                f"{path} in the zip is damaged; save or send the zip again, or open the folder."
            ) from None

    def __del__(self) -> None:
        if hasattr(self, "_zip"):
            self._zip.close()


def _check_directory(path: Path) -> None:
    """Refuse a zip whose list of members alone would fill the memory when it is opened.

    Layouts of the two end records: APPNOTE.TXT 4.3.14 to 4.3.16.
    """
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - _END_RECORD_BYTES))
        tail = file.read(_END_RECORD_BYTES)
        at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) < at + 22:
            raise zipfile.BadZipFile
        listed = int.from_bytes(tail[at + 12 : at + 16], "little")
        if at >= 20 and tail[at - 20 : at - 16] == b"PK\x06\x07":
            file.seek(int.from_bytes(tail[at - 12 : at - 4], "little"))
            listed = max(listed % 0xFFFFFFFF, int.from_bytes(file.read(56)[40:48], "little"))
    if listed > MAX_FILES * _MEMBER_BYTES:
        raise ReadError(
            f"{path.name} lists more than {MAX_FILES:,} files; zip the dump's folder alone."
        )


def _members(name: str, infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The regular files of a zip by path. Raises ReadError for a zip that is not to be read."""
    if len(infos) > MAX_FILES:
        raise ReadError(f"{name} holds more than {MAX_FILES:,} files; zip the dump's folder alone.")
    total = 0
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        inside = clean(info.filename.replace("\\", "/"))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if inside.startswith("/") or ".." in PurePosixPath(inside).parts or inside[1:3] == ":/":
            raise ReadError(
                f"{name} has a member outside its own folder, {inside!r}; zip it again."
            )
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ReadError(
                f"{name} has a member that is a link or a device, {inside!r}; zip plain files."
            )
        if info.is_dir() or inside.endswith("/") or inside.startswith("__MACOSX/"):
            continue
        if info.flag_bits & 1:
            raise ReadError(f"{name} is encrypted; zip the dump without a password.")
        if info.compress_type not in _STORED_OR_DEFLATED:
            raise ReadError(
                f"{name} is packed in a way other than deflate; zip it with the usual settings."
            )
        total += info.file_size
        if info.file_size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES:
            raise ReadError(
                f"{name} unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB, or {inside!r} alone to "
                f"more than {MAX_FILE_BYTES >> 20} MiB, which no dump does; zip the dump alone."
            )
        members[str(PurePosixPath(inside))] = info
    return members


def _time(info: zipfile.ZipInfo) -> float:
    year, month, day, hour, minute, second = info.date_time
    # Only compared within one zip, so months of equal length do.
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60.0 + second


class SourceTexts:
    """Texts of a source by content hash, read when asked for (the `Texts` protocol)."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._paths: dict[str, str] = {}
        self._made: dict[str, str] = {}
        self.replaced: list[str] = []  #: files with bytes that are no UTF-8

    def add(self, path: str, data: bytes) -> str:
        """Remember where a text is; gives its hash. `data` is what the file holds."""
        try:
            data.decode()
        except UnicodeDecodeError:
            if path not in self.replaced:
                self.replaced.append(path)
            data = data.decode(errors="replace").encode()
        key = digest(data)
        self._paths.setdefault(key, path)
        return key

    def put(self, text: str) -> str:
        """Keep a text that is in no file of its own."""
        key = digest(text.encode())
        self._made[key] = text
        return key

    def get(self, digest: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept."""
        if digest in self._made:
            return self._made[digest]
        return self._source.text(self._paths[digest])[0]
