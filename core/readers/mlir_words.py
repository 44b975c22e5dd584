"""What an MLIR tool says beside the IR: diagnostics, retries, last words; the cause put first.

bishengir-compile keeps its diagnostics to the end and prints them newest first
(BiShengIRCompileMain.cpp), so that "Failed to run … pipeline" comes before the reason. Two streams
may have been written to one file, so a line may begin in the middle of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from core.trace import Diagnostic

_LEVELS = {"error": "ERROR", "warning": "WARNING", "note": "NOTE", "remark": "REMARK"}
_DIAGNOSTIC = re.compile(r"^(.*?)\b(error|warning|note|remark): (.*)$")
_PLACE = re.compile(r'"?([^"\s()]+)"?:(\d+):(\d+)')
_TAGGED = re.compile(r"^\[(ERROR|WARNING|NOTE|INFO)\] (.*\S)")
_OPTION = re.compile(r"^([\w./-]+): ((?:for the -|Unknown command line argument|Not enough ).*)$")
_FATAL = re.compile(r"^LLVM ERROR: (.*)$")
_ASSERTION = re.compile(
    r"^(?:.*?([\w./-]+\.(?:cpp|h|cc)):(\d+): )?.*\bAssertion [`'](.*)['`] failed"
)
_CRASHED = ("PLEASE submit a bug report", "Stack dump:")
_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (.*)$")
_ARGUMENTS = re.compile(r"^\d+\.\s+Program arguments: (\S+)")
#: A line of the kernel under a diagnostic, and the mark under that one.
_QUOTED = re.compile(r"^\s*\^[~\s]*$")
#: What bishengir-compile says last, and so prints first.
_SUMMARY = re.compile(r"Failed to run \w+ pipeline|External hivmc run fails")
_LONGEST = 2000  # characters of a message


@dataclass(frozen=True, slots=True)
class Said:
    """One message."""

    level: str
    source: str  #: the kernel's line, "kernel.mlir:3:21"; "" where none is named
    message: str
    at: int  #: dumps that were printed before it

    @property
    def diagnostic(self) -> Diagnostic:
        return Diagnostic(self.level, self.source, "", self.message)


@dataclass(frozen=True, slots=True)
class Words:
    """All that was said."""

    said: tuple[Said, ...]  #: the cause first
    crashed: bool  #: the tool died and said so itself
    fatal: str  #: its own words for it; "" where it had none
    fatal_source: str  #: compiler source file:line of a failed assertion
    stack: tuple[str, ...]
    tool: str  #: name of the program, where it says

    @property
    def errors(self) -> tuple[Said, ...]:
        return tuple(each for each in self.said if each.level == "ERROR")


def read_words(pieces: Iterable[tuple[int, str]]) -> Words:
    """Read what was printed between dumps: pairs of the number of dumps before it, and the text."""
    said: list[Said] = []
    crashed = False
    fatal = source = tool = ""
    stack: list[str] = []
    for at, text in pieces:
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if found := _FATAL.match(line):
                crashed, fatal = True, found[1].strip()
            elif "Assertion" in line and (found := _ASSERTION.search(line)):
                crashed, fatal = True, f"Assertion '{found[3]}' failed."
                source = f"{PurePosixPath(found[1]).name}:{found[2]}" if found[1] else ""
            elif line.startswith(_CRASHED):
                crashed = True
            elif found := _FRAME.match(line):
                stack.append(_frame(found[1]))
            elif found := _ARGUMENTS.match(line):
                tool = PurePosixPath(found[1]).name
            elif found := _OPTION.match(line):
                tool = PurePosixPath(found[1]).name
                said.append(Said("ERROR", "", found[2].split("  Try:")[0].strip(), at))
            elif found := _TAGGED.match(line):
                said.append(Said(found[1], "", found[2], at))
            elif ": " in line and (found := _DIAGNOSTIC.match(line)) and _is_place(found[1]):
                message = _whole_message(found[3], lines[number + 1 : number + 2])
                said.append(Said(_LEVELS[found[2]], _source(found[1]), message, at))
    return Words(_cause_first(said), crashed, fatal, source, tuple(stack), tool)


def short_source(text: str) -> str:
    """The first place in a file that a location names: kernel.mlir:3:21; "" where none is.

    Of a place in a function that was inlined it is the call.
    """
    found = _PLACE.search(text.rpartition(" at ")[2] if "callsite(" in text else text)
    return f"{PurePosixPath(found[1]).name}:{found[2]}:{found[3]}" if found else ""


def _is_place(text: str) -> bool:
    """Whether what stands before "error:" is where it is, and not the middle of a sentence."""
    text = text.strip()
    where = text.endswith(":") and (":" in text[:-1] or "loc(" in text or "<" in text)
    return not text or where


def _source(text: str) -> str:
    """The place that a diagnostic is about: the last one where lines ran into each other."""
    last = text.rpartition("loc(")[2]
    found = _PLACE.search(last)
    return f"{PurePosixPath(found[1]).name}:{found[2]}:{found[3]}" if found else ""


def _whole_message(first: str, following: Sequence[str]) -> str:
    """A message with what it goes on with in the next line, where that is neither IR nor quoted."""
    if first.endswith(":") and following and following[0].strip():
        first = f"{first} {following[0].strip()}"
    return first.strip()[:_LONGEST]


def _cause_first(said: Sequence[Said]) -> tuple[Said, ...]:
    """The messages with those turned round that were printed newest first.

    Those are recognised by a summary of the failure in front of them. Notes stay with the message
    that they belong to.
    """
    groups: list[list[Said]] = []
    for each in said:
        if each.level in ("NOTE", "REMARK") and each.source and groups and groups[-1][0].source:
            groups[-1].append(each)
        else:
            groups.append([each])
    placed = [at for at, group in enumerate(groups) if group[0].source]
    summaries = [at for at in placed if _SUMMARY.search(groups[at][0].message)]
    if not summaries or summaries[0] == placed[-1]:
        return _distinct(each for group in groups for each in group)
    first = summaries[0]
    late = [at for at in placed if at >= first]
    turned = [groups[at] for at in reversed(late)]
    errors = [group for group in turned if group[0].level == "ERROR"]
    others = [group for group in turned if group[0].level != "ERROR"]
    rest = [group for at, group in enumerate(groups) if at not in set(late)]
    before = [group for group in rest if group[0].source or group[0].level == "NOTE"]
    after = [group for group in rest if group not in before]
    ordered = [*errors, *before, *others, *after]
    return _distinct(each for group in ordered for each in group)


def _distinct(said: Iterable[Said]) -> tuple[Said, ...]:
    """Every message once: a retry says the same again."""
    seen: dict[tuple[str, str, str], Said] = {}
    for each in said:
        seen.setdefault((each.level, each.source, each.message), each)
    return tuple(seen.values())


def _frame(text: str) -> str:
    """A frame without what differs from machine to machine: folder and address."""
    name, _, place = text.rpartition(" ")
    file = PurePosixPath(place.strip("()")).name
    return f"{name} ({file})" if name else file
