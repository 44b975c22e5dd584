"""Which pass follows which in AKG, as seen in compiles of the real one.

A pass that fails leaves no file, so what failed is the pass after the last file. The order is fixed
but for passes that some kernels or attributes add, so it is certain only where every compile seen
went on in one way. `tests/record_akg_order.py` makes the table by compiling; a line of it says
`stage previous last: next …`, with "-" for a pass that is the first of its stage, and "*" after one
that was seen only where attributes were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "data" / "order" / "akg.txt"
FIRST = "-"
GIVEN = "*"
_NOTHING: frozenset[str] = frozenset()

Order = dict[tuple[str, str, str], frozenset[str]]


@cache
def recorded_order() -> Order:
    """By stage, the pass before the last, and the last: the passes seen to follow."""
    order: Order = {}
    text = TABLE.read_text() if TABLE.exists() else ""
    for line in text.splitlines():
        head, colon, tail = line.partition(": ")
        if colon and not line.startswith("#"):
            stage, previous, last = head.split()
            order[stage, previous, last] = frozenset(tail.split())
    return order


@cache
def pass_names() -> frozenset[str]:
    """Every pass that was seen."""
    order = recorded_order()
    after = frozenset(name.removesuffix(GIVEN) for follow in order.values() for name in follow)
    return after | {last for _, _, last in order}


def successors(stage: str, ran: Sequence[str], *, attributes: bool) -> frozenset[str]:
    """What may run after the passes `ran` of one attempt in one stage; nothing where it is unknown.

    `attributes`: attributes were given, or may have been. An order that was never seen belongs to
    another version of AKG, of which nothing is known.
    """
    if not ran or any(other not in _follow(stage, one) for one, other in pairwise(ran)):
        return frozenset()
    order = recorded_order()
    previous = ran[-2] if len(ran) > 1 else FIRST
    exactly = order.get((stage, previous, ran[-1]), _NOTHING)
    plain = frozenset(name for name in exactly if not name.endswith(GIVEN))
    if plain and not attributes:
        return plain
    return frozenset(name.removesuffix(GIVEN) for name in exactly) or _follow(stage, ran[-1])


def _follow(stage: str, last: str) -> frozenset[str]:
    """What follows a pass, whatever came before it."""
    return frozenset(
        name.removesuffix(GIVEN)
        for (its_stage, _, its_last), follow in recorded_order().items()
        if (its_stage, its_last) == (stage, last)
        for name in follow
    )
