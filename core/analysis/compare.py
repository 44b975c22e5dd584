"""Two traces side by side: what became different, and in which pass first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from core.analysis.diff import mask_addresses, renamed
from core.trace import Axis, Language, Pass, Texts, Trace

#: equal: to the letter · addresses: once memory addresses are masked · numbering: once the running
#: numbers that a compiler puts into names are lined up too (its counters, the values of MLIR)
#: · different · absent: one has no text.
Sameness = Literal["equal", "addresses", "numbering", "different", "absent"]

#: How the names of a text are numbered (core.analysis.renaming).
Numbered = Literal["values", "counters"]


@dataclass(frozen=True, slots=True)
class PassPair:
    """One step of the pipeline in both traces; None where only the other one ran it."""

    before: Pass | None
    after: Pass | None
    sameness: Sameness

    @property
    def differs(self) -> bool:
        return self.sameness in ("different", "absent")

    @property
    def shown(self) -> Pass:
        """The pass of either trace, preferably the newer one."""
        step = self.after or self.before
        assert step is not None
        return step


@dataclass(frozen=True, slots=True)
class TileChange:
    """One axis in both traces; None where a trace has no such axis."""

    before: Axis | None
    after: Axis | None

    @property
    def differs(self) -> bool:
        if self.before is None or self.after is None:
            return True
        return (self.before.extent, self.before.tile, self.before.tile_l0) != (
            self.after.extent,
            self.after.tile,
            self.after.tile_l0,
        )


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """Peak bytes of one memory in both traces; None where the trace does not use it."""

    memory: str
    before_bytes: int | None
    after_bytes: int | None
    capacity_bytes: int | None

    @property
    def differs(self) -> bool:
        return self.before_bytes != self.after_bytes


@dataclass(frozen=True, slots=True)
class Comparison:
    """`before` is the parent, or whichever trace is measured against."""

    before: Trace
    after: Trace
    pairs: tuple[PassPair, ...]
    tiles: tuple[TileChange, ...]
    memory: tuple[MemoryChange, ...]
    instructions: tuple[tuple[str, int | None, int | None], ...]  #: name, before, after
    code: Sameness

    @property
    def first_difference(self) -> PassPair | None:
        """The earliest pass whose text differs, or that only one of the two ran."""
        return next((pair for pair in self.pairs if pair.differs), None)

    @property
    def same_code(self) -> bool:
        """True where both emitted the same code, addresses and name counters aside."""
        return self.code in ("equal", "addresses", "numbering")

    @property
    def names(self) -> tuple[str, str] | None:
        """The kernels' names, which are taken for one another, where they differ."""
        return _kernel_names(self.before, self.after)

    @property
    def same_kernel(self) -> bool:
        """False only where both name their kernel and the two are not the same."""
        hashes = {self.before.kernel_hash, self.after.kernel_hash}
        return len(hashes - {""}) < 2


def compare(before: Trace, before_texts: Texts, after: Trace, after_texts: Texts) -> Comparison:
    """Compare two traces. Raises KeyError where a text that a trace names is not kept."""
    names = _kernel_names(before, after)
    return Comparison(
        before,
        after,
        tuple(
            PassPair(a, b, _pass_sameness(a, before_texts, b, after_texts, names))
            for a, b in align(before.passes, after.passes)
        ),
        _tiles(before, after),
        _memory(before, after),
        _instructions(before, after),
        _digest_sameness(
            before.code, before_texts, after.code, after_texts, names, _code_numbered(after)
        ),
    )


def align(
    before: Sequence[Pass], after: Sequence[Pass]
) -> tuple[tuple[Pass | None, Pass | None], ...]:
    """Pair passes by stage, attempt and name, in order; the compiler's numbers shift and are
    not looked at. Sub-kernels are kept apart."""
    a = [(p.stage, p.unit, p.attempt, p.name) for p in before]
    b = [(p.stage, p.unit, p.attempt, p.name) for p in after]
    pairs: list[tuple[Pass | None, Pass | None]] = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs += zip(before[a0:a1], after[b0:b1], strict=True)
        else:
            pairs += ((p, None) for p in before[a0:a1])
            pairs += ((None, p) for p in after[b0:b1])
    return tuple(pairs)


def numbered(language: Language) -> Numbered:
    """How a language numbers its names."""
    return "values" if language == "mlir" else "counters"


def indented(language: Language) -> bool:
    """Whether how far in a line stands says what nothing else does: in a schedule tree it does."""
    return language in ("schedule", "text")


def _code_numbered(trace: Trace) -> Numbered:
    return "values" if any(step.language == "mlir" for step in trace.passes) else "counters"


def text_sameness(before: str, after: str, numbering: Numbered = "counters") -> Sameness:
    """How far two texts are the same. A name may have another number as long as it has it
    throughout and none overtakes another: two names that swap are a change."""
    if before == after:
        return "equal"
    if mask_addresses(before) == mask_addresses(after):
        return "addresses"
    return "numbering" if renamed(before, after, numbering) else "different"


def _pass_sameness(
    a: Pass | None, a_texts: Texts, b: Pass | None, b_texts: Texts, names: tuple[str, str] | None
) -> Sameness:
    if a is None or b is None:
        return "absent"
    if a.text is None and b.text is None:
        return "equal" if a.status == b.status else "different"
    return _digest_sameness(a.text, a_texts, b.text, b_texts, names, numbered(b.language))


def _digest_sameness(
    a: str | None,
    a_texts: Texts,
    b: str | None,
    b_texts: Texts,
    names: tuple[str, str] | None,
    numbering: Numbered,
) -> Sameness:
    if a is None or b is None:
        return "absent"
    if a == b:
        return "equal"
    before, after = a_texts.get(a), b_texts.get(b)
    if names:
        before = before.replace(names[0], names[1])
    return text_sameness(before, after, numbering)


def _kernel_names(before: Trace, after: Trace) -> tuple[str, str] | None:
    """The two names to be taken for one another, where only they differ."""
    if before.kernel != after.kernel and before.kernel and after.kernel:
        return before.kernel, after.kernel
    return None


def _tiles(before: Trace, after: Trace) -> tuple[TileChange, ...]:
    a = {(x.unit, x.band, x.axis): x for x in before.tiling.axes}
    b = {(x.unit, x.band, x.axis): x for x in after.tiling.axes}
    return tuple(TileChange(a.get(k), b.get(k)) for k in sorted({*a, *b}))


def _memory(before: Trace, after: Trace) -> tuple[MemoryChange, ...]:
    order = list(dict.fromkeys(plan.memory for plan in (*before.memory, *after.memory)))
    rows = []
    for name in order:
        a, b = before.plan(name), after.plan(name)
        capacity = (b and b.capacity_bytes) or (a and a.capacity_bytes) or None
        rows.append(
            MemoryChange(name, a.peak_bytes if a else None, b.peak_bytes if b else None, capacity)
        )
    return tuple(rows)


def _instructions(before: Trace, after: Trace) -> tuple[tuple[str, int | None, int | None], ...]:
    """Names with their counts, the largest change first."""
    counts: dict[str, list[int | None]] = defaultdict(lambda: [None, None])
    for place, trace in enumerate((before, after)):
        for name, number in trace.instructions.items():
            counts[name][place] = number
    rows = [(name, a, b) for name, (a, b) in counts.items()]
    return tuple(sorted(rows, key=lambda r: (-abs((r[2] or 0) - (r[1] or 0)), r[0])))
