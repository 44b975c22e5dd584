"""A dump of AKG, ours or a user's, as a trace."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from core.ir import cce
from core.ir.instructions import count_instructions
from core.ir.work import count_work
from core.kernel import Kernel, KernelError
from core.readers.akg_failure import (
    Printed,
    Words,
    attempt_ends,
    find_failure,
    read_printed,
)
from core.readers.akg_hints import hints_outcome
from core.readers.akg_layout import META_FOLDERS, Layout, PassFolder
from core.readers.akg_memory import allocations, memory_plans
from core.readers.akg_passes import Step, attempts, read_passes, steps
from core.readers.akg_tiling import UnitTiling, describe, unit_tiling
from core.readers.job import Ending, Job, pass_status
from core.readers.source import FolderSource, Source, SourceTexts
from core.target import Target
from core.trace import (
    Compiler,
    Failure,
    Log,
    MemoryPlan,
    Origin,
    Pass,
    PassStatus,
    Status,
    Tiling,
    Trace,
    Work,
)

#: SHA-256 of nothing: what AKG writes into a kernel's description where the last tool made an
#: empty object file.
_EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

_THREAD_EXTENT = re.compile(r"iter_var\(blockIdx\.x,.*\] thread_extent = (\d+)")
_LAST_DEVICE_PASS = "CombineContextCall"
#: Poly steps that only kernels on the matrix unit go through.
_CUBE_STEPS = frozenset(("ComputeTransferCopyin", "InsertNodeForAllocC"))
_BEFORE_TILING = "AnalyzeSchedule"
_LARGEST_SAID = 8 << 20  # bytes of a log beside a user's dump that may hold the compiler's words
_WORDS_READ = 2 << 20  # characters of what was printed; the longest seen was 60 kB


def read_akg(
    source: Source, layout: Layout | None, job: Job | None, targets: Mapping[str, Target]
) -> tuple[Trace, SourceTexts, Kernel | None]:
    """The trace of one dump. `layout` is None where the compile ended before it dumped anything."""
    return _Reader(source, layout, job, targets).read()


class _Reader:
    """Reads the parts of one dump that depend on each other."""

    def __init__(
        self,
        source: Source,
        layout: Layout | None,
        job: Job | None,
        targets: Mapping[str, Target],
    ) -> None:
        self.source = source
        self.layout = layout
        self.job = job
        self.version = job.compiler.version if job else ""
        self.attributes = job is None or bool(set(job.hints) - {"dim"})  #: given, or maybe
        self.texts = SourceTexts(source)
        self.notes: list[str] = []
        self.root = layout.root if layout else _join(job.root, "dump") if job else ""
        self.name = layout.kernel_name if layout else job.kernel.name if job else ""
        self.target = job.target if job else self._assumed_target(targets)
        self.meta = self._meta()
        self.code_path = self._code_path()

    def read(self) -> tuple[Trace, SourceTexts, Kernel | None]:
        printed, raised = self._words()
        said = read_printed(printed)
        words = Words(printed, raised, said)
        status = self._status(said)
        ending = self._ending(status)
        died = (
            self.job is not None and isinstance(self.source, FolderSource) and not status.compiles
        )
        found = steps(self.layout, self.source, died=died) if self.layout else []
        passes = read_passes(found, self.source, self.texts)
        failure = None
        if not status.compiles:
            failure = self._failure(ending, words, found)
        passes = self._with_failed(passes, found, failure, status)
        tiling, units = self._tiling(found)
        # Of code for other chips nothing is worked out: it has none of this chip's memories.
        cce_text = self.code_path is not None and self.code_path.endswith(".cce")
        code = self._text(self.code_path) if cce_text else ""
        block_dim = self._block_dim(passes, status)
        kernel = self.job.kernel if self.job else self._described_kernel()
        job = self.job
        trace = Trace(
            kernel=kernel.name if kernel else self.layout.op if self.layout else "",
            kernel_hash=kernel.digest if kernel else "",
            compiler=job.compiler if job else Compiler("akg", ""),
            target=self.target.name if self.target else "",
            status=status,
            passes=tuple(passes),
            tiling=tiling,
            memory=self._memory(code, passes),
            hints=hints_outcome(
                job.hints if job else {}, job.received if job else (), units, self.version
            ),
            block_dim=block_dim,
            instructions=self._instructions(code, block_dim),
            failure=failure,
            diagnostics=tuple(each.diagnostic for each in said),
            logs=tuple(self._logs()),
            code=self.texts.add(self.code_path, self.source.read(self.code_path))
            if self.code_path
            else None,
            seconds=ending.seconds,
            started=job.started if job else "",
            host=job.host if job else "",
            work=self._work(code, block_dim),
        )
        if self.texts.replaced:
            names = ", ".join(self.texts.replaced[:3])
            more = len(self.texts.replaced) - 3
            self.notes.append(
                f"Bytes that are no UTF-8 were replaced in {names}"
                + (f" and {more} more files." if more > 0 else ".")
            )
        return replace(trace, notes=tuple(self.notes)), self.texts, kernel

    # How it ended

    def _words(self) -> tuple[str, str]:
        """What was printed, and the text of the Python exception; of very much, both its ends."""
        printed, raised = self._all_words()
        return _ends(printed), _ends(raised)

    def _all_words(self) -> tuple[str, str]:
        if self.job:
            printed = self._text(_join(self.job.root, "printed.log"))
            return printed, self._text(_join(self.job.root, "error.txt"))
        for path in self._said_beside():
            data = self.source.read(path)
            if b"[ERROR] AKG:" in data or b"akg::" in data:
                return self._text(path), ""
        return "", ""

    def _said_beside(self) -> list[str]:
        """Logs that a user may have put beside the dump."""
        ours = (
            {path for folder in self.layout.folders for path in folder.logs}
            if self.layout
            else set()
        )
        return [
            path
            for path, entry in self.source.entries.items()
            if PurePosixPath(path).suffix in (".log", ".txt", ".out")
            and path not in ours
            and entry.bytes <= _LARGEST_SAID
            and _parent(path) in ("", self.root, _parent(self.root))
        ]

    def _status(self, said: Sequence[Printed]) -> Status:
        if self.job and self.job.ending:
            return self.job.ending.status
        if self.job:
            self.notes.append("The compile's end was not recorded; it may still be running.")
            return Status.FAILED
        if self.meta is not None:
            made = self.meta.get("sha256") not in (None, "", _EMPTY_SHA256)
            return Status.OK if made else Status.OK_TO_LAST_STEP
        device = self.layout.of("device") if self.layout else []
        ended = any(f.files and f.files[-1].name == _LAST_DEVICE_PASS for f in device)
        finished = (ended or self.code_path) and not any(
            s.diagnostic.level in ("ERROR", "FATAL") for s in said[-1:]
        )
        return Status.OK_TO_LAST_STEP if finished else Status.FAILED

    def _ending(self, status: Status) -> Ending:
        if self.job and self.job.ending:
            return self.job.ending
        return Ending(status, None, None, None)

    def _failure(self, ending: Ending, words: Words, found: Sequence[Step]) -> Failure:
        said = words.said
        failure = find_failure(
            ending,
            words,
            found,
            attempts(found),
            attributes=self.attributes,
            version=self.version,
        )
        if failure.memory and failure.available_bytes is None and self.target:
            failure = replace(failure, available_bytes=self.target.capacity_bytes(failure.memory))
        if not self.job and not said:
            last = failure.after or "nothing"
            failure = replace(
                failure,
                message=f"The dump ends after {last}, and no message of the compiler is beside it.",
            )
        if failure.attempts > 1 and said:
            final = said[-1].diagnostic
            if final.message != failure.message:
                self.notes.append(
                    f"The message is that of the first of {failure.attempts} attempts; the last "
                    f"ended with: {final.message}"
                )
        return failure

    def _with_failed(
        self,
        passes: list[Pass],
        found: Sequence[Step],
        failure: Failure | None,
        status: Status,
    ) -> list[Pass]:
        """The passes with those that left no text because they failed, where that is certain."""
        given_up = attempt_ends(found, attributes=self.attributes, version=self.version)
        listed: list[tuple[int, str, PassStatus]] = [(at, name, "failed") for at, name in given_up]
        if failure and failure.pass_name and found:
            listed.append((len(found) - 1, failure.pass_name, pass_status(status)))
        for at, name, how in sorted(listed, reverse=True):
            before = passes[at]
            stage = "lowering" if name == "AutoPoly" else before.stage
            passes.insert(
                at + 1,
                replace(
                    before,
                    stage=stage,
                    name=name,
                    number=None,
                    text=None,
                    lines=0,
                    bytes=0,
                    changed=False,
                    seconds=None,
                    status=how,
                ),
            )
        return [replace(each, index=index) for index, each in enumerate(passes)]

    # What it made

    def _meta(self) -> dict[str, Any] | None:
        """The description that AKG writes of a kernel it has finished."""
        path = self._made(".json")
        if path is None:
            return None
        try:
            meta = json.loads(self.source.read(path))
        except ValueError:
            return None
        return meta if isinstance(meta, dict) and "kernelName" in meta else None

    def _code_path(self) -> str | None:
        """The emitted code: for Ascend CCE, for a GPU CUDA, for a processor LLVM's IR."""
        return self._made(".cce") or self._made(".cu") or self._made(".ll")

    def _made(self, suffix: str) -> str | None:
        """A file that AKG made of the whole kernel, or None."""
        for folder in (*META_FOLDERS, ""):
            path = _join(self.root, folder, f"{self.name}{suffix}")
            if path in self.source.entries:
                return path
        if self.job is None:
            return None
        # A kernel may be renamed on its way; a job's folder holds one kernel only.
        inside = [
            path
            for path in self.source.under(self.root)
            if path.endswith(suffix)
            and PurePosixPath(path).parent.name in (*META_FOLDERS, PurePosixPath(self.root).name)
        ]
        return inside[0] if len(inside) == 1 else None

    def _block_dim(self, passes: Sequence[Pass], status: Status) -> int | None:
        if self.meta and isinstance(self.meta.get("blockDim"), int):
            return int(self.meta["blockDim"])
        if not status.compiles or (self.code_path and not self.code_path.endswith(".cce")):
            return None  # other chips have no such cores
        last = self._last(passes, "DecorateDeviceScope")
        found = _THREAD_EXTENT.search(self.texts.get(last)) if last else None
        return int(found[1]) if found else 1

    def _last(self, passes: Sequence[Pass], name: str) -> str | None:
        return next((p.text for p in reversed(passes) if p.name == name and p.text), None)

    def _memory(self, code: str, passes: Sequence[Pass]) -> tuple[MemoryPlan, ...]:
        if not code:
            return ()
        try:
            kernel = cce.parse(code)
        except cce.CceError as wrong:
            self.notes.append(f"The emitted code could not be read, so memory is unknown: {wrong}")
            return ()
        allocated = []
        for each in reversed(passes):
            if each.text and each.stage in ("device", "merge", "lowering"):
                allocated = allocations(self.texts.get(each.text))
                if allocated:
                    break
        capacities = {m.name: m.capacity_bytes for m in self.target.memories} if self.target else {}
        plans, unknown = memory_plans(kernel, allocated, capacities)
        if unknown:
            self.notes.append(
                f"{unknown} of {len(kernel.pointers)} buffers of the emitted code have no known "
                "size, so the memory shown is too small."
            )
        return plans

    def _instructions(self, code: str, block_dim: int | None) -> dict[str, int]:
        if not code:
            return {}
        try:
            counted = count_instructions(code, block_dim)
        except ValueError:  # the text is none that can be counted; `_memory` has said so
            return {}
        if not counted.exact:
            self.notes.append(
                "Instruction counts are estimates: a branch or an extent depends on data."
            )
        return dict(counted.counts)

    def _work(self, code: str, block_dim: int | None) -> Work | None:
        if not code:
            return None
        try:
            return count_work(code, block_dim)
        except ValueError as wrong:
            return Work(why_not=f"The emitted code could not be read: {wrong}")

    # What it was told and what it chose

    def _tiling(self, found: Sequence[Step]) -> tuple[Tiling, list[UnitTiling]]:
        if not self.layout:
            return Tiling(), []
        units: list[UnitTiling] = []
        search: str | None = None
        for folder in self.layout.lowering:
            if not folder.poly and not folder.logs:
                continue
            logs = {PurePosixPath(path).name: path for path in folder.logs}
            search_log = logs.get("tiling.log")
            schedule = next(
                (f.path for f in reversed(folder.poly) if f.name == _BEFORE_TILING), None
            )
            cube = any(file.name in _CUBE_STEPS for file in folder.poly)
            units.append(
                unit_tiling(
                    folder.unit,
                    self._text(logs.get("scop.log")),
                    self._text(search_log),
                    self._text(schedule),
                    cube=cube,
                    asked=str(self.job.hints.get("dim", "")) if self.job else "",
                    handed_by=self._handed_by(),
                    tiler=self._tiler(folder, cube, found),
                )
            )
            if search_log and search is None:
                search = self.texts.add(search_log, self.source.read(search_log))
        axes = tuple(axis for unit in units for axis in unit.axes)
        return Tiling(axes, search, describe(units)), units

    def _handed_by(self) -> Origin:
        """Who handed a `dim` to the compiler that was not the one asked for."""
        if not self.job:
            return "unknown"
        own = "func_compile_attrs" in self.job.kernel.source and "dim" in self.job.kernel.source
        return "kernel" if own else "repository"

    def _tiler(self, folder: PassFolder, cube: bool, found: Sequence[Step]) -> Origin | None:
        """Symbolic tiling or the search, where something in the dump tells.

        Symbolic tiling turns double buffering off for kernels on the vector unit, so in these
        whether AutoDoubleBuffer ran tells; in others only the attribute does.
        """
        hints = self.job.hints if self.job else {}
        received = self.job.received if self.job else ()
        asked = str(hints.get("SYMBOLIC_TILING", "")).lower()
        if asked in ("0", "false") or any(
            each.get("enable_symbolic_tiling") is False for each in received
        ):
            return "search"
        if cube or "enable_double_buffer" in hints:
            return None
        names = {f.name for f in folder.files}
        if "AutoDoubleBuffer" in names:
            return "search"
        return "symbolic" if "InjectAccessPtrMSG" in names else None

    def _described_kernel(self) -> Kernel | None:
        """The kernel of a user's dump, where its description lies beside it."""
        from core.compilers.akg.composite import read_composite

        for folder in (*META_FOLDERS, ""):
            for suffix in (".info", ".json"):
                path = _join(self.root, folder, f"{self.name}{suffix}")
                if path not in self.source.entries:
                    continue
                text, _ = self.source.text(path)
                if '"op_desc"' not in text:
                    continue
                try:
                    name, tensors = read_composite(text)
                except KernelError:
                    continue
                return Kernel("composite", name, text, tensors)
        return None

    def _assumed_target(self, targets: Mapping[str, Target]) -> Target | None:
        """A dump does not say for which chip it was made; AKG's own default is its first."""
        target = targets.get("Ascend910") or next(iter(targets.values()), None)
        if target:
            self.notes.append(
                f"The dump does not say which chip it was made for; capacities are those of "
                f"{target.name}."
            )
        return target

    def _logs(self) -> list[Log]:
        listed: list[tuple[str, str]] = []
        if self.job:
            for name in ("printed.log", "error.txt", "received.json"):
                listed.append((name, _join(self.job.root, name)))
        else:
            listed += [(PurePosixPath(path).name, path) for path in self._said_beside()]
        for folder in self.layout.folders if self.layout else ():
            prefix = f"{folder.unit}/" if folder.unit else ""
            listed += [(f"{prefix}{PurePosixPath(path).name}", path) for path in folder.logs]
        stitch = _join(self.root, "stitch_info")
        listed += [
            (path[len(self.root) + 1 :] if self.root else path, path)
            for path in self.source.under(stitch)
            if path.endswith(".json")
        ]
        if described := self._made(".json"):
            listed.append((PurePosixPath(described).name, described))
        logs = []
        for name, path in listed:
            if path in self.source.entries:
                data = self.source.read(path)
                logs.append(Log(name, self.texts.add(path, data), len(data)))
        return logs

    def _text(self, path: str | None) -> str:
        if path is None or path not in self.source.entries:
            return ""
        return self.source.text(path)[0]


def _ends(text: str) -> str:
    if len(text) <= _WORDS_READ:
        return text
    return f"{text[: _WORDS_READ // 2]}\n{text[-_WORDS_READ // 2 :]}"


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _parent(path: str) -> str:
    return path.rpartition("/")[0]
