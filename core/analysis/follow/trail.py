"""Where a followed thing was: its places, pass by pass, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: defined: it begins to be there (a loop's variable, a value, a parameter) · allocated: memory is
#: set aside for it · written, read: by a statement · used: anything else that names it.
Role = Literal["defined", "allocated", "written", "read", "used"]


@dataclass(frozen=True, slots=True)
class Place:
    """One line that has to do with it. Lines count from 1."""

    line: int
    role: Role
    name: str  #: under which it stands there


@dataclass(frozen=True, slots=True)
class Stop:
    """What one pass holds of it."""

    index: int  #: of the pass; the number of passes for the emitted code
    names: tuple[str, ...]  #: that it has there, its own first, then copies and parts
    places: tuple[Place, ...]  #: by line
    note: str = ""  #: what happened to it there, in words: "renamed from x", "two copies", "gone"


@dataclass(frozen=True, slots=True)
class Trail:
    """One thing through the whole sequence."""

    subject: str  #: the name it was asked for by
    index: int  #: the pass in which it was asked for
    stops: tuple[Stop, ...]  #: passes that have it, in order, the emitted code last
    ends: str  #: where it ends, in one sentence: the instruction that it becomes, or why it is gone
