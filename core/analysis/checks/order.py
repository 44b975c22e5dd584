"""The statements of a text in their order, with where each block begins and ends.

A text may nest more blocks than a function may call itself, hence no recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from core.ir.statement import For, If, Produce, Realize, Statement


class Step(Enum):
    LEAF = auto()  #: a statement without a block
    ENTER = auto()  #: one with a block, which begins
    OTHERWISE = auto()  #: the first block of an `if` has ended, that of its `else` begins
    LEAVE = auto()  #: the last block of a statement has ended


def steps(body: Sequence[Statement]) -> Iterator[tuple[Step, Statement]]:
    """What an allocation, a `let` or an attribute governs ends with the block that it stands in."""
    stack: list[tuple[Iterator[Statement], Statement | None, bool]] = [(iter(body), None, False)]
    while stack:
        block, owner, first_of_two = stack[-1]
        for statement in block:
            if isinstance(statement, For | Realize | Produce):
                yield Step.ENTER, statement
                stack.append((iter(statement.body), statement, False))
                break
            if isinstance(statement, If):
                yield Step.ENTER, statement
                stack.append((iter(statement.then), statement, bool(statement.otherwise)))
                break
            yield Step.LEAF, statement
        else:
            stack.pop()
            if first_of_two and isinstance(owner, If):
                yield Step.OTHERWISE, owner
                stack.append((iter(owner.otherwise), owner, False))
            elif owner is not None:
                yield Step.LEAVE, owner
