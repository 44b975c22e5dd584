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
from concurrent.futures import TimeoutError as Unfinished
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from core.analysis.compare import Comparison, compare
from core.analysis.diff import Diff, diff
from core.analysis.follow import Trail, follow
from core.analysis.lines import Became
from core.analysis.lines import became as became_of
from core.analysis.renaming import Naming
from core.analysis.search import Found, Query, search
from core.analysis.studied import Study
from core.compilers import Compiler, ToolMissing
from core.compilers.registry import COMPILERS, UnknownCompiler, recipe, versions
from core.compilers.registry import compiler as compiler_of
from core.hints import HintSpec
from core.home import home
from core.jobs.queue import Queue
from core.jobs.supervise import Supervisor
from core.kernel import Kernel, KernelError, example_kernels
from core.library import Library, LibraryError, TraceRow
from core.target import Target, recorded_targets
from core.trace import Trace
from core.views.figures import abandoned

KERNELS = Path(__file__).resolve().parent.parent / "data" / "kernels"

_log = logging.getLogger("tilescope")
_lock = threading.Lock()
_homes: dict[str | None, Path] = {}
_libraries: dict[Path, Library] = {}
_queues: dict[Path, Queue] = {}
_supervisors: dict[Path, Supervisor] = {}


class Known(NamedTuple):
    """A trace as what was worked out of it is kept by: another one may come by the same id."""

    home: Path
    id: str
    created: float


_PAGES_KEPT, _STUDIES_KEPT, _TRAILS_KEPT = 512, 32, 32
_pages: OrderedDict[str, str] = OrderedDict()
_studies: OrderedDict[Known, Study] = OrderedDict()
_PATIENCE = 0.3  #: seconds that a page waits for something to be followed; its text goes first
_trails: OrderedDict[tuple[Known, int, int, str], Future[Trail]] = OrderedDict()
_walkers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="walker")
_reports: dict[Known, tuple[int, int]] = {}  #: wrong and slow ones
_wanted: set[tuple[Path, str]] = set()  #: studies that this server has asked for


def library() -> Library:
    """The library of this home, opened once."""
    named = os.environ.get("TILESCOPE_HOME")
    with _lock:
        if named not in _homes or _homes[named] not in _libraries:
            where = home()  # which looks whether the folder is there: not at every call
            _homes[named] = where
            if where not in _libraries:
                _libraries[where] = Library(where)
        return _libraries[_homes[named]]


def queue() -> Queue:
    """The queue of this home."""
    kept = library()
    with _lock:
        if kept.home not in _queues:
            _queues[kept.home] = Queue(kept)
        return _queues[kept.home]


def compiler(name: str, version: str = "") -> Compiler | None:
    """A compiler by name, in a version or in its usual one, installed or not; None where Tilescope
    only reads its dumps."""
    try:
        return compiler_of(name, version)
    except UnknownCompiler:
        return None


def version_of(trace: Trace) -> str:
    """The version to compile a trace's kernel with again: its own, where that can be started."""
    known = compiler(trace.compiler.name, trace.compiler.version)
    return known.version if known and known.installed() else usual_version(trace.compiler.name)


def usual_version(name: str) -> str:
    """The version of a compiler that is taken where nobody asks for another; "" of an unknown."""
    known = COMPILERS.get(name)
    return known.version if known else ""


def known_versions(name: str) -> tuple[str, ...]:
    """The versions of a compiler that can be had, newest first."""
    return versions(name)


def install_command(name: str, version: str) -> str:
    """What installs a version of a compiler."""
    return recipe(name, version).command


def compilers() -> tuple[Compiler, ...]:
    """Every compiler that can be started, installed or not."""
    return tuple(COMPILERS.values())


def catalogue(name: str, version: str = "") -> tuple[HintSpec, ...]:
    """The hints of a compiler, by its name; none where it cannot be started."""
    known = compiler(name, version)
    return known.catalogue if known else ()


def target(trace: Trace) -> Target | None:
    """The chip that a trace is for, as its compiler or our records describe it."""
    known = compiler(trace.compiler.name, trace.compiler.version)
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
    return _trace(known(id))


@lru_cache(maxsize=32)
def _trace(known: Known) -> Trace:
    return library().trace(known.id)


def known(id: str) -> Known:
    """What is worked out of a trace is kept by this. Raises LibraryError."""
    return Known(library().home, id, library().row(id).created.timestamp())


def there(id: str) -> bool:
    """Whether the library has a trace of this id."""
    try:
        library().row(id)
    except LibraryError:
        return False
    return True


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


def text_diff(
    before: str,
    after: str,
    naming: Naming = "exact",
    *,
    indented: bool = True,
    alike: tuple[str, str] | None = None,
) -> Diff:
    """The line operations between two texts of the library, the names `alike` taken for one
    another. Raises KeyError."""
    return _text_diff(library().home, before, after, naming, indented, alike)


