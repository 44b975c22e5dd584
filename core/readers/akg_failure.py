"""Why an AKG compile did not end well: from what it printed, what it raised and how it died."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal

from core.readers.akg_order import pass_names, successors
from core.readers.akg_passes import Step
from core.readers.job import Ending, stopped
from core.trace import Diagnostic, Failure, FailureKind, Status

#: `[ERROR] AKG:<time> [file.cc:line] [component] message`, then `Stack trace:` and `[bt]` lines.
_PRINTED = re.compile(r"\[([A-Z]+)\] AKG:\S+ \[([^\]\s]+:\d+)\] (?:\[([^\]\s]*)\] )?(.*)")
_FRAME = re.compile(r"\s*\[bt\] \(\d+\) (.*)")
_RAISED = re.compile(r"((?:\w+\.)*[A-Z]\w*): ?(.*)")
_THROWN = re.compile(r"terminate called after throwing an instance of '([^']+)'")
_WHAT = re.compile(r"\s*what\(\):\s*(.*)")
_RUNTIME = re.compile(  # glibc's and libstdc++'s last words
    r"(?:.*(?:free\(\)|malloc|double free|corrupted|stack smashing|Assertion .* failed).*)"
)
_THROWN_AT = re.compile(r'File "[^"]*?([^/"]+\.(?:cc|cpp|h))", line (\d+)')

#: storage_rewrite: what is wanted now, and what is taken already. Bits.
_NEED = re.compile(r"memory tag local\.(\w+): need (\d+) bits, total alloc (\d+) bits")
#: storage_flatten.cc: one buffer against the whole memory. Bits.
_VERSUS = re.compile(
    r"\((\d+) vs\. (\d+)\)\s*:? *Allocation exceed bound of memory tag local\.(\w+)"
)

_OVERFLOW = "Allocation exceed bound of memory tag"
#: Throws again, after the last attempt, what StorageRewriteCCE threw in it.
_RETHROWN = "lower_cce.cc"
STORAGE_REWRITE = "StorageRewriteCCE"
#: Reads the object file that ccec should have made.
_LAST_TOOL = ("build_cce.cc", "inputfile.is_open()")

_MISSING = ("ModuleNotFoundError", "ImportError", "FileNotFoundError")
#: Source files and components that are named otherwise than the pass they belong to.
_PASS_OF_SOURCE = {"storage_rewrite_cce.cc": STORAGE_REWRITE}
_PASS_OF_COMPONENT = {"emit_insn": "EmitInsn", "hermes": "TileOuterBand"}


@dataclass(frozen=True, slots=True)
class Words:
    """All that a compile said."""

    printed: str
    raised: str  #: text of the Python exception
    said: Sequence[Printed]  #: what of `printed` is in the compiler's own log format


#: Of what a compiler says: far more than any did, and little enough to keep.
_MOST_SAID = 5_000
_MOST_FRAMES = 500
_LONGEST_MESSAGE = 20_000


@dataclass(frozen=True, slots=True)
class Printed:
    """One thing that the compiler said, with its native stack."""

    diagnostic: Diagnostic
    stack: tuple[str, ...]


def read_printed(text: str) -> list[Printed]:
    """Every message of AKG's own log format in what a compile printed, in order."""
    said: list[Printed] = []
    frames: list[str] = []
    part: Literal["", "text", "between", "stack"] = ""  # of the message that is being read
    for line in text.splitlines():
        if found := _PRINTED.match(line):
            level, source, component, message = found.groups()
            frames, part = [], "text"
            del said[_MOST_SAID - 1 :]  # of very many the first ones and the last are kept
            said.append(Printed(Diagnostic(level, source, component or "", message.strip()), ()))
        elif not line.strip():
            part = "between" if part == "text" else ""
        elif part == "stack" and len(frames) < _MOST_FRAMES and (frame := _FRAME.match(line)):
            frames.append(_frame(frame[1]))
            said[-1] = replace(said[-1], stack=tuple(frames))
        elif part and line.startswith("Stack trace:"):
            part = "stack"
        elif part == "text" and len(said[-1].diagnostic.message) < _LONGEST_MESSAGE:
            diagnostic = said[-1].diagnostic
            longer = replace(diagnostic, message=f"{diagnostic.message} {line.strip()}")
            said[-1] = replace(said[-1], diagnostic=longer)
    return said


