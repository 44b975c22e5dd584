"""Why an axis has the tile that it has: what limits it, who chose, and where each of that is said.

Facts come from AKG's search log (poly/tiling.log), the tiles in use from poly/scop.log, what AKG
ships from its repository; of a kernel with parameters, from its declaration and its memory plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.analysis.predict.prior import identities
from core.analysis.sweep import Outcome, values_text
from core.analysis.tiling import axis_label
from core.compilers.akg.repository import Entry
from core.kernel import Kernel
from core.readers.akg_search import Search, Try, read_search
from core.trace import Axis, Constraints, Texts, Trace

__all__ = [
    "AxisReasons", "Reason", "Search", "Sides", "Try", "axis_reasons", "constraint_reason",
    "parameter_reasons", "repository_reason", "searches", "share_reason", "sides",
]  # fmt: skip

_LOG = "poly/tiling.log"
_CODE = "poly/scop.log"
_STEP_BYTES = 256  # that one step of the vector unit takes in
_MARK = re.compile(r"([A-Z]\w*)(?::(.*))?")
_CUBE_PLACES: Mapping[str, str] = {
    "bi": "the batch of the matrix product",
    "no": "the columns of the result in blocks of 16",
    "mo": "the rows of the result in blocks of 16",
    "ko": "the summed axis of the matrix product in blocks of 16",
    "ni": "the columns within a block of 16",
    "mi": "the rows within a block of 16",
    "ki": "the summed axis within a block of 16",
}
_ORIGINS: Mapping[str, str] = {
    "hint": "It was asked for in a hint.",
    "kernel": "The kernel asks for it itself (func_compile_attrs).",
    "repository": "AKG's tiling repository holds it for this kernel.",
    "symbolic": "AKG's symbolic tiler chose it, after the classic search whose log there is.",
    "search": "AKG's classic search chose it.",
    "whole": "Nobody cut this axis: it is whole.",
    "unknown": "The dump does not tell who chose it.",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact about an axis, in plain words."""

    about: str  #: tile, range, alignment, priority, remainders, cores, mark, choice
    sentence: str
    source: str  #: where it is said


@dataclass(frozen=True, slots=True)
class AxisReasons:
    """Everything that is known of one axis or parameter."""

    key: str  #: as hints name it: "0.1" a tile, else the name of a parameter
    label: str
    reasons: tuple[Reason, ...]
    unit: str = ""  #: the sub-kernel


@dataclass(frozen=True, slots=True)
class Sides:
    """What each of AKG's two tilers says of one axis, and what the code uses."""

    key: str
    label: str
    extent: int | None
    searched: int | None  #: the classic search; None where the log has no tile of the axis
    symbolic: int | None  #: the symbolic tiler; None where it did not decide
    used: int
    used_l0: int | None  #: of a cube kernel
    agree: bool | None  #: whether both say the same; None where one says nothing
    unit: str = ""


def axis_reasons(trace: Trace) -> tuple[AxisReasons, ...]:
    """What limits each axis that AKG tiled, and who chose."""
    bands = len({axis.band for axis in trace.tiling.axes})
    order = _order(trace.tiling.axes)
    return tuple(
        AxisReasons(
            f"{axis.band}.{axis.axis}",
            axis_label(axis, bands),
            tuple(_of_axis(axis, order.get((axis.unit, axis.band, axis.axis)))),
            axis.unit,
        )
        for axis in trace.tiling.axes
    )


def sides(trace: Trace) -> tuple[Sides, ...]:
    """Both tilers side by side, an axis each."""
    bands = len({axis.band for axis in trace.tiling.axes})
    found = []
    for axis in trace.tiling.axes:
        chose = axis.origin in ("symbolic", "whole") and _symbolic(trace, axis.unit)
        symbolic = axis.tile if chose else None
        agree = None
        if symbolic is not None and axis.searched is not None:
            agree = symbolic == axis.searched
        found.append(
            Sides(
                f"{axis.band}.{axis.axis}",
                axis_label(axis, bands),
                axis.extent,
                axis.searched,
                symbolic,
                axis.tile,
                axis.tile_l0 if axis.tile_l0 != axis.tile else None,
                agree,
                axis.unit,
            )
        )
    return tuple(found)


