"""How long MindSpore's passes took, from its log at GLOG_v=1 or from the profile that it prints."""

from __future__ import annotations

import re
from datetime import datetime

#: "    [opt_a]: 0.00791615, [2]" of the tree that COMPILE_PROFILE prints; four blanks a level.
_ENTRY = re.compile(r"^( *)\[([^\]]+)\]: ([0-9.e+-]+)(?:, \[\d+\])?\s*$")
#: "[INFO] OPTIMIZER(…):2026-11-30-16:28:56.423.547 […] RunFunc] Start opt_a.r1.j0.a_1", which
#: optimizer.cc prints.
_STAMPED = re.compile(
    r"^\[INFO\] \w+\([^)]*\):(\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d)\.(\d{3})\.(\d{3}) \[[^\]]*\] "
    r"\w+\] (Start|End) (\S+?)(\.changed|\.unchanged)?$"
)
_TURN = re.compile(r"\.j\d+\.")
_CYCLE = re.compile(r"Cycle (\d+)")


def read_times(text: str) -> dict[str, float]:
    """Seconds by pass, "type_inference" or "opt_a.r1.a_1"; {} where the text tells none."""
    return _profile(text) or _stamps(text)


def _profile(text: str) -> dict[str, float]:
    seconds: dict[str, float] = {}
    path: list[str] = []
    for line in text.splitlines():
        found = _ENTRY.match(line)
        if found is None:
            continue
        depth = len(found[1]) // 4
        name = found[2]
        cycle = _CYCLE.fullmatch(name)
        path = [*path[:depth], f"r{cycle[1]}" if cycle else name]
        # An action holds groups, a group its turns, a turn its steps: "opt_a.r1.a_1".
        called = ".".join(path[1:] if len(path) > 1 else path)
        seconds.setdefault(called, float(found[3]))
    return seconds


def _stamps(text: str) -> dict[str, float]:
    begun: dict[str, datetime] = {}
    seconds: dict[str, float] = {}
    for line in text.splitlines():
        found = _STAMPED.match(line)
        if found is None:
            continue
        moment = datetime.strptime(f"{found[1]}.{found[2]}{found[3]}", "%Y-%m-%d-%H:%M:%S.%f")
        name = _TURN.sub(".", found[5])
        if found[4] == "Start":
            begun[name] = moment
        elif name in begun:
            took = (moment - begun.pop(name)).total_seconds()
            seconds[name] = seconds.get(name, 0.0) + took
    return seconds
