"""The process that has a compiler loaded: forks once a compile, under limits, reports its end.

`python -m core.compilers.warm_server FD MODULE …` loads MODULE, calls `prepare(arguments)` once,
and for each request forks a child that calls `compile_job(folder)`, whose number is its exit code.
It stays single-threaded, since only then is a fork safe. A child has a process group of its own,
which is killed whole.

Some compilers need an older Python than the rest of Tilescope. Such a Python starts this file, and
MODULE, by their paths. So this file imports nothing of the project and runs from Python 3.9 on.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import importlib.util
import json
import os
import resource
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

#: Values of `core.trace.Status`.
OK, OK_TO_LAST_STEP, FAILED, CRASHED, TIMED_OUT, CANCELLED = (
    "ok",
    "ok_to_last_step",
    "failed",
    "crashed",
    "timed_out",
    "cancelled",
)

FAILED_EXIT = 3  #: a child's exit code where the compiler said no

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_libc = ctypes.CDLL(None, use_errno=True)  # loaded before any fork


@dataclass
class _Child:
    number: int
    folder: Path
    started: float
    deadline: float
    stopped: str | None = None  #: why we killed it, where we did


class WarmServer:
    """Forks, watches and reports."""

    def __init__(self, control: socket.socket, compile_job: Callable[[Path], int | None]) -> None:
        self._control = control
        self._compile_job = compile_job
        self._children: dict[int, _Child] = {}
        self._parent = os.getppid()
        self._pid = os.getpid()
        self._received = b""
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only wakes the selector

    def serve(self) -> None:
        """Serve until the control socket closes or the parent is gone; then kill every child."""
        selector = selectors.DefaultSelector()
        selector.register(self._control, selectors.EVENT_READ)
        selector.register(self._wake_read, selectors.EVENT_READ)
        try:
            while os.getppid() == self._parent:
                now = time.monotonic()
                nearest = min((c.deadline for c in self._children.values()), default=now + 1.0)
                for key, _ in selector.select(min(1.0, max(0.0, nearest - now))):
                    if key.fileobj is self._control:
                        if not self._read():
                            return
                    else:
                        with contextlib.suppress(BlockingIOError):
                            os.read(self._wake_read, 4096)
                self._reap()
                self._enforce()
        finally:
            for pid in self._children:
                _kill_group(pid)

    def _read(self) -> bool:
        data = self._control.recv(1 << 16)
        if not data:
            return False
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "cancel" in message:
                self._stop(message["cancel"], CANCELLED)
            else:
                self._fork(message)
        return True

    def _fork(self, message: dict[str, object]) -> None:
        folder = Path(str(message["folder"]))
        pid = os.fork()
        if pid == 0:
            self._become_child(folder, int(str(message["memory_bytes"])))
        with contextlib.suppress(OSError):  # also set by the child: whoever comes first
            os.setpgid(pid, pid)
        now = time.monotonic()
        limit = float(str(message["seconds"]))
        self._children[pid] = _Child(int(str(message["id"])), folder, now, now + limit)

    def _become_child(self, folder: Path, memory_bytes: int) -> None:
        code = FAILED_EXIT
        try:
            os.setpgid(0, 0)
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != self._pid:
                os._exit(FAILED_EXIT)  # the server died between the fork and here
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._control.close()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
            log = os.open(folder / "printed.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(log, 1)
            os.dup2(log, 2)
            code = self._compile_job(folder) or 0
        except BaseException as error:  # noqa: BLE001 - the child must always reach _exit
            with contextlib.suppress(OSError):
                (folder / "error.txt").write_text(f"{type(error).__name__}: {error}\n")
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            _libc.fflush(None)  # what the compiler printed is in C's buffers, which _exit drops
            os._exit(code)

    def _stop(self, number: int, why: str) -> None:
        for pid, child in self._children.items():
            if child.number == number and child.stopped is None:
                child.stopped = why
                _kill_group(pid)

    def _enforce(self) -> None:
        now = time.monotonic()
        for child in list(self._children.values()):
            if child.deadline <= now and child.stopped is None:
                self._stop(child.number, TIMED_OUT)
                child.deadline = now + 3600.0  # killed: only its end is awaited

    def _reap(self) -> None:
        while self._children:
            try:
                pid, wait_status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self._children.pop(pid, None)
            if child is None:
                continue
            _kill_group(pid)  # what it started and left behind
            self._report(child, os.waitstatus_to_exitcode(wait_status))

    def _report(self, child: _Child, code: int) -> None:
        died_of = signal.Signals(-code).name if code < 0 else None
        if child.stopped is not None and died_of == "SIGKILL":
            status = child.stopped
        elif died_of:
            status = CRASHED
        elif code:
            status = FAILED
        else:
            job = json.loads((child.folder / "job.json").read_text())
            status = OK if job["last_step"] == "present" else OK_TO_LAST_STEP
        ended = {
            "status": status,
            "signal": died_of if status == CRASHED else None,
            "exit_code": code if code >= 0 else None,
            "seconds": round(time.monotonic() - child.started, 4),
        }
        with contextlib.suppress(OSError):  # the folder may be gone already
            partial = child.folder / ".ended.json"
            partial.write_text(json.dumps(ended))
            partial.rename(child.folder / "ended.json")
        self._control.sendall(json.dumps({"id": child.number, **ended}).encode() + b"\n")


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _load(name: str) -> ModuleType:
    """A module by its dotted name, or by its path where the name ends in .py."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(Path(name).stem, name)
    assert spec is not None and spec.loader is not None  # such a name always has them
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    module = _load(arguments[1])
    module.prepare(arguments[2:])
    gc.collect()
    gc.freeze()  # children share these pages until they write
    server = WarmServer(control, module.compile_job)
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError, ConnectionResetError):
        server.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
