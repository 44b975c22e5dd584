"""What MindSpore dumps of its own passes (MS_DEV_SAVE_GRAPHS) as a trace, in the order of its run.

A file's last number counts over the whole process, so it orders what the folders and the other
numbers do not (mindspore/ccsrc/include/.../anf_ir_dump.h makes it). A pass boundary is two
neighbouring files; most passes change nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from core.ir import anf
from core.readers.mindspore_times import read_times
from core.readers.source import ReadError, Source, SourceTexts
from core.trace import Compiler, Failure, Language, Log, Pass, Status, Trace

COMPILER = "mindspore"

#: What a dump of any level holds: one of these names it.
_ACTION = re.compile(r"(\d+)_([A-Za-z][\w-]*?)_(\d{4,})\.ir")
_GROUP = re.compile(r"opt_pass_(\d+)_(.+)_(\d{4,})\.ir")
_STEP = re.compile(r"opt_substep_(.+)_r(\d+)_j(\d+)_(\d+)_(.+)_(\d{4,})\.ir")
_SUBSTITUTION = re.compile(r"(\w+\.r\d+\.\w+)\.(.+)_(\d{4,})\.ir")
_KERNEL = re.compile(r"(\d+)_stage(\d+)_([a-z0-9]+)_(\d+)_(.+)_(\d{4,})\.ir")
_BACKEND = re.compile(r"(.+?)_(\d{4,})\.ir")
_ACTORS = re.compile(r"(\d+|final)_actor_set_(.+)\.ir")
_FAILED = "analyze_fail.ir"
_OWN = re.compile(
    r"\d\d_[A-Za-z][\w-]*_\d{4,}\.ir|opt_pass_\d+_\w+_\d{4,}\.ir|hwopt_\w+_\d{4,}\.ir"
    r"|\d+_stage\d+_[a-z0-9]+_\d+_\w+_\d{4,}\.ir|analyze_fail\.ir"
)
_FRONT = ("frontend", "optimize")
_INSIDE = ("verbose_ir_files", "graph_kernel", "actor_set")
_LOGS = (".log", ".txt")
_AFTER_ALL, _LAST = 1 << 30, 1 << 20  # of files without a running number


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    stage: str
    name: str
    number: int | None  #: MindSpore's own number within its group
    argument: str  #: what a switch calls it (--disable_pass=split.graph_kernel_splitter)
    order: tuple[int, ...]


def find_graphs(source: Source) -> dict[str, list[str]]:
    """The folders in which MindSpore dumped, each with its files."""
    found: dict[str, list[str]] = {}
    for path in source.entries:
        if _OWN.fullmatch(PurePosixPath(path).name):
            found.setdefault(_root(path), [])
    for path in source.entries:
        root = _root(path)
        if root in found and path.endswith(".ir"):
            found[root].append(path)
    return found


def _root(path: str) -> str:
    """The folder that a dump began in: what MindSpore makes inside it is left out."""
    folder = PurePosixPath(path).parent
    while folder.name in _INSIDE:
        folder = folder.parent
    return "" if str(folder) == "." else str(folder)


def read_graphs(source: Source, root: str, paths: Sequence[str]) -> tuple[Trace, SourceTexts, None]:
    """The trace of one folder. Raises ReadError where none of its files is a dump."""
    files = sorted(filter(None, map(_file, paths)), key=lambda file: file.order)
    texts = SourceTexts(source)
    passes: list[Pass] = []
    # The front end's graph and the back end's live side by side: of each the last one, its hash
    # and its shape. The back end's first was made of the front end's last.
    last: dict[bool, tuple[str, str]] = {}
    name = ""
    language: Language
    for file in files:
        data = source.read(file.path)
        digest = texts.add(file.path, data)
        text = data.decode("utf-8", "replace")
        language = "text" if file.stage == "actors" else "anf"
        changed, before = True, None
        if language == "anf":
            module = anf.parse(text)
            name = name or module.entry
            front = file.stage in _FRONT
            before, shape = last.get(front) or last.get(True) or (None, "")
            new = hashlib.blake2b(anf.shape_of(module).encode(), digest_size=16).hexdigest()
            changed = new != shape
            last[front] = digest, new
        passes.append(
            Pass(
                index=len(passes),
                stage=file.stage,
                unit="",
                attempt=1,
                name=file.name,
                number=file.number,
                text=digest,
                lines=text.count("\n"),
                bytes=len(data),
                changed=changed,
                language=language,
                seconds=None,
                status="failed" if file.name == "analyze_fail" else "ok",
                argument=file.argument,
                given=before,
            )
        )
    if not passes:
        raise ReadError(f"{root or source.name} holds no graph that MindSpore dumped.")
    logs, seconds = _logs(source, root, texts)
    if seconds:
        passes = [replace(step, seconds=seconds.get(step.name)) for step in passes]
    failed = next((step for step in passes if step.status == "failed"), None)
    trace = Trace(
        kernel=_network(name),
        kernel_hash="",
        compiler=Compiler(COMPILER, ""),
        target="CPU" if any(step.stage == "actors" for step in passes) else "",
        status=Status.FAILED if failed else Status.OK,
        passes=tuple(passes),
        failure=_failure(passes, failed) if failed else None,
        logs=tuple(logs),
        notes=_notes(passes, seconds),
    )
    return trace, texts, None


def _file(path: str) -> _File | None:
    """What a file's name says of it."""
    name = PurePosixPath(path).name
    folder = PurePosixPath(path).parent.name
    if folder == "actor_set":
        found = _ACTORS.fullmatch(name)
        if found is None:
            return None
        number = None if found[1] == "final" else int(found[1])
        return _File(
            path, "actors", found[2], number, "", (_AFTER_ALL, _LAST if number is None else number)
        )
    if folder == "graph_kernel" and (found := _KERNEL.fullmatch(name)):
        switch = f"{found[3]}.{found[5]}"
        return _File(path, "graph kernel", found[5], int(found[1]), switch, (int(found[6]),))
    if name == _FAILED:
        return _File(path, "frontend", "analyze_fail", None, "", (_AFTER_ALL,))
    if found := _STEP.fullmatch(name):
        group, turn, _, at, step, running = found.groups()
        name = f"{group}.r{turn}.{step}"
        return _File(path, "optimize", name, int(at), group, (int(running),))
    if found := _SUBSTITUTION.fullmatch(name):
        return _File(path, "optimize", f"{found[1]}.{found[2]}", None, "", (int(found[3]),))
    if found := _GROUP.fullmatch(name):
        return _File(path, "optimize", found[2], int(found[1]), "", (int(found[3]),))
    if found := _ACTION.fullmatch(name):
        return _File(path, "frontend", found[2], int(found[1]), "", (int(found[3]),))
    if found := _BACKEND.fullmatch(name):
        return _File(path, "backend", found[1].removeprefix("hwopt_"), None, "", (int(found[2]),))
    return None


