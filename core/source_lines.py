"""Which line of a network an operator of a kernel stands for, kept in the kernel's description.

The key is ours; AKG passes over keys that it does not know. So the lines go wherever the kernel
goes: into the library, an export, a bundle, another machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.kernel import Kernel

_KEY = "tilescope_source"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A part of the network's Python that something stands for."""

    file: str  #: relative to the network's folder where it is inside
    line: int  #: from 1
    text: str  #: of the line, as MindSpore recorded it


@dataclass(frozen=True, slots=True)
class OperatorLine:
    """An operator of a kernel, with where it comes from."""

    operator: str
    tensors: tuple[str, ...]  #: names of its results in the description
    scope: str  #: in the network: "Default/fc1-Dense/BiasAdd-op0"; "" where it is not known
    line: SourceLine | None


def with_lines(description: str, lines: Sequence[tuple[str, SourceLine | None]]) -> str:
    """A description with scope and line for each of its operators, in their order."""
    kernel: dict[str, Any] = json.loads(description)
    for operator, (scope, line) in zip(kernel["op_desc"], lines, strict=True):
        if line is not None or scope:
            where = {"file": line.file, "line": line.line, "text": line.text} if line else {}
            operator[_KEY] = {"scope": scope, **where}
    return json.dumps(kernel, indent=1)


def operator_lines(kernel: Kernel) -> tuple[OperatorLine, ...]:
    """The operators of a kernel with the lines that it carries; () where it carries none."""
    if kernel.kind != "composite" or _KEY not in kernel.source:
        return ()
    description: dict[str, Any] = json.loads(kernel.source)
    found = []
    for operator in description["op_desc"]:
        kept = operator.get(_KEY) or {}
        line = (
            SourceLine(str(kept["file"]), int(kept["line"]), str(kept["text"]))
            if "file" in kept
            else None
        )
        tensors = tuple(str(each["tensor_name"]) for each in operator["output_desc"])
        found.append(OperatorLine(operator["name"], tensors, str(kept.get("scope", "")), line))
    return tuple(found)
