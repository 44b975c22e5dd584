"""The process that leads inquiries: a worker has one while there are any, apart from its compiles.

An inquiry asks the same whenever the answers are the same. So nothing of it is kept but the sweep
that holds what it asked for: after a death it is begun anew, is told what is measured already, and
goes on where it was.
"""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.analysis.inquiry import Answer, Inquiry
from core.compilers import Limits
from core.compilers.registry import compiler, compiler_for
from core.jobs.claims import MAX_DEATHS
from core.jobs.inquiries import KINDS, write_result
from core.jobs.process import die_with_parent
from core.jobs.queue import Queue, QueueError
from core.jobs.work import Point
from core.library import Library, LibraryError
from core.request import Request

_PROJECT = Path(__file__).resolve().parents[2]
_TICK = 0.1  # seconds between looks at what was answered
_IDLE = 0.5  # seconds between looks for something to ask
_KEEP = 60.0  # seconds that the process stays without work
_MEMORY_BYTES = 6 << 30  # of address space
_NICER = 2
_THINKS = 120.0  # seconds that a step may take, apart from its compiles
_SECONDS = 60.0  # that one compile of an inquiry may take, where its options say nothing

_log = logging.getLogger(__name__)

Key = tuple[str, str, str, str]


class Inquiring:
    """The worker's side: starts the process where somebody asks. Used by one thread.

    The process says which inquiry it is at. One over which it dies again, or that thinks for too
    long, is given up, with a sentence that says so.
    """

    def __init__(self, library: Library, *, seconds: float = _THINKS) -> None:
        """`seconds`: that a step of an inquiry may take, apart from its compiles."""
        self._queue = Queue(library)
        self._seconds = seconds
        self._command = [sys.executable, "-m", "core.jobs.inquiring", str(library.home)]
        self._process: subprocess.Popen[bytes] | None = None
        self._at = ("", 0.0)  # the inquiry that it is at, and since when
        self._deaths: Counter[str] = Counter()  # over each
        self._looked = 0.0

    def round(self) -> None:
        """See that somebody leads what is asked."""
        now = time.monotonic()
        if now - self._looked < _IDLE:
            return
        self._looked = now
        if self._process is not None:
            self._listen(now)
            code = self._process.poll()
            if code is not None:
                died = f"died of signal {-code}" if code < 0 else f"ended with code {code}"
                self._deaths[self._at[0]] += bool(code)
                self._give_up(died if self._deaths[self._at[0]] >= MAX_DEATHS else "")
            elif self._at[0] and now - self._at[1] > self._seconds:
                self._give_up(f"took longer than {self._seconds:.0f} s for one step")
            else:
                return
        try:
            wanted = self._queue.open_inquiries()
        except LibraryError as error:
            _log.warning("No inquiry is led for now: %s", error)
            return
        if wanted:
            self._process = subprocess.Popen(
                self._command,
                cwd=_PROJECT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C in a terminal is the worker's to hear
            )
            assert self._process.stdout is not None  # it is a pipe
            os.set_blocking(self._process.stdout.fileno(), False)

    def close(self) -> None:
        """End the process; its inquiries go on another time."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None
        self._at = ("", 0.0)

    def _listen(self, now: float) -> None:
        """Take in which inquiry it is at: an empty line where it is at none."""
        assert self._process is not None and self._process.stdout is not None
        said = b""
        with contextlib.suppress(BlockingIOError):
            while some := os.read(self._process.stdout.fileno(), 1 << 16):
                said += some
        if said:
            self._at = (said.decode().split("\n")[-2], now)

    def _give_up(self, why: str) -> None:
        id = self._at[0]
        self.close()
        if id and why:
            _log.warning("The process that led inquiry %s %s.", id, why)
            with contextlib.suppress(LibraryError):
                self._queue.end_inquiry(
                    id, None, f"It was given up: the process that works out what to ask {why}."
                )


@dataclass(slots=True)
class _Led:
    """One inquiry under way."""

    id: str
    inquiry: Inquiry[Any]
    asked: list[Request]
    sweep: str | None
    limits: Limits


class Leader:
    """Leads every open inquiry of a library, step by step."""

    def __init__(self, library: Library, at: Callable[[str], object] = lambda id: None) -> None:
        """`at` is told the inquiry that is led at the moment, and "" after it."""
        self._library = library
        self._queue = Queue(library)
        self._at = at
        self._led: dict[str, _Led] = {}

    def round(self) -> bool:
        """One step of each; True while any is open."""
        wanted = self._queue.open_inquiries()
        for id in self._led.keys() - set(wanted):
            self._led.pop(id).inquiry.close()
        for id in wanted:
            self._at(id)
            try:
                self._step(id)
            except (QueueError, LibraryError, ValueError) as wrong:
                self._fail(id, str(wrong))
            except Exception as fault:  # noqa: BLE001 - a fault in one is that one's alone
                traceback.print_exc()
                self._fail(id, f"The inquiry met a fault: {type(fault).__name__}: {fault}.")
            self._at("")
        return bool(wanted)

    def _fail(self, id: str, sentence: str) -> None:
        self._led.pop(id, None)
        self._queue.end_inquiry(id, None, sentence)

    def _step(self, id: str) -> None:
        led = self._led.get(id)
        if led is None:
            led = self._begin(id)
            if led is None:
                return
            self._led[id] = led
        known = self._known(led.sweep)
        while all(self._key(request) in known for request in led.asked):
            points = [known[self._key(request)] for request in led.asked]
            if any(point.state in ("queued", "running") for point in points):
                return
            answers = [_answer(r, p) for r, p in zip(led.asked, points, strict=True)]
            if not self._advance(led, answers):
                return
        self._ask(led)

    def _begin(self, id: str) -> _Led | None:
        row = self._queue.inquiry(id)
        kind = KINDS.get(row.kind)
        if kind is None or row.parent is None:
            raise QueueError("What it is about is no longer in the library; ask again.")
        kernel = self._library.kernel(row.parent)
        if kernel is None:
            raise QueueError("This trace came without its kernel, so nothing can be compiled.")
        self._queue.begin_inquiry(id)
        trace = self._library.trace(row.parent)
        inquiry = kind.start()(trace, self._library, kernel, row.options)
        led = _Led(id, inquiry, [], row.sweep, _limits(row.options))
        return led if self._advance(led, None) else None

    def _advance(self, led: _Led, answers: Sequence[Answer] | None) -> bool:
        """Tell it the answers and take its next questions; False where it has found out."""
        try:
            asked = next(led.inquiry) if answers is None else led.inquiry.send(answers)
        except StopIteration as ended:
            self._led.pop(led.id, None)
            self._queue.end_inquiry(led.id, write_result(ended.value))
            return False
        led.asked = list(asked)
        return True

    def _ask(self, led: _Led) -> None:
        """Have compiled what is asked and was not before."""
        known = self._known(led.sweep)
        new = [request for request in led.asked if self._key(request) not in known]
        if led.sweep is None:
            led.sweep = self._queue.submit_requests(new, limits=led.limits)
            self._queue.begin_inquiry(led.id, led.sweep)
        elif new:
            self._queue.extend(led.sweep, new, led.limits)

    def _known(self, sweep: str | None) -> Mapping[Key, Point]:
        if sweep is None:
            return {}
        return {
            (p.kernel_hash, p.hints.digest, p.compiler, p.version): p
            for p in self._queue.sweep(sweep).points
            if p.state != "cancelled"  # who is still waited for is asked again
        }

    def _key(self, request: Request) -> Key:
        name = request.compiler or compiler_for(request.kernel).name
        version = request.version or compiler(name).version
        return request.kernel.digest, request.hints.digest, name, version


def _answer(request: Request, point: Point) -> Answer:
    return Answer(request, point.trace, point.error or "")


def _limits(options: Mapping[str, Any]) -> Limits:
    return Limits(seconds=float(options.get("seconds", _SECONDS)))


def main(home: Path) -> None:
    """Lead inquiries until there have been none for a while, or the worker ends."""
    die_with_parent(signal.SIGKILL)
    os.nice(_NICER)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    answers = os.dup(1)
    os.dup2(2, 1)  # nothing but where it is may go to the worker
    leader = Leader(Library(home), lambda id: os.write(answers, f"{id}\n".encode()))
    last = time.monotonic()
    while time.monotonic() - last < _KEEP:
        busy = False
        with contextlib.suppress(LibraryError):  # another process may hold the file for long
            busy = leader.round()
        if busy:
            last = time.monotonic()
        time.sleep(_TICK if busy else _IDLE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
