"""What is asked for: compiles and sweeps, as rows of the library's file that workers claim.

A point of a sweep is kept by kernel, hints and compiler, and shared by every sweep that has it.
"""

from __future__ import annotations

import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.compilers import Compiler, Limits
from core.compilers.registry import COMPILERS, compiler_for, versions
from core.hints import Hints
from core.jobs.inquiries import KINDS, read_result
from core.jobs.progress import progress
from core.jobs.work import InquiryRow, Job, Kind, Point, Stamp, Sweep, SweepProgress, SweepRow
from core.kernel import Kernel
from core.library import (
    Library,
    compressed,
    compressed_kernel,
    drop_unused_points,
    expanded,
    expanded_kernel,
    expanded_trace,
    write_kernel,
)
from core.request import Request
from core.trace import Status, Trace
from core.trace_json import DocumentError, hints_from_json, hints_to_json

_POINTS_CACHED = 4096
_PACE_OF = 50  #: points, the newest

_log = logging.getLogger(__name__)


class QueueError(ValueError):
    """Something asked of the queue that cannot be: one sentence saying what and what to do."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the points of a sweep have in common."""

    kernel_id: int
    kernel: Kernel
    compiler: str
    version: str
    limits: Limits


_POINT = (
    "j.id, j.hints, j.state, j.error, j.kernel, j.kernel_hash, j.compiler, j.version,"
    " ifnull(j.fingerprint, ''), j.trace"
)
_JOB = (
    "id, kind, state, kernel, hints, compiler, version, trace, status, error, folder, parent,"
    " created, started, ended"
)


