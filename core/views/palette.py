"""One visual language: the colours that mean the same thing on every page, in both themes."""

from __future__ import annotations

from collections.abc import Mapping

#: One colour a memory, from the Okabe-Ito set, which stays apart for colour-blind eyes.
MEMORY: Mapping[str, str] = {
    "GM": "#8a8f98",
    "UB": "#0072b2",
    "L1": "#e69f00",
    "L0A": "#009e73",
    "L0B": "#c9b800",  # the set's yellow, darkened: the original vanishes on white
    "L0C": "#d55e00",
    "REG": "#cc79a7",
}

STATUS: Mapping[str, str] = {
    "ok": "#2e9e5b",
    "ok_to_last_step": "#2e9e5b",
    "failed": "#d64545",
    "crashed": "#a32020",
    "timed_out": "#c98a00",
    "cancelled": "#8a8f98",
    "running": "#3679a2",
    "queued": "#8a8f98",
    "lost": "#8a8f98",
}

#: The same three colours in diffs, graphs and tables.
CHANGE: Mapping[str, str] = {"added": "#2e9e5b", "removed": "#d64545", "changed": "#c98a00"}

#: Where something is looked for, and where something is followed.
FOUND, FOLLOWED = "#1b9aaa", "#8a63d2"

#: Occupancy from 0 to 100 %, dark = full. Eleven steps of even lightness (OKLCH, L 0.94 to 0.29).
OCCUPANCY: tuple[str, ...] = (
    "#deeff0",
    "#bbdde2",
    "#99cbd6",
    "#79b7cb",
    "#5da3bf",
    "#478eb1",
    "#3679a2",
    "#2c638f",
    "#274f7a",
    "#223c63",
    "#1c2a4a",
)

#: Lines and text that must be read on a light and on a dark page alike.
NEUTRAL = "#8a8f98"
FAINT = "rgba(138, 143, 152, 0.18)"


def memory_colour(memory: str) -> str:
    """The colour of a memory; unknown names get the neutral grey."""
    return MEMORY.get(memory, NEUTRAL)


def occupancy_colour(share: float) -> str:
    """The step of the occupancy scale nearest to a share (1.0 = full); clipped to 0 … 1."""
    last = len(OCCUPANCY) - 1
    return OCCUPANCY[round(min(max(share, 0.0), 1.0) * last)]


def text_on(share: float) -> str:
    """Ink that can be read on the occupancy colour of a share."""
    return "#ffffff" if share > 0.45 else "#10202c"
