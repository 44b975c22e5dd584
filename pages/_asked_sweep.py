"""What a sweep over shapes asks for: a kernel, its shapes, sets of hints; and what that takes."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from core.analysis.matrix import Layout, LayoutError, laid_out
from core.analysis.matrix.cases import cases
from core.analysis.matrix.hint_sets import NO_HINTS, distinct, parse_hints, written_hints
from core.analysis.sweep import repeated
from core.compilers import Compiler, Limits, ToolMissing
from core.compilers.registry import compiler_for, installed_versions
from core.hints import HintError, Hints
from core.jobs.queue import QueueError
from core.kernel import Kernel, KernelError
from core.library import LibraryError
from core.request import Request
from core.shapes import Dimension, dimensions, shape_label, why_fixed
from core.trace import Trace
from core.views.wording import count, count_of, seconds_text
from pages import _header as header
from pages import _matrix as matrix
from pages import _rooms as rooms

_MOST = 20_000  #: compiles of one sweep
_SHOWN = 6  #: dimensions that have a field each
_GRID, _LIST = "Grid", "List"
_SETS = "sweep:sets"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is swept: a kernel, and the hints that it came with."""

    kernel: Kernel
    compiler: Compiler
    trace: str | None  #: id, where it is that of the open trace
    hints: Hints


@dataclass(slots=True)
class _Set:
    """A set of hints as it is being written."""

    number: int
    name: str
    written: str


def form(id: str | None, trace: Trace | None) -> Subject | None:
    """The form of a new sweep; the kernel that it is about, None where there is none."""
    of = _subject(id, trace)
    if of is None:
        return None
    left, right = st.columns([5, 5], gap="medium")
    with left:
        shapes = _shapes(of)
    with right:
        hints, problem = _hint_sets(of)
        versions = _versions(of)
    _run(of, shapes, hints, versions, problem)
    return of


# The kernel


def _subject(id: str | None, trace: Trace | None) -> Subject | None:
    own = rooms.library().kernel(id) if id is not None else None
    try:
        examples = rooms.examples()
    except KernelError as wrong:
        st.warning(header.escaped(str(wrong)))
        examples = ()
    names = [] if own is None else [f"{own.name}, of the open trace"]
    names += [f"{k.name}{f', {k.case}' if k.case else ''}" for k in examples]
    if not names:
        st.caption("There is no kernel to sweep: open a trace that came with its kernel.")
        return None
    at = st.selectbox(
        "Kernel",
        range(len(names)),
        format_func=lambda at: names[at],
        key=f"sweep:kernel:{id if own is not None else ''}",
        width=420,
    )
    if own is not None and trace is not None and at == 0:
        try:
            known = rooms.compiler(trace.compiler.name) or compiler_for(own)
        except StopIteration:
            return None
        return Subject(own, known, id, repeated(trace))
    kernel = examples[at - (own is not None)]
    return Subject(kernel, compiler_for(kernel), None, Hints())


# Shapes


