"""A sweep over shapes as its matrix, kept up to date by reading what is new alone."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace

from core.analysis.matrix import Cell, Key, Layout, Matrix, cell
from core.analysis.matrix.cells import Explain
from core.jobs.queue import Queue
from core.jobs.work import Stamp, State, SweepRow


class SweepMatrix:
    """The matrix of one sweep as it fills. Threads may share it."""

    def __init__(self, queue: Queue, id: str, explain: Explain) -> None:
        """Raises QueueError for an unknown sweep, LayoutError for one of another sort."""
        self.id = id
        self.layout = Layout.of(queue.sweep_row(id).axes)
        self.counts: Mapping[State, int] = {}  #: of the last look
        self._queue = queue
        self._explain = explain
        self._keys: Mapping[str, Key] = {}
        self._seen: dict[Stamp, Cell] = {}
        self._matrix: Matrix | None = None
        self._states: Mapping[str, State] = {}
        self._lock = threading.Lock()

    def row(self) -> SweepRow:
        """The sweep as it is listed. Raises QueueError."""
        return self._queue.sweep_row(self.id)

    def look(self) -> Matrix:
        """The matrix as it stands; the same one while nothing is new. Raises QueueError."""
        with self._lock:
            now = self._queue.progress(self.id, self._seen)
            if self._matrix is not None and not now.ended and now.states == self._states:
                return self._matrix
            if now.states.keys() - self._keys.keys():
                self._keys = self._queue.asked(self.id)
            for stamp, point in now.ended.items():
                self._seen[stamp] = cell(
                    point.state,
                    point.trace,
                    point.error,
                    self._explain,
                    point=point.job,
                    whole=point.whole,
                )
            cells = {self._keys[job]: each for (job, _), each in self._seen.items()}
            for job, state in now.states.items():
                if state not in ("done", "lost") and job in self._keys:
                    cells[self._keys[job]] = cell(state, None, None, self._explain, point=job)
            self.counts, self._states = now.counts, now.states
            self._matrix = Matrix(self.layout, cells)
            return self._matrix

    def kept(self, point: str, whole: str) -> None:
        """Note that the whole trace of a point is kept by now."""
        with self._lock:
            for stamp, each in self._seen.items():
                if each.point == point:
                    self._seen[stamp] = replace(each, whole=whole)
            self._matrix = None
