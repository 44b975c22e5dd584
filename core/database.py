"""The one SQLite file of a home: opened, migrated, shared by threads and processes.

Write-ahead logging, so that readers never wait for a writer; every write is one short
`BEGIN IMMEDIATE` transaction, so that a process that is killed leaves all of a write or none of it.
"""

from __future__ import annotations

import fcntl
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

FILE = "library.sqlite"

#: How long a write waits for those of other processes, in seconds.
_BUSY_SECONDS = 30.0

_log = logging.getLogger(__name__)

T = TypeVar("T")

# Texts and documents are zstd. A text's key is the content hash of its UTF-8 bytes; tables refer to
# it by its row number, which is shorter. `jobs` holds both kinds of work: whole compiles, and
# points of sweeps, of which only the newest of equal ones (`current`) is given to new sweeps.
# A trace's number is never used again, so that count and highest number tell any change.
_SCHEMA = """
CREATE TABLE texts (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NOT NULL
);
CREATE TABLE kernels (
    id INTEGER PRIMARY KEY, document_hash TEXT NOT NULL UNIQUE, zstd BLOB NOT NULL
);
CREATE TABLE traces (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kernel TEXT NOT NULL,
    compiler TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL, passes INTEGER NOT NULL,
    changed INTEGER NOT NULL, limiter TEXT, occupancy REAL, hints TEXT NOT NULL,
    created REAL NOT NULL, parent TEXT, origin TEXT NOT NULL, block_dim INTEGER, failure TEXT,
    kernel_id INTEGER REFERENCES kernels (id)
);
CREATE INDEX traces_by_parent ON traces (parent) WHERE parent IS NOT NULL;
CREATE INDEX traces_by_kernel ON traces (kernel_id);
CREATE TABLE documents (
    trace INTEGER PRIMARY KEY REFERENCES traces (number) ON DELETE CASCADE, zstd BLOB NOT NULL
);
CREATE TABLE trace_texts (
    trace INTEGER NOT NULL REFERENCES traces (number) ON DELETE CASCADE,
    text INTEGER NOT NULL REFERENCES texts (id),
    PRIMARY KEY (trace, text)
) WITHOUT ROWID;
CREATE INDEX traces_by_text ON trace_texts (text);
CREATE TABLE recorded (name TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, state TEXT NOT NULL,
    kernel_id INTEGER NOT NULL REFERENCES kernels (id), kernel TEXT NOT NULL,
    kernel_hash TEXT NOT NULL, hints BLOB NOT NULL, hints_hash TEXT NOT NULL,
    compiler TEXT NOT NULL, version TEXT NOT NULL, seconds REAL NOT NULL,
    memory_bytes INTEGER NOT NULL, parent TEXT, created REAL NOT NULL, started REAL, ended REAL,
    owner TEXT, deaths INTEGER NOT NULL DEFAULT 0, cancel INTEGER NOT NULL DEFAULT 0,
    folder TEXT, trace TEXT, status TEXT, zstd BLOB, error TEXT, current INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX jobs_waiting ON jobs (kind, number) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (owner) WHERE state = 'running';
CREATE INDEX jobs_by_kernel ON jobs (kernel_id);
CREATE INDEX jobs_by_trace ON jobs (trace) WHERE trace IS NOT NULL;
CREATE UNIQUE INDEX points ON jobs (kernel_hash, hints_hash, compiler, version) WHERE current = 1;
CREATE TABLE sweeps (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    kernel_id INTEGER NOT NULL REFERENCES kernels (id), kernel TEXT NOT NULL,
    kernel_hash TEXT NOT NULL, compiler TEXT NOT NULL, version TEXT NOT NULL, axes TEXT NOT NULL,
    parent TEXT, created REAL NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sweeps_by_kernel ON sweeps (kernel_hash);
CREATE INDEX sweeps_by_kernel_id ON sweeps (kernel_id);
CREATE TABLE sweep_points (
    sweep INTEGER NOT NULL REFERENCES sweeps (number) ON DELETE CASCADE,
    position INTEGER NOT NULL, job INTEGER NOT NULL REFERENCES jobs (number),
    PRIMARY KEY (sweep, position)
) WITHOUT ROWID;
CREATE INDEX sweeps_by_job ON sweep_points (job);
"""

