"""Random kernels with random hints, of every kind that the compilers take; the same by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.fuzzing import composites, modules, programs
from core.request import Request

#: How many of a hundred are of each kind.
_SHARES = {"composite": 55, "hfusion": 15, "hivm": 13, "triton": 17}
_HINTED = 0.35  # of all kernels


def requests(seed: int, count: int) -> Iterator[Request]:
    """`count` compiles; those of a smaller count are the first ones of a larger."""
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        kind = dice.choices(list(_SHARES), list(_SHARES.values()))[0]
        hinted = dice.random() < _HINTED
        match kind:
            case "composite":
                yield composites.request(dice, f"fuzz_{number}", hinted)
            case "hfusion":
                yield modules.hfusion(dice, f"fuzz_{number}", hinted)
            case "hivm":
                yield modules.hivm(dice, f"fuzz_{number}", hinted)
            case "triton":
                yield programs.request(dice, hinted)