def find_failure(
    ending: Ending,
    words: Words,
    found: Sequence[Step],
    attempts: int,
    *,
    attributes: bool,
    version: str = "",
) -> Failure:
    """The failure of a compile that did not end well.

    `attributes`: the compiler was given attributes, or may have been; `version`: of AKG, "" where
    nobody knows.
    """
    said, printed, raised = words.said, words.printed, words.raised
    last = found[-1] if found else None
    after = last.stem if last else None
    if ending.status in (Status.TIMED_OUT, Status.CANCELLED):
        return stopped(
            ending,
            certain_successor(found, attributes=attributes, version=version),
            after,
            attempts,
        )
    errors = [s for s in said if s.diagnostic.level in ("ERROR", "FATAL")]
    error = _cause(errors)
    exception, exception_text = _exception(raised or _traceback(printed))
    exception_type, what = thrown(printed)
    message, source, component = what or exception_text, None, None
    if error:
        message, source = error.diagnostic.message, error.diagnostic.source
        component = error.diagnostic.component or None
    elif exception.endswith("TVMError") and (at := _THROWN_AT.search(raised)):
        source = f"{at[1]}:{at[2]}"
    overflow = _overflow(message)
    if not message:
        message = _silent(ending)
    return Failure(
        kind=_kind(ending, error, exception, bool(overflow), last),
        pass_name=_failed_pass(found, error, errors, exception_type, attributes, version),
        after=after,
        source=source,
        component=component,
        message=message,
        signal=ending.signal,
        memory=overflow[0] if overflow else None,
        required_bytes=overflow[1] if overflow else None,
        available_bytes=overflow[2] if overflow else None,
        stack=error.stack if error else read_frames(raised)[::-1],
        attempts=attempts,
    )


def attempt_ends(
    found: Sequence[Step], *, attributes: bool, version: str = ""
) -> list[tuple[int, str]]:
    """Where a compiler gave an attempt up and in which pass, as far as that is certain.

    Pairs of the position after which the failed pass belongs, and its name. AKG retries a kernel
    from AutoPoly on after a memory overflow, silently, so only the order of passes tells.
    """
    ends: list[tuple[int, str]] = []
    next_attempt: dict[str, int] = {}  # of each sub-kernel, walking backwards
    for at in range(len(found) - 1, -1, -1):
        here = found[at]
        if here.stage not in ("lowering", "poly"):
            continue
        given_up = next_attempt.get(here.unit, here.attempt) > here.attempt
        next_attempt[here.unit] = here.attempt
        if given_up and here.stage == "lowering":
            name = certain_successor(found[: at + 1], attributes=attributes, version=version)
            if name:
                ends.append((at, name))
    return ends[::-1]


def certain_successor(found: Sequence[Step], *, attributes: bool, version: str = "") -> str | None:
    """The pass that runs after the last one, where every compile seen ran the same."""
    following = _following(found, attributes, version)
    return next(iter(following)) if len(following) == 1 else None


def _following(found: Sequence[Step], attributes: bool, version: str) -> frozenset[str]:
    if not found:
        return frozenset()
    last = found[-1]
    place = (last.stage, last.unit, last.attempt)
    ran = [step.name for step in found if (step.stage, step.unit, step.attempt) == place]
    return successors(last.stage, ran, attributes=attributes, version=version)


def _cause(errors: Sequence[Printed]) -> Printed | None:
    """The error that ended the compile; where that only repeats an overflow, the first overflow."""
    if not errors:
        return None
    last = errors[-1]
    if last.diagnostic.source.startswith(_RETHROWN):
        return next((e for e in errors if _OVERFLOW in e.diagnostic.message), last)
    return last


