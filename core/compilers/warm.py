"""A warm compiler, seen from its user: start compiles, wait for them, cancel them.

The other half is `warm_server`, a process that has the compiler loaded and forks once a compile.
The two speak JSON lines over a socket. When this end closes, for whatever reason, the server kills
its compiles and ends.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.compilers import Ended, Limits, SessionLost
from core.trace import Status

_SERVER = Path(__file__).resolve().with_name("warm_server.py")
_PROJECT = _SERVER.parents[2]


class WarmProcess:
    """One server process of a compiler."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        python: Path | None = None,
    ) -> None:
        """Start `warm_server` with the compiler's child module; returns before it is loaded.

        `python` is another Python than ours that shall run it; `module` is then a file's path.
        """
        server = [sys.executable, "-W", "ignore", "-m", "core.compilers.warm_server"]
        if python is not None:
            # Isolated, and without the packages of that Python: nothing of them may leak in.
            server = [str(python), "-I", "-S", "-B", "-W", "ignore", str(_SERVER)]
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*server, str(theirs.fileno()), module, *arguments],
                cwd=_PROJECT,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._socket = ours
        self._socket.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(ours, selectors.EVENT_READ)
        self._received = b""
        self._next = 0
        self._ended: dict[int, Ended] = {}
        self._lost = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, folder: Path, limits: Limits) -> RunningChild:
        """Compile what `folder/job.json` describes. Raises SessionLost."""
        self._next += 1
        self._send(
            {
                "id": self._next,
                "folder": str(folder.absolute()),
                "seconds": limits.seconds,
                "memory_bytes": limits.memory_bytes,
            }
        )
        return RunningChild(self, self._next)

    def cancel(self, number: int) -> None:
        self._send({"cancel": number})

    def wait(self, number: int, timeout: float | None) -> Ended | None:
        """How a compile ended; None where it still runs after `timeout` s. Raises SessionLost."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while number not in self._ended:
            if self._lost:
                raise SessionLost(self._lost)
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            self._pump(left)
            if deadline is not None and time.monotonic() >= deadline:
                break
        return self._ended.get(number)

    def close(self) -> None:
        """End the server and every compile of it."""
        self._selector.close()
        self._socket.close()
        if self._process.stderr:
            self._process.stderr.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, message: Mapping[str, object]) -> None:
        if self._lost:
            raise SessionLost(self._lost)
        try:
            self._socket.setblocking(True)
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            self._die()
            raise SessionLost(self._lost) from error
        finally:
            self._socket.setblocking(False)

    def _pump(self, timeout: float | None) -> None:
        if not self._selector.select(timeout):
            return
        try:
            data = self._socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._die()
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            self._ended[message["id"]] = Ended(
                Status(message["status"]),
                message["signal"],
                message["exit_code"],
                message["seconds"],
            )

    def _die(self) -> None:
        """Remember why the server is gone, in its own last words."""
        words = b""
        if self._process.stderr:
            os.set_blocking(self._process.stderr.fileno(), False)
            words = self._process.stderr.read() or b""
        last = words.decode(errors="replace").strip().splitlines()[-1:]
        self._lost = "The warm compiler process ended" + (f": {last[0]}" if last else ".")


class RunningChild:
    """One compile of a `WarmProcess`."""

    def __init__(self, warm: WarmProcess, number: int) -> None:
        self._warm = warm
        self._number = number

    def wait(self, timeout: float | None = None) -> Ended | None:
        return self._warm.wait(self._number, timeout)

    def cancel(self) -> None:
        self._warm.cancel(self._number)