class Queue:
    """The jobs and sweeps of one library."""

    def __init__(self, library: Library, compilers: Mapping[str, Compiler] | None = None) -> None:
        self.library = library
        self._database = library.database
        self._compilers = COMPILERS if compilers is None else compilers
        self._point_trace = lru_cache(_POINTS_CACHED)(self._read_point_trace)

    # What is asked for

    def submit(
        self,
        kernel: Kernel,
        hints: Hints,
        *,
        compiler: str = "akg",
        version: str = "",
        limits: Limits | None = None,
        parent: str | None = None,
    ) -> str:
        """Ask for one compile, whose whole trace is kept; the job's id. Raises QueueError."""
        packed, version = compressed_kernel(kernel), self._version(compiler, version)
        with self._database.writing() as connection:
            kernel_id = write_kernel(connection, *packed)
            asked = _Asked(kernel_id, kernel, compiler, version, limits or Limits())
            return _new_job(connection, "compile", asked, hints, parent)[1]

    def submit_sweep(
        self,
        kernel: Kernel,
        points: Sequence[Hints],
        *,
        compiler: str = "akg",
        limits: Limits | None = None,
        parent: str | None = None,
        axes: Mapping[str, Any] | None = None,
        fresh: bool = False,
    ) -> str:
        """Ask for many compiles of one kernel: see `submit_requests`."""
        requests = [Request(kernel, hints, compiler) for hints in points]
        return self.submit_requests(requests, limits=limits, parent=parent, axes=axes, fresh=fresh)

    def submit_requests(
        self,
        requests: Sequence[Request],
        *,
        limits: Limits | None = None,
        parent: str | None = None,
        axes: Mapping[str, Any] | None = None,
        fresh: bool = False,
    ) -> str:
        """Ask for many compiles, of which a compact trace is kept; the sweep's id.

        A point that was measured before is taken as it is, unless `fresh`, or unless it was stopped
        by a time limit shorter than this one. `axes` says what is swept, for who draws it: anything
        that JSON knows. Raises QueueError, also where nothing is asked for.
        """
        if not requests:
            raise QueueError("A sweep without a point cannot be run; ask for one compile or more.")
        packed = self._packed(requests)
        id = secrets.token_hex(6)
        first = requests[0]
        one = first.kernel.digest if len(packed) == 1 else ""
        compiler, version = self._of(first)
        with self._database.writing() as connection:
            ids = {d: write_kernel(connection, *each) for d, each in packed.items()}
            sweep = connection.execute(
                "INSERT INTO sweeps (id, kernel_id, kernel, kernel_hash, compiler, version, axes,"
                " parent, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(id, ids[first.kernel.digest], first.kernel.name, one),
                    *(compiler, version, json.dumps(axes or {}), parent, time.time()),
                ),
            ).lastrowid
            assert sweep is not None  # an INSERT that succeeded has one
            self._add_points(connection, sweep, requests, ids, limits or Limits(), fresh)
        return id

    def extend(self, sweep: str, requests: Sequence[Request], limits: Limits | None = None) -> None:
        """Ask for more points of a sweep. Raises QueueError."""
        if not requests:
            return
        packed = self._packed(requests)
        with self._database.writing() as connection:
            number = self._sweep_number(connection, sweep)
            ids = {d: write_kernel(connection, *each) for d, each in packed.items()}
            self._add_points(connection, number, requests, ids, limits or Limits(), False)
            connection.execute(
                "UPDATE sweeps SET kernel_hash = '' WHERE number = ? AND kernel_hash NOT IN"
                " (SELECT value FROM json_each(?))",
                (number, json.dumps(list(ids)) if len(ids) == 1 else "[]"),
            )

    def _packed(self, requests: Sequence[Request]) -> dict[str, tuple[str, bytes]]:
        """The kernels of some requests, compressed, by their digest."""
        kernels = {each.kernel.digest: each.kernel for each in requests}
        for each in requests:
            self._of(each)  # raises for a compiler that is not there, before anything is written
        return {digest: compressed_kernel(kernel) for digest, kernel in kernels.items()}

    def _of(self, request: Request) -> tuple[str, str]:
        """Compiler and version that a request means. Raises QueueError."""
        name = request.compiler or compiler_for(request.kernel).name
        return name, self._version(name, request.version)

    def _add_points(
        self,
        connection: sqlite3.Connection,
        sweep: int,
        requests: Sequence[Request],
        kernels: Mapping[str, int],
        limits: Limits,
        fresh: bool,
    ) -> None:
        (start,) = connection.execute(
            "SELECT ifnull(max(position) + 1, 0) FROM sweep_points WHERE sweep = ?", (sweep,)
        ).fetchone()
        jobs: dict[tuple[str, ...], int] = {}
        for position, request in enumerate(requests, start):
            compiler, version = self._of(request)
            kernel = request.kernel
            key = (kernel.digest, request.hints.digest, compiler, version)
            if key not in jobs:
                asked = _Asked(kernels[kernel.digest], kernel, compiler, version, limits)
                jobs[key] = _point(connection, asked, request.hints, fresh)
            connection.execute(
                "INSERT INTO sweep_points VALUES (?, ?, ?)", (sweep, position, jobs[key])
            )

    def _version(self, compiler: str, version: str = "") -> str:
        if compiler not in self._compilers:
            known = ", ".join(sorted(self._compilers))
            raise QueueError(f"There is no compiler {compiler!r}; choose from: {known}.")
        usual = self._compilers[compiler].version
        if version in ("", usual):
            return usual
        if version not in versions(compiler):
            raise QueueError(
                f"{compiler} {version} cannot be had; choose from: {', '.join(versions(compiler))}."
            )
        return version

    # How it stands

    def job(self, id: str) -> Job:
        """A job by its id. Raises QueueError."""
        with self._database.reading() as connection:
            found = connection.execute(f"SELECT {_JOB} FROM jobs WHERE id = ?", (id,)).fetchone()
        if found is None:
            raise _no_job(id)
        job = _job(found)
        if job is None:
            raise QueueError(
                f"Job {id} cannot be read: another version wrote it, or it is damaged."
            )
        return job

    def over(self, ids: Sequence[str]) -> list[str]:
        """Those of these jobs that nothing more will come of, in the order in which they ended."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?))"
                " AND state NOT IN ('queued', 'running') ORDER BY ended",
                (json.dumps(list(ids)),),
            ).fetchall()
        return [row[0] for row in found]

    def jobs(self, *, active: bool = False, limit: int = 100) -> list[Job]:
        """Whole compiles (no points of sweeps), newest first; only those not over if `active`.

        One that cannot be read is left out, so that it hides no other.
        """
        only = "AND state IN ('queued', 'running')" if active else ""
        with self._database.reading() as connection:
            found = connection.execute(
                f"SELECT {_JOB} FROM jobs WHERE kind = 'compile' {only}"
                " ORDER BY number DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [job for each in found if (job := _job(each))]

    def sweep(self, id: str) -> Sweep:
        """A sweep with its points. Raises QueueError."""
        with self._database.reading() as connection:
            head = connection.execute(
                "SELECT number, kernel, kernel_hash, compiler, axes, created, parent, cancelled"
                " FROM sweeps WHERE id = ?",
                (id,),
            ).fetchone()
            if head is None:
                raise _no_sweep(id)
            rows = connection.execute(
                f"SELECT {_POINT} FROM sweep_points p"
                " JOIN jobs j ON j.number = p.job WHERE p.sweep = ? ORDER BY p.position",
                (head[0],),
            ).fetchall()
        points = tuple(point for row in rows if (point := self._as_point(row)) is not None)
        _, kernel, kernel_hash, compiler, axes, created, parent, cancelled = head
        return Sweep(
            id=id,
            kernel=kernel,
            kernel_hash=kernel_hash,
            compiler=compiler,
            axes=json.loads(axes),
            points=points,
            created=_time(created),
            parent=parent,
            cancelled=bool(cancelled),
        )

    def _as_point(self, row: tuple[Any, ...]) -> Point | None:
        job, hints, state, error, name, digest, compiler, version, fingerprint, whole = row
        asked = _hints(hints)
        if asked is None:
            return None
        return Point(
            job=job,
            hints=asked,
            state=state,
            trace=self._point_trace(job) if state == "done" else None,
            error=error,
            kernel=name,
            kernel_hash=digest,
            compiler=compiler,
            version=version,
            fingerprint=fingerprint,
            whole=whole,
        )

    def _read_point_trace(self, job: str) -> Trace | None:
        # Cached: a finished point never changes, and pages ask for it twice a second.
        with self._database.reading() as connection:
            found = connection.execute("SELECT zstd FROM jobs WHERE id = ?", (job,)).fetchone()
        return expanded_trace(found[0]) if found else None

    def progress(self, id: str, known: Container[Stamp] = ()) -> SweepProgress:
        """How a sweep gets on: the state of every point, and those that are over but not `known`.

        For who follows thousands of points, and has read most of them before. Raises QueueError.
        """
        with self._database.reading() as connection:
            number = self._sweep_number(connection, id)
            rows = connection.execute(
                "SELECT DISTINCT j.id, j.state, j.ended FROM sweep_points p"
                " JOIN jobs j ON j.number = p.job WHERE p.sweep = ?",
                (number,),
            ).fetchall()
            new = {
                job: (job, ended)
                for job, state, ended in rows
                if state in ("done", "lost") and (job, ended) not in known
            }
            found = connection.execute(
                f"SELECT {_POINT} FROM jobs j WHERE j.id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(new)),),
            ).fetchall()
        points = [point for row in found if (point := self._as_point(row)) is not None]
        return SweepProgress(
            {job: state for job, state, _ in rows},
            {new[point.job]: point for point in points if point.state in ("done", "lost")},
        )

    def measured(self, requests: Sequence[Request]) -> frozenset[str]:
        """Digests of those of these requests of which there is a measurement. Raises QueueError."""
        found = set()
        with self._database.reading() as connection:
            for each in requests:
                if connection.execute(
                    "SELECT 1 FROM jobs WHERE current = 1 AND kernel_hash = ? AND hints_hash = ?"
                    " AND compiler = ? AND version = ? AND state = 'done'",
                    (each.kernel.digest, each.hints.digest, *self._of(each)),
                ).fetchone():
                    found.add(each.digest)
        return frozenset(found)

    def known(self, requests: Sequence[Request]) -> dict[str, Point]:
        """What is known of those of these requests that some sweep asked for, by their digests.

        Raises QueueError.
        """
        found: dict[str, Point] = {}
        with self._database.reading() as connection:
            for each in requests:
                row = connection.execute(
                    f"SELECT {_POINT} FROM jobs j WHERE current = 1 AND kernel_hash = ?"
                    " AND hints_hash = ? AND compiler = ? AND version = ?",
                    (each.kernel.digest, each.hints.digest, *self._of(each)),
                ).fetchone()
                if row is not None and (point := self._as_point(row)) is not None:
                    found[each.digest] = point
        return found

    def pace(self, compiler: str, kernel: str = "") -> float | None:
        """Seconds that a point took of late, from its beginning until it was stored.

        Of kernels of this name, and of its shapes, else of all that this compiler compiled; None
        where there are none.
        """
        for only in ("AND (kernel = :kernel OR kernel GLOB :kernel || '__*')", ""):
            with self._database.reading() as connection:
                (seconds,) = connection.execute(
                    "SELECT avg(seconds) FROM (SELECT ended - started AS seconds FROM jobs WHERE"
                    f" kind = 'point' AND state = 'done' AND compiler = :compiler {only}"
                    " ORDER BY number DESC LIMIT :most)",
                    {"compiler": compiler, "kernel": kernel, "most": _PACE_OF},
                ).fetchone()
            if seconds is not None:
                return float(seconds)
        return None

    def sweeps(self, kernel_hash: str | None = None) -> list[SweepRow]:
        """The sweeps, newest first; of one kernel, by its digest, or of all.

        Those that belong to an inquiry are left out.
        """
        only = "WHERE NOT EXISTS (SELECT 1 FROM inquiries i WHERE i.sweep = s.number)"
        if kernel_hash is None:
            return self._sweep_rows(only)
        return self._sweep_rows(f"{only} AND s.kernel_hash = ?", kernel_hash)

    def sweep_row(self, id: str) -> SweepRow:
        """A sweep without its points. Raises QueueError."""
        found = self._sweep_rows("WHERE s.id = ?", id)
        if not found:
            raise _no_sweep(id)
        return found[0]

    def _sweep_rows(self, only: str, *values: str) -> list[SweepRow]:
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT s.id, s.kernel, s.kernel_hash, s.compiler, s.axes, count(j.number),"
                " ifnull(sum(j.state = 'done'), 0),"
                " ifnull(sum(j.state IN ('queued', 'running')), 0),"
                " s.created, s.parent, s.cancelled FROM sweeps s"
                " LEFT JOIN sweep_points p ON p.sweep = s.number"
                f" LEFT JOIN jobs j ON j.number = p.job {only}"
                " GROUP BY s.number ORDER BY s.number DESC",
                values,
            ).fetchall()
        return [_sweep_row(each) for each in found]

    def asked(self, id: str) -> Mapping[str, tuple[str, str, str, str]]:
        """What each point of a sweep is of, by its job's id: hashes of kernel and hints, name and
        version of the compiler. Raises QueueError."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT j.id, j.kernel_hash, j.hints_hash, j.compiler, j.version"
                " FROM sweep_points p JOIN jobs j ON j.number = p.job WHERE p.sweep = ?",
                (self._sweep_number(connection, id),),
            ).fetchall()
        return {job: (kernel, hints, name, version) for job, kernel, hints, name, version in rows}

    def kernel(self, id: str) -> Kernel:
        """The kernel of a job or a sweep, by the id of either. Raises QueueError."""
        with self._database.reading() as connection:
            for table in ("jobs", "sweeps"):
                found = connection.execute(
                    f"SELECT k.zstd FROM {table} t JOIN kernels k ON k.id = t.kernel_id"
                    " WHERE t.id = ?",
                    (id,),
                ).fetchone()
                if found:
                    return expanded_kernel(found[0])
        raise QueueError(f"There is no job and no sweep {id}; it may have been deleted.")

    # Inquiries

    def inquire(self, kind: str, trace: str, options: Mapping[str, Any] | None = None) -> str:
        """Ask a question about a trace that takes several compiles; the inquiry's id.

        `kind` is one of `core.jobs.inquiries.KINDS`, `options` anything that JSON knows. Raises
        QueueError, and LibraryError where there is no such trace.
        """
        if kind not in KINDS:
            raise QueueError(f"There is no inquiry {kind!r}; choose from: {', '.join(KINDS)}.")
        self.library.row(trace)
        id = secrets.token_hex(6)
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO inquiries (id, kind, parent, options, state, created)"
                " VALUES (?, ?, ?, ?, 'queued', ?)",
                (id, kind, trace, json.dumps(options or {}), time.time()),
            )
        return id

    def inquiry(self, id: str) -> InquiryRow:
        """An inquiry by its id. Raises QueueError."""
        found = self._inquiries("WHERE i.id = ?", (id,))
        if not found:
            raise QueueError(f"There is no inquiry {id}; it may have been deleted.")
        return found[0]

    def inquiries(self, parent: str) -> list[InquiryRow]:
        """The inquiries about a trace, newest first."""
        return self._inquiries("WHERE i.parent = ? ORDER BY i.number DESC", (parent,))

    def open_inquiries(self) -> list[str]:
        """Ids of the inquiries that are not over, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM inquiries WHERE state IN ('queued', 'running') ORDER BY number"
            ).fetchall()
        return [row[0] for row in rows]

    def _inquiries(self, which: str, values: tuple[Any, ...]) -> list[InquiryRow]:
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT i.id, i.kind, i.parent, i.options, i.state, s.id, count(j.number),"
                " ifnull(sum(j.state NOT IN ('queued', 'running')), 0), i.zstd, i.error, i.created"
                " FROM inquiries i LEFT JOIN sweeps s ON s.number = i.sweep"
                " LEFT JOIN sweep_points p ON p.sweep = i.sweep"
                f" LEFT JOIN jobs j ON j.number = p.job {_grouped(which)}",
                values,
            ).fetchall()
        return [_inquiry_row(row) for row in rows]

    def begin_inquiry(self, id: str, sweep: str | None = None) -> None:
        """Note that an inquiry is under way, and the sweep that holds its compiles."""
        with self._database.writing() as connection:
            number = None if sweep is None else self._sweep_number(connection, sweep)
            connection.execute(
                "UPDATE inquiries SET state = 'running', sweep = ifnull(?, sweep)"
                " WHERE id = ? AND state IN ('queued', 'running')",
                (number, id),
            )

    def end_inquiry(self, id: str, result: bytes | None, error: str | None = None) -> None:
        """Keep what an inquiry found, a document, or why it failed."""
        state = "failed" if result is None else "done"
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE inquiries SET state = ?, zstd = ?, error = ?, ended = ?"
                " WHERE id = ? AND state IN ('queued', 'running')",
                (state, None if result is None else compressed(result), error, time.time(), id),
            )

    def cancel_inquiry(self, id: str) -> None:
        """Stop an inquiry and the compiles that it waits for. Raises QueueError."""
        known = self.inquiry(id)
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE inquiries SET state = 'cancelled', ended = ?"
                " WHERE id = ? AND state IN ('queued', 'running')",
                (time.time(), id),
            )
        if known.sweep is not None and not known.over:
            self.cancel_sweep(known.sweep)

    # Changes of mind

    def keep_whole(self, point: str, trace: str) -> None:
        """Note the whole trace of a point, which was compiled again for it."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE jobs SET trace = ? WHERE id = ? AND kind = 'point'"
                " AND EXISTS (SELECT 1 FROM traces WHERE id = ?)",
                (trace, point, trace),
            )

    def cancel(self, id: str) -> None:
        """Cancel a job; a running one is stopped within a fraction of a second.

        One that is over stays as it is. Raises QueueError.
        """
        with self._database.writing() as connection:
            found = connection.execute("SELECT number FROM jobs WHERE id = ?", (id,)).fetchone()
            if found is None:
                raise _no_job(id)
            _cancel(connection, [found[0]])

    def resume(self, id: str) -> None:
        """Queue a job again that was cancelled or lost. Raises QueueError."""
        with self._database.writing() as connection:
            found = connection.execute("SELECT number FROM jobs WHERE id = ?", (id,)).fetchone()
            if found is None:
                raise _no_job(id)
            _requeue(connection, [found[0]])

    def cancel_sweep(self, id: str) -> None:
        """Cancel what is left of a sweep, but no point that another sweep waits for."""
        with self._database.writing() as connection:
            number = self._sweep_number(connection, id)
            connection.execute("UPDATE sweeps SET cancelled = 1 WHERE number = ?", (number,))
            _cancel(connection, _only_of(connection, number))

    def resume_sweep(self, id: str) -> None:
        """Go on with a sweep: points that were cancelled or lost are queued again."""
        with self._database.writing() as connection:
            number = self._sweep_number(connection, id)
            connection.execute("UPDATE sweeps SET cancelled = 0 WHERE number = ?", (number,))
            rows = connection.execute(
                "SELECT j.number FROM sweep_points p JOIN jobs j ON j.number = p.job"
                " WHERE p.sweep = ?",
                (number,),
            ).fetchall()
            _requeue(connection, [row[0] for row in rows])

    def delete_sweep(self, id: str) -> None:
        """Delete a sweep, and those of its measurements that no other sweep has."""
        with self._database.writing() as connection:
            number = self._sweep_number(connection, id)
            _cancel(connection, _only_of(connection, number))
            connection.execute("DELETE FROM sweeps WHERE number = ?", (number,))
            drop_unused_points(connection)

    def _sweep_number(self, connection: sqlite3.Connection, id: str) -> int:
        found = connection.execute("SELECT number FROM sweeps WHERE id = ?", (id,)).fetchone()
        if found is None:
            raise _no_sweep(id)
        return int(found[0])


