"""The worker: claims jobs, compiles them in warm sessions, has the dumps read, stored, studied.

`python -m core.jobs.worker` is the process beside the server. One thread drives everything: the
compiling, the reading and the studying are done by other processes.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import logging
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.compilers import Compiler, Running, Session, SessionLost, ToolMissing
from core.compilers.registry import COMPILERS
from core.compilers.registry import compiler as known_compiler
from core.hints import HintError
from core.home import home as users_home
from core.jobs.claims import Claim, Claims, Tool, owners
from core.jobs.folders import COMPILES, remove, remove_those_of_the_dead
from core.jobs.inquiring import Inquiring
from core.jobs.process import die_with_parent, lives, this_process
from core.jobs.queue import Queue
from core.jobs.reading import Readers
from core.jobs.studying import Studying
from core.jobs.work import Job
from core.kernel import KernelError
from core.library import Library, LibraryError

LOCK = "worker.lock"

_BUSY_TICK, _IDLE_TICK = 0.01, 0.05  # seconds
_LOOK_FOR_CANCELS, _LOOK_FOR_DEAD = 0.15, 1.0  # seconds
_FEW, _LOOK_FOR_OVER = 50, 0.2  # jobs that are looked at in every round, else seconds
_KEEP_WARM = 900.0  # seconds that a session stays without work: it takes 150 MB
_COMPILES_A_READER = 8  # a dump is read in a twentieth of the time that the compile takes
_UNREAD = 2  # dumps a slot that may wait to be read before no compile is begun
_LAST_READS = 2.0  # seconds that readers may finish in when the worker is stopped

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Compile:
    claim: Claim
    running: Running


class Worker:
    """Claims and runs jobs, round by round. Used by one thread."""

    def __init__(
        self,
        library: Library,
        *,
        slots: int | None = None,
        compilers: Mapping[str, Compiler] | None = None,
        only: Sequence[str] | None = None,
    ) -> None:
        """`slots`: compiles at a time, one a core by default; `only`: these jobs, else all."""
        self._library = library
        self._slots = slots or len(os.sched_getaffinity(0))
        self._compilers = COMPILERS if compilers is None else compilers
        self._only = only
        owner = f"{this_process()}-{secrets.token_hex(3)}"
        self._folders = library.home / COMPILES / owner
        self._claims = Claims(library, owner, self._folders)
        self._readers = Readers(library.home, owner, 1 + self._slots // _COMPILES_A_READER)
        # Who compiles a few jobs only, at a command line, leaves studies to the next server.
        self._studying = Studying(library) if only is None else None
        self._inquiring = Inquiring(library) if only is None else None
        self._sessions: dict[Tool, Session] = {}
        self._used: dict[Tool, float] = {}
        self._compiles: list[_Compile] = []
        self._looked_for_cancels = self._looked_for_dead = 0.0
        remove_those_of_the_dead(library.home)

    def warm(self, compiler: str) -> None:
        """Have a compiler and a reader loaded before the first job asks, if it is installed."""
        if self._compilers[compiler].installed():
            self._session((compiler, self._compilers[compiler].version))
            self._readers.warm()

    def round(self) -> bool:
        """Do what there is to do, then wait a moment; True while something is under way."""
        now = time.monotonic()
        self._take_back(self._readers.lost(), "The process that read its dump died.")
        self._take_ended()
        if now - self._looked_for_cancels >= _LOOK_FOR_CANCELS:
            self._looked_for_cancels = now
            self._cancel()
        if now - self._looked_for_dead >= _LOOK_FOR_DEAD:
            self._looked_for_dead = now
            self._recover()
            self._cool()
        self._begin()
        under_way = bool(self._compiles) or self._readers.busy > 0
        if self._studying:
            self._studying.round(idle=not under_way)
        if self._inquiring:
            self._inquiring.round()
        if self._compiles:
            # Any session's news ends the wait for this one; a lost session is found out above.
            with contextlib.suppress(SessionLost):
                self._compiles[0].running.wait(_BUSY_TICK)
        elif under_way:
            self._readers.wait(_BUSY_TICK)
        else:
            time.sleep(_IDLE_TICK)
        return under_way

    def stop(self) -> None:
        """Kill every compile and put the jobs back into the queue."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        self._compiles.clear()
        if self._studying:
            self._studying.close()
        if self._inquiring:
            self._inquiring.close()
        self._readers.close(_LAST_READS)
        try:
            self._claims.put_back()
        finally:
            remove(self._folders)

    def _session(self, tool: Tool) -> Session:
        self._used[tool] = time.monotonic()
        if tool not in self._sessions:
            name, version = tool
            if name not in self._compilers:
                raise ToolMissing(f"There is no compiler {name!r} in this Tilescope.")
            usual = self._compilers[name]
            wanted = usual if version == usual.version else known_compiler(name, version)
            self._sessions[tool] = wanted.session()
        return self._sessions[tool]

    def _take_ended(self) -> None:
        lost: dict[Tool, str] = {}
        for each in list(self._compiles):
            try:
                if each.running.wait(0) is None:
                    continue
            except SessionLost as gone:
                lost[each.claim.tool] = str(gone)
                continue
            self._compiles.remove(each)
            self._readers.read(each.claim)
        for tool, sentence in lost.items():
            self._drop_session(tool, sentence)

    def _drop_session(self, tool: Tool, sentence: str, *others: Claim) -> None:
        _log.warning("%s %s: %s", *tool, sentence)
        self._sessions.pop(tool).close()
        gone = [each for each in self._compiles if each.claim.tool == tool]
        self._compiles = [each for each in self._compiles if each not in gone]
        self._take_back([*(each.claim for each in gone), *others], f"{sentence.rstrip('.')}.")

    def _take_back(self, claims: Sequence[Claim], died: str) -> None:
        if claims:
            self._claims.put_back([claim.number for claim in claims], died=died)
            for claim in claims:
                remove(claim.folder)

    def _cancel(self) -> None:
        wanted = self._claims.to_cancel() if self._compiles else frozenset()
        for each in self._compiles:
            if each.claim.number in wanted:
                with contextlib.suppress(SessionLost):
                    each.running.cancel()

    def _recover(self) -> None:
        for owner in owners(self._library):
            if not lives(owner):
                _log.warning("The worker %s died; its jobs are queued again.", owner)
                dead = Claims(self._library, owner, self._folders)
                dead.put_back(died="The worker process died while it was running.")
                remove_those_of_the_dead(self._library.home)

    def _cool(self) -> None:
        busy = {each.claim.tool for each in self._compiles}
        for tool in self._sessions.keys() - busy:
            if time.monotonic() - self._used[tool] > _KEEP_WARM:
                self._sessions.pop(tool).close()

    def _begin(self) -> None:
        free = self._slots - len(self._compiles)
        if free > 0 and self._readers.busy <= _UNREAD * self._slots:
            for claim in self._claims.claim(free, self._only):
                self._compile(claim)

    def _compile(self, claim: Claim) -> None:
        try:
            claim.folder.mkdir(parents=True)
            session = self._session(claim.tool)
            running = session.start(
                *(claim.folder, claim.kernel, claim.hints, claim.limits),
                full=claim.kind == "compile",
            )
        except SessionLost as gone:
            self._drop_session(claim.tool, str(gone), claim)
        except (HintError, KernelError, ToolMissing) as refused:
            self._refuse(claim, str(refused))
        except OSError as error:
            self._refuse(claim, f"The compile could not be started: {error}.")
        else:
            self._compiles.append(_Compile(claim, running))

    def _refuse(self, claim: Claim, sentence: str) -> None:
        self._claims.fail(claim.number, sentence)
        remove(claim.folder)


