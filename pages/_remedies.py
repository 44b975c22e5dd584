"""Remedies of a failed trace: tried one by one or all, what compiles, what each costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import streamlit as st

from core.analysis.explained import Remedy
from core.analysis.trying import proposed
from core.compilers.registry import compiler_for
from core.hints import Hints
from core.jobs.work import InquiryRow, Job, Point
from core.kernel import Kernel
from core.request import Request
from core.trace import Trace
from core.views.remedies import HELP, Trial, advice, tally, trials_table, working_first
from core.views.wording import count
from pages import _asking as asking
from pages import _header as header
from pages import _opening as opening
from pages import _rooms as rooms

_TRY, _OPEN, _BUSY = "Try", "Open", "…"
_COMPARE, _HINT = "Compare", "Re-run"
_SHOWN = 9  #: rows before the table scrolls
_RESULTS = ("compiles", "compiling…", "waits", "not needed")
_COLOURS = ("green", "blue", "gray", "gray")


def show(
    id: str, trace: Trace, kernel: Kernel | None, row: InquiryRow | None, reason: str | None
) -> None:
    """The remedies in order of promise, each as it stands."""
    found = of(rooms.known(id))
    if kernel is None or not found:
        st.caption(reason or "No change is known that promises to help with this failure.")
        return
    trials = standing(found, asking.points(row), _jobs())
    if row is not None and not row.over:
        asking.progress_line(row, tally(trials) or "Trying", len(found))
    elif row is not None:
        _ended(row, trials)
    shown = working_first(trials) if row is not None and row.over else trials
    _table(id, kernel, trace, shown, row)


@lru_cache(maxsize=64)
def of(known: rooms.Known) -> tuple[Remedy, ...]:
    """What is proposed for a trace; () without its kernel."""
    kernel = rooms.library().kernel(known.id)
    return proposed(rooms.trace(known.id), kernel) if kernel is not None else ()


# How each stands


def key_of(request: Request) -> asking.Key:
    """What tells this compile from others."""
    compiler = request.compiler or compiler_for(request.kernel).name
    version = request.version or rooms.usual_version(compiler)
    return request.kernel.digest, request.hints.digest, compiler, version


def _jobs() -> dict[tuple[str, str, str, str], Job]:
    """Whole compiles by name of the kernel, hints, compiler and version; the newest of equals."""
    jobs = rooms.queue().jobs(limit=200)
    return {(j.kernel, j.hints.digest, j.compiler, j.version): j for j in reversed(jobs)}


def standing(
    remedies: Sequence[Remedy],
    points: Mapping[asking.Key, Point],
    jobs: Mapping[tuple[str, str, str, str], Job],
) -> list[Trial]:
    """Each remedy with what came of it, whether it was tried alone or with all."""
    return [_trial(each, points, jobs) for each in remedies]


def _trial(
    remedy: Remedy,
    points: Mapping[asking.Key, Point],
    jobs: Mapping[tuple[str, str, str, str], Job],
) -> Trial:
    key = key_of(remedy.request)
    job = jobs.get((remedy.request.kernel.name, *key[1:]))
    if job is not None and rooms.queue().kernel(job.id).digest != key[0]:
        job = None
    point = points.get(key)
    if job is not None and job.trace is not None and rooms.there(job.trace):
        kept = job.trace
        return Trial(remedy, "done", rooms.trace(kept), whole=kept, wrong=_wrong(kept))
    if point is not None:
        whole = point.whole if point.whole and rooms.there(point.whole) else None
        state = None if point.state == "cancelled" else point.state
        wrong = _wrong(whole) if whole is not None else 0
        return Trial(remedy, state, point.trace, point.error or "", whole, wrong)
    if job is not None and not job.over:
        return Trial(remedy, job.state)
    return Trial(remedy, None, error=(job.error or "") if job is not None else "")


def _wrong(trace: str) -> int:
    return (rooms.reports(rooms.library().row(trace)) or (0, 0))[0]


def _ended(row: InquiryRow, trials: Sequence[Trial]) -> None:
    if row.state != "done":
        asking.problem(row)
    good = [each for each in trials if each.compiles]
    said = tally(trials)
    if not good and row.state == "done":
        st.warning(
            f"**None of the {count(len(trials))} changes makes it compile.** Make it small, to "
            "report it, or to see what of the kernel it hangs on.",
            icon=":material/search_off:",
        )
    if good:
        st.success(f"**{said}.** {header.escaped(advice(trials))}", icon=":material/check:")


# The table


def _table(
    id: str, kernel: Kernel, trace: Trace, trials: Sequence[Trial], row: InquiryRow | None
) -> None:
    frame = trials_table(trials)
    enough = row is not None and row.state == "done"
    results = [
        text or ("not needed" if enough and each.state is None else "")
        for text, each in zip(frame["result"], trials, strict=True)
    ]
    frame["result"] = [[text] if text else [] for text in results]
    frame["do"] = [_label(each) for each in trials]
    frame["more"] = [_more(each, kernel, trace) for each in trials]
    others = [text for text in dict.fromkeys(results) if text and text not in _RESULTS]
    columns = st.column_config
    about = {
        name: columns.TextColumn(name, help=said, width=_WIDTHS.get(name))
        for name, said in HELP.items()
    }
    clicked = f"why:remedies:do:{id}"
    chosen = f"why:remedies:more:{id}"
    # Some compilers tell less than others: no column for what none of those that compile says.
    told = any(each.compiles for each in trials)
    costs = [name for name in _WIDTHS if not told or any(frame[name])]
    numerics = ["numerics"] if any(frame["numerics"]) else []
    long = any(len(text) > 12 for text in frame["time"])
    st.dataframe(
        frame[["change", "result", "do", *costs, "more", *numerics, "why"]],
        key=f"why:remedies:{id}",
        hide_index=True,
        row_height=29,
        height=29 * (min(len(frame), _SHOWN) + 1) + 4,
        column_config={
            **about,
            "change": columns.TextColumn("change", help=HELP["change"], width=270),
            "result": columns.MultiselectColumn(
                "result",
                help=HELP["result"],
                width=205,
                options=[*_RESULTS, *others],
                color=[*_COLOURS, *["red"] * len(others)],
            ),
            "time": columns.TextColumn("time", help=HELP["time"], width=150 if long else 76),
            "do": columns.ButtonColumn(
                "",
                key=clicked,
                type="tertiary",
                width=58,
                on_click=_do,
                args=(id, trials, clicked),
                help="Compiles this one, in full where it compiles, and opens its trace.",
            ),
            "more": columns.ButtonColumn(
                "",
                key=chosen,
                type="tertiary",
                width=62,
                on_click=_go_on,
                args=(id, trials, chosen),
                help="Compare with the compile that failed; or fill its hints in on Re-run.",
            ),
            "numerics": columns.TextColumn("numerics", help=HELP["numerics"], width=190),
            "why": columns.TextColumn("why", help=HELP["why"], width=520),
        },
    )


_WIDTHS: Mapping[str, int] = {"fullest": 86, "cores": 52, "instructions": 88, "time": 76}


def _label(trial: Trial) -> str:
    if trial.whole is not None or trial.compiles:
        return _OPEN
    if trial.state in ("queued", "running"):
        return _BUSY
    return _OPEN if trial.trace is not None else _TRY


def _more(trial: Trial, kernel: Kernel, trace: Trace) -> list[str]:
    own = trial.remedy.request
    same = own.kernel.digest == kernel.digest and own.compiler in ("", trace.compiler.name)
    return [*([_COMPARE] if trial.trace is not None else []), *([_HINT] if same else [])]


def _clicked(trials: Sequence[Trial], key: str) -> tuple[Trial, str] | None:
    click = st.session_state.get(key)
    if not click or not 0 <= click["row"] < len(trials):
        return None
    return trials[click["row"]], str(click["label"])


def _do(id: str, trials: Sequence[Trial], key: str) -> None:
    clicked = _clicked(trials, key)
    if clicked is None or clicked[1] == _BUSY:
        return
    trial, label = clicked
    if trial.whole is not None:
        opening.go_to(id, trial.whole, "open")
    else:
        opening.compile_in_full(id, trial.remedy.request, "open" if label == _OPEN else "stay")


def _go_on(id: str, trials: Sequence[Trial], key: str) -> None:
    clicked = _clicked(trials, key)
    if clicked is None:
        return
    trial, label = clicked
    if label == _HINT:
        hint(id, trial.remedy.request.hints)
    elif trial.whole is not None:
        opening.go_to(id, trial.whole, "compare")
    else:
        opening.compile_in_full(id, trial.remedy.request, "compare")


def hint(id: str, hints: Hints) -> None:
    """Fill in the form of Re-run and go there; from a callback."""
    st.session_state[f"rerun:{id}:asked"] = {
        "dim": hints.dim if hints.tiles else "",
        "attributes": dict(hints.attributes),
    }
    st.session_state[f"rerun:{id}:unread"] = ""
    opening.go_to(id, id, "hint")
