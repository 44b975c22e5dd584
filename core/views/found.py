"""What a search over all passes found, in a sentence; what is followed, likewise."""

from __future__ import annotations

from core.analysis.follow.trail import Stop, Trail
from core.analysis.search import Found
from core.trace import Trace
from core.views.figures import place
from core.views.marks import result_name
from core.views.wording import count, middle

_NAME = 26  #: characters of a pass's name that are shown


def found_sentence(found: Found, trace: Trace) -> str:
    """In how many passes it is, the first and the last of them, where it goes, and where else."""
    if not found.hits:
        return "in no pass, nor in the code or a log"
    passes = [h for h in found.hits if h.index < len(trace.passes)]
    parts = []
    if passes:
        parts.append(f"in {count(len(passes))} of {count(len(trace.passes))} passes")
        parts.append(f"first {_name(trace, passes[0].index)}")
        if len(passes) > 1:
            parts.append(f"last {_name(trace, passes[-1].index)}")
        gone = [i for i in found.disappears if i > passes[-1].index]
        if gone and gone[0] < len(trace.passes):
            parts.append(f"gone in {_name(trace, gone[0])}")
    else:
        parts.append("in no pass")
    beside = [h.index - len(trace.passes) for h in found.hits if h.index >= len(trace.passes)]
    logs = len(beside)
    if trace.code is not None and 0 in beside:
        parts.append(f"in the {result_name(trace)}")
        logs -= 1
    if logs:
        parts.append(f"in {logs} {'log' if logs == 1 else 'logs'}")
    return ", ".join(parts)


def trail_sentence(trail: Trail, trace: Trace) -> str:
    """How far a thing goes: from where to where."""
    if not trail.stops:
        return f"{trail.subject} is in no pass."
    first, last = trail.stops[0], trail.stops[-1]
    span = f"{_name(trace, first.index)} to {_name(trace, last.index)}"
    stops = f"{count(len(trail.stops))} {'text' if len(trail.stops) == 1 else 'texts'}"
    return f"in {stops}, {span}"


def stop_name(trace: Trace, stop: Stop) -> str:
    """The text that a stop is in."""
    return place(trace, stop.index)


def _name(trace: Trace, index: int) -> str:
    return middle(place(trace, index), _NAME)