def run(
    home: Path,
    slots: int | None = None,
    until: Callable[[], bool] | None = None,
    *,
    compilers: Mapping[str, Compiler] | None = None,
    warm: Sequence[str] = (),
) -> None:
    """Work in this process, on everything in the queue, until `until` says so.

    What is under way then is stopped and put back into the queue.
    """
    library = Library(home)
    worker = Worker(library, slots=slots, compilers=compilers)
    try:
        for compiler in warm:
            worker.warm(compiler)
        while until is None or not until():
            worker.round()
    finally:
        worker.stop()
        library.close()


def run_until(queue: Queue, jobs: Sequence[str], *, slots: int | None = None) -> Generator[Job]:
    """Work in this process until these jobs are over; each, as it ends.

    A server's worker may take some of them. Leaving early, by an exception or by closing the
    iterator, cancels those that are left.
    """
    left = list(dict.fromkeys(jobs))  # shared with the worker, which need not look for the rest
    worker = Worker(queue.library, slots=slots, only=left)
    looked = 0.0
    try:
        while left:
            now = time.monotonic()
            if len(left) < _FEW or now - looked > _LOOK_FOR_OVER:
                looked = now
                for id in queue.over(left):
                    left.remove(id)
                    yield queue.job(id)
            if left:
                worker.round()
    finally:
        worker.stop()
        for id in left:
            queue.cancel(id)


def _only_one(home: Path, stopped: threading.Event) -> int | None:
    """Take the lock that one worker of a home holds; wait for it. None where we are stopped."""
    lock = os.open(home / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    while not stopped.is_set():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            stopped.wait(0.5)
    return None


def _watch_input(stopped: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    stopped.set()


def main(arguments: Sequence[str]) -> int:
    """The worker process; ends on SIGTERM, SIGINT, or with its parent."""
    parser = argparse.ArgumentParser(prog="python -m core.jobs.worker", description=__doc__)
    parser.add_argument("--home", type=Path, help="instead of $TILESCOPE_HOME")
    parser.add_argument("--slots", type=int, help="compiles at a time; one a core if not given")
    parser.add_argument("--warm", nargs="*", default=[], help="compilers to load at once")
    parser.add_argument(
        "--with-parent", action="store_true", help="end when the standard input is closed"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    stopped = threading.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: stopped.set())
    if options.with_parent:
        die_with_parent(signal.SIGTERM)
        threading.Thread(target=_watch_input, args=(stopped,), daemon=True).start()
    if options.home:
        os.environ["TILESCOPE_HOME"] = str(options.home)  # where the toolchains are, too
    os.nice(5)  # pages come first
    try:
        home = users_home()
        if _only_one(home, stopped) is not None:
            run(home, options.slots, stopped.is_set, warm=options.warm)
    except LibraryError as error:
        _log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
