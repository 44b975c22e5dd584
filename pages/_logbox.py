"""A log that somebody pasted or uploaded: the failures in it, explained, with their lines."""

from __future__ import annotations

import gzip
import html
import io
import zlib
from collections.abc import Sequence

import streamlit as st

from core.analysis.explained_log import Explained
from core.components import IrEvent, LineClick, LineMark, Selection, Text, ir_view
from core.readers import ReadError
from core.readers.logs import ReadLog
from core.views.explained_log import lines_text, log_sentences, log_summary
from pages import _address as address
from pages import _failures as failures
from pages import _header as header
from pages import _logged_kernel as logged_kernel
from pages import _rooms as rooms
from pages._said import grid

_SCOPE = "why"
_TEXT, _FILE, _WRONG = "why:log:text", "why:log:file", "why:log:wrong"
_BOX_HOLDS = 200_000  #: characters that a text box takes without making the browser slow
_LARGEST = 64 << 20  #: bytes of a log, unpacked
_WHOLE = 8 << 20  #: characters of a log that is shown whole
_SHOWN = 40  #: failures of one log


def there() -> bool:
    """Whether a log is looked at."""
    return failures.kept_log(address.text("log", _SCOPE)) is not None


def show() -> None:
    """The box for a log, or the failures of the one that is there."""
    digest = address.text("log", _SCOPE)
    text = failures.kept_log(digest) if digest else None
    address.mirror(_SCOPE, {"log": digest or None})
    if text is None:
        if digest:
            st.info(
                "This log is no longer at hand, since the server has started anew or many others "
                "were pasted after it: paste it again.",
                icon=":material/history:",
            )
        _box()
        return
    try:
        read, found = failures.explained_log(digest, text)
    except ReadError as wrong:
        st.error(header.escaped(str(wrong)), icon=":material/error:")
        _box()
        return
    _found(digest, text, read, found)


# The box


def _box() -> None:
    left, right = st.columns([6.5, 3.5], gap="medium")
    with left:
        st.text_area(
            "Log",
            key=_TEXT,
            height=300,
            label_visibility="collapsed",
            placeholder="Paste what was printed: the log of a compiler or of a whole run of a "
            "network, the traceback of a kernel. All of it, rather than one line.",
            on_change=_pasted,
        )
        st.button("Explain", type="primary", icon=":material/troubleshoot:", key="why:log:go")
    with right:
        st.file_uploader(
            "or a file, gzipped or not",
            key=_FILE,
            on_change=_uploaded,
            max_upload_size=_LARGEST >> 20,
        )
        wrong = st.session_state.pop(_WRONG, "")
        if wrong:
            st.error(header.escaped(wrong), icon=":material/error:")
        st.caption(
            "Each failure in it is found, named and explained, with the pass where the log or the "
            "message gives it away, and marked in the text. The log stays on this server, which "
            "forgets it when it ends."
        )


def _pasted() -> None:
    text = str(st.session_state.get(_TEXT) or "")
    if text.strip():
        address.set_text("log", _SCOPE, failures.keep_log(text))


def _uploaded() -> None:
    file = st.session_state.get(_FILE)
    if file is None:
        return
    try:
        text = unpacked(file.getvalue())
    except ReadError as wrong:
        st.session_state[_WRONG] = str(wrong)
        return
    address.set_text("log", _SCOPE, failures.keep_log(text))


def unpacked(data: bytes) -> str:
    """The text of a log, gzipped or not. Raises ReadError for what is none."""
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(io.BytesIO(data)) as packed:
                data = packed.read(_LARGEST + 1)
        except (OSError, EOFError, zlib.error):
            raise ReadError("This file is gzip by its start, but it cannot be unpacked.") from None
    if len(data) > _LARGEST:
        raise ReadError(f"This log is longer than {_LARGEST >> 20} MiB: cut out the failing part.")
    if b"\0" in data[:4096]:
        raise ReadError("This file is no text: give the log itself, or its gzip.")
    return data.decode("utf-8", "replace")


