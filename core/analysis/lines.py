"""Between a line of the network and what it became: operator, tensor, buffer, instruction.

A captured kernel carries its lines (`core/source_lines.py`). From an operator's result on, names
are followed through every pass into the emitted code; what is found there is what the line became,
and read backwards it says which line an instruction or a buffer is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.follow import Trail, follow
from core.kernel import Kernel
from core.source_lines import OperatorLine, SourceLine, operator_lines
from core.trace import Texts, Trace


@dataclass(frozen=True, slots=True)
class Became:
    """What one operator is in the emitted code."""

    operator: OperatorLine
    tensor: str  #: its result's name in the description
    names: tuple[str, ...]  #: buffers and parameters that it is in the emitted code
    written: tuple[int, ...]  #: lines of the emitted code that write it, from 1
    read: tuple[int, ...]
    ends: str  #: in one sentence, where it is to be found


def became(trace: Trace, texts: Texts, kernel: Kernel | None) -> tuple[Became, ...]:
    """Every operator of a captured kernel with what it became, in the kernel's order.

    Empty where the kernel carries no lines. Raises KeyError where a text is not kept.
    """
    operators = operator_lines(kernel) if kernel else ()
    return tuple(
        _of(each, tensor, follow(trace, texts, 0, 0, tensor), len(trace.passes))
        for each in operators
        for tensor in each.tensors
    )


def _of(operator: OperatorLine, tensor: str, trail: Trail, code: int) -> Became:
    last = next((stop for stop in trail.stops if stop.index == code), None)
    places = last.places if last else ()
    return Became(
        operator=operator,
        tensor=tensor,
        names=last.names if last else (),
        written=tuple(dict.fromkeys(p.line for p in places if p.role == "written")),
        read=tuple(dict.fromkeys(p.line for p in places if p.role == "read")),
        ends=trail.ends,
    )


def operators_at(found: Sequence[Became], line: int) -> tuple[Became, ...]:
    """The operators whose result a line of the emitted code (from 1) writes; else reads."""
    writers = tuple(each for each in found if line in each.written)
    return writers or tuple(each for each in found if line in each.read)


def operators_of(found: Sequence[Became], name: str) -> tuple[Became, ...]:
    """The operators whose result a buffer of the emitted code holds."""
    return tuple(each for each in found if name in each.names)


def of_source(found: Sequence[Became], source: SourceLine) -> tuple[Became, ...]:
    """What a line of the network became."""
    return tuple(
        each
        for each in found
        if each.operator.line is not None
        and (each.operator.line.file, each.operator.line.line) == (source.file, source.line)
    )
