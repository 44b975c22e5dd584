"""Other versions: the open trace's kernel and hints in every version that is installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.analysis.sweep import repeated
from core.analysis.versions import Tried, compare_versions
from core.hints import HintError
from core.jobs.work import Job
from core.kernel import Kernel
from core.trace import Trace
from core.views.versions import COLUMNS, table_rows
from pages import _address as address
from pages import _header as header
from pages import _jobs as jobs
from pages import _rooms as rooms
from pages import _run as run
from pages import _table as table

_WHAT = "Compile this kernel with the hints of this trace in each version that is installed."


@dataclass(frozen=True, slots=True)
class _Version:
    """One version, as far as it is."""

    version: str
    trace: str | None  #: id
    job: Job | None  #: under way, or ended without a trace
    refused: str  #: why it cannot be tried, or that nobody has; ""

    @property
    def waits(self) -> bool:
        return self.job is not None and not self.job.over


def label(name: str, version: str, own: str) -> str:
    """A version as it stands in a list to choose from."""
    known = rooms.compiler(name, version)
    if known is None or not known.installed():
        return f"{version}, not installed"
    return f"{version}, of this trace" if version == own else version


def show(id: str, trace: Trace, kernel: Kernel) -> None:
    """The section, drawn again for as long as a version is under way."""
    under_way = any(each.waits for each in _stand(id, trace, kernel).values())
    st.fragment(run_every=0.7 if under_way else None)(_section)(id, trace, kernel, under_way)


def _section(id: str, trace: Trace, kernel: Kernel, polling: bool) -> None:
    stand = _stand(id, trace, kernel)
    name = trace.compiler.name
    reason = rooms.why_no_compile(kernel, name, rooms.version_of(trace))
    left = [each.version for each in stand.values() if each.trace is None and not each.waits]
    ready = [v for v in left if _ready(name, v, kernel)]
    with st.container(horizontal=True, vertical_alignment="center", key="versions:head"):
        st.markdown("##### Other versions", width="content")
        if st.button(
            "Run in every installed version",
            icon=":material/history:",
            key="versions:run",
            disabled=reason is not None or not ready,
            help=reason or (_WHAT if ready else "Every version that is installed has run."),
        ):
            hints = repeated(trace)
            for version in ready:
                run.start(kernel, hints, id, name, version)
            st.rerun()
    tried = [Tried(v, _trace(each), each.refused, each.trace or "") for v, each in stand.items()]
    result = compare_versions(tried, trace.compiler.version)
    for sentence in result.said:
        st.markdown(header.escaped(sentence))
    states = {v: _state(each.job) for v, each in stand.items() if each.job and each.waits}
    table.table(
        COLUMNS,
        table_rows(result, states),
        wide="result",
    )
    _links(id, trace, stand)
    _absent(name, stand)
    # Of the whole page: only there can the polling begin and end. Last, or a click that comes
    # with this run would be lost.
    if polling != any(each.waits for each in stand.values()):
        st.rerun()


def _ready(name: str, version: str, kernel: Kernel) -> bool:
    known = rooms.compiler(name, version)
    return known is not None and known.lacks(kernel) is None


def _stand(id: str, trace: Trace, kernel: Kernel) -> Mapping[str, _Version]:
    """Every version that can be had, and that of the trace, with what is known of each."""
    name, own = trace.compiler.name, trace.compiler.version
    every = dict.fromkeys([*rooms.known_versions(name), own])
    return {v: _one(id, trace, kernel, name, v) for v in every if v}


def _one(id: str, trace: Trace, kernel: Kernel, name: str, version: str) -> _Version:
    if version == trace.compiler.version:
        return _Version(version, id, None, "")
    compiler = rooms.compiler(name, version)
    if compiler is None:
        return _Version(version, None, None, "Tilescope cannot start it.")
    try:
        hints = repeated(trace)
        made = run.follow(run.made_before(kernel, hints, name, version))
        if made is None and compiler.installed():
            compiler.check(hints, kernel)
    except HintError as wrong:
        return _Version(version, None, None, str(wrong))
    if made is not None:
        failed = (made.error or f"The compile was {made.state}.") if made.over else ""
        return _Version(version, made.trace, made, "" if made.trace else failed)
    installed = compiler.lacks(kernel) is None
    return _Version(version, None, None, "not tried" if installed else "not installed")


def _trace(each: _Version) -> Trace | None:
    return rooms.trace(each.trace) if each.trace else None


def _state(job: Job | None) -> str:
    return "" if job is None else "waits" if job.state == "queued" else "compiling…"


def _links(id: str, trace: Trace, stand: Mapping[str, _Version]) -> None:
    others = [
        each for each in stand.values() if each.trace and each.version != trace.compiler.version
    ]
    under_way = [each for each in stand.values() if each.waits]
    with st.container(horizontal=True, vertical_alignment="center", key="versions:links"):
        for each in others:
            assert each.trace is not None
            if st.button(
                f"Open {each.version}",
                icon=":material/layers:",
                key=f"versions:open:{each.version}",
            ):
                address.go("passes.py", each.trace)
            if st.button(
                f"Compare with {each.version}",
                icon=":material/compare_arrows:",
                key=f"versions:compare:{each.version}",
            ):
                st.session_state["trace"] = each.trace
                st.switch_page("compare.py", query_params={"trace": each.trace, "against": id})
        if under_way and st.button("Cancel", icon=":material/stop_circle:", key="versions:cancel"):
            for each in under_way:
                assert each.job is not None
                jobs.cancel(each.job.id)


def _absent(name: str, stand: Mapping[str, _Version]) -> None:
    """How to have the versions that are not installed."""
    commands = [
        rooms.install_command(name, version)
        for version in stand
        if (known := rooms.compiler(name, version)) is not None and not known.installed()
    ]
    if commands:
        st.caption("Versions that are not installed can be had once, each beside the others:")
        st.code("\n".join(commands), language=None)