def searches(trace: Trace, texts: Texts) -> tuple[Search, ...]:
    """What the classic search tried, for a chart; () where it left no log."""
    log = next((log for log in trace.logs if log.name.rpartition("/")[2] == "tiling.log"), None)
    if log is None:
        return ()
    try:
        return read_search(texts.get(log.text))
    except KeyError:
        return ()


def share_reason(share: float) -> Reason:
    """What part of a memory automatic tiling aims at."""
    return Reason(
        "choice",
        f"Automatic tiling aims at {share:.0%} of a memory".replace("%", " %")
        + ", so that two tiles fit for double buffering; custom_tiling's SET_MEM_RATIO changes it "
        "where the classic search decides (SYMBOLIC_TILING off).",
        "ALLOCATION_PERCENTAGE in AKG's src/poly/tiling/tiling_analyzer.h",
    )


def repository_reason(entry: Entry | None) -> Reason:
    """Whether AKG ships a tiling for this kernel; None for `entry`: it cannot be looked up."""
    source = "config/repository.json of AKG's package"
    if entry is None:
        sentence = "None: only kernels described in JSON are looked up there."
    elif entry.dim:
        told = "".join(f", with {name} = {value}" for name, value in entry.attributes.items())
        sentence = f"AKG ships the tiles {entry.dim!r} for these shapes{told}."
    elif entry.attributes:
        told = ", ".join(f"{name} = {value}" for name, value in entry.attributes.items())
        sentence = f"AKG ships attributes for what this kernel computes, for every shape: {told}."
    elif entry.others:
        some = "one other shape" if entry.others == 1 else f"{entry.others} other shapes"
        sentence = f"None for these shapes; AKG ships tiles for {some} of the same computation."
    else:
        sentence = f"None: AKG ships nothing for {entry.computes}."
    return Reason("repository", sentence, source)


def constraint_reason(trace: Trace) -> Reason:
    """How a user may put constraints of his own on the search, and whether they would be read."""
    asked = trace.hints.asked.get("custom_tiling")
    reason = trace.hints.ignored.get("custom_tiling", "")
    if asked and reason:
        sentence = f"Asked for, and ignored: {asked}. {reason}"
    elif asked:
        sentence = f"Asked for, and read by the classic search: {asked}."
    else:
        sentence = (
            "None are asked for. Constraints on the search (custom_tiling: MIN, MAX, CANDIDATE, "
            "FACTOR, SET_PRIORITY on an axis, SET_MEM_RATIO) are read with SYMBOLIC_TILING off, "
            "and not where tiles are given."
        )
    return Reason("constraints", sentence, "the hint custom_tiling")


def parameter_reasons(
    trace: Trace, kernel: Kernel, outcomes: Iterable[Outcome] = ()
) -> tuple[AxisReasons, ...]:
    """What is declared of each parameter of a kernel, and which buffers grow with it."""
    if not kernel.parameters:
        return ()
    grown = _grown(trace, kernel, list(outcomes))
    note = trace.tiling.note
    found = []
    for parameter in kernel.parameters:
        used = trace.hints.asked.get(parameter.name, parameter.default)
        reasons = [
            Reason("tile", f"It is {used} in this compile.", "the hints of the compile"),
            Reason(
                "range",
                f"The kernel declares {values_text(parameter.values)}; any other value can be "
                "asked for too."
                if parameter.values
                else "The kernel declares no values to try.",
                "the kernel's own text",
            ),
        ]
        reasons += _memory_reasons(grown.get(parameter.name))
        found.append(AxisReasons(parameter.name, parameter.name, tuple(reasons)))
    if note:
        found.append(AxisReasons("", "tiling", (Reason("choice", note, "hfusion-auto-schedule"),)))
    return tuple(found)


# --- an axis --------------------------------------------------------------------------------------


def _symbolic(trace: Trace, unit: str) -> bool:
    return any(axis.origin == "symbolic" for axis in trace.tiling.axes if axis.unit == unit)


def _order(axes: Sequence[Axis]) -> dict[tuple[str, int, int], tuple[int, int]]:
    """Which axis of its band the classic search takes up when: place from 1, and of how many."""
    found: dict[tuple[str, int, int], tuple[int, int]] = {}
    for unit, band in {(axis.unit, axis.band) for axis in axes}:
        same = [a for a in axes if (a.unit, a.band) == (unit, band) and a.constraints]
        ordered = sorted(same, key=lambda a: -(a.constraints.priority if a.constraints else 0))
        for place, axis in enumerate(ordered, 1):
            found[unit, band, axis.axis] = (place, len(ordered))
    return found


