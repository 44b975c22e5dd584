"""What was compiled: traces with their texts, listed, opened, deleted, carried in and out.

A text is kept once, whichever traces share it, compressed, by its content hash. Opening a trace
reads its document alone; a text is read when it is looked at.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
import secrets
import sqlite3
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import zstandard

from core.analysis.studied import VERSION, Study
from core.database import Database, LibraryError
from core.kernel import Kernel
from core.readers import ReadError, open_trace
from core.trace import Texts, Trace
from core.trace_json import (
    DocumentError,
    from_json,
    kernel_from_json,
    kernel_to_json,
    study_from_json,
    study_to_json,
    to_json,
)

__all__ = ["Library", "LibraryError", "NewTrace", "TraceRow", "text_hash", "texts_of"]

TraceOrigin = Literal["compiled", "imported", "recorded"]

_ZSTD_LEVEL = 3
_READ_AT_ONCE = 32  # texts
_HINTS_SHOWN = 120  # characters
_FAILURE_SHOWN = 300
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")

_log = logging.getLogger(__name__)


class TraceRow(NamedTuple):
    """One line of the table of traces."""

    id: str
    kernel: str
    compiler: str  #: name and version
    target: str
    status: str  #: a `Status` value
    passes: int
    changed: int  #: passes that changed something, or failed
    limiter: str | None  #: the fullest memory
    occupancy: float | None  #: of the limiter, 1.0 = full
    hints: str  #: what was asked, in one line
    created: datetime  #: when it came into this library, UTC
    parent: str | None  #: the trace that this one is a re-run of
    origin: TraceOrigin
    block_dim: int | None
    failure: str | None  #: one line


_COLUMNS = ", ".join(TraceRow._fields)
_CREATED = TraceRow._fields.index("created")


@dataclass(frozen=True, slots=True)
class NewTrace:
    """A trace made ready to be written: everything slow is done before the transaction begins."""

    id: str
    trace: Trace
    texts: Texts
    compressed: Mapping[str, tuple[int, bytes]]  #: hash to (bytes, zstd) of texts not kept yet
    kernel: tuple[str, bytes] | None  #: hash of its document, and the document, zstd
    document: bytes  #: zstd
    parent: str | None
    origin: TraceOrigin


class Library:
    """The traces of one home. Threads may share it, and several processes may open one home."""

    def __init__(self, home: Path) -> None:
        """Open `home/library.sqlite`, made where it is absent. Raises LibraryError."""
        self.home = home
        self.database = Database(home)

    @property
    def notice(self) -> str:
        """One sentence where the library was found damaged and begun afresh; else ""."""
        return self.database.notice

    def close(self) -> None:
        self.database.close()

    # Texts

    def get(self, digest: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept."""
        return self.blob(digest).decode("utf-8", "surrogatepass")

    def blob(self, digest: str) -> bytes:
        """The text with this hash as UTF-8. Raises KeyError where it is not kept."""
        with self.database.reading() as connection:
            found = connection.execute(
                "SELECT zstd FROM texts WHERE digest = ?", (digest,)
            ).fetchone()
        if found is None:
            raise KeyError(digest)
        return expanded(found[0])

    def blobs(self, digests: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Each of these texts once, as UTF-8, with its hash, in no order; a few at a time are held.

        Raises KeyError where one is not kept.
        """
        decompressor = zstandard.ZstdDecompressor()
        for some in _batches(sorted(set(digests)), _READ_AT_ONCE):
            marks = ", ".join("?" * len(some))
            with self.database.reading() as connection:
                found = connection.execute(
                    f"SELECT digest, zstd FROM texts WHERE digest IN ({marks})", some
                ).fetchall()
            if len(found) < len(some):
                raise KeyError(min(set(some) - {digest for digest, _ in found}))
            for digest, zstd in found:
                yield digest, decompressor.decompress(zstd)

    # Traces

    def add(
        self,
        trace: Trace,
        texts: Texts,
        kernel: Kernel | None = None,
        *,
        parent: str | None = None,
        origin: TraceOrigin = "compiled",
        id: str | None = None,
    ) -> str:
        """Keep a trace and its texts, all or nothing; its id. Raises LibraryError."""
        new = self.prepare(trace, texts, kernel, parent=parent, origin=origin, id=id)
        with self.database.writing() as connection:
            self.write(connection, new)
        return new.id

    def prepare(
        self,
        trace: Trace,
        texts: Texts,
        kernel: Kernel | None = None,
        *,
        parent: str | None = None,
        origin: TraceOrigin = "compiled",
        id: str | None = None,
    ) -> NewTrace:
        """What `write` will put into somebody's transaction. Raises LibraryError."""
        if id is not None and not _ID.fullmatch(id):
            raise LibraryError(
                f"The trace id {id!r} cannot be used; use letters, digits, dots and dashes."
            )
        wanted = texts_of(trace)
        with self.database.reading() as connection:
            kept = _kept(connection, wanted)
        return NewTrace(
            id=id or secrets.token_hex(6),
            trace=trace,
            texts=texts,
            compressed={d: _compressed_text(texts, d) for d in sorted(wanted - kept.keys())},
            kernel=compressed_kernel(kernel) if kernel else None,
            document=compressed_trace(trace),
            parent=parent,
            origin=origin,
        )

    def write(self, connection: sqlite3.Connection, new: NewTrace) -> None:
        """Insert inside the transaction of `connection`. Raises LibraryError for a known id."""
        trace = new.trace
        limiter, failure = trace.limiter, trace.failure
        row = {
            "id": new.id,
            "kernel": trace.kernel,
            "compiler": f"{trace.compiler.name} {trace.compiler.version}".strip(),
            "target": trace.target,
            "status": trace.status.value,
            "passes": len(trace.passes),
            "changed": len(trace.changed),
            "limiter": limiter.memory if limiter else None,
            "occupancy": limiter.occupancy if limiter else None,
            "hints": _shown_hints(trace.hints.asked),
            "created": time.time(),
            "parent": new.parent,
            "origin": new.origin,
            "block_dim": trace.block_dim,
            "failure": _cut(failure.message, _FAILURE_SHOWN) if failure else None,
            "kernel_id": write_kernel(connection, *new.kernel) if new.kernel else None,
        }
        try:
            number = connection.execute(
                f"INSERT INTO traces ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                tuple(row.values()),
            ).lastrowid
        except sqlite3.IntegrityError:
            raise LibraryError(
                f"A trace {new.id} is in the library already; delete it first or use another id."
            ) from None
        connection.execute("INSERT INTO documents VALUES (?, ?)", (number, new.document))
        wanted = texts_of(trace)
        kept = _kept(connection, wanted)
        for digest in sorted(wanted - kept.keys()):
            # Where it was kept a moment ago and has been deleted since, it is compressed here.
            size, zstd = new.compressed.get(digest) or _compressed_text(new.texts, digest)
            kept[digest] = _new_row(
                connection,
                "INSERT INTO texts (digest, bytes, zstd) VALUES (?, ?, ?)",
                (digest, size, zstd),
            )
        connection.executemany(
            "INSERT INTO trace_texts VALUES (?, ?)", [(number, text) for text in kept.values()]
        )

    def trace(self, id: str) -> Trace:
        """A trace by its id. Raises LibraryError."""
        with self.database.reading() as connection:
            found = connection.execute(
                "SELECT d.zstd FROM traces t JOIN documents d ON d.trace = t.number WHERE t.id = ?",
                (id,),
            ).fetchone()
        if found is None:
            raise _absent(id)
        return expanded_trace(found[0])

    def kernel(self, id: str) -> Kernel | None:
        """The kernel of a trace; None where it came without. Raises LibraryError."""
        with self.database.reading() as connection:
            found = connection.execute(
                "SELECT k.zstd FROM traces t LEFT JOIN kernels k ON k.id = t.kernel_id"
                " WHERE t.id = ?",
                (id,),
            ).fetchone()
        if found is None:
            raise _absent(id)
        return expanded_kernel(found[0]) if found[0] else None

    def row(self, id: str) -> TraceRow:
        """The table line of a trace. Raises LibraryError."""
        with self.database.reading() as connection:
            found = connection.execute(
                f"SELECT {_COLUMNS} FROM traces WHERE id = ?", (id,)
            ).fetchone()
        if found is None:
            raise _absent(id)
        return _row(found)

    def rows(self, kernel: str | None = None) -> list[TraceRow]:
        """The table of traces, newest first; of all, or of the kernels with this name."""
        only = "" if kernel is None else "WHERE kernel = ?"
        with self.database.reading() as connection:
            found = connection.execute(
                f"SELECT {_COLUMNS} FROM traces {only} ORDER BY number DESC",
                () if kernel is None else (kernel,),
            ).fetchall()
        return [_row(each) for each in found]

    def stamp(self) -> tuple[int, int]:
        """A value that changes whenever `rows` does, for who keeps them."""
        with self.database.reading() as connection:
            count, newest = connection.execute(
                "SELECT count(*), ifnull(max(number), 0) FROM traces"
            ).fetchone()
        return count, newest

    def delete(self, id: str) -> None:
        """Delete a trace, and the texts that no other trace has. Raises LibraryError."""
        with self.database.writing() as connection:
            self._delete(connection, id)

    def _delete(self, connection: sqlite3.Connection, id: str) -> None:
        found = connection.execute("SELECT number FROM traces WHERE id = ?", (id,)).fetchone()
        if found is None:
            raise _absent(id)
        texts = connection.execute("SELECT text FROM trace_texts WHERE trace = ?", found).fetchall()
        connection.execute("DELETE FROM traces WHERE number = ?", found)
        # No other writer is at work while this transaction is, so none can be about to use a text
        # that is dropped here: who compressed too little beforehand finds out when it writes.
        connection.executemany(
            "DELETE FROM texts WHERE id = ?"
            " AND NOT EXISTS (SELECT 1 FROM trace_texts WHERE text = texts.id)",
            texts,
        )
        connection.execute("UPDATE traces SET parent = NULL WHERE parent = ?", (id,))
        connection.execute("UPDATE sweeps SET parent = NULL WHERE parent = ?", (id,))
        connection.execute("UPDATE jobs SET parent = NULL WHERE parent = ?", (id,))
        connection.execute("DELETE FROM jobs WHERE trace = ? AND kind = 'compile'", (id,))
        connection.execute("UPDATE jobs SET trace = NULL WHERE trace = ?", (id,))
        # What was asked about it, with the compiles that this took and that no sweep has.
        connection.execute(
            "DELETE FROM sweeps WHERE number IN (SELECT sweep FROM inquiries WHERE parent = ?)",
            (id,),
        )
        connection.execute("DELETE FROM inquiries WHERE parent = ?", (id,))
        drop_unused_points(connection)

    # Studies

    def study(self, id: str) -> Study | None:
        """What is worked out for the whole trace; None while it is not. Raises LibraryError."""
        found = self._study_row(id, "s.zstd")
        if found is None:
            return None
        try:
            return study_from_json(expanded(found))
        except (DocumentError, zstandard.ZstdError) as wrong:
            _log.warning("The study of trace %s cannot be read: %s", id, wrong)
            return None

    def study_problem(self, id: str) -> str:
        """One sentence where a trace will have no study; else "". Raises LibraryError."""
        return str(self._study_row(id, "s.problem") or "")

    def _study_row(self, id: str, column: str) -> Any:
        """A column of the study of this version of the analysis; None where there is none."""
        with self.database.reading() as connection:
            found = connection.execute(
                f"SELECT {column} FROM traces t"
                " LEFT JOIN studies s ON s.trace = t.number AND s.version >= ? WHERE t.id = ?",
                (VERSION, id),
            ).fetchone()
        if found is None:
            raise _absent(id)
        return found[0]

    def want_study(self, id: str) -> None:
        """Have a trace's study worked out before those that nobody looks at. Raises LibraryError.

        For who found that there is none: one that is kept, but cannot be read, is made anew.
        """
        self._write_study(id, "version = 0, wanted = ?", (time.time(),))

    def keep_study(self, id: str, study: Study) -> None:
        """Keep what is worked out for a trace. Raises LibraryError where it has been deleted."""
        self._write_study(
            id,
            "version = ?, wanted = NULL, zstd = ?, problem = NULL",
            (VERSION, compressed(study_to_json(study))),
        )

    def keep_study_problem(self, id: str, sentence: str) -> None:
        """A trace's study cannot be had, and this is why: it is not tried again."""
        self._write_study(
            id, "version = ?, wanted = NULL, zstd = NULL, problem = ?", (VERSION, sentence)
        )

    def _write_study(self, id: str, what: str, values: tuple[object, ...]) -> None:
        with self.database.writing() as connection:
            found = connection.execute("SELECT number FROM traces WHERE id = ?", (id,)).fetchone()
            if found is None:
                raise _absent(id)
            connection.execute("INSERT OR IGNORE INTO studies (trace) VALUES (?)", found)
            connection.execute(f"UPDATE studies SET {what} WHERE trace = ?", (*values, *found))

    def unstudied(self, since: datetime | None = None) -> str | None:
        """The trace to be studied next: one that is wanted, else the newest; None without any.

        With a time, only of those that are wanted or were compiled since then.
        """
        after = 0.0 if since is None else since.timestamp()
        with self.database.reading() as connection:
            found = connection.execute(
                "SELECT t.id FROM traces t LEFT JOIN studies s ON s.trace = t.number"
                " WHERE ifnull(s.version, 0) < ? AND (s.wanted IS NOT NULL OR ? OR"
                " (t.origin = 'compiled' AND t.created >= ?))"
                " ORDER BY ifnull(s.wanted, 0) DESC, t.number DESC LIMIT 1",
                (VERSION, since is None, after),
            ).fetchone()
        return str(found[0]) if found else None

    # In and out

    def export(self, id: str) -> bytes:
        """A trace as a zip that `readers.open_trace` reads. Equal traces give equal bytes.

        trace.json and kernel.json are documents of `core.trace_json`; texts/HASH.txt are the texts.
        """
        trace, kernel = self.trace(id), self.kernel(id)
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr(_entry("trace.json"), to_json(trace))
            if kernel:
                archive.writestr(_entry("kernel.json"), kernel_to_json(kernel))
            for digest in sorted(texts_of(trace)):
                try:
                    archive.writestr(_entry(f"texts/{digest}.txt"), self.blob(digest))
                except KeyError:
                    # Deleted by somebody else since we read its document.
                    raise _absent(id) from None
        return buffer.getvalue()

    def add_recorded(self, folder: Path) -> list[str]:
        """Bring in the recorded traces (`*.zip`) of a folder that are new; their ids.

        A trace's id is the name of its file. One that the user has deleted stays deleted, until a
        newer recording takes its place. A file that cannot be read is passed over, with a warning.
        """
        files = {file.stem: file for file in sorted(folder.glob("*.zip"))}
        with self.database.reading() as connection:
            known = dict(connection.execute("SELECT name, digest FROM recorded").fetchall())
        added: list[str] = []
        for name, file in files.items():
            digest = _hash(file.read_bytes())
            if known.get(name) == digest:
                continue
            try:
                opened = open_trace(file)
                new = self.prepare(
                    opened.trace, opened.texts, opened.kernel, origin="recorded", id=name
                )
            except (ReadError, LibraryError) as wrong:
                _log.warning("The recorded trace %s is passed over: %s", file.name, wrong)
                continue
            if self._write_recorded(new, digest):
                added.append(name)
        return added

    def _write_recorded(self, new: NewTrace, digest: str) -> bool:
        with self.database.writing() as connection:
            again = connection.execute(
                "SELECT digest FROM recorded WHERE name = ?", (new.id,)
            ).fetchone()
            if again == (digest,):
                return False  # another process was quicker
            if connection.execute("SELECT 1 FROM traces WHERE id = ?", (new.id,)).fetchone():
                self._delete(connection, new.id)
            self.write(connection, new)
            connection.execute("INSERT OR REPLACE INTO recorded VALUES (?, ?)", (new.id, digest))
            return True


def texts_of(trace: Trace) -> frozenset[str]:
    """The hashes of every text that a trace refers to."""
    named: Iterable[str | None] = (
        *(p.text for p in trace.passes),
        *(p.given for p in trace.passes),
        *(log.text for log in trace.logs),
        trace.tiling.search,
        trace.code,
    )
    return frozenset(digest for digest in named if digest)


def text_hash(text: str) -> str:
    """The content hash by which a text is kept: BLAKE2b of its UTF-8 bytes, 128 bits, in hex."""
    return _hash(_utf8(text))


def compressed_kernel(kernel: Kernel) -> tuple[str, bytes]:
    """The hash of a kernel's document, and the document, for `write_kernel`."""
    document = kernel_to_json(kernel)
    return _hash(document), compressed(document)


def compressed_trace(trace: Trace) -> bytes:
    """A trace's document as the library's file holds it."""
    return compressed(to_json(trace))


def expanded_trace(zstd: bytes) -> Trace:
    """The trace of such a document. Raises LibraryError."""
    try:
        return from_json(expanded(zstd))
    except (DocumentError, zstandard.ZstdError) as wrong:
        raise LibraryError(f"A trace of the library cannot be read: {wrong}") from wrong


def expanded_kernel(zstd: bytes) -> Kernel:
    """The kernel of a row of `kernels`. Raises LibraryError."""
    try:
        return kernel_from_json(expanded(zstd))
    except (DocumentError, zstandard.ZstdError) as wrong:
        raise LibraryError(f"A kernel of the library cannot be read: {wrong}") from wrong


def write_kernel(connection: sqlite3.Connection, document_hash: str, zstd: bytes) -> int:
    """The row of a kernel, written where it is new; inside a transaction."""
    found = connection.execute(
        "SELECT id FROM kernels WHERE document_hash = ?", (document_hash,)
    ).fetchone()
    if found:
        return int(found[0])
    return _new_row(
        connection,
        "INSERT INTO kernels (document_hash, zstd) VALUES (?, ?)",
        (document_hash, zstd),
    )


def drop_unused_points(connection: sqlite3.Connection) -> None:
    """Drop the points of no sweep, and kernels that are then of nothing; inside a transaction."""
    connection.execute(
        "DELETE FROM jobs WHERE kind = 'point' AND state <> 'running'"
        " AND NOT EXISTS (SELECT 1 FROM sweep_points WHERE job = jobs.number)"
    )
    _drop_unused_kernels(connection)


def _drop_unused_kernels(connection: sqlite3.Connection) -> None:
    """Drop the kernels of no trace, job or sweep; inside a transaction."""
    connection.execute(
        "DELETE FROM kernels WHERE NOT EXISTS (SELECT 1 FROM traces WHERE kernel_id = kernels.id)"
        " AND NOT EXISTS (SELECT 1 FROM jobs WHERE kernel_id = kernels.id)"
        " AND NOT EXISTS (SELECT 1 FROM sweeps WHERE kernel_id = kernels.id)"
    )


def _new_row(connection: sqlite3.Connection, insert: str, values: tuple[object, ...]) -> int:
    number = connection.execute(insert, values).lastrowid
    assert number is not None  # an INSERT that succeeded has one
    return number


def _kept(connection: sqlite3.Connection, digests: Iterable[str]) -> dict[str, int]:
    """Row numbers, by hash, of those texts that are kept."""
    kept: dict[str, int] = {}
    for some in _batches(sorted(digests), 500):
        marks = ", ".join("?" * len(some))
        kept.update(
            connection.execute(f"SELECT digest, id FROM texts WHERE digest IN ({marks})", some)
        )
    return kept


def _batches(values: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _compressed_text(texts: Texts, digest: str) -> tuple[int, bytes]:
    try:
        data = _utf8(texts.get(digest))
    except KeyError:
        raise LibraryError(
            f"The trace is incomplete: its text {digest} is missing; read its dump again."
        ) from None
    if _hash(data) != digest:
        # Kept under that hash it would be shown in every other trace that has the true text.
        raise LibraryError(
            f"The text {digest} does not have the content that its name says; make the trace anew."
        )
    return len(data), compressed(data)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def compressed(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(data)


def expanded(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(data)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # dated 1980: equal traces, equal bytes
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _absent(id: str) -> LibraryError:
    return LibraryError(f"There is no trace {id} in the library; it may have been deleted.")


def _row(values: tuple[Any, ...]) -> TraceRow:
    at = _CREATED
    created = datetime.fromtimestamp(values[at], UTC)
    return TraceRow._make((*values[:at], created, *values[at + 1 :]))


def _shown_hints(asked: Mapping[str, object]) -> str:
    return _cut(", ".join(f"{name}={value}" for name, value in asked.items()), _HINTS_SHOWN)


def _cut(text: str, length: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
