"""What workers do to the queue: claim jobs, keep what came of them, put them back."""

from __future__ import annotations

import dataclasses
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from core.analysis.fingerprint import fingerprint
from core.compilers import Limits
from core.hints import Hints
from core.jobs.work import Kind
from core.kernel import Kernel
from core.library import Library, NewTrace, compressed_trace, expanded_kernel
from core.trace import Status, Trace
from core.trace_json import DocumentError, hints_from_json

#: A job over which a worker or a warm compiler died this often is not tried again.
MAX_DEATHS = 2


Tool: TypeAlias = tuple[str, str]  #: a compiler's name, and the version


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that a worker has taken."""

    number: int
    id: str
    kind: Kind
    kernel: Kernel
    hints: Hints
    tool: Tool
    limits: Limits
    parent: str | None
    folder: Path  #: where to compile; no other claim ever has it; not made yet


class Claims:
    """One worker's side of the queue. A job that is no longer this worker's is left alone."""

    def __init__(self, library: Library, owner: str, folders: Path) -> None:
        """`owner` names the worker; `folders` is where its compiles go."""
        self.library = library
        self.owner = owner
        self._folders = folders
        self._database = library.database

    def claim(self, most: int, only: Sequence[str] | None = None) -> list[Claim]:
        """Take up to `most` queued jobs, or such of these ids; whole compiles come first."""
        wanted, values = "", []
        if only is not None:
            wanted, values = "AND id IN (SELECT value FROM json_each(?))", [json.dumps(list(only))]
        ready = f"FROM jobs WHERE state = 'queued' {wanted}"
        with self._database.reading() as connection:
            # Mostly there is nothing, and then no writer should have to wait for our look.
            if not connection.execute(f"SELECT 1 {ready} LIMIT 1", values).fetchone():
                return []
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT number, id, kind, kernel_id, hints, compiler, version, seconds,"
                " memory_bytes, parent"
                f" {ready} ORDER BY kind, number LIMIT ?",
                (*values, most),
            ).fetchall()
            folders = {row[0]: self._folders / f"{row[1]}-{secrets.token_hex(3)}" for row in rows}
            connection.executemany(
                "UPDATE jobs SET state = 'running', owner = ?, started = ?, ended = NULL,"
                " error = NULL, folder = ? WHERE number = ?",
                [(self.owner, time.time(), str(folders[row[0]]), row[0]) for row in rows],
            )
            kernels = {row[3]: _kernel(connection, row[3]) for row in rows}
        claims = []
        for number, id, kind, kernel_id, hints, *rest in rows:
            compiler, version, seconds, memory_bytes, parent = rest
            try:
                asked = hints_from_json(hints)
            except (
                DocumentError
            ) as error:  # written by another version, or damaged: it alone is lost
                self.fail(number, f"The hints of this job cannot be read: {error}")
                continue
            claims.append(
                Claim(
                    number=number,
                    id=id,
                    kind=kind,
                    kernel=kernels[kernel_id],
                    hints=asked,
                    tool=(compiler, version),
                    limits=Limits(seconds, memory_bytes),
                    parent=parent,
                    folder=folders[number],
                )
            )
        return claims

    def to_cancel(self) -> frozenset[int]:
        """Numbers of the running jobs that somebody wants cancelled."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT number FROM jobs WHERE state = 'running' AND owner = ? AND cancel = 1",
                (self.owner,),
            ).fetchall()
        return frozenset(row[0] for row in rows)

    def finish(self, number: int, kind: Kind, trace: Trace, new: NewTrace | None) -> None:
        """Keep what came of a job, with `new` its whole trace, in one transaction.

        A compile that was cancelled though nobody wants it cancelled (any longer) is queued again.
        """
        stopped = trace.status is Status.CANCELLED
        known = "" if stopped else fingerprint(trace)
        document = None
        if kind == "point" and not stopped:
            document = compressed_trace(compact(trace))
        with self._database.writing() as connection:
            found = connection.execute(
                "SELECT cancel FROM jobs WHERE number = ? AND owner = ? AND state = 'running'",
                (number, self.owner),
            ).fetchone()
            if found is None:
                return
            if stopped and not found[0]:
                _over(connection, number, "queued")
                return
            if new and (kind == "compile" or _first_of_its_kind(connection, number, known)):
                self.library.write(connection, new)
            else:
                new = None
            _over(connection, number, "cancelled" if stopped else "done")
            connection.execute(
                "UPDATE jobs SET trace = ?, status = ?, zstd = ?, fingerprint = ? WHERE number = ?",
                (new.id if new else None, trace.status.value, document, known or None, number),
            )

    def fails_anew(self, number: int, trace: Trace) -> bool:
        """Whether no other point of its sweeps that failed in this way is kept whole."""
        with self._database.reading() as connection:
            return _first_of_its_kind(connection, number, fingerprint(trace))

    def fail(self, number: int, sentence: str) -> None:
        """Nothing came of a job and nothing would of another try: it is lost, and this is why."""
        with self._database.writing() as connection:
            if connection.execute(
                "SELECT 1 FROM jobs WHERE number = ? AND owner = ? AND state = 'running'",
                (number, self.owner),
            ).fetchone():
                _over(connection, number, "lost", sentence)

    def put_back(self, numbers: Sequence[int] | None = None, *, died: str = "") -> None:
        """Queue the running jobs again, all of them or these.

        Where something `died` over them (a sentence saying what), that counts, and at MAX_DEATHS a
        job is lost.
        """
        only, values = "", [self.owner]
        if numbers is not None:
            only = "AND number IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(numbers)))
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT number, cancel, deaths FROM jobs"
                f" WHERE state = 'running' AND owner = ? {only}",
                values,
            ).fetchall()
            for number, cancel, deaths in rows:
                if died:
                    deaths += 1
                    connection.execute(
                        "UPDATE jobs SET deaths = ? WHERE number = ?", (deaths, number)
                    )
                if cancel:
                    _over(connection, number, "cancelled")
                elif deaths >= MAX_DEATHS:
                    again = f"{died} It is not tried again, since that happened {deaths} times."
                    _over(connection, number, "lost", again)
                else:
                    _over(connection, number, "queued")