# What was worked out for a whole trace, of which `version` of the analysis; 0 where it still is to
# be, soon where a page `wanted` it. `problem` says why it never will be.
_STUDIES = """
CREATE TABLE studies (
    trace INTEGER PRIMARY KEY REFERENCES traces (number) ON DELETE CASCADE,
    version INTEGER NOT NULL DEFAULT 0, wanted REAL, zstd BLOB, problem TEXT
);
"""

# Questions that take several compiles, each asked for in the light of the last; `sweep` holds those
# asked for so far. `fingerprint` of a job says what kind of failure it ended in.
_INQUIRIES = """
CREATE TABLE inquiries (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, parent TEXT,
    options TEXT NOT NULL, sweep INTEGER REFERENCES sweeps (number) ON DELETE CASCADE,
    state TEXT NOT NULL, zstd BLOB, error TEXT, created REAL NOT NULL, ended REAL
);
CREATE INDEX inquiries_open ON inquiries (number) WHERE state IN ('queued', 'running');
CREATE INDEX inquiries_by_parent ON inquiries (parent);
CREATE INDEX inquiries_by_sweep ON inquiries (sweep);
ALTER TABLE jobs ADD COLUMN fingerprint TEXT;
"""

#: From version N (its place here) to N + 1 of the file, as `PRAGMA user_version` counts.
MIGRATIONS = (_SCHEMA, _STUDIES, _INQUIRIES)


class LibraryError(RuntimeError):
    """The library cannot do what was asked: one sentence saying what is wrong and what to do."""


class Database:
    """The file, and a pool of connections to it. Safe in threads; not to be used after a fork."""

    def __init__(self, home: Path) -> None:
        """Open it, make it or bring it up to date. Raises LibraryError.

        A damaged file is moved aside and an empty one begun; `notice` then says so.
        """
        self.path = home / FILE
        self.notice = ""  #: one sentence where the file was found damaged, else ""
        self._marker = home / f"{FILE}.damaged"
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        try:
            home.mkdir(parents=True, exist_ok=True)
            with (home / f"{FILE}.lock").open("w") as lock:
                # One process at a time: SQLite's own waiting does not cover the change to WAL.
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._open()
        except OSError as error:
            raise LibraryError(
                f"The library in {home} cannot be opened: {error.strerror}; see that the folder "
                "is yours and the disk is not full, or set TILESCOPE_HOME to another."
            ) from error

    def _open(self) -> None:
        try:
            if self._marker.exists():
                raise sqlite3.DatabaseError(self._marker.read_text() or "found damaged in use")
            self._give_back(self._migrated())
        except sqlite3.DatabaseError as error:
            if not _is_damage(error) and not self._marker.exists():
                raise LibraryError(f"The library {self.path} cannot be opened: {error}.") from error
            aside = self.path.with_name(f"{FILE}.damaged-{time.time_ns() // 1_000_000}")
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(FILE + suffix)
                if part.exists():
                    part.rename(aside.with_name(aside.name + suffix))
            self._marker.unlink(missing_ok=True)
            self.notice = (
                f"The library file was damaged ({error}); it is kept as {aside} and an empty "
                "library was begun."
            )
            _log.warning(self.notice)
            self._give_back(self._migrated())

    def _migrated(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > len(MIGRATIONS):
                raise LibraryError(
                    f"The library {self.path} was written by a newer Tilescope; update Tilescope, "
                    "or set TILESCOPE_HOME to another folder."
                )
            for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
                connection.executescript(
                    f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;"
                )
            # Touches every table's root, so that a file cut short is noticed now, not in use.
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'"):
                connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
            connection.execute("SELECT count(*) FROM traces").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        # A connection is used by one thread at a time, not always the same.
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to read with. Raises LibraryError where SQLite gives up."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        except sqlite3.Error as error:
            raise self._sentence(error) from error
        finally:
            if connection is not None:
                if connection.in_transaction:
                    connection.rollback()
                self._give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer shares; undone where the block raises."""
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def close(self) -> None:
        """Close the idle connections; a later use opens new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            self._idle.append(connection)

    def _sentence(self, error: sqlite3.Error) -> LibraryError:
        if _is_damage(error):
            with suppress(OSError):
                self._marker.write_text(str(error))
            return LibraryError(
                f"The library {self.path} is damaged ({error}); start Tilescope again: the file "
                "will be kept aside and an empty library begun."
            )
        return LibraryError(
            f"The library {self.path} could not be used ({error}); see that the disk is not full "
            "and that no other program holds the file, then try again."
        )


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return isinstance(error, sqlite3.DatabaseError) and type(error) is sqlite3.DatabaseError
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
