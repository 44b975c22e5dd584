"""The IR viewer: one text, or two with their differences, however long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.analysis.checks.finding import Harm
from core.analysis.diff import Diff
from core.analysis.search import Query
from core.components.mount import Height, mount

#: The colouring of a text: a pass (`Pass.language`), emitted CCE C, or none.
TextLanguage = Literal["statement", "schedule", "mlir", "anf", "cce", "text"]
#: split: side by side; unified: one column; after: the newer text alone.
Layout = Literal["split", "unified", "after"]
Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Text:
    """A text to show, by its address: the browser fetches it and keeps it."""

    url: str  #: below the address of the app, such as "blob/<hash>"
    title: str  #: such as "41 ModDivEliminate"
    language: TextLanguage = "text"
    note: str = ""  #: small print after the title, such as "attempt 2"


@dataclass(frozen=True, slots=True)
class Selection:
    """A line, or several, marked and brought into view. Lines count from 1."""

    line: int
    side: Side = "after"
    last: int | None = None  #: the last of several; None where it is one


@dataclass(frozen=True, slots=True)
class LineMark:
    """A defect of the newer text, marked at its line. Lines count from 1."""

    line: int
    harm: Harm
    message: str  #: one sentence, shown below the line until it is closed there


@dataclass(frozen=True, slots=True)
class LineClick:
    """The user chose a line, or a run of them with Shift. Lines count from 1."""

    id: int
    line: int
    side: Side
    text: str  #: the first line itself, cut after 2,000 characters
    last: int | None = None  #: the last of several; None where it is one


@dataclass(frozen=True, slots=True)
class WordChosen:
    """The user wants to know about a name. Lines count from 1."""

    id: int
    line: int  #: where it was clicked
    side: Side
    #: Whole, as the text has it: x_local_UB, cc0.outer, %12, %5#1, @main, #map, arith.addf.
    word: str
    action: Literal["follow", "find"]  #: through the renames of the passes, or by its letters


@dataclass(frozen=True, slots=True)
class Step:
    """The user asked for the next (+1) or previous (-1) changed pass."""

    id: int
    by: int


@dataclass(frozen=True, slots=True)
class Setting:
    """The user changed how texts are shown. The viewer has done so already and remembers it."""

    id: int
    name: Literal["layout", "wrap", "collapse"]
    value: str | bool


IrEvent = LineClick | WordChosen | Step | Setting


def ir_view(
    after: Text,
    before: Text | None = None,
    diff: Diff | None = None,
    *,
    key: str,
    selection: Selection | None = None,
    layout: Layout | None = None,
    wrap: bool | None = None,
    collapse: bool | None = None,
    steps: tuple[bool, bool] = (False, False),
    prefetch: Sequence[str] = (),
    words: bool = False,
    names: Sequence[str] = (),
    find: Query | None = None,
    marks: Sequence[LineMark] = (),
    masked: str = "",
    height: Height = "fill",
    on_event: Callable[[IrEvent], None] | None = None,
) -> tuple[IrEvent, ...]:
    """Show a text, or what turned `before` into it.

    `diff` holds the line operations from `before` to `after`; without both, the text stands alone.
    `layout`, `wrap` and `collapse` (folding of unchanged lines) force a setting; None leaves the
    one that the user chose last in this browser (at first: split, no wrap, folded).
    `steps` says whether there is a previous and a next changed pass to ask for; `prefetch` names
    the texts that will be wanted then. `selection` scrolls only when it differs from the last one.

    `words` offers, at a click on a name, to follow it and to find it in all passes. All places of
    `names` (whole names) and of `find` are marked, counted and walked.
    `marks` are defects of the newer text. `masked` is said beside the counts of lines: what was
    taken for the same though it is not, such as "14 lines differ in addresses alone"; those lines
    are marked faintly, wherever they are.

    `on_event` gets each event before the page runs, which is the place to change session state that
    widgets further up read; without it, the events since the last run are returned. Each event
    comes once, with an `id` that only grows.
    """
    compared = before is not None and diff is not None
    data: dict[str, Any] = {
        "after": _text(after),
        "before": _text(before) if before is not None and compared else None,
        "hunks": [n for h in diff.hunks for n in (h.a0, h.a1, h.b0, h.b1)] if diff else [],
        "counts": [diff.added, diff.removed, diff.changed] if diff else None,
        "selection": _selection(selection),
        "layout": layout,
        "wrap": wrap,
        "collapse": collapse,
        "steps": list(steps),
        "prefetch": list(prefetch),
        "height": height,
        "words": words,
        "names": list(names),
        "find": _find(find),
        "marks": [[m.line, m.harm, m.message] for m in marks],
        "masked": masked,
        "links": True,
    }
    handle = None if on_event is None else lambda raw: on_event(_event(raw))
    return tuple(_event(raw) for raw in mount("irview", key, data, handle))


def _text(text: Text) -> dict[str, str]:
    return {"url": text.url, "title": text.title, "language": text.language, "note": text.note}


def _selection(selection: Selection | None) -> list[Any] | None:
    if selection is None:
        return None
    return [selection.line, selection.side, selection.last or selection.line]


def _find(query: Query | None) -> dict[str, Any] | None:
    if query is None or not query.text:
        return None
    asked = {"text": query.text, "matchCase": query.case, "expression": query.pattern}
    return {**asked, "word": query.word}


def _event(raw: Mapping[str, Any]) -> IrEvent:
    match raw["kind"]:
        case "line":
            return LineClick(raw["id"], raw["line"], raw["side"], raw["text"], raw.get("last"))
        case "word":
            return WordChosen(raw["id"], raw["line"], raw["side"], raw["word"], raw["action"])
        case "step":
            return Step(raw["id"], raw["by"])
        case "setting":
            return Setting(raw["id"], raw["name"], raw["value"])
        case kind:
            raise ValueError(f"The IR viewer sent an event of unknown kind {kind!r}.")
