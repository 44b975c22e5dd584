"""How far a running compile is: what its folder holds so far of each pass.

A compiler that dumps leaves a file a pass, `dump/**/NN_NAME.cc`; one that prints leaves a line a
pass in `printed.log`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_PASS_FILE = re.compile(r"(\d+)_.+\.cc")
_PRINTED = re.compile(rb"^// -----// IR Dump After (\S+)[^\n]*//----- //", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Progress:
    passes: int  #: so far
    last: str  #: name of the newest, such as "84_LoopPartitionCCE"; "" before the first


def progress(folder: Path) -> Progress:
    """Count the passes of a job's folder. One that is gone counts nothing."""
    found = arrived(folder)
    return Progress(len(found), found[-1].rpartition("  ")[2] if found else "")


def arrived(folder: Path) -> list[str]:
    """The passes so far in the order in which they came; where a folder tells more, behind it."""
    files: list[tuple[int, bool, int, str]] = []
    for path in (folder / "dump").rglob("[0-9]*_*.cc"):
        match = _PASS_FILE.fullmatch(path.name)
        try:
            written = path.stat().st_mtime_ns
        except OSError:  # the worker has read the dump and taken it away
            continue
        if match:
            inside = path.parent.name
            # Files come quicker than the clock of the file system ticks: within a tick, the graph's
            # own passes come first, and those of a folder by their number.
            later = not inside.endswith("_composite")
            files.append((written, later, int(match[1]), f"{inside}  {path.stem}"))
    return [line for *_, line in sorted(files)] or _printed(folder / "printed.log")


def _printed(log: Path) -> list[str]:
    try:
        text = log.read_bytes()
    except OSError:
        return []
    return [name.decode(errors="replace") for name in _PRINTED.findall(text)]
