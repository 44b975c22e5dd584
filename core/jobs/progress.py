"""How far a running compile is: the pass files that its folder holds so far."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_PASS_FILE = re.compile(r"(\d+)_.+\.cc")


@dataclass(frozen=True, slots=True)
class Progress:
    passes: int  #: pass files so far
    last: str  #: name of the newest, such as "84_LoopPartitionCCE"; "" before the first


def progress(folder: Path) -> Progress:
    """Count `dump/**/NN_NAME.cc`. A folder that is gone counts nothing."""
    passes, newest = 0, (0, 0, "")
    for root, _, names in os.walk(folder / "dump"):
        for name in names:
            match = _PASS_FILE.fullmatch(name)
            if not match:
                continue
            try:
                modified = os.stat(os.path.join(root, name)).st_mtime_ns  # noqa: PTH116, PTH118
            except OSError:
                continue
            passes += 1
            # Files come quicker than the clock of the file system ticks; the number breaks the tie.
            newest = max(newest, (modified, int(match[1]), name.removesuffix(".cc")))
    return Progress(passes, newest[2])
