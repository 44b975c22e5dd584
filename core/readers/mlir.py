"""What an MLIR tool left behind as a trace: a compile of ours, a log, a tree, a Triton folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from core.ir import mlir
from core.ir.mlir_memory import target_spec
from core.ir.mlir_work import count_mlir_work
from core.kernel import Kernel
from core.readers import mlir_tiling
from core.readers.job import Ending, Job, pass_status
from core.readers.mlir_failure import failed_step, find_failure, last_tool_only, overflow_in
from core.readers.mlir_layout import Printed, stage_of, tree_files
from core.readers.mlir_log import Dump, Log, LogTexts, alone, read_log
from core.readers.mlir_memory import (
    Display,
    read_display,
    read_failed_plans,
    read_plans,
)
from core.readers.mlir_passes import RESTART, Step, Steps, find_steps, read_passes
from core.readers.mlir_words import Words, read_words
from core.readers.source import ReadError, Source, decode
from core.trace import (
    Compiler,
    Culprit,
    Failure,
    HintsOutcome,
    MemoryPlan,
    Pass,
    Status,
    Tiling,
    Trace,
    Work,
)
from core.trace import Log as KeptLog

COMPILER = "ascendnpu-ir"
_MODULE = "module.hivm.opt.mlir"  # what --save-temps keeps: as handed to CANN's own compiler
_PLAN = "hivm-plan-memory"
_PLACED = "hivm.hir.pointer_cast"
_SPEC = "dlti.target_system_spec"
_TARGET = re.compile(r'hacc\.target = #hacc\.target<"([^"]+)">')
_FUNCTION = re.compile(
    r"^ *(?:func|tt|llvm)\.func (?:public |private )?@\"?([\w$.-]+)\"?\((.*\{)\s*(?:loc.*)?$",
    re.MULTILINE,
)
_ENTRIES = ("hacc.entry", "global_kernel")
_BLOCK_DIM = re.compile(r"hacc\.block_dim = (\d+)")
_RETRY = re.compile(r"(\w+) overflow detected; automatically set (\S+) to (\S+) and retrying")
_OWN_WORDS = ("BiShengIR", "Failed to parse input file", "Failed to open input file", "hivmc")
_SIZES = {"UB": "UB_SIZE", "L1": "L1_SIZE", "L0A": "L0A_SIZE", "L0B": "L0B_SIZE", "L0C": "L0C_SIZE"}
_SPACES = {"ub": "UB", "cbuf": "L1", "cc": "L0C"}
_STAGE_OF = {"ttir": "triton", "ttsharedir": "adapter", "ttgir": "triton", "ttadapter": "adapter"}


@dataclass(slots=True)
class _Part:
    """What one tool printed, in the order of its run."""

    log: Log
    following: Dump | None = None  #: what it made in the end, where that is in a file of its own


@dataclass(slots=True)
class _Left:
    """All that a compile left behind."""

    name: str  #: of what was opened
    texts: LogTexts
    parts: list[_Part] = field(default_factory=list)
    raised: str = ""  #: Python exception of the front end
    printed: str = ""  #: name for what was printed between dumps
    displays: list[str] = field(default_factory=list)  #: paths
    module: str | None = None  #: path of the final IR
    kept: list[str] = field(default_factory=list)  #: paths of further texts worth keeping
    stages: list[str] = field(default_factory=list)  #: paths of Triton's results that are passes
    notes: list[str] = field(default_factory=list)


def read_mlir_job(source: Source, job: Job) -> tuple[Trace, LogTexts, Kernel | None]:
    """A compile of ours by bishengir-compile, perhaps through Triton."""
    folder = f"{job.root}/" if job.root else ""
    dump = f"{folder}dump/"
    left = _Left(job.kernel.name, LogTexts(source), printed="printed.log")
    inside = sorted(path for path in source.entries if path.startswith(dump))
    printed = _log(source, f"{folder}printed.log", left)
    for stage in ("ttir", "ttadapter"):
        made = next((path for path in inside if stage_of(path) == stage), None)
        log = next((path for path in inside if path.endswith(f".{stage}.log")), None)
        part = _Part(_log(source, log, left)) if log else None
        if part and part.log.dumps:
            part.following = _alone(source, made, left) if made else None
            left.parts.append(part)
        elif made:
            left.stages.append(made)
        if made:
            left.kept.append(made)
    crashed = _log(source, f"{dump}crashed_before.log", left)
    if crashed.dumps and not (printed.dumps and not printed.dumps[-1].after):
        printed.dumps.append(crashed.dumps[-1])
    printed.words += [(len(printed.dumps), text) for _, text in crashed.words]
    left.parts.append(_Part(printed))
    if f"{folder}error.txt" in source.entries:
        left.raised = source.text(f"{folder}error.txt")[0]
        left.kept.append(f"{folder}error.txt")
    left.displays = [p for p in inside if re.fullmatch(r"memory_info\w*\.json", p[len(dump) :])]
    left.kept += left.displays
    left.module = f"{dump}{_MODULE}" if f"{dump}{_MODULE}" in source.entries else None
    if f"{folder}command.json" in source.entries:
        left.kept.append(f"{folder}command.json")
    if f"{folder}dump/random_addresses" in source.entries or (
        f"{folder}random_addresses" in source.entries
    ):
        left.notes.append(
            "Addresses were random in this compile, so another one may make a different program."
        )
    if f"{dump}printed_otherwise" in source.entries:
        left.notes.append(
            f"{job.compiler.version} prints no passes itself, and the run that should print them "
            "ended otherwise than this compile, so no pass is shown."
        )
    return _Reader(source, left, job).read()


def read_mlir_log(source: Source, path: str) -> tuple[Trace, LogTexts, Kernel | None]:
    """A log. Raises ReadError where it holds neither a dump nor a message of a compiler."""
    left = _Left(PurePosixPath(path).name, LogTexts(source), printed="printed beside the IR")
    log = _log(source, path, left)
    _check(log, path, left.name)
    folder = PurePosixPath(path).parent
    beside = [str(p) for p in map(PurePosixPath, source.entries) if p.parent == folder]
    left.displays = [p for p in beside if re.fullmatch(r"(?:.*/)?memory_info\w*\.json", p)]
    left.kept += left.displays
    left.module = next((p for p in beside if PurePosixPath(p).name == _MODULE), None)
    left.parts.append(_Part(log))
    return _Reader(source, left, None).read()


def read_mlir_tree(source: Source, printed: Printed) -> tuple[Trace, LogTexts, Kernel | None]:
    """A folder that `--mlir-print-ir-tree-dir` made."""
    left = _Left(PurePosixPath(printed.name).name, LogTexts(source))
    log = Log()
    for path in tree_files(source, printed):
        one = read_log(source, path, left.texts)
        log.words += [(len(log.dumps) + at, text) for at, text in one.words]
        log.dumps += one.dumps
        log.spec = log.spec or one.spec
    left.parts.append(_Part(log))
    left.notes.append("A folder of printed IR holds no message of the compiler.")
    return _Reader(source, left, None).read()


def read_triton(source: Source, printed: Printed) -> tuple[Trace, LogTexts, Kernel | None]:
    """What Triton keeps of one kernel: a text for each stage."""
    left = _Left(PurePosixPath(printed.name).name, LogTexts(source))
    left.stages = list(printed.files)
    folder = f"{printed.root}/" if printed.root else ""
    described = f"{folder}{left.name}.json"
    if described in source.entries:
        left.kept.append(described)
    stages = ", ".join(dict.fromkeys(stage_of(path) for path in printed.files))
    left.notes.append(f"Triton keeps its stages ({stages}), not the passes between them.")
    return _Reader(source, left, None).read()


def _log(source: Source, path: str | None, left: _Left) -> Log:
    if path is None or path not in source.entries:
        return Log()
    return read_log(source, path, left.texts)


def _alone(source: Source, path: str, left: _Left) -> Dump:
    stage = stage_of(path)
    return alone(left.texts, path, source.read(path), stage, stage)


def _check(log: Log, path: str, name: str) -> None:
    """Refuse what is no log, in one sentence."""
    if log.dumps or log.cut:
        if log.cut and not log.dumps:
            raise ReadError(f"{name} cannot be read: {log.cut}; save or send it again.")
        return
    text = "\n".join(text for _, text in log.words)
    if not text.strip():
        raise ReadError(
            f"{name} is empty: the tool printed nothing; ask it for --mlir-print-ir-after-all, and "
            "for --mlir-disable-threading, without which whole modules are not printed."
        )
    words = read_words(log.words)
    if words.errors or words.crashed:
        return
    if re.search(r"(?m)^\s*\"?(?:builtin\.)?module\b|^\s*(?:func|tt|llvm)\.func ", text):
        raise ReadError(
            f"{name} is one MLIR module and no log of passes; compile it, or print the IR of a run "
            "over it with --mlir-print-ir-after-all."
        )
    raise ReadError(
        f"{name} holds no IR of any pass (no line begins with “// -----// IR Dump”); print it with "
        "--mlir-print-ir-after-all."
    )


class _Reader:
    """Reads the parts of one compile that depend on each other."""

    def __init__(self, source: Source, left: _Left, job: Job | None) -> None:
        self.source = source
        self.left = left
        self.job = job
        self.texts = left.texts
        self.notes = left.notes
        self.spec = next((p.log.spec for p in reversed(left.parts) if p.log.spec), None)

    def read(self) -> tuple[Trace, LogTexts, Kernel | None]:
        self._leave_out_torn_ends()
        job = self.job
        kernel = job.kernel if job else None
        words = read_words(piece for part in self.left.parts for piece in part.log.words)
        found, passes = self._passes()
        status = self._status(found, words)
        ending = self._ending(status)
        if status.compiles and self.job:
            found.open = None
        passes = self._with_end(found, passes, ending)
        self._note_what_is_odd(found, words)
        final = self._final(passes, status)
        described = self._text(self.spec) or final
        capacities = self._capacities(described)
        failure = None
        if not status.compiles:
            failure = find_failure(ending, found, words, self.left.raised, kernel, self._text_of)
        memory, culprits = self._memory(final, found, words, status, capacities)
        if failure and culprits:
            failure = replace(failure, culprits=culprits)
        if failure and self.left.parts and self.left.parts[-1].log.cut:
            failure = self._cut_off(failure, words)
        chosen = self._tiling(passes)
        code = self._code(passes, status)
        trace = Trace(
            kernel=kernel.name if kernel else self._kernel_name(final, passes, words),
            kernel_hash=kernel.digest if kernel else "",
            compiler=job.compiler if job else Compiler(self._tool(passes, words), ""),
            target=job.target.name if job else self._target(described),
            status=status,
            passes=tuple(passes),
            tiling=Tiling(note=mlir_tiling.describe(chosen)),
            memory=memory,
            hints=self._hints(words),
            block_dim=self._block_dim(final, chosen),
            failure=failure,
            diagnostics=tuple(each.diagnostic for each in words.said),
            logs=tuple(self._logs()),
            code=code,
            seconds=ending.seconds,
            started=job.started if job else "",
            host=job.host if job else "",
            work=self._work(code, status),
        )
        if self.texts.replaced:
            self.notes.append("Bytes that are no UTF-8 were replaced in some texts.")
        return replace(trace, notes=tuple(self.notes)), self.texts, kernel

    # What ran

    def _leave_out_torn_ends(self) -> None:
        """A log that was cut ends in the middle of the IR of some pass: that text is no text."""
        for part in self.left.parts:
            log = part.log
            if log.dumps and not log.dumps[-1].whole and not self._said_after(log):
                last = log.dumps.pop()
                log.cut = log.cut or f"the log ends in the middle of the IR of {last.name}"
            if log.cut:
                done = f", which ends with {log.dumps[-1].name}" if log.dumps else ""
                self.notes.append(
                    f"{log.cut[0].upper()}{log.cut[1:]}; what is whole before that is shown{done}."
                )

    def _said_after(self, log: Log) -> bool:
        return any(at >= len(log.dumps) for at, _ in log.words)

    def _passes(self) -> tuple[Steps, list[Pass]]:
        """All steps of all tools, and the passes that they are."""
        every = Steps([], None, False, 1)
        passes: list[Pass] = []
        for path in self.left.stages:
            passes.append(self._stage_pass(path, passes))
        for part in self.left.parts:
            log = part.log
            found = find_steps(log.dumps, log.words)
            dumps = (
                [*log.dumps, replace(part.following, after=False)]
                if part.following
                else (log.dumps)
            )
            passes += read_passes(found, dumps, self.texts)
            every = Steps(
                [*every.steps, *found.steps],
                found.open,
                every.threads or found.threads,
                max(every.compiles, found.compiles),
            )
        return every, [replace(each, index=at) for at, each in enumerate(passes)]

    def _stage_pass(self, path: str, before: Sequence[Pass]) -> Pass:
        """A stage of Triton's of which only the result is there."""
        stage = stage_of(path)
        made = _alone(self.source, path, self.left)
        binary = decode(self.source.read(path)[:4096])[1]
        return Pass(
            index=0,
            stage=_STAGE_OF.get(stage, "hivm" if stage == "npubin" else stage),
            unit="",
            attempt=1,
            name=stage,
            number=None,
            text=None if binary else made.digest,
            lines=0 if binary else made.lines,
            bytes=self.source.entries[path].bytes,
            changed=True,
            language="mlir" if made.whole else "text",
            seconds=None,
            status="ok",
            given=before[-1].text if before else None,
        )

    def _with_end(self, found: Steps, passes: list[Pass], ending: Ending) -> list[Pass]:
        """The passes with the one in which the compile ended marked as such."""
        step = failed_step(found, ending)
        if step is None or step.failed:
            return passes
        at = len(passes) - len(found.steps) + found.steps.index(step)
        passes[at] = replace(
            passes[at],
            text=None,
            lines=0,
            bytes=0,
            changed=False,
            status=pass_status(ending.status),
        )
        return passes

    def _note_what_is_odd(self, found: Steps, words: Words) -> None:
        torn = sum(step.torn for step in found.steps)
        if torn:
            self.notes.append(
                f"{torn} of {len(found.steps)} dumps are torn: two processes or threads wrote into "
                "the log at the same time, so their texts are mixed; compile again with "
                "--mlir-disable-threading, each compile into a log of its own."
            )
        elif found.threads:
            self.notes.append(
                "Several threads printed into this log: their functions are put one after another "
                "here, and the passes of each are in order; --mlir-disable-threading keeps it so."
            )
        if found.compiles > 1:
            self.notes.append(
                f"The log holds {found.compiles} compiles one after another; they are shown as "
                "attempts, and everything else is of the last one."
            )
        attempts = max((step.attempt for step in found.steps), default=1)
        if attempts > found.compiles == 1 and not any(_RETRY.match(s.message) for s in words.said):
            self.notes.append(
                f"The compiler ran its whole pipeline {attempts} times by itself, without a word."
            )
        for said in words.said:
            if retry := _RETRY.match(said.message):
                memory = _SPACES.get(retry[1].lower(), retry[1])
                self.notes.append(
                    f"{memory} overflowed, and the compiler tried again by itself with "
                    f"{retry[2]}={retry[3]}."
                )

    # How it ended

    def _status(self, found: Steps, words: Words) -> Status:
        if self.job and self.job.ending:
            return self.job.ending.status
        if self.job:
            self.notes.append("The compile's end was not recorded; it may still be running.")
            return Status.FAILED
        if words.crashed:
            return Status.CRASHED
        if last_tool_only(words):
            return Status.OK_TO_LAST_STEP
        last = found.steps[-1].attempt if found.steps else 0
        if any(s.failed for s in found.steps if s.attempt == last):
            return Status.FAILED
        if self.left.parts and (words.errors or self.left.parts[-1].log.cut):
            return Status.FAILED
        return Status.OK_TO_LAST_STEP

    def _ending(self, status: Status) -> Ending:
        if self.job and self.job.ending:
            return self.job.ending
        return Ending(status, None, None, None)

    def _cut_off(self, failure: Failure, words: Words) -> Failure:
        if words.errors or words.crashed:
            return failure
        after = failure.after or "nothing"
        message = f"The log was cut off after {after}, so how the compile ended is not known."
        return replace(failure, message=message)

    def _text_of(self, step: Step) -> str:
        return self._text(step.text if step.after else step.given)

    # What it made

    def _final(self, passes: Sequence[Pass], status: Status) -> str:
        """The last IR in which buffers have their places; "" where none has."""
        if self.left.module:
            return self.source.text(self.left.module)[0]
        for each in self._made(passes):
            text = self.texts.get(each.text) if each.text else ""
            if _PLACED in text and (not each.unit or not status.compiles):
                return text
            if each.argument == _PLAN:
                break
        return ""

    def _made(self, passes: Sequence[Pass]) -> Iterator[Pass]:
        """The passes of the last attempt that changed something, the last first."""
        attempt = passes[-1].attempt if passes else 0
        for each in reversed(passes):
            if each.attempt == attempt and each.text and each.language == "mlir" and each.changed:
                yield each

    def _code(self, passes: Sequence[Pass], status: Status) -> str | None:
        if self.left.module:
            data = self.source.read(self.left.module)
            return self.texts.place(data, self.left.module, 0)
        last = passes[-1] if passes else None
        if last is None or not status.compiles or last.stage in _STAGE_OF.values():
            return None
        return next((p.text for p in reversed(passes) if p.text and not p.unit), None)

    def _work(self, code: str | None, status: Status) -> Work | None:
        text = self._text(code)
        if not status.compiles or "hivm" not in text:
            return None
        try:
            return count_mlir_work(text)
        except mlir.MlirError as wrong:
            return Work(why_not=f"The final IR could not be read: {wrong}")

    def _memory(
        self,
        final: str,
        found: Steps,
        words: Words,
        status: Status,
        capacities: Mapping[str, int],
    ) -> tuple[tuple[MemoryPlan, ...], tuple[Culprit, ...]]:
        displays = self._displays()
        overflow = None if status.compiles else overflow_in(words)
        if overflow:
            return read_failed_plans(*self._planned(found), displays, capacities, *overflow)
        if not final:
            return (), ()
        planned = [s for s in found.steps if s.argument == _PLAN and s.changed and s.after]
        if planned and planned[-1].after and planned[-1].after.of_module:
            planned = planned[-1:]  # it holds every function
        try:
            texts = [self._text(step.text) for step in planned]
            plans, unknown = read_plans(final, texts, displays, capacities)
        except mlir.MlirError as wrong:
            self.notes.append(f"The final IR could not be read, so memory is unknown: {wrong}")
            return (), ()
        if unknown:
            self.notes.append(
                f"{unknown} buffers of the final IR have no known size or place, so the memory "
                "shown may be too small."
            )
        return plans, ()

    def _planned(self, found: Steps) -> tuple[str, str]:
        """The text and the name of the function that could not be planned."""
        failed = [s for s in found.steps if s.argument == _PLAN and s.failed]
        return (self._text(failed[-1].text), failed[-1].unit) if failed else ("", "")

    def _displays(self) -> list[Display]:
        return read_display(self.source.text(path)[0] for path in self.left.displays)

    def _capacities(self, described: str) -> dict[str, int]:
        line = next((each for each in described.splitlines() if _SPEC in each), "")
        if line:
            try:  # a module is mostly long, and says this in its first line
                spec = target_spec(mlir.parse(f"{line}\n}}\n", tolerant=True))
            except mlir.MlirError:
                spec = {}
            sizes = {memory: spec.get(entry) for memory, entry in _SIZES.items()}
            known = {memory: size for memory, size in sizes.items() if isinstance(size, int)}
            if known:
                return known
        if self.job:
            return {memory.name: memory.capacity_bytes for memory in self.job.target.memories}
        return {}

    def _tiling(self, passes: Sequence[Pass]) -> list[mlir_tiling.Chosen]:
        for each in reversed(passes):
            if each.argument == mlir_tiling.PASS and each.text and not each.unit:
                return mlir_tiling.read_tiling(self.texts.get(each.text))
        return []

    def _block_dim(self, final: str, chosen: Sequence[mlir_tiling.Chosen]) -> int | None:
        said = [int(number) for number in _BLOCK_DIM.findall(final)]
        return max(said) if said else mlir_tiling.cores(chosen)

    # Who it is

    def _kernel_name(self, final: str, passes: Sequence[Pass], words: Words) -> str:
        """The function that is called from outside, else the first; else the file it is in."""
        first = next((p.text for p in passes if p.text and p.language == "mlir"), None)
        names = [
            (name, any(mark in rest for mark in _ENTRIES))
            for text in (self._text(first), final)
            for name, rest in _FUNCTION.findall(text)
        ]
        entries = [name for name, entry in names if entry]
        chosen = entries[0] if entries else names[0][0] if names else ""
        sources = (each.source for each in words.said if each.source)
        return chosen or next(sources, self.left.name).partition(".")[0]

    def _tool(self, passes: Sequence[Pass], words: Words) -> str:
        arguments = {p.argument for p in passes}
        said = " ".join(each.message for each in words.said)
        if {RESTART, _PLAN} & arguments or any(word in said for word in _OWN_WORDS):
            return COMPILER
        if words.tool.startswith("bishengir"):
            return COMPILER
        return "triton" if any(p.stage == "triton" for p in passes) else "mlir"

    def _target(self, described: str) -> str:
        found = _TARGET.search(described)
        if found:
            return found[1]
        for path in self.left.kept:
            if path.endswith(".json") and (arch := _arch(self.source.text(path)[0])):
                return arch
        return ""

    def _hints(self, words: Words) -> HintsOutcome:
        """What was asked; a flag that a retry set to something else did not stay as asked."""
        asked = dict(self.job.hints) if self.job else {}
        ignored: dict[str, str] = {}
        for said in words.said:
            retry = _RETRY.match(said.message)
            if retry and retry[2] in asked and str(asked[retry[2]]).lower() != retry[3].lower():
                memory = _SPACES.get(retry[1].lower(), retry[1])
                ignored[retry[2]] = (
                    f"{memory} overflowed with it, so the compiler set it to {retry[3]} by itself."
                )
        honoured = {name: value for name, value in asked.items() if name not in ignored}
        return HintsOutcome(asked, honoured, ignored)

    def _logs(self) -> Iterator[KeptLog]:
        words = "\n".join(
            text.strip("\n") for part in self.left.parts for _, text in part.log.words
        )
        if words or self.job:
            yield KeptLog(self.left.printed, self.texts.put(words), len(words.encode()))
        for path in self.left.kept:
            data = self.source.read(path)
            name = PurePosixPath(path).name
            yield KeptLog(name, self.texts.place(data, path, 0), len(data))

    def _text(self, digest: str | None) -> str:
        return self.texts.get(digest) if digest else ""


def _arch(text: str) -> str:
    """The chip that Triton's description of a kernel names."""
    try:
        target = json.loads(text)["target"]
        return str(target["arch"]) if isinstance(target["arch"], str) else ""
    except (ValueError, KeyError, TypeError):
        return ""