def _network(entry: str) -> str:
    """The cell that a graph was made of: "1_nets_MLP_construct_21" is nets_MLP."""
    bare = re.sub(r"^(?:\d+_)+|_\d+$", "", entry)
    return bare.removesuffix("_construct").lstrip("_") or "network"


def _logs(source: Source, root: str, texts: SourceTexts) -> tuple[list[Log], dict[str, float]]:
    """The logs beside the graphs, and the seconds of each pass that they tell."""
    logs: list[Log] = []
    seconds: dict[str, float] = {}
    inside = f"{root}/" if root else ""
    for path in sorted(source.entries):
        rest = path.removeprefix(inside)
        if not path.startswith(inside) or "/" in rest or PurePosixPath(path).suffix not in _LOGS:
            continue
        data = source.read(path)
        logs.append(Log(rest, texts.add(path, data), len(data)))
        seconds |= read_times(data.decode("utf-8", "replace"))
    return logs, seconds


def _failure(passes: Sequence[Pass], failed: Pass) -> Failure:
    before = passes[failed.index - 1].name if failed.index else None
    return Failure(
        kind="error",
        pass_name="type_inference",
        after=before,
        source=None,
        component="frontend",
        message="MindSpore could not infer the types of the network; the last graph shows where.",
    )


def _notes(passes: Sequence[Pass], seconds: dict[str, float]) -> tuple[str, ...]:
    notes = []
    if not any(step.stage == "graph kernel" for step in passes):
        notes.append(
            "Graph kernel fusion left no graphs: it was off, or MS_DEV_SAVE_GRAPHS was below 2."
        )
    if not seconds:
        notes.append(
            "No log beside the graphs says how long each pass took; a GLOG_v=1 log or the profile "
            "that MindSpore prints, put into the folder, does."
        )
    return tuple(notes)
