"""The strip of passes above and the list of passes beside the diff, clickable, in step.

What both show is fetched by the browser under its hash: a step through the passes only says which
one is open.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.trace import Trace
from core.views import palette
from core.views.figures import Column, place
from core.views.strip import Presence, Segment, Sign
from pages import _rooms as rooms
from pages._rooms import Page

_HERE = Path(__file__).parent

#: Goes to a pass, by its index.
Pick = Callable[[int], None]
#: Goes to a line of a pass.
Go = Callable[[int, int], None]
#: Index of a pass and of the last for which it stands, harm of a report or "", what it is, more
#: about it, lines from 1.
Spot = tuple[int, int, str, str, str, Sequence[int]]
#: Label, title and rows of (index, name, small print, look, hover).
Group = tuple[str, str, Sequence[tuple[int, str, str, str, str]]]


#: Streamlit sends a component's script along with each message, and takes one of a single line for
#: the path of a file; so this one, of several, fetches the rest.
_SHIM = """
const entry = document.querySelector('script[type="module"][src*="static/js/"]');
const base = entry ? new URL("../..", entry.src) : new URL("./", location.href);
const module = import(new URL("{path}", base).href);
export default function (component) {{
  const shown = module.then(({{ mount }}) => mount(component, base.href));
  return () => shown.then((close) => close());
}}
"""


@cache
def script() -> str:
    """What the browser runs, with its style: served as `rail.js`."""
    style = (_HERE / "_rail.css").read_text(encoding="utf-8")
    source = (_HERE / "_rail.js").read_text(encoding="utf-8")
    return f"const STYLE = {json.dumps(style)};\n{source}"


@cache
def _renderer() -> Any:
    version = hashlib.blake2b(script().encode(), digest_size=8).hexdigest()
    return st.components.v2.component(
        "tilescope_rail",
        html='<div class="rail" style="min-height: 84px"></div>',
        js=_SHIM.format(path=f"rail.js?v={version}"),
    )


def strip_document(segments: Iterable[Segment]) -> Page:
    """The document of a strip, for `pass_strip`."""
    return _kept(
        [
            [s.label, s.title, [[b.index, round(b.height, 3), b.look, b.title] for b in s.bars]]
            for s in segments
        ]
    )


def list_document(groups: Sequence[Group]) -> Page:
    """The document of a list, for `pass_list`."""
    return _kept(groups)


def spots_document(groups: Sequence[tuple[str, Sequence[Spot]]]) -> Page:
    """The document of places in passes, under headings, for `spot_list`."""
    return _kept(groups)


def marks_document(presences: Sequence[Presence], signs: Sequence[Sign]) -> Page | None:
    """The document of what is marked on a strip and a list; None where nothing is."""
    if not presences and not signs:
        return None
    return _kept(
        {
            "rows": [
                [p.kind, p.title, list(p.counts.items()), list(p.appears), list(p.disappears)]
                for p in presences
            ],
            "signs": [[s.index, s.harm, s.title] for s in signs],
        }
    )


def _kept(document: object) -> Page:
    return rooms.as_page(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


def pass_strip(
    document: Page, current: int, *, key: str, on_pick: Pick, marks: Page | None = None
) -> None:
    """The whole sequence, one bar a pass. Its arrow keys work wherever nothing is being typed."""
    _mount("strip", document, current, key, lambda index, _: on_pick(index), marks)


def pass_list(
    document: Page,
    current: int,
    *,
    key: str,
    on_pick: Pick,
    empty: str,
    shown: Iterable[int] | None = None,
    marks: Page | None = None,
    steps: bool = True,
) -> None:
    """The passes by name, down to the lower edge of the window; arrow keys step through them.
    Without `steps` they are other things than those of the strip, and it is not moved with them.

    Only those `shown` where they are given, in the order of the document.
    """
    only = None if shown is None else ranges(shown)
    _mount(
        "list",
        document,
        current,
        key,
        lambda index, _: on_pick(index),
        marks,
        only,
        empty,
        steps=steps,
    )


def spot_list(document: Page, current: int, *, key: str, on_pick: Go) -> None:
    """Places in passes, down to the lower edge of the window."""
    _mount("places", document, current, key, on_pick)


def figures_document(trace: Trace, columns: Mapping[str, Column]) -> Page:
    """The document of figures by their title, for `figures_list`."""
    return _kept(
        {
            "names": [place(trace, index) for index in range(len(trace.passes) + 1)],
            "figures": [
                [
                    title,
                    palette.memory_colour(c.memory) if c.memory else palette.STATUS["running"],
                    c.values,
                    c.changes,
                ]
                for title, c in columns.items()
            ],
        }
    )


def figures_list(
    document: Page, current: int, *, key: str, on_pick: Pick, on_sort: Callable[[str], None]
) -> None:
    """Figures of the current pass, each with its course over the sequence."""
    _mount("figures", document, current, key, lambda index, _: on_pick(index), on_sort=on_sort)


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers, shortest: "0-3 8 10-12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] + 1 >= number:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _mount(
    kind: str,
    document: Page,
    current: int,
    key: str,
    on_pick: Go,
    marks: Page | None = None,
    shown: str | None = None,
    empty: str = "",
    on_sort: Callable[[str], None] | None = None,
    steps: bool = True,
) -> None:
    def on_picked() -> None:
        picked = getattr(st.session_state.get(key), "pick", None)
        if isinstance(picked, list | tuple) and len(picked) == 2:
            on_pick(int(picked[0]), int(picked[1]))

    def on_sorted() -> None:
        title = getattr(st.session_state.get(key), "sort", None)
        if on_sort is not None and isinstance(title, str):
            on_sort(title)

    _renderer()(
        key=key,
        data={
            "kind": kind,
            "document": rooms.offer_page(document),
            "marks": rooms.offer_page(marks) if marks else "",
            "shown": shown,
            "steps": steps,
            "current": current,
            "empty": empty,
            "colours": {
                "changed": palette.CHANGE["changed"],
                "failed": palette.STATUS["failed"],
                "found": palette.FOUND,
                "followed": palette.FOLLOWED,
            },
        },
        on_pick_change=on_picked,
        on_sort_change=on_sorted,
    )
