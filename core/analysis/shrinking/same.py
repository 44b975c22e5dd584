"""Which failures are the same one: those of one fingerprint."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.fingerprint import fingerprint
from core.analysis.inquiry import Answer
from core.trace import Trace


@dataclass(frozen=True, slots=True)
class Goal:
    """A failure that smaller forms of a kernel shall have as well."""

    fingerprint: str

    @staticmethod
    def of(trace: Trace) -> Goal:
        return Goal(fingerprint(trace))

    def met_by(self, answer: Answer) -> bool:
        return answer.trace is not None and self == Goal.of(answer.trace)
