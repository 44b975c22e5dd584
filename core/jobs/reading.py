"""Processes that read what finished compiles left, and store it: the worker only directs.

Reading a dump takes as much of a core as making it. A reader takes JSON lines, one a finished
compile, and answers each with a line; its own death loses one compile, which is then done again.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
import traceback
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.jobs.claims import Claim, Claims
from core.jobs.folders import keep_unread, remove
from core.jobs.process import die_with_parent
from core.library import Library, LibraryError
from core.readers import ReadError, open_trace
from core.trace import Status

_PROJECT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class _Reader:
    process: subprocess.Popen[bytes]
    reads: Claim | None = None


class Readers:
    """As many reader processes as are needed, up to a number. Used by one thread."""

    def __init__(self, home: Path, owner: str, most: int) -> None:
        self._command = [sys.executable, "-m", "core.jobs.reading", str(home), owner]
        self._most = most
        self._readers: list[_Reader] = []
        self._waiting: deque[Claim] = deque()
        self._selector = selectors.DefaultSelector()

    @property
    def busy(self) -> int:
        """Finished compiles that are being read or wait for it."""
        return len(self._waiting) + sum(r.reads is not None for r in self._readers)

    def warm(self) -> None:
        """Have one reader ready."""
        if not self._readers:
            self._begin()

    def read(self, claim: Claim) -> None:
        """Read and store the finished compile in a claim's folder, and remove the folder."""
        self._waiting.append(claim)
        self._hand_out()

    def wait(self, seconds: float) -> None:
        """Wait until a reader says something."""
        self._selector.select(seconds)

    def lost(self) -> list[Claim]:
        """Take in what the readers said; the claims over which one died."""
        lost: list[Claim] = []
        for key, _ in self._selector.select(0):
            reader: _Reader = key.data
            assert reader.process.stdout is not None  # it is a pipe
            if not reader.process.stdout.readline():
                self._end(reader)
                if reader.reads:
                    lost.append(reader.reads)
            reader.reads = None
        self._hand_out()
        return lost

    def close(self, patience: float) -> None:
        """End the readers; those that read may finish, for `patience` seconds at most."""
        for reader in self._readers:
            assert reader.process.stdin is not None
            with contextlib.suppress(OSError):
                reader.process.stdin.close()
        deadline = time.monotonic() + patience
        for reader in list(self._readers):
            with contextlib.suppress(subprocess.TimeoutExpired):
                reader.process.wait(max(0.0, deadline - time.monotonic()))
            self._end(reader)
        self._selector.close()

    def _hand_out(self) -> None:
        while self._waiting:
            idle = next((r for r in self._readers if r.reads is None), None)
            if idle is None and len(self._readers) < self._most:
                idle = self._begin()
            if idle is None:
                return
            idle.reads = claim = self._waiting.popleft()
            task = {
                "number": claim.number,
                "kind": claim.kind,
                "folder": str(claim.folder),
                "parent": claim.parent,
            }
            assert idle.process.stdin is not None
            # A reader that is dead says so by closing its end, which `lost` sees.
            with contextlib.suppress(OSError):
                idle.process.stdin.write(json.dumps(task).encode() + b"\n")
                idle.process.stdin.flush()

    def _begin(self) -> _Reader:
        process = subprocess.Popen(
            self._command,
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in a terminal is the worker's to hear
        )
        reader = _Reader(process)
        self._readers.append(reader)
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, reader)
        return reader

    def _end(self, reader: _Reader) -> None:
        self._readers.remove(reader)
        process = reader.process
        assert process.stdin is not None and process.stdout is not None
        self._selector.unregister(process.stdout)
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):
            process.stdin.close()
        process.stdout.close()


def _read(home: Path, claims: Claims, task: dict[str, Any]) -> None:
    folder = Path(task["folder"])
    try:
        opened = open_trace(folder)
        new = None
        # What a cancelled compile left is worth keeping where there is something to look at.
        wanted = (
            opened.trace.passes or opened.trace.status is not Status.CANCELLED
            if task["kind"] == "compile"
            else opened.trace.passes and claims.fails_anew(task["number"], opened.trace)
        )
        if wanted:
            new = claims.library.prepare(
                opened.trace, opened.texts, opened.kernel, parent=task["parent"]
            )
        claims.finish(task["number"], task["kind"], opened.trace, new)
    except (ReadError, LibraryError) as wrong:
        _keep(home, claims, task, str(wrong))
    except Exception as fault:  # noqa: BLE001 - a fault in reading one dump is that dump's alone
        traceback.print_exc()
        _keep(home, claims, task, f"Reading the dump met {type(fault).__name__}: {fault}.")
    else:
        remove(folder)


def _keep(home: Path, claims: Claims, task: dict[str, Any], sentence: str) -> None:
    kept = keep_unread(home, Path(task["folder"]))
    claims.fail(task["number"], f"{sentence} The dump is kept in {kept}.")


def main(home: Path, owner: str) -> None:
    """Read until the worker closes our input."""
    die_with_parent(signal.SIGKILL)
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # nothing but answers may go to the worker
        claims = Claims(Library(home), owner, home)
        for line in sys.stdin:
            _read(home, claims, json.loads(line))
            answers.write("read\n")
            answers.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
