"""Capturing a network: started in a process of its own, followed, stopped."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from core.home import home

_PROJECT = Path(__file__).resolve().parent.parent
_KEY = "capture:running"
_LONGEST = 300.0  # seconds


@dataclass
class Running:
    """One capture under way."""

    name: str
    started: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[bytes] | None = None
    capture: str | None = None  #: its id, once it is done
    problem: str = ""  #: one sentence, where it failed
    over: bool = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


def start(file: Path | None, source: str, name: str, options: Sequence[str]) -> None:
    """Capture `name` of a file of ours, or of a source text."""
    running = Running(name)
    st.session_state[_KEY] = running
    thread = threading.Thread(
        target=_run, args=(running, file, source, list(options), home()), daemon=True
    )
    thread.start()


def current() -> Running | None:
    """The capture of this browser tab that is under way or has just ended."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Running) else None


def forget() -> None:
    st.session_state.pop(_KEY, None)


def stop() -> None:
    """Kill it with all that it started."""
    running = current()
    if running is not None and running.process is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.process.pid, signal.SIGTERM)
        running.problem = "The capture was stopped."


def _run(running: Running, file: Path | None, source: str, options: list[str], where: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if file is None:
            file = Path(folder) / "network.py"
            file.write_text(source, encoding="utf-8")
        command = [
            *(sys.executable, "-m", "core", "capture", f"{file}:{running.name}"),
            *(*options, "--keep", "--json"),
        ]
        running.process = subprocess.Popen(
            command,
            cwd=_PROJECT,
            env={**os.environ, "TILESCOPE_HOME": str(where)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            said, wrong = running.process.communicate(timeout=_LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(running.process.pid, signal.SIGKILL)
            running.process.communicate()
            running.problem = f"The capture took longer than {_LONGEST:.0f} s and was stopped."
        else:
            _take(running, said, wrong)
    running.over = True


def _take(running: Running, said: bytes, wrong: bytes) -> None:
    try:
        running.capture = json.loads(said)["capture"]
    except (ValueError, KeyError):
        last = wrong.decode("utf-8", "replace").strip().splitlines()
        running.problem = running.problem or (last[-1] if last else "The capture ended in silence.")
