"""Dumps for the tests of the IR: recorded ones, a user's folders, and texts from fresh compiles."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

DUMPS = Path(__file__).parent / "dumps"


def recorded(path: str) -> str:
    """A file that tests/record_dumps.py recorded; `path` may leave out the number of the pass."""
    folder, _, name = path.partition("/")
    found = [p for p in (DUMPS / folder).iterdir() if p.name.endswith(name)]
    assert len(found) == 1, f"{path}: {len(found)} files"
    return found[0].read_text()


def recorded_files(suffix: str) -> list[Path]:
    return sorted(DUMPS.rglob(f"*{suffix}"))


def is_schedule(path: Path) -> bool:
    return path.parent.name == "poly" or path.name.startswith("poly_")


def dump_folders() -> list[Path]:
    """The folders in $TILESCOPE_DUMPS; skips where it is not set."""
    named = os.environ.get("TILESCOPE_DUMPS", "")
    if not named:
        pytest.skip("TILESCOPE_DUMPS names no folders of AKG dumps to read whole")
    return [Path(folder) for folder in named.split(os.pathsep)]


def files_of(folders: list[Path], suffix: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.rglob(f"*{suffix}"))
