"""The shape next to the one that failed: data are filled up to it, and what is added is cut off."""

from __future__ import annotations

from collections.abc import Iterator

from core.analysis.padding import padding
from core.analysis.remedies.case import Case, Proposal, proposal
from core.kernel import KernelError
from core.shapes import Dimension, dimensions, with_dimensions

_MULTIPLES = (16, 64, 128)  # elements: 32 B of float16, then what a vector instruction takes
_LARGEST = 1.25  # of what is computed: more than that is mostly filling


def neighbours(case: Case) -> Iterator[Proposal]:
    """Each dimension filled up to the next multiple, and all of them."""
    if case.memory or case.kernel.kind == "triton":
        return  # what does not fit does not fit when larger; Triton's shapes are parameters
    try:
        free = [each for each in dimensions(case.kernel) if each.free]
    except (KernelError, ValueError):
        return
    tried: list[dict[str, int]] = []
    for multiple in _MULTIPLES:
        each_up = {d.name: up for d in free if (up := _up(d, multiple)) != d.value}
        tried += [{name: up} for name, up in each_up.items()]
        if len(each_up) > 1:
            tried.append(each_up)
    sizes = {each.name: each.value for each in free}
    for rank, wanted in enumerate(_distinct(tried, sizes)):
        try:
            kernel = with_dimensions(case.kernel, wanted)
        except KernelError:
            continue
        filled = padding(case.kernel, tuple(wanted))
        if filled.verdict == "no":
            continue
        worded = ", ".join(f"{name} {up:,} for {sizes[name]:,}" for name, up in wanted.items())
        yield proposal(
            46.0 - rank,
            "shape",
            f"a neighbouring shape: {worded}",
            "Rows that end at whole blocks of 32 B need no tail, and tails are what many passes "
            f"fail on. The data have to be filled up to it. {filled.why}",
            case.request(kernel=kernel),
        )


def _up(dimension: Dimension, multiple: int) -> int:
    """The next multiple, where that is near enough."""
    up = -(-dimension.value // multiple) * multiple
    near = up <= dimension.value * _LARGEST and up % dimension.multiple_of == 0
    return up if near else dimension.value


def _distinct(tried: list[dict[str, int]], sizes: dict[str, int]) -> list[dict[str, int]]:
    kept: list[dict[str, int]] = []
    for each in tried:
        if each not in kept:
            kept.append(each)
    return sorted(kept, key=lambda each: sum(up / sizes[name] - 1 for name, up in each.items()))