def _kind(
    ending: Ending, error: Printed | None, exception: str, overflow: bool, last: Step | None
) -> FailureKind:
    if overflow:
        return "memory"
    if error:
        source, check = _LAST_TOOL
        diagnostic = error.diagnostic
        missing = diagnostic.source.startswith(source) and check in diagnostic.message
        return "tool" if missing else "crash" if ending.signal else "error"
    if ending.signal:
        return "crash"
    if exception in _MISSING:
        return "tool"
    ours = exception and not exception.endswith("TVMError")
    return "bad_input" if ours and last is None else "error"


def _failed_pass(
    found: Sequence[Step],
    error: Printed | None,
    errors: Sequence[Printed],
    thrown: str,
    attributes: bool,
    version: str,
) -> str | None:
    if not found:
        return None
    final = errors[-1] if errors else None
    if thrown.endswith("MemoryAllocationException"):
        return STORAGE_REWRITE
    if final and final.diagnostic.source.startswith(_RETHROWN):
        return STORAGE_REWRITE if _NEED.search(final.diagnostic.message) else None
    following = _following(found, attributes, version)
    named = named_pass(error.diagnostic) if error else None
    if named and (not following or named in following):
        return named
    return next(iter(following)) if len(following) == 1 else None


def named_pass(diagnostic: Diagnostic) -> str | None:
    """The pass that a compiler source file is the source of."""
    file = PurePosixPath(diagnostic.source.rpartition(":")[0]).name
    if file in _PASS_OF_SOURCE:
        return _PASS_OF_SOURCE[file]
    if diagnostic.component in _PASS_OF_COMPONENT:
        return _PASS_OF_COMPONENT[diagnostic.component]
    wanted = file.partition(".")[0].replace("_", "").lower()
    return next((name for name in pass_names() if name.lower() in (wanted, f"{wanted}s")), None)


def _overflow(message: str) -> tuple[str, int, int | None] | None:
    """Memory, bytes that had to be there at once, bytes that are there (None: not in the text)."""
    if found := _VERSUS.search(message):
        return found[3], int(found[1]) // 8, int(found[2]) // 8
    if found := _NEED.search(message):
        return found[1], (int(found[2]) + int(found[3])) // 8, None
    return None


def _exception(text: str) -> tuple[str, str]:
    """Type and text of a Python exception: its last line of the form `Type: text`."""
    for line in reversed(text.splitlines()):
        if found := _RAISED.match(line):
            return found[1].rpartition(".")[2], found[2].strip()
    first = text.strip().splitlines()
    return "", first[-1].strip() if first else ""


def _traceback(printed: str) -> str:
    """The Python traceback at the end of what was printed, or ""."""
    head, mark, tail = printed.rpartition("Traceback (most recent call last):")
    del head
    return tail if mark else ""


def thrown(printed: str) -> tuple[str, str]:
    """A C++ exception that nothing caught: its type and text; or the runtime's own last words."""
    lines = printed.splitlines()
    for at, line in enumerate(lines):
        if found := _THROWN.search(line):
            what = next((w[1] for w in map(_WHAT.match, lines[at + 1 : at + 3]) if w), "")
            return found[1], what or found[1]
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return "", last if _RUNTIME.fullmatch(last) else ""


def _silent(ending: Ending) -> str:
    if ending.signal:
        return f"The compiler died of {ending.signal} and printed nothing."
    return "The compiler stopped without a word."


def read_frames(text: str) -> tuple[str, ...]:
    """The native stack in a text, in its order; a TVMError has the innermost frame last."""
    return tuple(_frame(m[1]) for line in text.splitlines() if (m := _FRAME.match(line)))


def _frame(text: str) -> str:
    """A frame without what differs from machine to machine: folder and address."""
    place = re.sub(r"\s*\[0x[0-9a-f]+\]\s*$", "", text)
    path, bracket, rest = place.partition("(")
    return f"{PurePosixPath(path).name}{bracket}{rest}"
