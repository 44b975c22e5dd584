"""Which hint does it: the smallest set that fails, or the one switch that makes it compile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.analysis.fingerprint import alike
from core.analysis.inquiry import Inquiry
from core.analysis.remedies.case import Case, case_of
from core.analysis.remedies.switches import booleans, does_nothing, known, written
from core.analysis.sweep import repeated
from core.compilers.registry import compiler
from core.hints import Hints, HintValue, Tile
from core.kernel import Kernel
from core.request import Request
from core.trace import Failure, Texts, Trace

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
    hints: tuple[str, ...] = ()  #: the smallest set that still fails, or that it needs to compile
    switch: str = ""  #: the one that makes it compile: "multicore_loop_switch_hoist = off"
    cure: Request | None = None  #: the compile that works
    steps: tuple[Step, ...] = ()


def start(
    trace: Trace, texts: Texts, kernel: Kernel, options: Mapping[str, Any]
) -> Inquiry[Bisected]:
    """Find what a failure hangs on; of a trace that compiles, which of its hints it needs.

    Option: `most` (80) compiles. Raises ValueError where nothing can be found.
    """
    del texts  # what a compile said is in its trace
    made_by = compiler(trace.compiler.name)
    case = case_of(trace, kernel, made_by.catalogue)
    most = int(options.get("most", _MOST))
    if case is not None:
        return _Search(case, most).why_it_fails()
    asked = repeated(trace)
    if not trace.status.compiles or not asked.as_dict():
        raise ValueError(
            "This trace compiles and nothing was asked of it, so there is nothing to find."
            if trace.status.compiles
            else "This compile was stopped, so nothing is known of why it would fail."
        )
    # It has no failure; nothing of one is looked at where hints are needed.
    compiling = Case(trace, Failure("error", None, None, None, None, ""), kernel, asked, {}, ())
    return _Search(compiling, most).what_it_needs()


class _Search:
    def __init__(self, case: Case, most: int) -> None:
        self.case = case
        self.most = most
        self.steps: list[Step] = []
        self._known: dict[str, Step] = {}
        own = {parameter.name for parameter in case.kernel.parameters} | {"target"}
        asked = case.asked.attributes
        self.fixed = {name: value for name, value in asked.items() if name in own}
        self.parts: list[Part] = [
            *case.asked.tiles, *((k, v) for k, v in asked.items() if k not in own)
        ]  # fmt: skip

    def why_it_fails(self) -> Inquiry[Bisected]:
        """The smallest set of hints that still fails so, else the one switch that cures it."""
        if self.parts:
            (bare,) = yield from self._ask([self._hints([])])
            if bare.compiles:
                return (yield from self._to_blame())
            if not bare.fails:
                return self._found("Without its hints it fails in another way.")
        return (yield from self._switch())

    def what_it_needs(self) -> Inquiry[Bisected]:
        """The smallest set of hints with which it still compiles."""
        bare, whole = yield from self._ask([self._hints([]), self._hints(self.parts)])
        if bare.compiles:
            return self._found("It compiles without any of its hints.", cure=self._hints([]))
        if not whole.compiles:
            return self._found("With the same hints it no longer compiles.")
        parts = yield from self._fewest(self.parts, lambda step: step.compiles)
        words = tuple(map(_words, parts))
        together = "this hint alone" if len(words) == 1 else f"these {len(words)} hints together"
        return self._found(
            f"It needs {together}: {', '.join(words)}.",
            hints=words,
            switch=words[0] if len(words) == 1 else "",
            cure=self._hints(parts),
        )

    def _to_blame(self) -> Inquiry[Bisected]:
        parts = yield from self._fewest(self.parts, lambda step: step.fails)
        words = tuple(map(_words, parts))
        together = "this hint alone" if len(words) == 1 else f"these {len(words)} hints together"
        rest = self._hints([part for part in self.parts if part not in parts])
        (left,) = yield from self._ask([rest])
        return self._found(
            f"It is {together}: {', '.join(words)}.",
            hints=words,
            # Where the rest fails by itself, none at all is what was seen to compile.
            cure=rest if left.compiles else self._hints([]),
        )

    def _fewest(self, parts: list[Part], wanted: Callable[[Step], bool]) -> Inquiry[list[Part]]:
        """A set that ends as wanted, of which nothing can be left out: delta debugging."""
        pieces = 2
        while len(parts) > 1 and len(self.steps) < self.most:
            chunks = _chunks(parts, pieces)
            rests = [[p for p in parts if p not in chunk] for chunk in chunks]
            tried = [*chunks, *rests] if len(chunks) > 2 else chunks
            ended = yield from self._ask([self._hints(each) for each in tried])
            found = [each for each, e in zip(tried, ended, strict=True) if wanted(e)]
            if found:
                smaller = min(found, key=len)
                pieces = 2 if len(smaller) <= len(parts) // 2 + 1 else max(pieces - 1, 2)
                parts = smaller
            elif pieces >= len(parts):
                break
            else:
                pieces = min(len(parts), 2 * pieces)
        return parts

    # The one switch that makes it compile

    def _switch(self) -> Inquiry[Bisected]:
        tried = self._switches()
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

    def _switches(self) -> list[dict[str, HintValue]]:
        """Those that are known to cure such failures, then all that change the code."""
        asked = self.case.asked.attributes
        cures = sorted(known(self.case.trace.compiler.name), key=lambda each: -each.promise)
        listed: list[dict[str, HintValue]] = [
            dict(each.set)
            for each in cures
            if len(each.set) == 1 and next(iter(each.set)) in self.case.catalogue
            and (not each.passes or self._near(each.passes))
        ]  # fmt: skip
        for spec in booleans(self.case.catalogue):
            now = asked.get(spec.name, bool(spec.default))
            listed.append({spec.name: not now})
        tried: list[dict[str, HintValue]] = []
        for each in listed:
            idle = any(does_nothing(name, self.case.kernel) for name in each)
            if each not in tried and not idle and any(asked.get(k) != v for k, v in each.items()):
                tried.append(each)
        return tried

    def _near(self, passes: Sequence[str]) -> bool:
        failure = self.case.failure
        after = (failure.after or "").partition("_")[2]
        return failure.pass_name in passes or after in passes

    # Asking

    def _hints(self, parts: Sequence[Part]) -> Hints:
        tiles = tuple(sorted(part for part in parts if isinstance(part, Tile)))
        attributes = dict(part for part in parts if not isinstance(part, Tile))
        return Hints(tiles, {**self.fixed, **attributes})

    def _ask(self, asked: Sequence[Hints]) -> Inquiry[list[Step]]:
        """How each ends; nothing is asked twice."""
        new = list({h.digest: h for h in asked if h.digest not in self._known}.values())
        if new:
            answers = yield [self.case.request(hints=hints) for hints in new]
            for hints, answer in zip(new, answers, strict=True):
                same = answer.trace is not None and alike(answer.trace, self.case.trace)
                step = Step(_said(hints), same and not answer.compiles, answer.compiles)
                self._known[hints.digest] = step
                self.steps.append(step)
        return [self._known[hints.digest] for hints in asked]

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


def _words(part: Part) -> str:
    if isinstance(part, Tile):
        return f"tile of axis {part.band}.{part.axis} = {part.outer:,}"
    return f"{part[0]} = {written(part[1])}"


def _said(hints: Hints) -> str:
    parts: list[Part] = [*hints.tiles, *hints.attributes.items()]
    return ", ".join(map(_words, parts)) or "no hints"
