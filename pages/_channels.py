"""Taking hints to where the kernel is built: MindSpore's own channels, and whether they work."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from core.analysis.channels import (
    REPOSITORY_VARIABLE,
    Channel,
    Verified,
    as_environment,
    decorator,
    environment,
    in_description,
    repository,
    verify,
)
from core.compilers import ToolMissing
from core.hints import HintError, Hints
from core.kernel import Kernel, KernelError
from core.views.wording import count
from pages import _header as header

_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="channels")
_NAMES: dict[Channel, str] = {
    "description": "the kernel's description",
    "repository": "the tiling repository",
}


def show(kernel: Kernel | None, hints: Hints | None) -> None:
    """The ways into MindSpore for the hints of the form."""
    if kernel is None or kernel.kind != "composite":
        return
    with st.expander("Take these hints to MindSpore", icon=":material/output:"):
        if hints is None or not hints.as_dict():
            st.caption("Choose hints first; there are none to take.")
            return
        st.caption("Above a function in MindSpore's kernel language:")
        st.code(decorator(hints), language="python")
        with st.container(horizontal=True):
            st.download_button(
                "Tiling repository",
                repository([(kernel, hints)]),
                "tilings.json",
                "application/json",
                icon=":material/download:",
                key="rerun:channel:repository",
                help=f"Taken for what the compiler ships, where {REPOSITORY_VARIABLE} names it.",
            )
            st.download_button(
                "Kernel with hints",
                in_description(kernel, hints),
                f"{kernel.name}.json",
                "application/json",
                icon=":material/download:",
                key="rerun:channel:description",
                help="The description with func_compile_attrs, as @kernel writes it.",
            )
        variables = {REPOSITORY_VARIABLE: "/path/to/tilings.json", **environment(hints)}
        st.code(as_environment(variables), language="bash")
        _verifying(kernel, hints)


def _verifying(kernel: Kernel, hints: Hints) -> None:
    key = f"rerun:verified:{kernel.digest}:{hints.digest}"
    future: Future[list[Verified]] | None = st.session_state.get(key)
    if future is None:
        if st.button(
            "Verify",
            icon=":material/fact_check:",
            key="rerun:channel:verify",
            help="Compiles through each channel and compares the code with that of a direct hint.",
        ):
            st.session_state[key] = _worker.submit(_verified, kernel, hints)
            st.rerun()
        return
    st.fragment(run_every=None if future.done() else 0.5)(_outcome)(future, future.done())


def _verified(kernel: Kernel, hints: Hints) -> list[Verified]:
    return [verify(kernel, hints, channel) for channel in _NAMES]


def _outcome(future: Future[list[Verified]], done: bool) -> None:
    if not future.done():
        st.markdown(":material/progress_activity: Compiling through each channel…")
        return
    if not done:
        st.rerun()
    try:
        found = future.result()
    except (KernelError, HintError, ToolMissing, OSError) as wrong:
        st.error(header.escaped(str(wrong)), icon=":material/error:")
        return
    for each in found:
        name = _NAMES[each.channel]
        if each.honoured:
            tiles = " × ".join(map(count, each.tiles))
            cores = f", {count(each.cores)} cores" if each.cores else ""
            st.success(
                f"Honoured through {name}: the same code, tiles {tiles}{cores}.",
                icon=":material/check:",
            )
        else:
            st.warning(
                header.escaped(f"Not honoured through {name}: {each.why_not}"),
                icon=":material/block:",
            )
