"""What the failures in a log mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.analysis.explained import Explanation
from core.analysis.signatures import explain_said
from core.readers.log_events import AKG, MLIR
from core.readers.logs import LoggedFailure, ReadLog, read_log

Explained = tuple[LoggedFailure, Explanation]


def explain_log(log: str | bytes | Iterable[bytes] | ReadLog) -> Sequence[Explained]:
    """The failures in a log with what each means, in the order of the log.

    Takes the text, its pieces, or what was read of it already. Lines in no known form count where
    the catalogue knows their words, or where nothing else in the log tells of a failure. Raises
    ReadError where the log is too large.
    """
    read = log if isinstance(log, ReadLog) else read_log(log)
    explained = [(failure, explain_failure(failure)) for failure in read.failures]
    said = {failure.message for failure in read.failures}
    others = [(f, explain_failure(f)) for f in read.doubtful if f.message not in said]
    named = [each for each in others if each[1].signature]
    if not explained and not named:
        # One line is the least that is wanted, and the last one says most.
        named = others[-1:]
    return sorted([*explained, *named], key=lambda each: each[0].first)


def explain_failure(failure: LoggedFailure) -> Explanation:
    """What one failure of a log means."""
    message = failure.message
    if failure.compiler == MLIR and failure.component:  # an exception of Triton
        message = f"{failure.component}: {message}"
    return explain_said(
        message,
        compiler=failure.compiler,
        source=failure.source,
        component=failure.component if failure.compiler == AKG and _is_tag(failure) else "",
        pass_name=failure.pass_name,
        signal=failure.signal,
        stack=failure.stack,
        attempts=failure.attempts,
    )


def _is_tag(failure: LoggedFailure) -> bool:
    """Whether the component is AKG's own tag and not the type of an exception."""
    return not failure.component.endswith(("Error", "Exception"))