def _shapes(of: Subject) -> str:
    """The shapes as text, in which `core.shapes` reads them."""
    st.markdown("##### Shapes")
    sizes = [each for each in _dimensions(of.kernel) if each.free]
    key = f"sweep:shapes:{of.kernel.digest}"
    ways = [_GRID, _LIST] if sizes else [_LIST]
    way = st.segmented_control(
        "Shapes as", ways, default=ways[0], key=f"{key}:way", required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    if way == _GRID and sizes:
        return _grid(key, sizes)
    file = st.file_uploader(
        "From a file",
        type=["csv", "json", "txt"],
        key=f"{key}:file",
        label_visibility="collapsed",
        help="CSV with a line of names and a line a shape below, or JSON: a list of shapes, or of "
        "objects with a size for each name.",
    )
    written = st.text_area(
        "Shapes",
        value=shape_label(of.kernel),
        key=f"{key}:list",
        height=150,
        label_visibility="collapsed",
        help="One a line, or CSV pasted from a table: 512x64 is the largest input, input_0=512x64 "
        "a tensor, d0=512 d1=64 sizes by name, d0=256,512 several. Sizes that follow from others "
        "need not be given.",
    )
    if file is not None:
        return file.getvalue().decode("utf-8-sig", "replace")
    if not sizes:
        st.caption(header.escaped(why_fixed(of.kernel)))
    return written or ""


def _grid(key: str, sizes: Sequence[Dimension]) -> str:
    words = []
    for start in range(0, min(len(sizes), _SHOWN), 3):
        row = sizes[start : start + 3]
        for each, column in zip(row, st.columns(3), strict=False):
            where = ", ".join(f"axis {axis} of {tensor}" for tensor, axis in each.axes[:4])
            about = " ".join([f"{where}.", *each.follows[:3], each.note]).strip()
            with column:
                value = st.text_input(
                    each.name, value=str(each.value), key=f"{key}:{each.name}", help=about
                )
            listed = ",".join((value or "").replace(",", " ").split())
            if listed and listed != str(each.value):
                words.append(f"{each.name}={listed}")
    if len(sizes) > _SHOWN:
        st.caption(f"{len(sizes) - _SHOWN} more sizes can be changed: write a list.")
    st.caption("Several values a field, as in 256, 512, 513: every combination is compiled.")
    return " ".join(words) or f"{sizes[0].name}={sizes[0].value}"


@lru_cache(maxsize=64)
def _dimensions(kernel: Kernel) -> tuple[Dimension, ...]:
    return dimensions(kernel)


# Hints


def _hint_sets(of: Subject) -> tuple[tuple[tuple[str, Hints], ...], str]:
    """The sets of hints, and what is wrong with one of them, or ""."""
    st.markdown("##### Sets of hints")
    sets = _sets(of)
    found: list[tuple[str, Hints]] = []
    problem = ""
    for each in list(sets):
        name, written, gone = st.columns([3, 6, 0.8], vertical_alignment="center")
        key = f"sweep:set:{each.number}"
        with name:
            each.name = st.text_input(
                "Name", value=each.name, key=f"{key}:name", placeholder="name",
                label_visibility="collapsed",
            ) or ""  # fmt: skip
        with written:
            each.written = st.text_input(
                "Hints", value=each.written, key=f"{key}:hints",
                placeholder="no hints; write key=value key=value", label_visibility="collapsed",
            ) or ""  # fmt: skip
        with gone:
            st.button(
                "",
                icon=":material/close:",
                key=f"{key}:remove",
                type="tertiary",
                help="Leave this set out.",
                on_click=lambda each=each: sets.remove(each) if each in sets else None,
                disabled=len(sets) == 1,
            )
        try:
            hints = parse_hints(each.written, of.compiler, of.kernel)
        except HintError as wrong:
            problem = problem or f"{each.name or 'A set'}: {wrong}"
            continue
        found.append((each.name.strip() or written_hints(hints) or NO_HINTS, hints))
    _more(of, sets)
    try:
        return tuple(distinct(found)), problem
    except HintError as wrong:
        return (), problem or str(wrong)


def _sets(of: Subject) -> list[_Set]:
    key = (of.trace, of.kernel.name, of.compiler.name)
    known: tuple[object, list[_Set]] | None = st.session_state.get(_SETS)
    if known is None or known[0] != key:
        sets = [_Set(_number(), NO_HINTS, "")]
        if of.trace is not None and of.hints.as_dict():
            sets.insert(0, _Set(_number(), "as the open trace", written_hints(of.hints)))
        known = (key, sets)
        st.session_state[_SETS] = known
    return known[1]


def _number() -> int:
    number: int = st.session_state.get("sweep:number", 0) + 1
    st.session_state["sweep:number"] = number
    return number


def _more(of: Subject, sets: list[_Set]) -> None:
    """Further sets: an empty one, or one with a hint of the catalogue that is worth trying."""
    offers = {
        f"{spec.name}={_word(value)}": spec.does
        for spec in of.compiler.catalogue
        if spec.effect == "honoured"
        for value in (spec.tries or ((not spec.default,) if spec.kind == "bool" else ()))
        if value != spec.default
    }
    key = "sweep:offer"

    def add() -> None:
        written = st.session_state[key]
        if written:
            sets.append(_Set(_number(), written, written))
        st.session_state[key] = None

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Add a set",
            icon=":material/add:",
            key="sweep:add",
            on_click=lambda: sets.append(_Set(_number(), "", "")),
        )
        st.selectbox(
            "Add a set with one hint",
            list(offers),
            index=None,
            placeholder="or one hint of the catalogue",
            key=key,
            on_change=add,
            label_visibility="collapsed",
            width=300,
        )


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _versions(of: Subject) -> tuple[str, ...]:
    """Versions of the compiler, where several are installed; ("",) is the usual one."""
    installed = installed_versions(of.compiler.name)
    if len(installed) < 2:
        return ("",)
    chosen = st.multiselect(
        "Versions",
        installed,
        default=[of.compiler.version] if of.compiler.version in installed else [installed[0]],
        key=f"sweep:versions:{of.compiler.name}",
        help="Each set of hints is compiled by each of these versions.",
        width=320,
    )
    return tuple(chosen) or ("",)


