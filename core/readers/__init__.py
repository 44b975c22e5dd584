"""A dump on disk, whatever wrote it, as a trace: `open_trace` looks at the content and picks."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.kernel import Kernel, KernelError, load_kernel
from core.readers.akg import read_akg
from core.readers.akg_layout import Layout, find_layouts
from core.readers.exported import read_exported
from core.readers.job import read_job
from core.readers.logs import read_log_file
from core.readers.mindspore import find_graphs, read_graphs
from core.readers.mlir import COMPILER as MLIR_COMPILER
from core.readers.mlir import read_mlir_job, read_mlir_log, read_mlir_tree, read_triton
from core.readers.mlir_layout import Printed, find_printed
from core.readers.source import FileSource, FolderSource, ReadError, Source, ZipSource
from core.target import Target, recorded_targets
from core.trace import Texts, Trace
from core.trace_json import from_json, kernel_from_json, kernel_to_json, to_json

__all__ = ["Opened", "ReadError", "open_trace"]

_WANTED = (
    "the folders that AKG writes with MS_DEV_DUMP_IR=on (<kernel>_composite, <kernel>_0 …), the "
    "graphs that MindSpore writes with MS_DEV_SAVE_GRAPHS, IR "
    "that an MLIR tool printed (--mlir-print-ir-after-all, --mlir-print-ir-tree-dir), what Triton "
    "keeps of a kernel, or a trace exported by Tilescope"
)
_LISTED = 3

#: What else may come of damaged or foreign content.
_FOREIGN = (
    *(ValueError, TypeError, AttributeError, LookupError, ArithmeticError, AssertionError),
    *(RuntimeError, EOFError, zlib.error, zipfile.BadZipFile),  # RecursionError is a RuntimeError
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A trace with its texts, which are read when asked for and while the source exists."""

    trace: Trace
    texts: Texts
    kernel: Kernel | None


@dataclass(frozen=True, slots=True)
class _Found:
    """One thing in a source that can be opened."""

    kind: str  #: exported, job, dump; log, tree, triton; graphs
    root: str
    modified: float
    layout: Layout | None = None
    printed: Printed | None = None
    graphs: tuple[str, ...] = ()  #: files of MindSpore's graphs

    @property
    def name(self) -> str:
        if self.printed:
            return self.printed.name
        own = f"{self.root}/{self.layout.op}" if self.root and self.layout else self.root
        return own or (self.layout.op if self.layout else "the folder itself")


def open_trace(path: Path, targets: Mapping[str, Target] | None = None) -> Opened:
    """Open a folder, a zip or a log: a compile of ours, what a compiler dumped at any depth, the
    IR that an MLIR tool printed, gzipped or not, an exported trace.

    Where there are several, the newest is opened and a note of the trace names the others.
    `targets`: chips to take capacities from where a dump does not name its chip; those recorded
    with the project by default. Nothing is written or extracted. Raises ReadError.
    """
    try:
        return _opened(path, targets)
    except ReadError:
        raise
    except KeyError as gone:
        raise ReadError(f"{gone.args[0]} went away while it was read; open it again.") from None
    except OSError as wrong:
        raise ReadError(
            f"{path.name or path} cannot be read: {wrong.strerror or wrong}; open it again."
        ) from None
    except _FOREIGN as wrong:
        # Whatever a file made by nobody knows whom holds, it must not end more than its reading.
        raise ReadError(
            f"{path.name or path} holds what no compiler writes ({type(wrong).__name__}: "
            f"{str(wrong)[:80]}); dump it again."
        ) from wrong


def _opened(path: Path, targets: Mapping[str, Target] | None) -> Opened:
    source = _source(path)
    found = _find(source)
    if not found and isinstance(source, FileSource):
        if not _is_kernel(path) and (failures := _failures(path)):
            raise ReadError(failures)
        # Its user says that it is a log; what is wrong with it is for the reader of logs to say.
        found = [_Found("log", "", 0.0, printed=Printed("log", "", path.name, (path.name,)))]
    if not found:
        what = "is empty" if not source.entries else f"holds no dump: none of {_WANTED}"
        raise ReadError(f"{path.name or path} {what}; choose the folder or zip of a dump.")
    newest = max(found, key=lambda each: (each.modified, each.name))
    try:
        opened = _open(source, newest, recorded_targets() if targets is None else targets)
    except ReadError:
        if isinstance(source, FileSource) and _is_kernel(path):
            raise ReadError(
                f"{path.name} is a kernel, not what a compiler made of one; compile it first: "
                f"python -m core compile {path.name}."
            ) from None
        raise
    _keepable(opened)
    if len(found) == 1:
        return opened
    others = sorted(each.name for each in found if each is not newest)
    listed = ", ".join(others[:_LISTED]) + (
        f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
    )
    note = f"{len(found)} dumps were found; this is the newest, {newest.name}. Others: {listed}."
    trace = replace(opened.trace, notes=(note, *opened.trace.notes))
    return replace(opened, trace=trace)


