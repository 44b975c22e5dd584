"""Our own Triton kernels with random parameters and flags."""

from __future__ import annotations

import random
from functools import cache

from benchmarks.bench import KERNELS
from benchmarks.fuzzing import modules
from core.hints import Hints, HintValue
from core.kernel import Kernel, kernel_cases, load_kernel
from core.request import Request


def request(dice: random.Random, hinted: bool) -> Request:
    """A case of an example, each of its parameters with one of the values that are worth a try."""
    kernel = dice.choice(_cases())
    attributes: dict[str, HintValue] = {
        parameter.name: dice.choice(parameter.values)
        for parameter in kernel.parameters
        if dice.random() < 0.8
    }
    if hinted:
        attributes |= modules.flags(dice)
    return Request(kernel, Hints(attributes=attributes))


@cache
def _cases() -> tuple[Kernel, ...]:
    files = sorted(KERNELS.glob("triton_*.py"))
    return tuple(
        load_kernel(file, case)
        for file in files
        for case in kernel_cases(file.read_text(), file.name)
    )
