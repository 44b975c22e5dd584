"""Captures kept in a home: a file each, so that an address leads back to one."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from core.capture.captured import Capture, CaptureError

_FOLDER = "captures"
_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A capture with what belongs to it in the library."""

    capture: Capture  #: without its log and its folder of graphs
    source: str  #: text of the network's file, as it was captured
    trace: str | None  #: id of the trace that MindSpore's graphs are


def keep(home: Path, capture: Capture, source: str, trace: str | None) -> str:
    """Keep a capture; its id."""
    folder = home / _FOLDER
    folder.mkdir(exist_ok=True)
    id = secrets.token_hex(6)
    kept = Kept(replace(capture, graphs=None, log=""), source, trace)
    file = folder / f"{id}.json"
    partial = file.with_suffix(".partial")
    partial.write_bytes(msgspec.json.encode(kept))
    partial.rename(file)
    return id


def kept(home: Path, id: str) -> Kept:
    """A capture by its id. Raises CaptureError where there is none that can be read."""
    if not _ID.fullmatch(id):
        raise CaptureError(f"{id!r} is no capture; choose one of the list.")
    try:
        return msgspec.json.decode((home / _FOLDER / f"{id}.json").read_bytes(), type=Kept)
    except OSError:
        raise CaptureError(f"There is no capture {id}; it may have been deleted.") from None
    except msgspec.MsgspecError:
        raise CaptureError(
            f"The capture {id} was written by another version; capture the network again."
        ) from None


def newest(home: Path, most: int = 20) -> list[str]:
    """Ids of the captures, newest first."""
    folder = home / _FOLDER
    files = sorted(folder.glob("*.json"), key=lambda f: f.stat().st_mtime_ns, reverse=True)
    return [file.stem for file in files[:most]]
