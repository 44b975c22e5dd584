"""Compiles of one kernel for other devices, made beside the page and kept by kernel."""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from core.compilers import Limits, SessionLost, ToolMissing
from core.hints import HintError, Hints
from core.kernel import Kernel, KernelError
from core.readers import Opened, ReadError, open_trace
from core.reference import Difference, NoReference
from core.reference.ascend import CannotEmulate, check_code
from core.reference.check import CPU, GPU, Check, HostSession, check, host

_KEPT = 16
_SECONDS = 60.0
_lock = threading.Lock()
_made: OrderedDict[str, Future[Others]] = OrderedDict()
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="devices")


@dataclass(frozen=True)
class Others:
    """The kernel on the other devices, and whether each computes what it should."""

    cpu: Opened | str  #: or one sentence
    gpu: Opened | str
    ran: Check  #: on this machine's processor
    emulated: tuple[Difference, ...] | str  #: the code for Ascend, or why it is not run


def others(kernel: Kernel, code: str, cores: int) -> Others | None:
    """What is known of the other devices; None while it is being worked out: ask again."""
    key = f"{kernel.digest}:{hash(code)}"
    with _lock:
        if key not in _made:
            _made[key] = _worker.submit(_work, kernel, code, cores)
        _made.move_to_end(key)
        while len(_made) > _KEPT:
            _made.popitem(last=False)
        future = _made[key]
    return future.result() if future.done() else None


def _work(kernel: Kernel, code: str, cores: int) -> Others:
    try:
        session = host()
    except ToolMissing as missing:
        return Others(
            str(missing), str(missing), Check((), str(missing)), _emulated(kernel, code, cores)
        )
    try:
        return Others(
            _compiled(session, kernel, CPU),
            _compiled(session, kernel, GPU),
            check(kernel, session),
            _emulated(kernel, code, cores),
        )
    finally:
        session.close()


def _compiled(session: HostSession, kernel: Kernel, target: str) -> Opened | str:
    folder = Path(tempfile.mkdtemp())  # its texts are read from there for as long as it is kept
    try:
        session.start(folder, kernel, Hints((), {"target": target}), Limits(_SECONDS)).wait()
        opened = open_trace(folder)
    except (HintError, KernelError, SessionLost, ReadError) as wrong:
        return str(wrong)
    failure = opened.trace.failure
    return failure.message if failure is not None and not opened.trace.status.compiles else opened


def _emulated(kernel: Kernel, code: str, cores: int) -> tuple[Difference, ...] | str:
    if not code:
        return "There is no emitted code to run."
    try:
        return check_code(kernel, code, cores)
    except (NoReference, CannotEmulate) as why:
        return str(why)