@lru_cache(maxsize=512)
def _text_diff(
    _home: Path,
    before: str,
    after: str,
    naming: Naming,
    indented: bool,
    alike: tuple[str, str] | None,
) -> Diff:
    texts = library()
    first = texts.get(before)
    first = first.replace(*alike) if alike else first
    return diff(first, texts.get(after), naming, indented=indented)


def found(id: str, query: Query) -> Found:
    """Where a trace's texts have what is looked for. Raises QueryError, LibraryError, KeyError."""
    return _found(known(id), query)


@lru_cache(maxsize=64)
def _found(known: Known, query: Query) -> Found:
    return search(_trace(known), library(), query)


def trail(id: str, index: int, line: int, name: str, patience: float = _PATIENCE) -> Trail | None:
    """One thing of a trace followed through its passes; None where that takes longer than the
    patience, in seconds: ask again. Raises LibraryError, KeyError."""
    of = known(id)
    key = (of, index, line, name)
    with _lock:
        if key not in _trails:
            _trails[key] = _walkers.submit(lambda: follow(_trace(of), library(), index, line, name))
        _trails.move_to_end(key)
        while len(_trails) > _TRAILS_KEPT:
            _trails.popitem(last=False)
        walking = _trails[key]
    try:
        return walking.result(timeout=patience)
    except Unfinished:
        return None
    except KeyError:
        with _lock:
            _trails.pop(key, None)
        raise


def study(id: str) -> Study | None:
    """What is worked out for a whole trace; None while it is not. Raises LibraryError."""
    key = known(id)
    with _lock:
        if key in _studies:
            _studies.move_to_end(key)
            return _studies[key]
    kept = library().study(id)
    if kept is not None:
        with _lock:
            _studies[key] = kept
            while len(_studies) > _STUDIES_KEPT:
                _studies.popitem(last=False)
    return kept


def reports(row: TraceRow) -> tuple[int, int] | None:
    """How many reports of a trace are of wrong code and how many of slow; None while it is not
    studied. What only an attempt had that was done over is not counted."""
    key = Known(library().home, row.id, row.created.timestamp())
    if key not in _reports:
        try:
            kept = library().study(row.id)
        except LibraryError:
            return None
        if kept is None:
            return None
        lasting = [each for each in kept.reports if not abandoned(trace(row.id), each)]
        wrong = sum(report.finding.harm == "wrong" for report in lasting)
        _reports[key] = wrong, len(lasting) - wrong
    return _reports[key]


def want_study(id: str) -> str:
    """Have a study worked out soon; why there will be none, in one sentence, else "". Raises
    LibraryError."""
    problem = library().study_problem(id)
    asked = (library().home, id)
    if not problem and asked not in _wanted:
        _wanted.add(asked)
        library().want_study(id)
    return problem


# Lists and strips of passes are fetched by their hash, so that a step through them sends none again


class Page(NamedTuple):
    """A document of a page, by its hash."""

    digest: str
    document: str


def as_page(document: str) -> Page:
    """A document with its hash, for `offer_page`."""
    return Page(hashlib.blake2b(document.encode(), digest_size=16).hexdigest(), document)


def offer_page(page: Page) -> str:
    """The address at which a document is served, until so many others have been offered that a
    page which still shows it will have fetched it long ago."""
    with _lock:
        _pages[page.digest] = page.document
        _pages.move_to_end(page.digest)
        while len(_pages) > _PAGES_KEPT:
            _pages.popitem(last=False)
    return f"page/{page.digest}"


def kept_page(digest: str) -> str | None:
    """A document of a page; None where it is no longer kept."""
    with _lock:
        return _pages.get(digest)


def became(id: str) -> tuple[Became, ...]:
    """What each operator of a captured kernel became in a trace of it. Takes some seconds.

    Raises LibraryError, KeyError.
    """
    return _became(known(id))


@lru_cache(maxsize=32)
def _became(known: Known) -> tuple[Became, ...]:
    return became_of(_trace(known), library(), library().kernel(known.id))


def comparison(before: str, after: str) -> Comparison:
    """Two traces of the library compared. Raises LibraryError."""
    trace(before), trace(after)  # a deleted one must not be answered from memory
    return _comparison(library().home, before, after)


@lru_cache(maxsize=64)
def _comparison(_home: Path, before: str, after: str) -> Comparison:
    kept = library()
    return compare(kept.trace(before), kept, kept.trace(after), kept)


def why_no_compile(kernel: Kernel | None, compiler_name: str, version: str = "") -> str | None:
    """Why a kernel cannot be compiled here, in one sentence; None where it can. Without a version
    the usual one is meant."""
    if kernel is None:
        return (
            "This trace came without its kernel, so it cannot be compiled again: compile the "
            "kernel itself from the Library."
        )
    known = compiler(compiler_name, version)
    if known is None:
        called = f"{compiler_name} {version}".strip()
        return f"Tilescope cannot start the compiler {called}; it only reads its dumps."
    if lacking := known.lacks(kernel):
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
        _wanted.difference_update([each for each in _wanted if each[0] == where.resolve()])
    if kept is not None:
        kept.close()
