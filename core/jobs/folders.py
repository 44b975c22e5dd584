"""The folders in which compiles run: one a worker, one in it a compile; removed whatever is in."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from core.jobs.process import lives

#: Below the home; each entry is named after its worker.
COMPILES = "compiles"
#: Below the home: dumps that could not be read, kept for who wants to know why.
UNREAD = "unread"
_UNREAD_KEPT = 20


def remove(folder: Path) -> None:
    """Remove a folder, also where a compiler made parts of it read-only. What resists stays."""
    for root, folders, _ in os.walk(folder):
        for name in folders:
            with contextlib.suppress(OSError):
                (Path(root) / name).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def remove_those_of_the_dead(home: Path) -> None:
    """Remove what workers left behind that were killed."""
    if (home / COMPILES).is_dir():
        for folder in (home / COMPILES).iterdir():
            if not lives(folder.name):
                remove(folder)


def keep_unread(home: Path, folder: Path) -> Path:
    """Move a dump that could not be read out of the way; where it is now. Old ones are removed."""
    kept = home / UNREAD / folder.name
    kept.parent.mkdir(exist_ok=True)
    folder.rename(kept)
    others = sorted(kept.parent.iterdir(), key=lambda each: each.stat().st_mtime_ns)
    for old in others[:-_UNREAD_KEPT]:
        if old != kept:
            remove(old)
    return kept
