"""Which hint does it: the smallest set that fails, or the one switch that makes it compile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.fingerprint import fingerprint
from core.analysis.inquiry import Inquiry
from core.analysis.remedies.case import Case, case_of
from core.analysis.remedies.switches import booleans, known, written
from core.compilers.registry import compiler
from core.hints import Hints, HintValue, Tile
from core.kernel import Kernel
from core.request import Request
from core.trace import Texts, Trace

_BATCH = 4  # asked for at a time
_MOST = 80  # compiles

#: One thing that was asked: a tile, or an attribute with its value.
Part = Tile | tuple[str, HintValue]


@dataclass(frozen=True, slots=True)
class Step:
    """One compile on the way."""

    asked: str  #: the hints, in words
    fails: bool  #: in the same way as the trace that it is about
    compiles: bool


@dataclass(frozen=True, slots=True)
class Bisected:
    """What the failure hangs on."""

    sentence: str  #: what was found
    hints: tuple[str, ...] = ()  #: the smallest set that still fails; () where it is not the hints
    switch: str = ""  #: the one that makes it compile: "multicore_loop_switch_hoist = off"
    cure: Request | None = None  #: the compile that works
    steps: tuple[Step, ...] = ()


def start(
    trace: Trace, texts: Texts, kernel: Kernel, options: Mapping[str, Any]
) -> Inquiry[Bisected]:
    """Find what a failure hangs on. Option: `most` (80) compiles. Raises ValueError."""
    made_by = compiler(trace.compiler.name)
    case = case_of(trace, kernel, made_by.catalogue)
    if case is None:
        raise ValueError("This trace compiles, so there is nothing to find.")
    return _Search(case, fingerprint(trace), int(options.get("most", _MOST))).run()


class _Search:
    def __init__(self, case: Case, same: str, most: int) -> None:
        self.case = case
        self.same = same
        self.most = most
        self.steps: list[Step] = []

    def run(self) -> Inquiry[Bisected]:
        own = {parameter.name for parameter in self.case.kernel.parameters} | {"target"}
        fixed = {k: v for k, v in self.case.asked.attributes.items() if k in own}
        parts: list[Part] = [*self.case.asked.tiles]
        parts += [(k, v) for k, v in self.case.asked.attributes.items() if k not in own]
        if parts:
            (bare,) = yield from self._ask([self._hints([], fixed)])
            if bare.compiles:
                return (yield from self._smallest(parts, fixed))
            if not bare.fails:
                return self._found("Without its hints it fails in another way.")
        return (yield from self._switch())

    # The smallest set of hints that fails: delta debugging (ddmin)

    def _smallest(self, parts: list[Part], fixed: Mapping[str, HintValue]) -> Inquiry[Bisected]:
        pieces = 2
        while len(parts) > 1 and len(self.steps) < self.most:
            chunks = _chunks(parts, pieces)
            rests = [[p for p in parts if p not in chunk] for chunk in chunks]
            tried = [*chunks, *rests] if pieces > 2 else chunks
            ended = yield from self._ask([self._hints(each, fixed) for each in tried])
            smaller = next((t for t, e in zip(tried, ended, strict=True) if e.fails), None)
            if smaller is not None:
                pieces = 2 if len(smaller) <= len(parts) // 2 + 1 else max(pieces - 1, 2)
                parts = smaller
            elif pieces >= len(parts):
                break
            else:
                pieces = min(len(parts), 2 * pieces)
        words = tuple(map(_words, parts))
        together = "this hint alone" if len(words) == 1 else f"these {len(words)} hints together"
        others: list[Part] = [*self.case.asked.tiles, *self.case.asked.attributes.items()]
        rest = [part for part in others if part not in parts and _own(part, fixed)]
        cure = self._hints(rest, fixed)
        return self._found(f"It is {together}: {', '.join(words)}.", hints=words, cure=cure)

    # The one switch that makes it compile

    def _switch(self) -> Inquiry[Bisected]:
        asked = self.case.asked.attributes
        listed: list[dict[str, HintValue]] = [
            dict(each.set)
            for each in sorted(known(self.case.trace.compiler.name), key=lambda e: -e.promise)
            if len(each.set) == 1 and next(iter(each.set)) in self.case.catalogue
            and (not each.passes or self._near(each.passes))
        ]  # fmt: skip
        for spec in booleans(self.case.catalogue):
            now = asked.get(spec.name, bool(spec.default))
            listed.append({spec.name: not now})
        tried: list[dict[str, HintValue]] = []
        for each in listed:
            if each not in tried and any(asked.get(k) != v for k, v in each.items()):
                tried.append(each)
        for at in range(0, min(len(tried), self.most - len(self.steps)), _BATCH):
            batch = tried[at : at + _BATCH]
            hints = [self.case.with_attributes(each) for each in batch]
            ended = yield from self._ask(hints)
            for values, asked_for, step in zip(batch, hints, ended, strict=True):
                if step.compiles:
                    ((name, value),) = values.items()
                    said = f"{name} = {written(value)}"
                    return self._found(
                        f"One switch makes it compile: {said}.", switch=said, cure=asked_for
                    )
        return self._found(
            f"None of the {len(tried)} switches of this compiler makes it compile by itself."
        )

    def _near(self, passes: Sequence[str]) -> bool:
        failure = self.case.failure
        after = (failure.after or "").partition("_")[2]
        return failure.pass_name in passes or after in passes

    # Asking

    def _hints(self, parts: Sequence[Part], fixed: Mapping[str, HintValue]) -> Hints:
        tiles = tuple(sorted(part for part in parts if isinstance(part, Tile)))
        attributes = dict(part for part in parts if not isinstance(part, Tile))
        return Hints(tiles, {**fixed, **attributes})

    def _ask(self, asked: Sequence[Hints]) -> Inquiry[list[Step]]:
        answers = yield [self.case.request(hints=hints) for hints in asked]
        steps = [
            Step(
                asked=_said(hints),
                fails=a.trace is not None and fingerprint(a.trace) == self.same,
                compiles=a.compiles,
            )
            for hints, a in zip(asked, answers, strict=True)
        ]
        self.steps += steps
        return steps

    def _found(
        self,
        sentence: str,
        *,
        hints: tuple[str, ...] = (),
        switch: str = "",
        cure: Hints | None = None,
    ) -> Bisected:
        request = self.case.request(hints=cure) if cure is not None else None
        return Bisected(sentence, hints, switch, request, tuple(self.steps))


def _chunks(parts: list[Part], pieces: int) -> list[list[Part]]:
    size = -(-len(parts) // pieces)
    return [parts[at : at + size] for at in range(0, len(parts), size)]


def _own(part: Part, fixed: Mapping[str, HintValue]) -> bool:
    return isinstance(part, Tile) or part[0] not in fixed


def _words(part: Part) -> str:
    if isinstance(part, Tile):
        return f"tile of axis {part.band}.{part.axis} = {part.outer:,}"
    return f"{part[0]} = {written(part[1])}"


def _said(hints: Hints) -> str:
    parts: list[Part] = [*hints.tiles, *hints.attributes.items()]
    return ", ".join(map(_words, parts)) or "no hints"