def _keepable(opened: Opened) -> None:
    """Raise ValueError or OverflowError where a trace could not be kept and read again."""
    if from_json(to_json(opened.trace)) != opened.trace:
        raise ValueError("a figure is out of range")
    if opened.kernel:
        kernel_from_json(kernel_to_json(opened.kernel))
    if not 0 <= (opened.trace.block_dim or 0) < 1 << 31:
        raise ValueError(f"{opened.trace.block_dim} cores")


def _is_kernel(path: Path) -> bool:
    try:
        load_kernel(path)
    except (KernelError, RecursionError):
        return False
    return True


def _failures(path: Path) -> str:
    """What a log without IR tells of failures, in one sentence; "" where it tells of none."""
    try:
        found = read_log_file(path).failures
    except ReadError:
        return ""
    if not found or all(each.compiler == MLIR_COMPILER for each in found):
        return ""  # what an MLIR tool says makes a trace even without its passes
    first = found[0]
    what = f"{first.message[:120].rstrip('. ')}{'…' if len(first.message) > 120 else ''}"
    many = f"{len(found)} failures, first" if len(found) > 1 else "a failure,"
    return (
        f"{path.name} holds no IR, so no trace, but tells of {many} in line {first.first}: "
        f"“{what}”; the page Why explains it, and so does: python -m core explain {path.name}."
    )


def _source(path: Path) -> Source:
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise ReadError(f"{path} does not exist; choose the folder or zip of a dump.")
    if not path.is_file():
        raise ReadError(f"{path} is neither a folder nor a file; choose a dump's folder or zip.")
    return ZipSource(path) if _is_zip(path) else FileSource(path)


def _is_zip(path: Path) -> bool:
    """A file that is a zip, or says so by its name."""
    if path.suffix == ".zip":
        return True
    try:
        with path.open("rb") as file:
            return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    except OSError as wrong:
        raise ReadError(f"{path.name} cannot be opened: {wrong.strerror}.") from None


def _find(source: Source) -> list[_Found]:
    exported = _roots(source, "trace.json")
    jobs = _roots(source, "job.json")
    found = [_Found("exported", root, _modified(source, root)) for root in exported]
    found += [_Found("job", root, _modified(source, root)) for root in jobs]
    for layout in find_layouts(source):
        if not any(_inside(layout.root, job) for job in jobs):
            paths = (file.path for folder in layout.folders for file in folder.files)
            newest = max((source.entries[p].modified for p in paths), default=0.0)
            found.append(_Found("dump", layout.root, newest, layout))
    kept = [*jobs, *exported]
    for printed in find_printed(source, kept):
        newest = max(source.entries[path].modified for path in printed.files)
        found.append(_Found(printed.kind, printed.root, newest, printed=printed))
    for root, files in find_graphs(source).items():
        if not any(_inside(root, each) for each in kept):
            newest = max(source.entries[path].modified for path in files)
            found.append(_Found("graphs", root, newest, graphs=tuple(files)))
    return found


def _open(source: Source, found: _Found, targets: Mapping[str, Target]) -> Opened:
    if found.kind == "exported":
        return Opened(*read_exported(source, found.root))
    if found.kind == "dump":
        return Opened(*read_akg(source, found.layout, None, targets))
    if found.graphs:
        return Opened(*read_graphs(source, found.root, found.graphs))
    if found.printed:
        match found.printed.kind:
            case "log":
                return Opened(*read_mlir_log(source, found.printed.path))
            case "tree":
                return Opened(*read_mlir_tree(source, found.printed))
            case "triton":
                return Opened(*read_triton(source, found.printed))
    job = read_job(source, found.root)
    if job.compiler.name == MLIR_COMPILER:
        return Opened(*read_mlir_job(source, job))
    dump = f"{found.root}/dump" if found.root else "dump"
    layouts = find_layouts(source, dump)
    layout = max(layouts, key=lambda each: len(each.folders), default=None)
    return Opened(*read_akg(source, layout, job, targets))


def _roots(source: Source, name: str) -> list[str]:
    """The folders that hold a file of this name."""
    return [
        path.rpartition("/")[0]
        for path in source.entries
        if path == name or path.endswith(f"/{name}")
    ]


def _modified(source: Source, root: str) -> float:
    return max((source.entries[path].modified for path in source.under(root)), default=0.0)


def _inside(folder: str, root: str) -> bool:
    return not root or folder == root or folder.startswith(f"{root}/")
