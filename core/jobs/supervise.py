"""Keeps one worker process running beside a server, and ends it with the server."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

LOG = "worker.log"

_PROJECT = Path(__file__).resolve().parents[2]
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds before a worker that died is started again
_HEALTHY = 30.0  # seconds after which a worker's death starts the pauses over
_LAST_WORDS = 10.0  # seconds that a worker has to put its jobs back
_LOG_BYTES = 1 << 20


class Supervisor:
    """One worker process, started again when it dies.

    The worker hears of our end, however it comes, by the pipe that is its standard input. When
    several servers share a home, one worker works and the others wait.
    """

    def __init__(self, home: Path, *, slots: int | None = None, warm: Sequence[str] = ()) -> None:
        """`slots`: compiles at a time, by default one a core; `warm`: compilers to load at once."""
        self._home = home
        self._command = [sys.executable, "-m", "core.jobs.worker", "--with-parent"]
        self._command += ["--home", str(home)]
        self._command += ["--slots", str(slots)] if slots else []
        self._command += ["--warm", *warm] if warm else []
        self._closing = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        # The kernel ends the worker with the thread that started it: that must be one that stays.
        self._thread = threading.Thread(target=self._supervise, name="supervisor", daemon=True)
        self.problem = ""  #: one sentence while the worker is not running though it should; else ""

    def start(self) -> None:
        """Start the worker; returns at once."""
        self._thread.start()

    def close(self) -> None:
        """End the worker and wait for that; its jobs go back into the queue."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def __enter__(self) -> Supervisor:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The worker's process, where there is one."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def _supervise(self) -> None:
        pause = _FIRST_PAUSE
        while not self._closing.is_set():
            began = time.monotonic()
            why = self._run_worker()
            if self._closing.is_set():
                return
            if time.monotonic() - began > _HEALTHY:
                pause = _FIRST_PAUSE
            self.problem = (
                f"The worker that compiles {why}; it is started again in {pause:.1f} s. "
                f"See {self._home / LOG}."
            )
            self._closing.wait(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _run_worker(self) -> str:
        """Run one until it ends or we are closed; how it ended."""
        log = self._home / LOG
        try:
            fresh = not log.exists() or log.stat().st_size > _LOG_BYTES
            with log.open("wb" if fresh else "ab") as output:
                process = subprocess.Popen(
                    self._command,
                    cwd=_PROJECT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C at the server is the server's to hear
                )
        except OSError as error:
            return f"could not be started ({error})"
        self._process = process
        self.problem = ""
        while process.poll() is None and not self._closing.wait(0.2):
            pass
        assert process.stdin is not None  # it is a pipe
        process.stdin.close()
        try:
            code = process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        return f"died of signal {-code}" if code < 0 else f"ended with exit code {code}"