def _of_axis(axis: Axis, place: tuple[int, int] | None) -> Iterable[Reason]:
    yield Reason("tile", _tile(axis), _CODE)
    yield Reason("choice", _ORIGINS.get(axis.origin, _ORIGINS["unknown"]), _CODE)
    allowed = axis.constraints
    if allowed is None:
        why = (
            "The tiles were given, and AKG then writes no search log."
            if axis.origin in ("hint", "kernel", "repository")
            else "The search log says nothing of it."
        )
        yield Reason("range", why, _LOG)
        return
    yield Reason("range", _range(axis, allowed), f"L1 Tile in {_LOG}")
    yield Reason("alignment", _alignment(allowed), f"Align to in {_LOG}")
    if place:
        yield Reason("priority", _priority(allowed, place), f"Priority in {_LOG}")
    yield Reason("remainders", _remainders(axis, allowed), f"Forbid isolate in {_LOG}")
    yield Reason(
        "cores",
        "It may be spread over cores." if allowed.multicore else "It may not be spread over cores.",
        f"Multi-core support in {_LOG}",
    )
    for mark in _marks(allowed.attributes):
        yield Reason("mark", mark, f"Attrs in {_LOG}")


def _tile(axis: Axis) -> str:
    loops = "" if not axis.loops else f" (loops {', '.join(axis.loops)})"
    if axis.extent is None:
        return f"The code uses a tile of {axis.tile:,}{loops}."
    if axis.tile >= axis.extent:
        return f"The code keeps the axis whole: {axis.extent:,} iterations{loops}."
    pieces, left = divmod(axis.extent, axis.tile)
    rest = f" and one of {left:,}" if left else ""
    inner = f", in L0 tiles of {axis.tile_l0:,}" if axis.tile_l0 != axis.tile else ""
    return (
        f"The code cuts {axis.extent:,} iterations into {pieces:,} tiles of {axis.tile:,}{rest}"
        f"{inner}{loops}."
    )


def _range(axis: Axis, allowed: Constraints) -> str:
    if allowed.minimum == allowed.maximum:
        return f"The search allows {allowed.minimum:,} alone."
    above = ""
    if axis.extent is not None and allowed.maximum > axis.extent:
        above = f", a little more than its {axis.extent:,} iterations, rounded up for alignment"
    return f"The search allows {allowed.minimum:,} to {allowed.maximum:,}{above}."


def _alignment(allowed: Constraints) -> str:
    multiple = allowed.multiple_of
    if multiple == 1:
        return "Any number is aligned."
    marks = {found[1] for mark in allowed.attributes if (found := _MARK.fullmatch(mark))}
    if "GEMM" in marks:
        return f"A multiple of {multiple:,}: the cube multiplies blocks of 16 x 16."
    if "VECTORIZED" in marks and _STEP_BYTES % multiple == 0:
        size = _STEP_BYTES // multiple
        kind = {1: "int8", 2: "float16", 4: "float32"}.get(size, f"numbers of {size} bytes")
        return (
            f"A multiple of {multiple:,}: the loop is vectorised, and one step of the vector unit "
            f"takes {multiple:,} numbers of {kind} ({_STEP_BYTES} B)."
        )
    return f"A multiple of {multiple:,}, for rows that begin at a block of memory."


def _priority(allowed: Constraints, place: tuple[int, int]) -> str:
    at, of = place
    if of == 1:
        return "It is the only axis of its band, so the search is about it."
    where = "first" if at == 1 else "last" if at == of else f"as number {at} of {of}"
    return (
        f"The search takes it up {where} (priority {allowed.priority}): axes that do not fit at "
        "their smallest tile keep that, the first that fits is searched, the rest stay as large as "
        "they may be."
    )


def _remainders(axis: Axis, allowed: Constraints) -> str:
    if not allowed.forbid_isolate:
        return "A smaller tile may be left at the end."
    extent = "" if axis.extent is None else f" {axis.extent:,}"
    return f"The tile must divide the extent{extent}: no smaller tile may be left at the end."


def _marks(attributes: Iterable[str]) -> Iterable[str]:
    """The compiler's own marks in words, one sentence a kind."""
    tensors: dict[str, list[str]] = {}
    for mark in attributes:
        found = _MARK.fullmatch(mark)
        if found:
            tensors.setdefault(found[1], []).append(found[2] or "")
    for kind, named in tensors.items():
        sentence = _mark(kind, named)
        if sentence:
            yield sentence


