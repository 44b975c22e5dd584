"""The panel beside a text on the Passes page: graph, figures, what is followed, what broke."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.analysis.checks.finding import Harm
from core.analysis.follow.trail import Stop, Trail
from core.analysis.order import previous_text
from core.analysis.studied import Report
from core.trace import Pass, Trace
from core.views.figures import place
from core.views.found import stop_name, trail_sentence
from core.views.wording import count
from pages import _address as address
from pages import _graph
from pages import _header as header
from pages import _passtext as passtext
from pages import _rooms as rooms
from pages import _study as study
from pages._figures import figures_panel
from pages._rail import Spot, spot_list, spots_document
from pages._view import View

PANELS = ("graph", "figures", "follow", "checks")
_FOLLOWED = re.compile(r"(.+)@(\d{1,8}):(\d{1,8})")
_EVERY_SECONDS = 0.3
_HARMS: dict[Harm, str] = {"wrong": "Wrong: the code computes something else, or crashes",
                           "slow": "Slow: scalar where vector was expected"}  # fmt: skip


def panel_switch(view: View) -> str:
    """Which panel is shown; "" where none is."""
    reports = len(view.study.reports) if view.study else 0
    wrong = len(study.wrong_reports(view.study))
    if reports:
        # The names of the panels are their values in the URL, so the number is put behind one.
        colour = "#d64545" if wrong else "#8a8f98"
        st.html(
            f"<style>.st-key-panel button:last-of-type::after {{ content: '{count(reports)}';"
            f" background: {colour}; }}</style>"
        )
    chosen = st.segmented_control(
        "Panel",
        PANELS,
        default="graph",
        key="panel",
        bind="query-params",
        label_visibility="collapsed",
        help="What stands beside the text; click the chosen one again for the text alone. "
        + (f"{reports} reports, {wrong} of them wrong." if reports else ""),
    )
    return chosen or ""


def panel(view: View, which: str) -> None:
    """Show the panel of this name."""
    match which:
        case "graph":
            _show_graph(view)
        case "figures":
            if not study.waiting(view):
                figures_panel(view)
        case "follow":
            _show_trail(view)
        case "checks":
            if not study.waiting(view):
                _show_checks(view)


def _show_graph(view: View) -> None:
    def follow(name: str, line: int) -> None:
        view.follow(name, view.index, line)

    step = view.step
    if step is None:
        if view.index == len(view.trace.passes) and view.trace.code:
            _graph.show_code(view.id, view.trace, view.line, on_follow=follow, on_find=view.find)
        else:
            st.caption("A log has no graph.")
        return
    _graph.show(
        view.id,
        view.trace,
        _drawn(view, step),
        view.line,
        against=passtext.against(view, step),
        on_follow=follow,
        on_find=view.find,
    )


def _drawn(view: View, step: Pass) -> Pass:
    """The pass whose graph is shown: of one that left no text, what it was given."""
    if step.text is not None:
        return step
    if step.given is not None:
        return replace(step, text=step.given)
    return previous_text(view.trace, step) or step


# What is followed


def followed(view: View) -> View:
    """The view with the trail of what is followed, where something is."""
    asked = _FOLLOWED.fullmatch(address.text("follow", view.id))
    if asked is None:
        return view
    name, index, line = asked[1], int(asked[2]), int(asked[3])
    if index > len(view.trace.passes) or (
        index == len(view.trace.passes) and view.trace.code is None
    ):
        return view
    try:
        trail = rooms.trail(view.id, index, line, name)
        return replace(view, followed=(name, index, line), trail=trail)
    except KeyError:
        return view


def arrive(view: View) -> None:
    """Draw the page again as soon as what is followed has been."""
    if view.followed is not None and view.trail is None:
        _arriving(view.id, *view.followed)


@st.fragment(run_every=_EVERY_SECONDS)
def _arriving(id: str, name: str, index: int, line: int) -> None:
    if rooms.trail(id, index, line, name, 0.0) is not None:
        st.rerun()


def _show_trail(view: View) -> None:
    trail = view.trail
    key = f"passes:follow:{view.id}"
    known = view.followed[0] if view.followed else ""
    if st.session_state.get(f"{key}:shown") != known:
        st.session_state[key] = st.session_state[f"{key}:shown"] = known

    def asked() -> None:
        name = str(st.session_state.get(key) or "").strip()
        st.session_state[f"{key}:shown"] = name
        if name:
            view.follow(name, min(view.index, len(view.trace.passes)), view.line)
        else:
            address.set_text("follow", view.id, "")

    st.text_input(
        "Follow",
        key=key,
        placeholder="A buffer, variable, value or operation",
        label_visibility="collapsed",
        icon=":material/route:",
        type="search",
        on_change=asked,
    )
    if trail is None and view.followed is not None:
        st.caption("Following…")
        return
    if trail is None:
        st.caption(
            "Follow a name through all passes, its renames included: type it here, or click it "
            "in the text."
        )
        return
    if not trail.stops:
        st.caption(header.escaped(trail.ends or f"{trail.subject} is nowhere to be found."))
        return
    st.caption(header.escaped(f"{trail_sentence(trail, view.trace)}. {trail.ends}"))
    spot_list(
        spots_document([("", _stops(view, trail))]),
        view.index,
        key="passes:trail",
        on_pick=view.go,
    )


def _stops(view: View, trail: Trail) -> list[Spot]:
    """The stops at which something happens; those after it that stay as they were go with it."""
    spots: list[Spot] = []
    for stop, last in runs(trail.stops):
        name = stop_name(view.trace, stop)
        if last.index > stop.index:
            name += f" to {stop_name(view.trace, last)}"
        more = "; ".join(filter(None, (stop.note, _names(trail, stop.names))))
        lines = list(dict.fromkeys(place.line for place in stop.places))
        spots.append((stop.index, last.index, "", name, more, lines))
    return spots


def runs(stops: Sequence[Stop]) -> list[tuple[Stop, Stop]]:
    """First and last of neighbouring stops of which the first alone has something to tell."""
    found: list[tuple[Stop, Stop]] = []
    for stop in stops:
        first, last = found[-1] if found else (None, None)
        if first is not None and last is not None and _alike(last, stop):
            found[-1] = (first, stop)
        else:
            found.append((stop, stop))
    return found


def _alike(one: Stop, other: Stop) -> bool:
    """Whether nothing happened to it from one stop to the other, but that lines may have moved."""
    roles = [place.role for place in one.places] == [place.role for place in other.places]
    return not other.note and one.names == other.names and roles


def _names(trail: Trail, names: tuple[str, ...]) -> str:
    return "" if names == (trail.subject,) else f"as {', '.join(names[:4])}"


# What broke


def _show_checks(view: View) -> None:
    reports = view.study.reports if view.study else ()
    if not reports:
        st.caption(
            "Nothing is found to be wrong: no variable without a definition, no index beyond its "
            "buffer, no read before a write, nothing off its alignment, no overlap of what is "
            "alive at once, no loop of scalar stores, as far as the texts can be read."
        )
        return
    groups = []
    for harm, title in _HARMS.items():
        spots: list[Spot] = [
            (
                r.index,
                r.index,
                harm,
                place(view.trace, r.index),
                f"{r.finding.message}{_until(view.trace, r)}",
                [r.finding.line],
            )
            for r in reports
            if r.finding.harm == harm
        ]
        if spots:
            groups.append((title, spots))
    spot_list(spots_document(groups), view.index, key="passes:checks", on_pick=view.go)


def _until(trace: Trace, report: Report) -> str:
    newest = len(trace.passes) - (0 if trace.code else 1)
    return f" Last seen in {place(trace, report.last)}." if report.last < newest else ""