def _grouped(which: str) -> str:
    where, order, by = which.partition(" ORDER BY")
    return f"{where} GROUP BY i.number{order}{by}"


def _inquiry_row(row: tuple[Any, ...]) -> InquiryRow:
    id, kind, parent, options, state, sweep, asked, answered, packed, error, created = row
    result = None
    if packed is not None:
        try:
            result = read_result(kind, expanded(packed))
        except DocumentError as wrong:
            _log.warning("What inquiry %s found cannot be read: %s", id, wrong)
            state, error = "failed", "What was found was written by another version; ask again."
    return InquiryRow(
        id=id,
        kind=kind,
        parent=parent,
        options=json.loads(options),
        state=state,
        sweep=sweep,
        asked=asked,
        answered=answered,
        result=result,
        error=error,
        created=_time(created),
    )


def _point(connection: sqlite3.Connection, asked: _Asked, hints: Hints, fresh: bool) -> int:
    """The job of a sweep's point: one that is there already, or a new one."""
    found = connection.execute(
        "SELECT number, state, status, seconds FROM jobs WHERE current = 1"
        " AND kernel_hash = ? AND hints_hash = ? AND compiler = ? AND version = ?",
        (asked.kernel.digest, hints.digest, asked.compiler, asked.version),
    ).fetchone()
    if found:
        number, state, status, seconds = found
        if state != "done":
            _requeue(connection, [number], asked.limits)
            return int(number)
        outgrown = status == Status.TIMED_OUT and asked.limits.seconds > seconds
        if not fresh and not outgrown:
            return int(number)
        # Older sweeps keep the older measurement.
        connection.execute("UPDATE jobs SET current = 0 WHERE number = ?", (number,))
    return _new_job(connection, "point", asked, hints, None)[0]


