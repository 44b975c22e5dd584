"""Processes of this machine: who one is, whether it lives, and dying with one's parent."""

from __future__ import annotations

import ctypes
import os
import signal
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_STATE, _START_TIME = 3 - 3, 22 - 3  # fields 3 and 22 of proc(5), counted behind the command name


def this_process() -> str:
    """This process as "PID-START", which no later process has, whatever its pid."""
    pid = os.getpid()
    return f"{pid}-{_fields(pid)[_START_TIME]}"


def lives(process: str) -> bool:
    """Whether a process named by `this_process` still runs (a zombie does not).

    Anything behind a second dash is the caller's own.
    """
    pid, start, *_ = f"{process}-".split("-")
    try:
        fields = _fields(int(pid))
    except (OSError, ValueError, IndexError):
        return False
    return fields[_START_TIME] == start and fields[_STATE] not in ("Z", "X")


def die_with_parent(sign: signal.Signals) -> None:
    """Have the kernel send this process a signal when the thread that started it is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(sign))


def _fields(pid: int) -> list[str]:
    # The command name, in brackets, may itself hold spaces and brackets.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
