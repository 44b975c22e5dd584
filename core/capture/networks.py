"""The networks of ours: what data/networks/index.json lists."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from core.capture.captured import CaptureError, Input
from core.capture.run import parse_input

NETWORKS = Path(__file__).resolve().parents[2] / "data" / "networks"


@dataclass(frozen=True, slots=True)
class Network:
    """One that can be captured."""

    file: Path
    name: str
    inputs: tuple[Input, ...]
    about: str  #: one line


def networks(folder: Path = NETWORKS) -> tuple[Network, ...]:
    """The networks of a folder's index, in its order. Raises CaptureError."""
    index = folder / "index.json"
    try:
        entries = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise CaptureError(f"{index} cannot be read: {wrong}.") from None
    found = []
    for entry, described in entries.items():
        file, _, name = entry.partition(":")
        inputs = tuple(parse_input(text) for text in described["inputs"])
        found.append(Network(folder / file, name, inputs, described["about"]))
    return tuple(found)
