"""What is known of a failure of a log, for people: who said it, of what, and what to do."""

from __future__ import annotations

from core.analysis.explained import Explanation
from core.readers.logs import LoggedFailure, ReadLog
from core.views.explanation import Said
from core.views.wording import count


def lines_text(failure: LoggedFailure) -> str:
    """Where in the log a failure is: line 12, lines 12 to 14."""
    if failure.last <= failure.first:
        return f"line {count(failure.first)}"
    return f"lines {count(failure.first)} to {count(failure.last)}"


def log_sentences(failure: LoggedFailure, explained: Explanation) -> list[Said]:
    """What a log tells of one failure, and what the catalogue adds."""
    known = explained.signature
    found = [
        Said("Kernel", (failure.kernel,)),
        Said("Of your code", (_of_the_program(failure),)),
        Said("Pass", (explained.pass_name or "",)),
        Said("Signal", (failure.signal,)),
        Said("Said by", (_said_by(failure),), failure.source),
    ]
    if known is not None:
        found += [
            Said("Doing", (known.doing,)),
            Said("Rule", (known.rule,), known.source),
            Said("Likely", known.causes),
            Said("Try", known.remedies),
        ]
    else:
        found.append(Said("It says", (failure.message,)))
    found.append(Said("Note", (_again(failure),)))
    return [each for each in found if any(each.lines)]


def _of_the_program(failure: LoggedFailure) -> str:
    return f"{failure.line}: {failure.code}" if failure.line and failure.code else failure.line


def _said_by(failure: LoggedFailure) -> str:
    layers = list(dict.fromkeys(each.by for each in failure.layers if each.by != "somebody"))
    return ", then ".join(layers)


def _again(failure: LoggedFailure) -> str:
    parts = []
    if failure.attempts > 1:
        parts.append(f"{count(failure.attempts)} attempts at it failed")
    if failure.times > 1:
        parts.append(f"the same is said {count(failure.times)} times")
    if not failure.certain:
        parts.append("the compiler may have gone on and succeeded: the log does not tell")
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def log_summary(read: ReadLog, failures: int) -> str:
    """A log in one line: how long it is, what is in it."""
    parts = [f"{count(read.lines)} {'line' if read.lines == 1 else 'lines'}"]
    levels = (f"{count(n)} {level}" for level, n in sorted(read.levels.items()) if n)
    parts.append(", ".join(levels))
    parts.append(f"{count(failures)} {'failure' if failures == 1 else 'failures'}")
    if read.recovered:
        parts.append(f"{count(len(read.recovered))} attempts that did not matter")
    return " · ".join(part for part in parts if part)
