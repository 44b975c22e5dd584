"""When a rewritten reduction needs another scheduler, so that what compiles is also right.

The code that AKG 1.10 emits for a softmax of float32 whose largest was rewritten, scheduled by isl,
was run in the emulator of `core.reference`: for half of the shapes that were tried it wrote beyond
its buffers, or results were wrong, although the compile ended well. Scheduled by PolyTOPS all of
them agreed with the reference where rows are whole blocks of 32 bytes. A reduction that is a kernel
by itself agreed either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.hints import HintValue

POLYTOPS: Mapping[str, HintValue] = {"enable_polytops": "always"}
FUSED = (
    "With the compiler's usual scheduler such a kernel compiles too, yet for half of the shapes "
    "that were tried its code writes beyond its buffers; with PolyTOPS it computes what it should."
)
_SHORTEST = 8  # numbers of four bytes in a block of 32


def alone(description: Mapping[str, Any]) -> bool:
    """Whether a kernel is one operator."""
    return len(description["op_desc"]) == 1


def halves_evenly(operator: Mapping[str, Any]) -> bool:
    """Whether the row that an operator reduces is a power of two, and at least a block."""
    length = int(operator["input_desc"][0][0]["shape"][-1])
    return length >= _SHORTEST and length & (length - 1) == 0