# Run


def _run(
    of: Subject,
    shapes: str,
    hints: tuple[tuple[str, Hints], ...],
    versions: tuple[str, ...],
    problem: str,
) -> None:
    reason = rooms.why_no_compile(of.kernel, of.compiler.name)
    layout: Layout | None = None
    requests: tuple[Request, ...] = ()
    if not problem:
        try:
            layout, requests = _asked(of.kernel, shapes, _frozen(hints), versions, of.compiler.name)
        except (KernelError, LayoutError, ToolMissing) as wrong:
            problem = str(wrong)
    if len(requests) > _MOST:
        problem = f"These are {count(len(requests))} compiles; ask for {count(_MOST)} at most."
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep:run"):
        new = len(requests) - len(_measured(requests)) if not problem else 0
        label = f"Run {count(new)}" if new else "Show" if requests and not problem else "Run"
        if st.button(
            label,
            type="primary",
            icon=":material/play_arrow:",
            disabled=reason is not None or bool(problem),
            key="sweep:start",
            help=reason or "Compiles each case with each set of hints; known ones are not again.",
        ):
            assert layout is not None
            _submit(of, layout, requests)
        if reason or problem:
            said = reason or problem
            st.html(f'<span class="ts-small ts-why">{html.escape(said)}</span>')
        elif layout is not None:
            st.html(
                f'<span class="ts-small">{html.escape(_takes(of, layout, requests, new))}</span>'
            )


def _frozen(
    hints: tuple[tuple[str, Hints], ...],
) -> tuple[tuple[str, str], ...]:
    """Hints by name, written out, so that they can be kept by what they are."""
    return tuple((name, written_hints(each)) for name, each in hints)


@lru_cache(maxsize=16)
def _asked(
    kernel: Kernel,
    shapes: str,
    hints: tuple[tuple[str, str], ...],
    versions: tuple[str, ...],
    name: str,
) -> tuple[Layout, tuple[Request, ...]]:
    known = rooms.compiler(name)
    assert known is not None
    read = [(called, parse_hints(written, known, kernel)) for called, written in hints]
    return laid_out(cases([shapes], kernel), read, versions, name, kernel.name)


def _measured(requests: Sequence[Request]) -> frozenset[str]:
    try:
        return rooms.queue().measured(requests)
    except QueueError:
        return frozenset()


def _takes(of: Subject, layout: Layout, requests: Sequence[Request], new: int) -> str:
    """How many compiles a sweep is, how many of them are known, and how long the others take."""
    said = (
        f"{count_of(len(layout.cases), 'shape')} × {count_of(len(layout.columns), 'hint set')} = "
        f"{count_of(len(requests), 'compile')}"
    )
    if new < len(requests):
        said += f", {count(len(requests) - new)} known already"
    pace = rooms.queue().pace(of.compiler.name, of.kernel.name)
    if new and pace is not None:
        slots = len(os.sched_getaffinity(0))
        said += f"; about {seconds_text(max(new * pace / slots, 1.0))}"
    return said


def _submit(of: Subject, layout: Layout, requests: Sequence[Request]) -> None:
    try:
        id = rooms.queue().submit_requests(
            requests, axes=layout.as_axes(), parent=of.trace, limits=Limits()
        )
    except (QueueError, LibraryError) as wrong:
        st.toast(str(wrong), icon=":material/error:")
        return
    matrix.choose(id)
    st.rerun()
