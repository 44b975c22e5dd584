"""A failure to take along: one zip with a script that compiles it again, and what is in it."""

from __future__ import annotations

import streamlit as st

from core.bundle.write import may_be_run
from core.jobs.work import InquiryRow
from core.kernel import Kernel
from core.trace import Trace


def popover(id: str, trace: Trace, kernel: Kernel | None, shrunk: InquiryRow | None) -> None:
    """What the zip holds, the link to it, the command that writes the same."""
    with st.popover("Reproducer", icon=":material/bug_report:", key=f"why:bundle:{id}"):
        st.markdown("**One zip, ready to attach to a report**")
        st.markdown("\n".join(f"- {line}" for line in contents(trace, kernel, shrunk)))
        st.link_button(
            "Download",
            f"bundle/{id}.zip",
            icon=":material/download:",
            type="primary",
            help="Opens in any Tilescope as well: import it in the Library.",
        )
        st.caption("The same from a shell:")
        st.code(f".venv/bin/python -m core bundle {id} -o {trace.kernel}.zip", language=None)


def contents(trace: Trace, kernel: Kernel | None, shrunk: InquiryRow | None) -> list[str]:
    """What is in the zip of this trace, one line each."""
    lines = []
    if kernel is not None:
        small = shrunk is not None and shrunk.result is not None and shrunk.result.reproduced
        lines.append(
            "the kernel as given"
            + (" and made small" if small else "")
            + ", its hints, the command"
        )
    if may_be_run(trace, kernel):
        lines.append("a script that fetches the public packages and compiles it again")
    lines += [
        "the last good IR and what the failing pass was given, the log",
        "the failure in words, the versions of compiler and host",
        "no names of people, machines or folders",
    ]
    return lines
