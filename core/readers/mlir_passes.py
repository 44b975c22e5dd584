"""The passes of an MLIR tool in the order in which they ran, from what it printed around them.

A log may hold the IR after each pass, before each, both, or only where it changed; of whole
modules or of single functions; of one thread or of several, whose functions then alternate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from core.readers import mlir_scope
from core.readers.mlir_log import Dump
from core.trace import Pass, PassStatus

#: What bishengir-compile runs first in every attempt; only canonicalize-module may come before it.
RESTART = "hacc-append-device-spec"
_BEFORE_RESTART = "canonicalize-module"
_RETRYING = "retrying compilation"

#: Where the pipelines of Triton-Ascend and bishengir go on to the next part, by argument.
_STAGES = (
    (re.compile(r"triton-to-.*|discrete-mask-access-conversion|bubble-up-operation"), "adapter"),
    (re.compile(r"triton-(?!global-kernel).*"), "triton"),
    (re.compile(r"hfusion-.*|convert-\w+-to-hfusion|adapt-triton-kernel"), "hfusion"),
    (re.compile(r"convert-hfusion-to-hivm|hivm-.*"), "hivm"),
    (re.compile(r"convert-vector-to-hivmave"), "hivmave"),
    (re.compile(r"convert-hivm-to-std"), "lowering"),
)
_COMPARED = 64  # functions of which the order is compared
_ORDER = ("triton", "adapter", "hfusion", "hivm", "hivmave", "lowering")


class Store(Protocol):
    """Texts by content hash, to which others can be added."""

    def get(self, digest_: str) -> str: ...

    def put(self, text: str) -> str: ...


@dataclass(slots=True)
class Step:
    """One run of one pass."""

    name: str
    argument: str
    operation: str
    unit: str
    at: int  #: its first dump's place in the log
    before: Dump | None = None
    after: Dump | None = None
    failed: bool = False
    attempt: int = 1
    stage: str = ""
    text: str | None = None  #: content hash, where something tells
    lines: int = 0
    bytes: int = 0
    given: str | None = None
    changed: bool = False

    @property
    def torn(self) -> bool:
        return self.after is not None and not self.after.whole


@dataclass(slots=True)
class Steps:
    """What ran, in order."""

    steps: list[Step]
    open: Step | None  #: was being run when the log ended, as far as dumps from before passes tell
    threads: bool  #: functions were worked on side by side
    compiles: int  #: compiles that the log holds, one after another, retries aside


def find_steps(dumps: Sequence[Dump], words: Iterable[tuple[int, str]]) -> Steps:
    """Pair what was printed before and after each pass, and tell attempts apart."""
    steps, last_open = _paired(dumps)
    threads = _unthread(steps)
    compiles = _number_attempts(steps, [at for at, text in words if _RETRYING in text])
    _name_stages(steps)
    return Steps(steps, last_open, threads, compiles)


def read_passes(found: Steps, dumps: Sequence[Dump], texts: Store) -> list[Pass]:
    """The passes with what each was given and made."""
    _Texts(found.steps, dumps, texts).fill()
    return [_pass(index, step) for index, step in enumerate(found.steps)]


def _pass(index: int, step: Step) -> Pass:
    status: PassStatus = "failed" if step.failed else "ok"
    return Pass(
        index=index,
        stage=step.stage,
        unit=step.unit,
        attempt=step.attempt,
        name=step.name,
        number=None,
        text=step.text,
        lines=step.lines,
        bytes=step.bytes,
        changed=step.changed,
        language="text" if step.torn else "mlir",
        seconds=None,
        status=status,
        argument=step.argument,
        given=step.given,
    )


# Before and after


def _paired(dumps: Sequence[Dump]) -> tuple[list[Step], Step | None]:
    """One step a run of a pass. A pass may run others inside it, which are listed before it."""
    steps: list[Step] = []
    begun: dict[str, list[Step]] = defaultdict(list)  # of each function; what is on its way
    for at, dump in enumerate(dumps):
        waiting = begun[dump.unit]
        if not dump.after:
            step = Step(dump.name, dump.argument, dump.operation, dump.unit, at, before=dump)
            waiting.append(step)
            steps.append(step)
            continue
        place = next(
            (i for i in range(len(waiting) - 1, -1, -1) if _same_pass(waiting[i], dump)), None
        )
        if place is None:
            step = Step(dump.name, dump.argument, dump.operation, dump.unit, at)
        else:
            step = waiting[place]
            del waiting[place:]
            steps.remove(step) if steps[-1] is not step else steps.pop()
        step.after = dump
        step.failed = dump.failed
        steps.append(step)
    last = max(
        (waiting[-1] for waiting in begun.values() if waiting), key=lambda s: s.at, default=None
    )
    ended = last is not None and last.at == len(dumps) - 1
    return steps, last if ended else None


def _same_pass(step: Step, dump: Dump) -> bool:
    return (step.name, step.argument) == (dump.name, dump.argument)


def _unthread(steps: list[Step]) -> bool:
    """Put functions that were worked on side by side one after another; whether there were any.

    One thread goes through the functions of a module in their order, with every pass of a row of
    passes. Where one pass met two functions in one order and another pass in the other, threads
    were at work; the order within each function is right even then.
    """
    threads = False
    at = 0
    while at < len(steps):
        end = at
        while end < len(steps) and steps[end].unit:
            end += 1
        run = steps[at:end]
        if _alternate(run):
            threads = True
            rank = {unit: i for i, unit in enumerate(dict.fromkeys(step.unit for step in run))}
            steps[at:end] = sorted(run, key=lambda step: rank[step.unit])
        at = end + 1
    return threads


def _alternate(run: Sequence[Step]) -> bool:
    met: dict[tuple[str, int], list[str]] = defaultdict(list)
    times: dict[tuple[str, str], int] = defaultdict(int)
    for step in run:
        times[step.name, step.unit] += 1
        met[step.name, times[step.name, step.unit]].append(step.unit)
    seen: set[tuple[str, str]] = set()
    for units in met.values():
        pairs = set(combinations(units[:_COMPARED], 2))
        if any((b, a) in seen for a, b in pairs):
            return True
        seen |= pairs
    return False


# Attempts and stages


def _number_attempts(steps: list[Step], retried: Sequence[int]) -> int:
    """Number the attempts from 1; how many compiles there are that no retry explains."""
    attempt = compiles = 1
    begun = False  # the pipeline of this attempt
    failed = False  # this attempt, so that the next one is a retry
    for at, step in enumerate(steps):
        earlier = steps[at - 1].at if at else -1
        said = any(earlier < place <= step.at for place in retried)
        if at and (said or (step.argument == RESTART and begun)):
            attempt += 1
            compiles += not (said or failed)
            begun = failed = False
            before = at - 1
            while not said and before >= 0 and steps[before].argument == _BEFORE_RESTART:
                if steps[before].attempt == attempt:
                    break
                steps[before].attempt = attempt
                before -= 1
        step.attempt = attempt
        begun |= step.argument == RESTART
        failed |= step.failed
    return compiles


def _name_stages(steps: list[Step]) -> None:
    """The part of the pipeline that each pass belongs to; of an unknown one what it works on."""
    attempt = stage = ""
    for at, step in enumerate(steps):
        if str(step.attempt) != attempt or step.argument in (RESTART, _BEFORE_RESTART):
            attempt = str(step.attempt)
            ahead = (_stage(s.argument) for s in steps[at:] if s.attempt == step.attempt)
            stage = next(filter(None, ahead), "") or stage
        own = _stage(step.argument)
        if own and (not stage or _ORDER.index(own) > _ORDER.index(stage)):
            stage = own
        step.stage = stage or _kind(step.operation)


def _stage(argument: str) -> str:
    return next((name for pattern, name in _STAGES if pattern.fullmatch(argument)), "")


def _kind(operation: str) -> str:
    dialect, _, name = operation.rpartition(".")
    if name == "func":
        return "function"
    return "module" if dialect == "builtin" else operation or "module"


# Texts


class _Texts:
    """Follows the module and its functions through the dumps, as far as they are printed."""

    def __init__(self, steps: Sequence[Step], dumps: Sequence[Dump], texts: Store) -> None:
        self.steps = steps
        self.dumps = dumps
        self.texts = texts
        self.both = any(d.after and not d.failed for d in dumps) and any(not d.after for d in dumps)
        self.module: str | None = None  # the last module printed, by its hash
        self.functions: dict[str, str] = {}  # those printed since, by name
        self.edited = False  # one of them is not as that module has it
        self.taken_apart: dict[str, mlir_scope.Parts | None] = {}  # the last two

    def fill(self) -> None:
        attempt = 0
        for step in self.steps:
            if step.attempt != attempt:
                attempt = step.attempt
                self.module, self.functions, self.edited = None, {}, False
            if step.before is not None and step.before.whole:
                self.see(step.before)
                step.given = step.before.digest
            if step.after is not None:
                self.made(step, step.after)
            elif step.before is not None:
                self.guess(step, step.before)

    def made(self, step: Step, dump: Dump) -> None:
        step.text, step.lines, step.bytes = dump.digest, dump.lines, dump.bytes
        if step.torn:
            step.changed = True
            return
        step.changed = True
        if step.given is not None:
            step.changed = step.given != dump.digest
        elif not dump.of_module:
            step.given = self.function(dump.symbol)
            step.changed = step.given != dump.digest
        elif self.module is not None and not self.edited:
            step.given = self.module
            step.changed = step.given != dump.digest
        elif self.module is not None:
            self.module_with_functions(step, self.module, dump.digest)
        self.see(dump)

    def guess(self, step: Step, given: Dump) -> None:
        """What a pass made of which only the text before it was printed: what came next."""
        following = self.dumps[step.at + 1] if step.at + 1 < len(self.dumps) else None
        text: str | None = None
        if following is not None and not following.after and following.whole:
            if (following.printed, following.symbol) == (given.printed, given.symbol) or (
                following.of_module and given.of_module
            ):
                text = following.digest
            elif given.of_module and not self.both:
                # The module itself is printed next after its functions were worked on.
                step.changed = self.function(following.symbol) not in (None, following.digest)
            elif following.of_module and not self.both:
                module = self.apart(following.digest)
                inside = mlir_scope.function(module, given.symbol) if module else None
                text = self.texts.put(inside) if inside is not None else None
        if text is None and self.both:
            text = given.digest  # printed only where it changes
        if text is None:
            return
        step.text, step.changed = text, text != given.digest
        if text == given.digest:
            step.lines, step.bytes = given.lines, given.bytes
        elif following is not None and text == following.digest:
            step.lines, step.bytes = following.lines, following.bytes
        else:
            made = self.texts.get(text)
            step.lines, step.bytes = made.count("\n"), len(made.encode())

    def see(self, dump: Dump) -> None:
        """Take a dump as what its operation now is."""
        if dump.of_module:
            self.module, self.functions, self.edited = dump.digest, {}, False
            return
        self.edited |= self.function(dump.symbol) != dump.digest
        self.functions[dump.symbol] = dump.digest

    def function(self, symbol: str) -> str | None:
        """What a function now is, by its hash; None where no dump tells."""
        if symbol in self.functions or self.module is None:
            return self.functions.get(symbol)
        module = self.apart(self.module)
        text = mlir_scope.function(module, symbol) if module else None
        return self.texts.put(text) if text is not None else None

    def module_with_functions(self, step: Step, module: str, made: str) -> None:
        """The pass was given the last module with the functions that were printed since."""
        before, after = self.apart(module), self.apart(made)
        if before is None or after is None:
            step.given, step.changed = module, True
            return
        functions = {
            name: self.texts.get(text).rstrip("\r\n") for name, text in self.functions.items()
        }
        step.changed = not before.same(after, functions)
        step.given = (
            self.texts.put(mlir_scope.put_together(before, functions, after))
            if step.changed
            else made
        )

    def apart(self, module: str) -> mlir_scope.Parts | None:
        if module not in self.taken_apart:
            while len(self.taken_apart) > 1:
                self.taken_apart.pop(next(iter(self.taken_apart)))
            self.taken_apart[module] = mlir_scope.parts(self.texts.get(module))
        return self.taken_apart[module]