def _mark(kind: str, named: Sequence[str]) -> str:
    tensors = _listed([name.rpartition(":")[2] for name in named])
    match kind:
        case "REDUCE_AXIS":
            return f"{tensors} is reduced along it (REDUCE_AXIS)."
        case "REDUCE_SRC_LAST":
            return f"It is the innermost axis of what is reduced, {tensors} (REDUCE_SRC_LAST)."
        case "REDUCE_DST_LAST":
            return f"It is the innermost axis of a reduction's result, {tensors} (REDUCE_DST_LAST)."
        case "VECTORIZED":
            return f"The loop over it becomes vector instructions for {tensors} (VECTORIZED)."
        case "ALIGN":
            return f"Rows along it must begin at blocks of memory, for {tensors} (ALIGN)."
        case "CAST":
            casts = _listed([_cast(name) for name in named])
            return f"Types are converted within its tiles: {casts} (CAST)."
        case "GEMM":
            places = _listed([_CUBE_PLACES.get(name, name) for name in named])
            return f"It is {places} (GEMM:{', '.join(named)})."
        case "BROADCAST_INNERMOST_AXIS":
            return f"{tensors} is broadcast along the innermost axis (BROADCAST_INNERMOST_AXIS)."
        case "AXIS_TYPE":
            return "Something is broadcast along it (AXIS_TYPE)." if "BROADCAST" in named[0] else ""
        case "SHIFT":
            return f"Loops were fused by shifting them, {named[0]} times (SHIFT)."
    return ""


def _cast(name: str) -> str:
    """ "a:2,->b:4" as "a (2 B) to b (4 B)"."""
    source, _, made = name.partition("->")
    sides = [
        " and ".join(
            f"{tensor} ({size} B)"
            for tensor, _, size in (word.rpartition(":") for word in side.split(",") if word)
        )
        for side in (source, made)
    ]
    return " to ".join(sides)


def _listed(names: Sequence[str]) -> str:
    kept = list(dict.fromkeys(names))
    more = f" and {len(kept) - 3} more" if len(kept) > 3 else ""
    return ", ".join(kept[:3]) + more


# --- parameters -----------------------------------------------------------------------------------


def _memory_reasons(grown: Mapping[str, Sequence[str]] | None) -> Iterable[Reason]:
    """The buffers that grow, by memory; None where no two points tell."""
    source = "memory plans of compiles that differ in it alone"
    if grown is None:
        sentence = "Which buffers grow with it is known once it is compiled with another value."
        yield Reason("memory", sentence, source)
        return
    for memory, names in grown.items():
        told = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        if names:
            yield Reason("memory", f"In {memory} it changes the size of {told}.", source)
    if not any(grown.values()):
        yield Reason("memory", "No buffer changed its size with it.", source)


def _grown(
    trace: Trace, kernel: Kernel, outcomes: Sequence[Outcome]
) -> dict[str, dict[str, list[str]]]:
    """By parameter and memory: the buffers that are larger where it is, all else being equal.

    Parameters of which no two such points were measured are left out.
    """
    points = [(_values(trace, kernel, trace.hints.asked), trace)]
    points += [
        (_values(trace, kernel, o.values), o.trace)
        for o in outcomes
        if o.compiles and o.trace is not None
    ]
    found: dict[str, dict[str, list[str]]] = {}
    for one, other in combinations(points, 2):
        differ = [name for name in one[0] if one[0][name] != other[0][name]]
        if len(differ) != 1:
            continue
        grown = found.setdefault(differ[0], {})
        for plan in one[1].memory:
            beside = other[1].plan(plan.memory)
            if beside is None:
                continue
            mine, theirs = identities(plan), identities(beside)
            for identity, buffer in mine.items():
                if identity not in theirs:
                    continue
                name = buffer.source.rpartition("/")[2] or buffer.name
                names = grown.setdefault(plan.memory, [])
                if buffer.bytes != theirs[identity].bytes and name not in names:
                    names.append(name)
    return found


def _values(trace: Trace, kernel: Kernel, asked: Mapping[str, object]) -> dict[str, object]:
    return {
        p.name: asked.get(p.name, trace.hints.asked.get(p.name, p.default))
        for p in kernel.parameters
    }
