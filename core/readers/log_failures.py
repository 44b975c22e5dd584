"""The failures of a log: messages that tell of one failure put together, the cause in front.

A compiler's error passes through several layers, and each says it in its own way: AKG prints it and
throws it, MindSpore's server reports the kernel, its client an empty answer, the shell a signal.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.readers.log_events import AKG, Event, Nearness, Recovered
from core.readers.log_lines import LogLine

#: How many lines may lie between messages about one failure that do not say so themselves.
_NEAR = 60
_MOST = 500  # failures that are kept of a log
_MOST_LAYERS = 12
_MOST_RECOVERED = 200
_MOST_AGAIN = 50
_OVERFLOW = re.compile(r"Allocation exceed bound of memory tag")
#: Throws again, after the last attempt, what ended it.
_RETHROWN = "lower_cce.cc"
#: What AKG puts into one of the two messages and not into the other.
_CHECK = re.compile(r"\bError: |^Check failed: ")
_SHORTEST = 12  # characters of a message that tell it from others


@dataclass(frozen=True, slots=True)
class Layer:
    """One message about a failure."""

    by: str  #: who says so: AKG, bishengir-compile, MindSpore, TVMError …
    says: str
    first: int  #: line of the log, from 1
    last: int


@dataclass(frozen=True, slots=True)
class LoggedFailure:
    """One failure, however many layers and attempts repeat it. "" is what the log does not say."""

    message: str  #: of the layer that is nearest to the cause
    compiler: str  #: akg, ascendnpu-ir, mindspore; "" where a program failed that is none
    pass_name: str
    source: str  #: the compiler's file:line, or the kernel's where that is named
    component: str  #: the compiler's own tag, or the type of the exception
    signal: str
    first: int  #: line of the log, from 1
    last: int
    layers: tuple[Layer, ...]  #: in the order of the log
    kernel: str = ""  #: name
    description: str = ""  #: of that kernel, as composite JSON
    line: str = ""  #: of the user's own program: "nets.py:19"; of a Triton function: "add:2"
    code: str = ""  #: what stands there
    stack: tuple[str, ...] = ()  #: innermost first
    attempts: int = 1
    certain: bool = True  #: False where the compiler may have gone on and succeeded
    again: tuple[tuple[int, int], ...] = ()  #: lines where the same is said of another compile
    times: int = 1
    streams: tuple[str, ...] = ()  #: the processes that say so, as the log names them


class _Group:
    """Messages about one failure."""

    def __init__(self, event: Event) -> None:
        self.events = [event]
        self.first, self.last = event.first, event.last

    def add(self, event: Event) -> None:
        if len(self.events) < _MOST_LAYERS:
            self.events.append(event)
        self.first, self.last = min(self.first, event.first), max(self.last, event.last)

    @property
    def nearest(self) -> Nearness:
        return min(event.nearness for event in self.events)

    def says(self, event: Event) -> bool:
        """Whether a message says what one of these does."""
        return any(_same(event, each) for each in self.events)


class Failures:
    """Takes what messages say, in the order of the log, and gives the failures at its end."""

    def __init__(self) -> None:
        self._open: dict[str, _Group] = {}
        self._groups: list[_Group] = []
        self._recent: dict[str, deque[_Group]] = {}
        self.recovered: list[Recovered] = []
        self.left_out = 0

    def take(self, found: Iterable[Event | Recovered]) -> None:
        for each in found:
            if isinstance(each, Event):
                self._take(each)
            elif len(self.recovered) < _MOST_RECOVERED:
                self.recovered.append(each)

    def _take(self, event: Event) -> None:
        group = self._of(event)
        if group:
            group.add(event)
            self._open[event.stream] = group
            return
        group = _Group(event)
        self._open[event.stream] = group
        recent = self._recent.setdefault(event.stream, deque(maxlen=64))
        recent.append(group)
        if len(self._groups) < 4 * _MOST:
            self._groups.append(group)
        else:
            self.left_out += 1

    def _of(self, event: Event) -> _Group | None:
        """The failure that a message is about, where one was told of already."""
        current = self._open.get(event.stream)
        if current and _belongs(current, event):
            return current
        # Two streams into one file: what AKG prints comes late, all of it when the process ends.
        for group in reversed(self._recent.get(event.stream, ())):
            layers = {each.by for each in group.events}
            if event.by not in layers and group.says(event):
                return group
        return None

    def found(self) -> tuple[LoggedFailure, ...]:
        """What was taken so far; the same failure of several compiles once."""
        told = any(group.nearest < Nearness.REPEATED for group in self._groups)
        kept: dict[tuple[str, ...], LoggedFailure] = {}
        for group in self._groups:
            if told and all(e.by == "the process" for e in group.events) and not _signals(group):
                continue  # an exit code says nothing where something else does
            failure = _failure(group)
            key = (failure.compiler, failure.message, failure.kernel, failure.source)
            before = kept.get(key)
            if before is None:
                kept[key] = failure
                continue
            place = (failure.first, failure.last)
            kept[key] = replace(
                before,
                times=before.times + 1,
                again=(*before.again, place)[:_MOST_AGAIN],
                certain=before.certain or failure.certain,
                streams=tuple(dict.fromkeys((*before.streams, *failure.streams))),
            )
        found = sorted(kept.values(), key=lambda f: f.first)
        self.left_out += max(len(found) - _MOST, 0)
        return tuple(found[:_MOST])


def doubtful(said: Iterable[LogLine]) -> tuple[LoggedFailure, ...]:
    """Lines in no known form, as the failures that they may be; each once."""
    kept: dict[str, LoggedFailure] = {}
    for each in said:
        layer = Layer("somebody", each.message, each.first, each.last)
        streams = (each.stream,) if each.stream else ()
        failure = LoggedFailure(
            *(each.message, "", "", "", "", "", each.first, each.last, (layer,)),
            certain=False,
            streams=streams,
        )
        kept.setdefault(each.message, failure)
    return tuple(kept.values())


def _belongs(group: _Group, event: Event) -> bool:
    last = group.events[-1]
    near = event.first - group.last <= _NEAR
    if event.chained or (last.announces and near):
        return True
    if group.says(event):
        # A compile that is begun anew says the same again; one that is over was reported by Python.
        return event.by != last.by or _retries(group, event)
    if _retries(group, event):
        return True
    if event.nearness is Nearness.REPEATED:
        return near
    if event.nearness is Nearness.DEATH:
        died = any(e.signal or e.nearness is Nearness.DEATH for e in group.events)
        return near and (died or last.by == "the process")
    if event.by not in ("AKG", "MindSpore") and near:
        # The exception that MindSpore raises for errors that it logged.
        logged = all(e.by == "MindSpore" for e in group.events)
        return logged and event.compiler == "mindspore"
    if event.by == "MindSpore" and near:
        return all(e.by == "MindSpore" for e in group.events) and last.last + 2 >= event.first
    return False


def _retries(group: _Group, event: Event) -> bool:
    """Whether AKG says of its next attempt that this one does not fit either."""
    overflows = event.by == "AKG" and all(
        each.by == "AKG" and _OVERFLOW.search(each.message) for each in group.events
    )
    return overflows and _OVERFLOW.search(event.message) is not None


def _same(event: Event, other: Event) -> bool:
    """Whether two messages say the same; the one that says more has the other in it."""
    one, two = _bare(event.message), _bare(other.message)
    short, long = sorted((one, two), key=len)
    return len(short) >= _SHORTEST and short in long


def _bare(message: str) -> str:
    return "".join(_CHECK.sub("", message).split()).rstrip(":.")


def _signals(group: _Group) -> bool:
    return any(event.signal for event in group.events)


def _failure(group: _Group) -> LoggedFailure:
    events = group.events
    nearest = group.nearest
    causes = [e for e in events if e.nearness is nearest]
    rethrown = causes[-1].source.startswith(_RETHROWN) and causes[-1].by == "AKG"
    cause = next((e for e in causes if _OVERFLOW.search(e.message)), causes[0])
    if not rethrown and causes[-1].by == "AKG" and cause.by == "AKG":
        cause = causes[-1]  # of several attempts the last
    if nearest is Nearness.REPEATED:
        cause = causes[-1]

    def first(name: str) -> str:
        """What the cause says of this, else who is next to it."""
        ordered = (cause, *sorted(events, key=lambda e: e.nearness))
        return next((str(value) for e in ordered if (value := getattr(e, name))), "")

    overflows = sum(e.by == "AKG" and bool(_OVERFLOW.search(e.message)) for e in events)
    tries = overflows - rethrown if overflows > 1 else 1
    own = max((e for e in events if e.line), key=lambda e: bool(e.pass_name), default=None)
    return LoggedFailure(
        message=cause.message,
        compiler=_compiler(cause, events),
        pass_name=first("pass_name"),
        source=cause.source
        or next((e.source for e in events if e.source and e.compiler == AKG), ""),
        component=cause.component,
        signal=first("signal"),
        first=group.first,
        last=group.last,
        layers=tuple(Layer(e.by, e.message, e.first, e.last) for e in events),
        kernel=first("kernel"),
        description=first("description"),
        line=own.line if own else "",
        code=own.code if own else "",
        stack=next((e.stack for e in (cause, *events) if e.stack), ()),
        attempts=max(max(e.attempts for e in events), tries),
        certain=not all(e.by == "AKG" and _OVERFLOW.search(e.message) for e in events),
        streams=tuple(dict.fromkeys(e.stream for e in events if e.stream)),
    )


def _compiler(cause: Event, events: list[Event]) -> str:
    """The compiler that failed: what the cause says, or, of a mere death, who spoke last."""
    if cause.compiler or cause.nearness is Nearness.EXCEPTION:
        return cause.compiler
    return next((e.compiler for e in events if e.compiler), "")
