"""Status marks: a word and an icon as well as a colour, so that colour is never alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.trace import Pass, Status, Trace
from core.views import palette

BadgeColour = Literal["green", "red", "orange", "gray"]


@dataclass(frozen=True, slots=True)
class Mark:
    """How one status is shown."""

    word: str
    icon: str  #: a Material Symbols name
    colour: str  #: hex
    badge: BadgeColour  #: the nearest of Streamlit's named colours

    @property
    def badge_icon(self) -> str:
        return f":material/{self.icon}:"


_STATUS = {
    Status.OK: Mark("ok", "check", palette.STATUS["ok"], "green"),
    Status.OK_TO_LAST_STEP: Mark(
        "ok to the last step", "check_indeterminate_small", palette.STATUS["ok"], "green"
    ),
    Status.FAILED: Mark("failed", "close", palette.STATUS["failed"], "red"),
    Status.CRASHED: Mark("crashed", "bolt", palette.STATUS["crashed"], "red"),
    Status.TIMED_OUT: Mark("timed out", "timer_off", palette.STATUS["timed_out"], "orange"),
    Status.CANCELLED: Mark("cancelled", "block", palette.STATUS["cancelled"], "gray"),
}


def status_mark(status: Status, signal: str | None = None) -> Mark:
    """The mark of a status; a crash carries the name of its signal."""
    mark = _STATUS[status]
    if status is Status.CRASHED and signal:
        return Mark(f"crashed, {signal}", mark.icon, mark.colour, mark.badge)
    return mark


def trace_mark(trace: Trace) -> Mark:
    """The mark of a trace, with the signal where it crashed."""
    return status_mark(trace.status, trace.failure.signal if trace.failure else None)


def failure_place(trace: Trace) -> str:
    """Where a compile stopped, no surer than the dump is: a pass, or "after" the last one seen."""
    failure = trace.failure
    if failure is None:
        return ""
    if failure.pass_name:
        return failure.pass_name
    return f"after {failure.after}" if failure.after else ""


def attempts_sentence(trace: Trace) -> str:
    """Where the attempts before the last one stopped; "" of a compile that has one."""
    last = max((step.attempt for step in trace.passes), default=1)
    stopped = [p for p in trace.passes if p.status != "ok" and p.attempt < last]
    if not stopped:
        return ""
    places = ", ".join(f"attempt {p.attempt} stopped in {pass_title(p)}" for p in stopped)
    again = "each time the compiler" if len(stopped) > 1 else "the compiler"
    return f"{places[0].upper()}{places[1:]}; {again} began again by itself."


def result_name(trace: Trace) -> str:
    """What a compile ends with, in a word: a compiler of MLIR hands MLIR to the last tool."""
    return "final IR" if result_language(trace) == "mlir" else "emitted code"


def result_language(trace: Trace) -> Literal["mlir", "cce"]:
    """The language of `Trace.code`."""
    return "mlir" if any(step.language == "mlir" for step in trace.passes) else "cce"


def pass_title(step: Pass) -> str:
    """A pass as the compiler's own files name it: 22_AutoPoly."""
    return step.name if step.number is None else f"{step.number:02d}_{step.name}"


#: What the form calls each origin of a tile.
ORIGIN = {
    "hint": "your hint",
    "kernel": "the kernel's own attributes",
    "repository": "tiling repository",
    "symbolic": "symbolic tiling",
    "search": "tile search",
    "whole": "whole axis",
    "unknown": "not said",
}
