"""From a log to a compile with dumps: of the kernel that it names, or of one that is chosen."""

from __future__ import annotations

import streamlit as st

from core.capture.retarget import retargeted
from core.compilers.registry import compiler_for
from core.hints import Hints
from core.kernel import Kernel, KernelError, parse_kernel
from core.readers.logs import LoggedFailure
from core.request import Request
from core.views.wording import middle
from pages import _header as header
from pages import _opening as opening
from pages import _rooms as rooms

_HELP = "Compiles it here, all passes kept: the one after the last that left a text is the culprit."


def follow() -> None:
    """How far such a compile is; opens its trace when it is there."""
    opening.show("")


def compile_it(number: int, failure: LoggedFailure) -> None:
    """The button that compiles the kernel of a failure, where the log or the library has it."""
    kernel, changed = described(failure)
    kernel = kernel or _known(failure.kernel)
    if kernel is None:
        return
    reason = rooms.why_no_compile(kernel, compiler_for(kernel).name)
    for_ascend = " for Ascend" if changed else ""
    st.button(
        f"Compile {middle(kernel.name, 30)}{for_ascend}, with dumps",
        icon=":material/play_arrow:",
        key=f"why:log:compile:{number}",
        disabled=reason is not None,
        help=reason or " ".join((_HELP, *changed)),
        on_click=opening.compile_in_full,
        args=("", Request(kernel, Hints()), "open"),
    )


def described(failure: LoggedFailure) -> tuple[Kernel | None, tuple[str, ...]]:
    """The kernel whose description stands in the log, and what had to be changed in it: MindSpore
    describes kernels for a processor or a GPU a little otherwise."""
    if not failure.description:
        return None, ()
    name = f"{failure.kernel or 'logged'}.json"
    try:
        return parse_kernel(failure.description, name), ()
    except KernelError:
        pass
    try:
        text, changed = retargeted(failure.description)
        return parse_kernel(text, name), changed or ("It was described for another chip.",)
    except (KernelError, ValueError):
        return None, ()


def _known(name: str) -> Kernel | None:
    """A kernel of the library by its name, as its newest trace has it."""
    if not name:
        return None
    rows = rooms.library().rows(name)
    found = (rooms.library().kernel(row.id) for row in rows[:20])
    return next((kernel for kernel in found if kernel is not None), None)


def choose() -> None:
    """A kernel to compile with dumps, where the log has none: that is how the pass is found."""
    kernels = _choices()
    with st.container(border=True):
        st.markdown("**Which pass was it?** Compile the kernel here: every pass leaves its text.")
        name = st.selectbox(
            "Kernel",
            list(kernels),
            index=None,
            placeholder="Choose the kernel",
            key="why:log:kernel",
            label_visibility="collapsed",
        )
        kernel = kernels.get(name) if name else None
        reason = (
            rooms.why_no_compile(kernel, compiler_for(kernel).name)
            if kernel is not None
            else "Choose a kernel."
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if st.button(
                "Compile with dumps",
                icon=":material/play_arrow:",
                key="why:log:compile",
                disabled=reason is not None,
                help=reason or _HELP,
            ):
                assert kernel is not None
                opening.compile_in_full("", Request(kernel, Hints()), "open")
                st.rerun()
            st.page_link(
                "library.py",
                label="or give one of your own in the Library",
                icon=":material/inventory_2:",
            )


def _choices() -> dict[str, Kernel]:
    """Kernels by what they are called: the library's, newest first, then the examples."""
    found: dict[str, Kernel] = {}
    for row in rooms.library().rows()[:200]:
        label = rooms.kernel_label(row)
        if label not in found and (kernel := rooms.library().kernel(row.id)) is not None:
            found[label] = kernel
    try:
        for kernel in rooms.examples():
            found.setdefault(kernel.name + (f", {kernel.case}" if kernel.case else ""), kernel)
    except KernelError as wrong:
        st.caption(header.escaped(str(wrong)))
    return found
