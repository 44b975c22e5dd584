"""Other values of what a kernel leaves open, and of numbers that a module's text repeats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.analysis.remedies.case import Case, Proposal, proposal
from core.hints import HintValue

_MOST = 3
_PARTS = 64  # that a size may be cut into
_WHOLE = 16  # elements: 32 B of float16, 64 of float32
#: A type with a memory, in its long form or by an alias of one letter or two.
_ON_CHIP = re.compile(
    r"memref<((?:\d+x)+)[a-z]\w*, *(?:strided<[^>]*>, *)?#(?:hivm\.address_space<(\w+)>|(\w+))>"
)
_SPACES = {"ub": "UB", "cbuf": "L1", "l1": "L1", "cc": "L0C", "l0c": "L0C"}


def parameters(case: Case) -> Iterator[Proposal]:
    """Values of the kernel's parameters below those in use, or others where memory is not it."""
    declared = case.kernel.parameters
    lowered: dict[str, HintValue] = {}
    for parameter in declared:
        now = case.asked.attributes.get(parameter.name, parameter.default)
        others = [value for value in parameter.values if value != now]
        smaller = sorted(
            (v for v in others if type(v) is int and type(now) is int and v < now), reverse=True
        )
        tried = smaller if case.memory else [*smaller, *(v for v in others if v not in smaller)]
        if smaller:
            lowered[parameter.name] = smaller[0]
        for step, value in enumerate(_chosen(tried, now, case)):
            fits = type(value) is int and type(now) is int and value / now <= case.room
            promise = (88.0 if fits else 62.0) if case.memory else 50.0
            yield proposal(
                promise - 4 * step,
                "parameter",
                f"{parameter.name} = {value:,} for {now:,}"
                if isinstance(value, int) and isinstance(now, int)
                else f"{parameter.name} = {value} for {now}",
                "Buffers whose shape it sets shrink with it."
                if case.memory
                else "Another value leads the compiler another way.",
                case.request(hints=case.with_attributes({parameter.name: value})),
            )
    if len(lowered) > 1 and case.memory:
        yield proposal(
            80.0,
            "parameter",
            ", ".join(f"{name} = {value}" for name, value in lowered.items()),
            "Every parameter one step lower: each buffer shrinks along all of its axes.",
            case.request(hints=case.with_attributes(lowered)),
        )


def _chosen(tried: Sequence[HintValue], now: HintValue, case: Case) -> list[HintValue]:
    """The first few; of those that should fit the largest, if they come later."""
    if not case.memory or type(now) is not int:
        return list(tried[:_MOST])
    fitting = [v for v in tried if type(v) is int and v / now <= case.room]
    return list(dict.fromkeys([*fitting[:2], *tried]))[:_MOST]


def constants(case: Case) -> Iterator[Proposal]:
    """A size that buffers of the full memory have, smaller wherever it stands in the module.

    For a text that leaves nothing open: where a tile is written out as a number, it stands in the
    step of the loop, in slices and in types, so it has to change in all of them.
    """
    if case.kernel.kind != "mlir" or not case.memory or case.kernel.parameters:
        return
    text = case.kernel.source
    sizes: Counter[int] = Counter()
    for found in _ON_CHIP.finditer(text):
        memory = _SPACES.get((found[2] or found[3] or "").lower())
        if memory == case.failure.memory:
            sizes.update(int(size) for size in found[1].split("x") if size)
    for size, _ in sizes.most_common(2):
        if size < 2 or not _everywhere(case, size):
            continue
        for step, wanted in enumerate(_below(size, case.room)):
            other = re.sub(rf"(?<![\w.#]){size}(?=x|\b(?!\.))", str(wanted), text)
            if other == text:
                continue
            yield proposal(
                82.0 - 4 * step,
                "parameter",
                f"{wanted:,} wherever the module says {size:,}",
                f"The buffers of {case.failure.memory} have this size, which the loop and its "
                "slices repeat; a smaller one fits.",
                case.request(
                    kernel=replace(case.kernel, name=f"{case.kernel.name}_{wanted}", source=other)
                ),
            )


def _everywhere(case: Case, size: int) -> bool:
    """Whether a size is that of a tile: a step or a slice of a loop, and of no tensor as a whole.

    Where a tensor that the kernel is given has it, another size would be another kernel.
    """
    if any(size in tensor.shape for tensor in case.kernel.tensors):
        return False
    return re.search(rf"constant {size}\b|\[{size}\]", case.kernel.source) is not None


def _below(size: int, room: float) -> list[int]:
    """Whole parts of a size that should fit, the largest first."""
    limit = max(1, int(size * room))
    parts = [size // n for n in range(2, min(size, _PARTS) + 1) if size % n == 0]
    fitting = [part for part in parts if part <= limit]
    return [part for part in fitting if part % _WHOLE == 0][:2] or fitting[:2]
