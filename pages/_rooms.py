"""What all pages of one server share: the library, the queue, and insights already worked out.

Kept by home, so that a process that changes $TILESCOPE_HOME (tests do) gets another set.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

from core.analysis.compare import Comparison, compare
from core.analysis.diff import Diff, diff
from core.compilers import Compiler, ToolMissing
from core.compilers.registry import COMPILERS
from core.hints import HintSpec
from core.home import home
from core.jobs.queue import Queue
from core.jobs.supervise import Supervisor
from core.kernel import Kernel, KernelError, example_kernels
from core.library import Library, LibraryError, TraceRow
from core.target import Target, recorded_targets
from core.trace import Trace
from core.views.layout import render_svg

KERNELS = Path(__file__).resolve().parent.parent / "data" / "kernels"

_log = logging.getLogger("tilescope")
_lock = threading.Lock()
_libraries: dict[Path, Library] = {}
_queues: dict[Path, Queue] = {}
_supervisors: dict[Path, Supervisor] = {}

# A page shows its text at once: graphs are laid out beside it, and the browser waits for them.
_DRAWINGS_KEPT = 256
_drawings: OrderedDict[str, Future[str]] = OrderedDict()
_painters = ThreadPoolExecutor(max_workers=os.cpu_count(), thread_name_prefix="painter")


def library() -> Library:
    """The library of this home, opened once."""
    where = home()
    with _lock:
        if where not in _libraries:
            _libraries[where] = Library(where)
        return _libraries[where]


def queue() -> Queue:
    """The queue of this home."""
    kept = library()
    with _lock:
        if kept.home not in _queues:
            _queues[kept.home] = Queue(kept)
        return _queues[kept.home]


def compiler(name: str) -> Compiler | None:
    """A compiler by name, installed or not; None where Tilescope only reads its dumps."""
    return COMPILERS.get(name)


def compilers() -> tuple[Compiler, ...]:
    """Every compiler that can be started, installed or not."""
    return tuple(COMPILERS.values())


def catalogue(name: str) -> tuple[HintSpec, ...]:
    """The hints of a compiler, by its name; none where it cannot be started."""
    known = COMPILERS.get(name)
    return known.catalogue if known else ()


def target(trace: Trace) -> Target | None:
    """The chip that a trace is for, as its compiler or our records describe it."""
    known = COMPILERS.get(trace.compiler.name)
    try:
        listed = known.targets() if known and known.installed() else ()
    except ToolMissing:
        listed = ()
    named = (chip for chip in listed if chip.name == trace.target)
    return next(named, recorded_targets().get(trace.target))


def open_rooms(recorded: Path) -> None:
    """Open the library, take in the recorded traces, start the process that compiles."""
    kept = library()
    if kept.notice:
        _log.warning(kept.notice)
    kept.add_recorded(recorded)
    installed = [name for name, each in COMPILERS.items() if each.installed()]
    supervisor = Supervisor(kept.home, warm=installed)
    supervisor.start()
    _supervisors[kept.home] = supervisor


def worker_problem() -> str:
    """Why nothing compiles at the moment though it should, in one sentence; else ""."""
    supervisor = _supervisors.get(home())
    return supervisor.problem if supervisor else ""


def close_rooms() -> None:
    """End the process that compiles; what it was compiling is taken up at the next start."""
    for supervisor in _supervisors.values():
        supervisor.close()
    _supervisors.clear()


def python_allowed() -> bool:
    """Whether the person who started the server lets users run Python of their own on it."""
    return os.environ.get("TILESCOPE_ALLOW_PYTHON") == "1"


def runs_python(kernel: Kernel) -> bool:
    """Whether compiling a kernel runs a Python file."""
    return kernel.kind in ("python", "triton")


# Insights, by what they were worked out from


def trace(id: str) -> Trace:
    """A trace. Raises LibraryError where the library has none of this id."""
    return library().trace(id)


def kernel_label(row: TraceRow) -> str:
    """A trace's kernel by name, with the case where its kernel has several."""
    case = _case(library().home, row.id)
    return f"{row.kernel}, {case}" if case else row.kernel


@lru_cache(maxsize=8192)
def _case(_home: Path, id: str) -> str:
    try:
        kernel = library().kernel(id)
    except LibraryError:
        return ""
    return kernel.case if kernel is not None else ""


def text_diff(before: str, after: str) -> Diff:
    """The line operations between two texts of the library."""
    return _text_diff(library().home, before, after)


@lru_cache(maxsize=512)
def _text_diff(_home: Path, before: str, after: str) -> Diff:
    texts = library()
    return diff(texts.get(before), texts.get(after))


def comparison(before: str, after: str) -> Comparison:
    """Two traces of the library compared. Raises LibraryError."""
    trace(before), trace(after)  # a deleted one must not be answered from memory
    return _comparison(library().home, before, after)


@lru_cache(maxsize=64)
def _comparison(_home: Path, before: str, after: str) -> Comparison:
    kept = library()
    return compare(kept.trace(before), kept, kept.trace(after), kept)


def draw(dot: str) -> str:
    """Begin to lay out a graph; the hash under which `/graph/` serves it once that is done."""
    digest = hashlib.blake2b(dot.encode(), digest_size=16).hexdigest()
    with _lock:
        if digest not in _drawings:
            _drawings[digest] = _painters.submit(render_svg, dot)
        _drawings.move_to_end(digest)
        while len(_drawings) > _DRAWINGS_KEPT:
            _drawings.popitem(last=False)
    return digest


def drawn(digest: str) -> str | None:
    """The SVG of a graph, waited for; None where it is no longer kept. Raises LayoutError."""
    with _lock:
        drawing = _drawings.get(digest)
    return drawing.result() if drawing else None


def why_no_compile(kernel: Kernel | None, compiler_name: str) -> str | None:
    """Why a kernel cannot be compiled here, in one sentence; None where it can."""
    if kernel is None:
        return (
            "This trace came without its kernel, so it cannot be compiled again: compile the "
            "kernel itself from the Library."
        )
    if compiler_name not in COMPILERS:
        return f"Tilescope cannot start the compiler {compiler_name}; it only reads its dumps."
    if lacking := COMPILERS[compiler_name].lacks(kernel):
        return (
            f"{lacking} is not installed; run this once, then reload: "
            f".venv/bin/python -m core toolchain install {lacking}"
        )
    if runs_python(kernel) and not python_allowed() and kernel.source not in _our_sources():
        return (
            "This kernel is Python of somebody's own, which this server does not run: start it "
            "with TILESCOPE_ALLOW_PYTHON=1 to allow that."
        )
    return None


@lru_cache(maxsize=1)
def examples() -> tuple[Kernel, ...]:
    """The kernels that come with Tilescope. Raises KernelError."""
    return tuple(example_kernels(KERNELS)) if (KERNELS / "index.json").is_file() else ()


def _our_sources() -> frozenset[str]:
    try:
        return frozenset(kernel.source for kernel in examples())
    except KernelError:
        return frozenset()


def forget(where: Path) -> None:
    """Close what is open of a home."""
    with _lock:
        kept = _libraries.pop(where.resolve(), None)
        _queues.pop(where.resolve(), None)
    if kept is not None:
        kept.close()
