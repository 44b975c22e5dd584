"""What a pass is for, in one line, and the compiler's source file that says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a pass by its name."""

    what: str  #: one sentence
    source: str  #: the compiler's file that holds it ("src/pass/inject_pipe.cc"); "" if unknown