def _new_job(
    connection: sqlite3.Connection, kind: Kind, asked: _Asked, hints: Hints, parent: str | None
) -> tuple[int, str]:
    row: dict[str, object] = {
        "id": secrets.token_hex(6),
        "kind": kind,
        "state": "queued",
        "kernel_id": asked.kernel_id,
        "kernel": asked.kernel.name,
        "kernel_hash": asked.kernel.digest,
        "hints": hints_to_json(hints),
        "hints_hash": hints.digest,
        "compiler": asked.compiler,
        "version": asked.version,
        "seconds": asked.limits.seconds,
        "memory_bytes": asked.limits.memory_bytes,
        "parent": parent,
        "created": time.time(),
        "current": int(kind == "point"),
    }
    number = connection.execute(
        f"INSERT INTO jobs ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
        tuple(row.values()),
    ).lastrowid
    assert number is not None  # an INSERT that succeeded has one
    return number, str(row["id"])


def _cancel(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    some = json.dumps(list(numbers))
    chosen = "number IN (SELECT value FROM json_each(?))"
    connection.execute(
        f"UPDATE jobs SET state = 'cancelled', ended = ? WHERE state = 'queued' AND {chosen}",
        (time.time(), some),
    )
    connection.execute(f"UPDATE jobs SET cancel = 1 WHERE state = 'running' AND {chosen}", (some,))


def _requeue(
    connection: sqlite3.Connection, numbers: Sequence[int], limits: Limits | None = None
) -> None:
    """Queue those that were cancelled or are lost; of running ones, take the wish to cancel back.

    Where a worker has killed one already, it finds the wish gone and puts the job back.
    """
    some = json.dumps(list(numbers))
    chosen = "number IN (SELECT value FROM json_each(?))"
    connection.execute(f"UPDATE jobs SET cancel = 0 WHERE state = 'running' AND {chosen}", (some,))
    chosen = f"state IN ('cancelled', 'lost') AND {chosen}"
    if limits:
        connection.execute(
            f"UPDATE jobs SET seconds = ?, memory_bytes = ? WHERE {chosen}",
            (limits.seconds, limits.memory_bytes, some),
        )
    connection.execute(
        "UPDATE jobs SET state = 'queued', deaths = 0, cancel = 0, error = NULL, ended = NULL,"
        " trace = NULL, status = NULL, fingerprint = NULL"
        f" WHERE {chosen}",
        (some,),
    )


def _only_of(connection: sqlite3.Connection, sweep: int) -> list[int]:
    """The jobs of a sweep that no other sweep waits for."""
    rows = connection.execute(
        "SELECT DISTINCT p.job FROM sweep_points p WHERE p.sweep = ? AND NOT EXISTS ("
        " SELECT 1 FROM sweep_points q JOIN sweeps s ON s.number = q.sweep"
        " WHERE q.job = p.job AND q.sweep <> p.sweep AND s.cancelled = 0)",
        (sweep,),
    ).fetchall()
    return [row[0] for row in rows]


@lru_cache(_POINTS_CACHED)
def _hints(data: bytes) -> Hints | None:
    """The hints of a row; None where another version wrote it, or it is damaged."""
    try:
        return hints_from_json(data)
    except DocumentError as error:
        _log.warning("A job's hints cannot be read: %s", error)
        return None


def _job(row: tuple[Any, ...]) -> Job | None:
    id, kind, state, kernel, hints, compiler, version, trace, status, error, *rest = row
    folder, parent, *times = rest
    created, started, ended = times
    path = Path(folder) if folder else None
    asked = _hints(hints)
    if asked is None:
        return None
    return Job(
        id=id,
        kind=kind,
        state=state,
        kernel=kernel,
        hints=asked,
        compiler=compiler,
        version=version,
        trace=trace,
        status=Status(status) if status else None,
        error=error,
        folder=path,
        parent=parent,
        created=_time(created),
        started=_time(started) if started else None,
        ended=_time(ended) if ended else None,
        progress=progress(path) if path and state == "running" else None,
    )


def _sweep_row(row: tuple[Any, ...]) -> SweepRow:
    id, kernel, digest, compiler, axes, points, done, waiting, created, parent, cancelled = row
    return SweepRow(
        id=id,
        kernel=kernel,
        kernel_hash=digest,
        compiler=compiler,
        axes=json.loads(axes),
        points=points,
        done=done,
        waiting=waiting,
        created=_time(created),
        parent=parent,
        cancelled=bool(cancelled),
    )


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _no_job(id: str) -> QueueError:
    return QueueError(f"There is no job {id}; it may have been deleted.")


def _no_sweep(id: str) -> QueueError:
    return QueueError(f"There is no sweep {id}; it may have been deleted.")
