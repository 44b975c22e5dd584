"""The process that studies whole traces: a worker has one, beside its compiles and apart from it.

It takes the id of a trace a line and answers each with a line. What is left to study stands in the
library, so nothing is lost with either process; a trace that this process dies over, or that takes
too long, is not tried again, and the library says why.
"""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import select
import signal
import subprocess
import sys
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path

from core.jobs.process import die_with_parent
from core.library import Library, LibraryError

_PROJECT = Path(__file__).resolve().parents[2]
_SECONDS = 120.0  # that a study may take
_MEMORY_BYTES = 6 << 30  # of address space that it may take
_LOOK = 0.5  # seconds between looks for something to study
_AGAIN = 60.0  # seconds before what left nothing behind, not even a reason, is tried again
_KEEP = 60.0  # seconds that the process stays without work
_NICER = 5  # than the worker: compiles come first

_log = logging.getLogger(__name__)


class Studying:
    """The worker's side of it. Used by one thread."""

    def __init__(self, library: Library, *, seconds: float = _SECONDS) -> None:
        """`seconds`: that a study may take."""
        self._library = library
        self._seconds = seconds
        self._command = [sys.executable, "-m", "core.jobs.studying", str(library.home)]
        self._process: subprocess.Popen[bytes] | None = None
        self._studies = ""  # id of the trace that it is at
        self._began = self._looked = 0.0
        self._before = ("", 0.0)  # the last trace, and when it was over
        self._since = datetime.now(UTC)

    def round(self, idle: bool) -> None:
        """Take what is done and hand out what is next.

        While the worker has compiles at hand, what was compiled or is looked at is studied; what
        came in otherwise has time until it is `idle`.
        """
        now = time.monotonic()
        if self._studies:
            self._attend(now)
        elif now - self._looked >= _LOOK:
            self._looked = now
            self._begin(now, idle)

    def close(self) -> None:
        """End the process; the trace that it is at is studied another time."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with contextlib.suppress(OSError):
                    pipe.close()
        self._studies = ""

    def _begin(self, now: float, idle: bool) -> None:
        try:
            id = self._library.unstudied(None if idle else self._since)
        except LibraryError as error:
            _log.warning("No trace is studied for now: %s", error)
            return
        if id is None:
            if self._process is not None and now - self._before[1] > _KEEP:
                self.close()
            return
        if id == self._before[0] and now - self._before[1] < _AGAIN:
            return
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                self._command,
                cwd=_PROJECT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is the worker's to hear
            )
        self._studies, self._began = id, now
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # a dead one is seen when its answer is waited for
            self._process.stdin.write(f"{id}\n".encode())
            self._process.stdin.flush()

    def _attend(self, now: float) -> None:
        assert self._process is not None and self._process.stdout is not None
        if select.select([self._process.stdout], [], [], 0)[0]:
            if not self._process.stdout.readline():
                code = self._process.wait()
                self._give_up(f"died of signal {-code}" if code < 0 else f"ended with code {code}")
            self._before, self._studies = (self._studies, now), ""
            self._looked = 0.0  # there may be more
        elif now - self._began > self._seconds:
            self._give_up(f"took longer than {self._seconds:.0f} s")
            self._before = (self._before[0], now)

    def _give_up(self, why: str) -> None:
        id = self._studies
        self.close()
        _log.warning("The process that studied trace %s %s.", id, why)
        with contextlib.suppress(LibraryError):
            self._library.keep_study_problem(
                id, f"This trace has no figures and checks: the process that works them out {why}."
            )
        self._studies = ""


def _study(library: Library, id: str) -> None:
    from core.analysis.study import study  # here, so that the worker does without the analysis

    try:
        library.keep_study(id, study(library.trace(id), library))
    except Exception as fault:  # noqa: BLE001 - a fault in one study is that trace's alone
        traceback.print_exc()
        what = str(fault) if isinstance(fault, LibraryError) else f"{type(fault).__name__}: {fault}"
        with contextlib.suppress(LibraryError):  # it may have been deleted
            library.keep_study_problem(
                id, f"This trace has no figures and checks: working them out met {what}."
            )


def main(home: Path) -> None:
    """Study until the worker closes our input."""
    die_with_parent(signal.SIGKILL)
    os.nice(_NICER)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    library = Library(home)
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # nothing but answers may go to the worker
        for line in sys.stdin:
            _study(library, line.strip())
            answers.write("done\n")
            answers.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
