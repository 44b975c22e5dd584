"""Which failures are the same one: those of one signature."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.analysis.inquiry import Answer
from core.trace import Trace

_COMPILERS_OWN = re.compile(r"\.(?:cc|cpp|h|hpp|td|inc)(?::\d+)?$")
_VARYING = re.compile(r"0x[0-9a-f]+|%[\w$#.]+|\d[\d,]*|'[^']*'|\S+\.(?:mlir|py)\S*")


@dataclass(frozen=True, slots=True)
class Goal:
    """A failure that smaller forms of a kernel shall have as well."""

    fingerprint: str

    @staticmethod
    def of(trace: Trace) -> Goal:
        return Goal(fingerprint(trace))

    def met_by(self, answer: Answer) -> bool:
        trace = answer.trace
        return trace is not None and bool(trace.failure) and self == Goal.of(trace)


def fingerprint(trace: Trace) -> str:
    """Equal for failures of one kind; "" where the compile ended well."""
    failure = trace.failure
    if failure is None:
        return ""
    source = failure.source or ""
    parts = (
        failure.kind,
        failure.pass_name,
        source if _COMPILERS_OWN.search(source) else None,
        failure.signal,
        failure.memory,
        None if failure.kind == "crash" else _VARYING.sub("#", failure.message),
    )
    return "|".join(str(part or "") for part in parts)
