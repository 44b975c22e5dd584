"""The server with MindSpore installed beside it and without: start-up time and memory, in turns.

Without means that no process of the server can find it: the finder of packages is made to pass it
over.
"""

from __future__ import annotations

import os
import time

from benchmarks.bench import PROJECT, Bench
from benchmarks.figures import Figure, mebibytes, median, milliseconds
from benchmarks.server import serving

_TURNS = 3
_SETTLE_S = 1.0
_EQUAL = 0.1  # of the median, what counts as no difference
_HIDDEN = """
import importlib.machinery

find = importlib.machinery.PathFinder.find_spec

def elsewhere(name, path=None, target=None):
    return None if name.partition(".")[0] == "mindspore" else find(name, path, target)

importlib.machinery.PathFinder.find_spec = staticmethod(elsewhere)
"""


def measure(run: Bench) -> list[Figure]:
    """Medians of both, and their ratios."""
    hook = run.folder / "without"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(_HIDDEN)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    sizes: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(_TURNS):
        for there in (True, False):
            run.home(f"starting-{turn}-{there}")
            before = os.environ.get("PYTHONPATH")
            if not there:
                os.environ["PYTHONPATH"] = str(hook)
            try:
                began = time.monotonic()
                with serving(PROJECT / "app.py", run.folder / "starting.log") as server:
                    seconds[there].append(time.monotonic() - began)
                    time.sleep(_SETTLE_S)
                    sizes[there].append(server.rss_bytes())
            finally:
                os.environ.pop("PYTHONPATH", None)
                if before is not None:
                    os.environ["PYTHONPATH"] = before
    found = []
    for what, values, text in (
        ("start of the server, MindSpore installed", seconds, milliseconds),
        ("its memory once it serves", sizes, mebibytes),
    ):
        with_, without = median(values[True]), median(values[False])
        ratio = with_ / without
        found.append(
            Figure(
                what,
                f"without it: {text(without)}",
                text(with_),
                ratio,
                "equal",
                abs(ratio - 1) <= _EQUAL,
            )
        )
    return found
