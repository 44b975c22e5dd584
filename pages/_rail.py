"""The strip of passes above and the list of passes beside the diff, clickable, in step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.views import palette
from core.views.strip import Segment

_HERE = Path(__file__).parent

#: Label, title and rows of (index, name, lines, look, hover).
Pick = Callable[[int], None]
Group = tuple[str, str, Sequence[tuple[int, str, str, str, str]]]


@cache
def _renderer() -> Any:
    return st.components.v2.component(
        "tilescope_rail",
        html='<div class="rail"></div>',
        css=(_HERE / "_rail.css").read_text(encoding="utf-8"),
        js=(_HERE / "_rail.js").read_text(encoding="utf-8"),
    )


def pass_strip(segments: Sequence[Segment], current: int, *, key: str, on_pick: Pick) -> None:
    """The whole sequence, one bar a pass."""
    groups = [
        [s.label, s.title, [[b.index, round(b.height, 3), b.look, b.title] for b in s.bars]]
        for s in segments
    ]
    _mount("strip", groups, current, key, on_pick)


def pass_list(
    groups: Sequence[Group],
    current: int,
    *,
    key: str,
    on_pick: Pick,
    empty: str,
) -> None:
    """The passes by name, down to the lower edge of the window; arrow keys step through them."""
    _mount("list", groups, current, key, on_pick, empty)


def _mount(
    kind: str,
    groups: Sequence[Any],
    current: int,
    key: str,
    on_pick: Pick,
    empty: str = "",
) -> None:
    def picked() -> None:
        index = getattr(st.session_state.get(key), "pick", None)
        if isinstance(index, int | float):
            on_pick(int(index))

    _renderer()(
        key=key,
        data={
            "kind": kind,
            "groups": groups,
            "signature": str(hash(repr(groups))),
            "current": current,
            "empty": empty,
            "colours": {
                "changed": palette.CHANGE["changed"],
                "failed": palette.STATUS["failed"],
            },
        },
        on_pick_change=picked,
    )
