"""Which pass follows which in AKG, as seen in compiles of the real one.

A pass that fails leaves no file, so what failed is the pass after the last file. The order is fixed
but for passes that some kernels or attributes add, so it is certain only where every compile seen
went on in one way. `tests/record_akg_order.py` makes the tables by compiling, one for versions that
run the same passes; a line says `stage previous last: next …`, with "-" for a pass that is the
first of its stage, and "*" after one that was seen only where attributes were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

TABLES = Path(__file__).resolve().parents[2] / "data" / "order"
#: The version whose table holds for another, where it is not its own.
SAME_AS = {"1.9.0": "1.10.0"}
NEWEST, OLDER = "1.10.0", ("1.6.2",)
FIRST = "-"
GIVEN = "*"
_NOTHING: frozenset[str] = frozenset()

Order = dict[tuple[str, str, str], frozenset[str]]


@cache
def recorded_order(version: str = NEWEST) -> Order:
    """By stage, the pass before the last, and the last: the passes seen to follow."""
    order: Order = {}
    table = TABLES / f"akg-{SAME_AS.get(version, version)}.txt"
    text = table.read_text() if table.exists() else ""
    for line in text.splitlines():
        head, colon, tail = line.partition(": ")
        if colon and not line.startswith("#"):
            stage, previous, last = head.split()
            order[stage, previous, last] = frozenset(tail.split())
    return order


@cache
def pass_names() -> frozenset[str]:
    """Every pass that was seen, in any version."""
    names: set[str] = set()
    for version in (NEWEST, *OLDER):
        order = recorded_order(version)
        names |= {name.removesuffix(GIVEN) for follow in order.values() for name in follow}
        names |= {last for _, _, last in order}
    return frozenset(names)


def successors(
    stage: str, ran: Sequence[str], *, attributes: bool, version: str = ""
) -> frozenset[str]:
    """What may run after the passes `ran` of one attempt in one stage; nothing where it is unknown.

    `attributes`: attributes were given, or may have been. Where the version is not known, or none
    that was recorded, what follows in any version whose order these passes are in; an order that
    was never seen belongs to another version, of which nothing is known.
    """
    known = (version,) if recorded_order(version) else (NEWEST, *OLDER)
    found = (_successors(recorded_order(each), stage, ran, attributes) for each in known)
    return frozenset().union(*found)


def _successors(order: Order, stage: str, ran: Sequence[str], attributes: bool) -> frozenset[str]:
    if not ran or any(other not in _follow(order, stage, one) for one, other in pairwise(ran)):
        return frozenset()
    previous = ran[-2] if len(ran) > 1 else FIRST
    exactly = order.get((stage, previous, ran[-1]), _NOTHING)
    plain = frozenset(name for name in exactly if not name.endswith(GIVEN))
    if plain and not attributes:
        return plain
    every = frozenset(name.removesuffix(GIVEN) for name in exactly)
    return every or _follow(order, stage, ran[-1])


def _follow(order: Order, stage: str, last: str) -> frozenset[str]:
    """What follows a pass, whatever came before it."""
    return frozenset(
        name.removesuffix(GIVEN)
        for (its_stage, _, its_last), follow in order.items()
        if (its_stage, its_last) == (stage, last)
        for name in follow
    )
