"""The entries of the catalogue of failures: how they are written, read, and tried.

An entry of `data/signatures/<compiler>.json` says under `when` how a failure is recognised:

    message    a regular expression that is searched for in the message, with named groups
    stack      the same for the frames of the native stack, innermost first, one a line
    source     files of the compiler that say so ("storage_flatten.cc"), without line
    component  the compiler's tags ("emit_insn")
    pass       names of passes that failed;  after  names of the last pass that left a text
    signal, status, kind, memory, compiler    as a trace has them
    attempts   at least so many
    hints      that were asked for, with these values
    evidence   fields that the last text gives (see `evidence`), where texts are at hand
    known      true where nothing that is asked for may be unknown, whatever the message says

Every condition must hold, one of its values each. What is not known of a failure (the pass of a
message in a log, the compiler of a pasted line) breaks no condition of an entry whose message or
stack matches; entries that look at neither need everything known that they ask for.

The most specific entry goes first: each condition counts, a message, a stack or a hint most, then
places (pass, after, source), then the rest; of two alike the longer pattern. Entries marked
`broad` say what is true of a whole class ("this text is no MLIR") and go after all others. An
entry's `example` is a failure that it must recognise before all others: a test holds it to that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from core.analysis.signatures.case import Case

FOLDER = Path(__file__).resolve().parents[3] / "data" / "signatures"

_WEIGHTS = {"message": 8, "stack": 8, "pass": 3, "after": 3, "source": 3, "hints": 8, "evidence": 8}
Names = tuple[str, ...]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class When(_Strict, frozen=True, rename={"passes": "pass"}):
    """How a failure is recognised. Empty conditions ask for nothing."""

    message: str = ""
    stack: str = ""
    source: Names = ()
    component: Names = ()
    passes: Names = ()
    after: Names = ()
    signal: Names = ()
    status: Names = ()
    kind: Names = ()
    memory: Names = ()
    compiler: Names = ()
    attempts: int = 0
    hints: Mapping[str, str] = {}
    evidence: Names = ()
    known: bool = False


class Example(_Strict, frozen=True, rename={"pass_name": "pass"}):
    """One failure that was seen."""

    message: str = ""
    compiler: str = ""
    pass_name: str = ""
    after: str = ""
    source: str = ""
    component: str = ""
    signal: str = ""
    status: str = ""
    kind: str = ""
    memory: str = ""
    stack: str = ""
    attempts: int = 0
    hints: Mapping[str, str] = {}
    evidence: Mapping[str, str] = {}


class Entry(_Strict, frozen=True):
    """One kind of failure. `title` names no field, so that failures can be grouped by it."""

    id: str
    when: When
    title: str
    means: str
    doing: str
    rule: str
    causes: Names
    remedies: Names
    example: Example
    source: str = ""
    seen: str = ""
    broad: bool = False
    compiler: str = ""  #: the name of its file; "" for any.json

    @property
    def rank(self) -> tuple[bool, int, int, str]:
        """The smallest is tried first."""
        conditions = msgspec.structs.asdict(self.when)
        asked = [name for name, value in conditions.items() if value and name != "known"]
        weight = sum(_WEIGHTS.get("pass" if name == "passes" else name, 1) for name in asked)
        return self.broad, -weight, -len(self.when.message), self.id

    def recognises(self, case: Case) -> Recognised | None:
        """What was found of this failure; None where it is another."""
        return _recognises(self, case)


@dataclass(frozen=True, slots=True)
class Recognised:
    """An entry that a failure matches, with what its patterns caught."""

    entry: Entry
    groups: Mapping[str, str | None]


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, file by file."""
    return read_entries(FOLDER)


def read_entries(folder: Path) -> tuple[Entry, ...]:
    """The entries of a folder. Raises ValueError naming the file and what is wrong in it."""
    found: list[Entry] = []
    for path in sorted(folder.glob("*.json")):
        compiler = "" if path.stem == "any" else path.stem
        try:
            read = msgspec.json.decode(path.read_bytes(), type=list[Entry])
            found += [msgspec.structs.replace(entry, compiler=compiler) for entry in read]
            for entry in read:
                _pattern(entry.when.message), _pattern(entry.when.stack)
        except (msgspec.DecodeError, re.error) as wrong:
            raise ValueError(f"{path.name}: {wrong}") from None
    twice = {entry.id for entry in found if sum(e.id == entry.id for e in found) > 1}
    if twice:
        raise ValueError(f"Signatures with one id: {', '.join(sorted(twice))}.")
    return tuple(found)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


def _recognises(entry: Entry, case: Case) -> Recognised | None:
    when = entry.when
    groups: dict[str, str | None] = {}
    for text, looked_at in ((when.message, case.message), (when.stack, case.stack)):
        if text:
            found = _pattern(text).search(looked_at)
            if found is None:
                return None
            groups |= found.groupdict()
    told = bool(when.message or when.stack) and not when.known
    for wanted, known in (
        (when.compiler, case.compiler),
        (when.passes, case.pass_name or ""),
        (when.after, case.passed),
        (when.source, case.file),
        (when.component, case.component),
        (when.signal, case.signal),
        (when.status, case.status),
        (when.kind, case.kind),
        (when.memory, case.memory),
    ):
        if wanted and known not in wanted and (known or not told):
            return None
    if when.attempts and case.attempts < when.attempts and (case.attempts or not told):
        return None
    if any(case.hints.get(name) != value for name, value in when.hints.items()):
        return None
    if any(name not in case.evidence for name in when.evidence):
        return None
    return Recognised(entry, groups)