def _first_of_its_kind(connection: sqlite3.Connection, number: int, known: str) -> bool:
    """Whether a failed point is the first of its sweeps to fail in its way.

    Of each way to fail a sweep keeps one whole trace; the others are compiled again when somebody
    wants to look at them.
    """
    if not known:
        return False
    found = connection.execute(
        "SELECT 1 FROM sweep_points p JOIN sweep_points q ON q.sweep = p.sweep"
        " JOIN jobs j ON j.number = q.job"
        " WHERE p.job = ? AND j.fingerprint = ? AND j.trace IS NOT NULL LIMIT 1",
        (number, known),
    ).fetchone()
    return found is None


def owners(library: Library) -> frozenset[str]:
    """The workers that running jobs belong to."""
    with library.database.reading() as connection:
        rows = connection.execute("SELECT DISTINCT owner FROM jobs WHERE state = 'running'")
        return frozenset(row[0] for row in rows)


def compact(trace: Trace) -> Trace:
    """The trace without what takes room or needs texts; `code` stays, as a hash to compare."""
    tiling = dataclasses.replace(trace.tiling, search=None)
    return dataclasses.replace(trace, passes=(), logs=(), diagnostics=(), tiling=tiling)


def _over(
    connection: sqlite3.Connection, number: int, state: str, error: str | None = None
) -> None:
    """No longer running."""
    connection.execute(
        "UPDATE jobs SET state = ?, error = ?, ended = ?, cancel = 0, owner = NULL, folder = NULL"
        " WHERE number = ?",
        (state, error, None if state == "queued" else time.time(), number),
    )


def _kernel(connection: sqlite3.Connection, kernel_id: int) -> Kernel:
    found = connection.execute("SELECT zstd FROM kernels WHERE id = ?", (kernel_id,)).fetchone()
    return expanded_kernel(found[0])
