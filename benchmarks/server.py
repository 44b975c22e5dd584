"""A server of our own for a measurement, on a free port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.bench import PROJECT

_START_S = 60.0
_STOP_S = 20.0


@dataclass(frozen=True, slots=True)
class Server:
    port: int
    process: psutil.Process

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def cpu_seconds(self) -> float:
        """What the server itself has used so far; its worker is another process."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def rss_bytes(self) -> int:
        return int(self.process.memory_info().rss)


@contextmanager
def serving(app: Path, log: Path) -> Iterator[Server]:
    """Serve an app with the project's own settings, from $TILESCOPE_HOME, until the block ends."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port)]
    with log.open("wb") as output:
        started = subprocess.Popen(
            command, cwd=PROJECT, env=dict(os.environ), stdout=output, stderr=output
        )
    try:
        server = Server(port, psutil.Process(started.pid))
        _wait_until_healthy(server, started, log)
        yield server
    finally:
        started.terminate()
        try:
            started.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def _wait_until_healthy(server: Server, started: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and started.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start: {log.read_text(errors='replace')[-2000:]}")
