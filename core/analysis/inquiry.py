"""Questions that take several compiles to answer, each asked for in the light of the last.

An inquiry is a generator: it yields requests, is sent an answer to each, and returns what it found.
It asks the same whenever the answers are the same, so that whoever drives it may stop, and go on
later from what is measured already.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.request import Request
from core.trace import Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request."""

    request: Request
    trace: Trace | None  #: compact: no passes, logs or texts; None where there never will be one
    error: str = ""  #: one sentence: why there is none

    @property
    def compiles(self) -> bool:
        return self.trace is not None and self.trace.status.compiles


Inquiry = Generator[Sequence[Request], Sequence[Answer], T]