def _again(text: str) -> None:
    """Back to the box, with what was pasted still in it."""
    st.session_state[_TEXT] = text if len(text) <= _BOX_HOLDS else ""
    address.set_text("log", _SCOPE, "")


# What was found


def _found(digest: str, text: str, read: ReadLog, found: Sequence[Explained]) -> None:
    scope = f"{_SCOPE}:{digest}"
    with st.container(horizontal=True, vertical_alignment="center", key="why:log:bar"):
        st.button(
            "Another log",
            icon=":material/edit_note:",
            key="why:log:other",
            on_click=_again,
            args=(text,),
            help="Back to the box; what was pasted is still in it.",
        )
        said = html.escape(log_summary(read, len(found)))
        st.html(f'<span class="ts-small">{said}</span>', width="content")
    logged_kernel.follow()
    line, last = address.lines(scope)
    if not line and found:
        line, last = found[0][0].first, found[0][0].last
    left, right = st.columns([5, 5], gap="medium")
    with left:
        for note in read.notes:
            st.info(header.escaped(note), icon=":material/info:")
        if not found:
            _nothing(read)
        for number, each in enumerate(found[:_SHOWN]):
            _failure(scope, number, each, alone=len(found) == 1)
        if len(found) > _SHOWN:
            st.caption(f"and {len(found) - _SHOWN} more, marked in the log")
        if not any(logged_kernel.described(each)[0] for each, _ in found):
            logged_kernel.choose()
    with right:
        _whole(scope, text, found, line, last)
    address.mirror(scope, {"line": address.text("line", scope) or None})


def _nothing(read: ReadLog) -> None:
    if read.recompiled:
        many = sum(each.count for each in read.recompiled)
        st.info(
            f"No failure is in this log. MindSpore compiled {len(read.recompiled)} graphs anew, "
            f"{many} times in all, for other shapes or values: the Sweep page proposes buckets.",
            icon=":material/replay:",
        )
        st.page_link("sweep.py", label="Buckets, on Sweep", icon=":material/apps:")
        return
    st.info(
        "No failure is in this log, as far as it is understood here. A compile that ends in "
        "silence, by a signal, leaves its pass only in a dump: compile the kernel here.",
        icon=":material/search_off:",
    )


def _failure(scope: str, number: int, each: Explained, *, alone: bool) -> None:
    failure, explained = each
    title = header.escaped(explained.title)
    where = lines_text(failure)
    with st.expander(
        f"**{title}** · {where}", expanded=alone or number == 0, icon=":material/error:"
    ):
        st.html(f'<div class="ts-cause">{html.escape(explained.cause)}</div>')
        st.html(grid(log_sentences(failure, explained)))
        with st.container(horizontal=True, gap="small"):
            st.button(
                f"Show {where}",
                icon=":material/arrow_forward:",
                key=f"why:log:line:{number}",
                on_click=address.set_lines,
                args=(scope, failure.first, failure.last),
            )
            if failure.description or failure.kernel:
                logged_kernel.compile_it(number, failure)


def _whole(scope: str, text: str, found: Sequence[Explained], line: int, last: int) -> None:
    """The log with its failures marked; of a very long one, what is around the chosen lines."""
    start = 0
    if len(text) > _WHOLE:
        lines = text.split("\n")
        start = max(line - 400, 0)
        text = "\n".join(lines[start : start + 4000])
        st.caption(
            f"Of {len(lines):,} lines these begin at line {start + 1:,}, which counts as line 1."
        )
    marks = [
        LineMark(failure.first - start, "wrong", explained.title)
        for failure, explained in found[:_SHOWN]
        if failure.first > start
    ]

    def on_event(event: IrEvent) -> None:
        if isinstance(event, LineClick):
            address.set_lines(scope, event.line + start, event.last and event.last + start)

    ir_view(
        Text(rooms.offer_page(rooms.as_page(text)), "The log", "text"),
        key="why:log:view",
        selection=Selection(line - start, last=max(last - start, 1)) if line > start else None,
        marks=marks,
        wrap=True,
        height="fill",
        on_event=on_event,
    )
