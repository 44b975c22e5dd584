"""The figures of a trace's passes as columns, as charts over the sequence, and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import plotly.graph_objects as go

from core.analysis.studied import Figures, PassStudy, Report, Study
from core.trace import Pass, Trace
from core.views import palette
from core.views.marks import pass_title, result_name
from core.views.wording import bytes_text, count

_ROW, _GAP, _FOOT = 46, 20, 34  #: pixels
_MEMORIES = ("UB", "L1", "L0A", "L0B", "L0C", "REG")
_KINDS = ("transfer", "vector", "cube", "scalar", "control")
_CHECKS: Mapping[str, str] = {
    "undefined": "used without a definition",
    "bounds": "indexed beyond its end",
    "unwritten": "read before it is written",
    "alignment": "off the memory's alignment",
    "overlap": "shares addresses with a buffer in use",
    "scalar": "written one element at a time",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of every pass; the emitted code is the last where there is one."""

    key: str  #: "lines", "bytes UB", "kind vector"
    title: str  #: "Lines", "UB", "Vector instructions"
    values: tuple[int | None, ...]  #: None where a pass left no text, or its text does not tell
    #: against the pass before in its stage, sub-kernel and attempt; None for the first of these
    changes: tuple[int | None, ...]
    memory: str = ""  #: the values are bytes in this one

    def text(self, index: int) -> str:
        """A value as a page writes it; "" where there is none."""
        value = self.values[index]
        if value is None:
            return ""
        return bytes_text(value) if self.memory and self.key.startswith("bytes") else count(value)

    def change_text(self, index: int) -> str:
        """ "+3", "−65,536"; "" where nothing changed or nothing came before."""
        change = self.changes[index]
        return f"{change:+,}".replace("-", "−") if change else ""


def series(trace: Trace, study: Study) -> tuple[Column, ...]:
    """The figures that say something: those that differ between passes."""
    found = (_column(key, title, memory, of, trace, study) for key, title, memory, of in _all())
    return tuple(column for column in found if len(set(column.values) - {None}) > 1)


def _all() -> Iterator[tuple[str, str, str, Callable[[Figures], int | None]]]:
    yield "lines", "Lines", "", lambda f: f.lines
    yield "statements", "Statements", "", lambda f: f.statements
    yield "loops", "Loops", "", lambda f: f.loops
    yield "depth", "Depth of loops", "", lambda f: f.depth
    for name in (*_MEMORIES, ""):
        title = name or "No memory yet"
        yield f"bytes {name}".strip(), title, name or "-", _bytes(name)
        yield f"buffers {name}".strip(), f"{title}: buffers", name or "-", _buffers(name)
    yield "conditionals", "Conditionals", "", lambda f: f.conditionals
    yield "casts", "Casts", "", lambda f: f.casts
    yield "syncs", "Syncs", "", lambda f: f.syncs
    for kind in _KINDS:
        title = f"{kind[0].upper()}{kind[1:]} instructions"
        yield f"kind {kind}", title, "", _instructions(kind)


def _bytes(memory: str) -> Callable[[Figures], int | None]:
    def of(figures: Figures) -> int | None:
        held = figures.allocations.get(memory)
        return held.bytes if held else 0

    return of


def _buffers(memory: str) -> Callable[[Figures], int | None]:
    def of(figures: Figures) -> int | None:
        held = figures.allocations.get(memory)
        return held.buffers if held else 0

    return of


def _instructions(kind: str) -> Callable[[Figures], int | None]:
    return lambda figures: figures.instructions.get(kind, 0)


def _column(
    key: str,
    title: str,
    memory: str,
    of: Callable[[Figures], int | None],
    trace: Trace,
    study: Study,
) -> Column:
    values: list[int | None] = []
    changes: list[int | None] = []
    before: dict[tuple[str, str, int], int] = {}
    for step, known in zip(trace.passes, study.passes, strict=True):
        value = of(known.figures) if known.figures else None
        run = (step.stage, step.unit, step.attempt)
        changes.append(value - before[run] if value is not None and run in before else None)
        values.append(value)
        if value is not None:
            before[run] = value
    if study.code is not None:
        values.append(of(study.code.figures) if study.code.figures else None)
        changes.append(None)
    return Column(key, title, tuple(values), tuple(changes), memory)


def sorted_passes(study: Study, trace: Trace, key: str, *, change: bool = False) -> tuple[int, ...]:
    """Indices of the passes, largest figure first; by the size of its `change` where asked.

    Passes that do not have the figure come last, in order. An unknown key sorts nothing.
    """
    chosen = next((c for c in series(trace, study) if c.key == key), None)
    indices = range(len(trace.passes))
    if chosen is None:
        return tuple(indices)
    ranked = chosen.changes if change else chosen.values

    def rank(index: int) -> tuple[bool, int]:
        value = ranked[index]
        return value is None, -abs(value or 0)

    return tuple(sorted(indices, key=rank))


# --- words ----------------------------------------------------------------------------------------


def sentence(study: PassStudy) -> str:
    """What a pass did, in one line; "" where it did nothing that is known."""
    return "; ".join(study.did)


def report_title(report: Report, trace: Trace) -> str:
    """A report in one line: what is wrong with what, and which pass brought it in."""
    finding = report.finding
    parts = [f"{finding.subject} {_CHECKS[finding.check]}, since {place(trace, report.index)}"]
    newest = len(trace.passes) - (0 if trace.code else 1)
    if report.last < newest:
        parts.append(f"last seen in {place(trace, report.last)}")
    return "; ".join(parts)


def abandoned(trace: Trace, report: Report) -> bool:
    """Whether it was last seen in an attempt that failed and that the compiler did over."""
    if report.last >= len(trace.passes):
        return False
    attempt = trace.passes[report.last].attempt
    failed = any(p.attempt == attempt and p.status != "ok" for p in trace.passes)
    return failed and any(p.attempt > attempt for p in trace.passes)


def place(trace: Trace, index: int) -> str:
    """A pass as reports name it: 99_InjectMultiCore; the emitted code behind the last pass."""
    if index >= len(trace.passes):
        return f"the {result_name(trace)}"
    step = trace.passes[index]
    also = [step.unit] if step.unit else []
    if step.attempt > 1:
        also.append(f"attempt {step.attempt}")
    return f"{pass_title(step)} ({', '.join(also)})" if also else pass_title(step)


# --- charts ---------------------------------------------------------------------------------------


def figure(columns: Sequence[Column], trace: Trace, current: int) -> go.Figure:
    """One small chart a column over the sequence of passes, below one another.

    `x` of a point is the index of its pass. Passes that changed nothing have no point of their own:
    their figures are those of the line.
    """
    wanted = _shown(columns, trace)
    titles = {index: _hover_title(trace, index) for index in wanted}
    rows = len(columns)
    height = max(rows, 1) * (_ROW + _GAP) + _FOOT
    data: list[dict[str, object]] = []
    layout: dict[str, object] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": _GAP, "b": 8},
        "showlegend": False,
        "hovermode": "closest",
        "hoverdistance": 40,
        "dragmode": False,
        "shapes": [*_stages(trace), _line(current)],
        "xaxis": {
            "range": [-0.5, max((len(c.values) for c in columns), default=1) - 0.5],
            "anchor": "free",
            "position": 0,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "nticks": 6,
            "title": {"text": "pass", "standoff": 4},
        },
    }
    share = 1 / max(rows, 1)
    notes: list[dict[str, object]] = []
    for row, column in enumerate(columns):
        axis = "" if row == 0 else str(row + 1)
        top = 1 - row * share
        bottom = top - share * _ROW / (_ROW + _GAP)
        layout[f"yaxis{axis}"] = {
            "domain": [max(bottom, 0.0), top],
            "rangemode": "tozero",
            "showgrid": False,
            "zeroline": True,
            "zerolinecolor": palette.FAINT,
            "fixedrange": True,
            "nticks": 3,
            "tickfont": {"size": 10},
            "tickformat": "~s",
            "automargin": True,
        }
        notes.append(_note(column, top, current))
        data.append(_trace(column, wanted, titles, f"y{axis}"))
    layout["annotations"] = notes
    return go.Figure(data=data, layout=layout)


def _shown(columns: Sequence[Column], trace: Trace) -> list[int]:
    """Passes that changed something or failed, and those at which a stage begins; the code."""
    shown = {step.index for step in trace.changed}
    for _, run in groupby(trace.passes, key=lambda s: (s.stage, s.unit, s.attempt)):
        steps = list(run)
        shown |= {steps[0].index, steps[-1].index}
    longest = max((len(column.values) for column in columns), default=0)
    shown |= set(range(len(trace.passes), longest))
    return sorted(shown)


def _trace(
    column: Column, wanted: Sequence[int], titles: Mapping[int, str], axis: str
) -> dict[str, object]:
    colour = palette.memory_colour(column.memory) if column.memory else palette.STATUS["running"]
    moved = [bool(column.changes[index]) for index in wanted]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": list(wanted),
        "y": [column.values[index] for index in wanted],
        "yaxis": axis,
        "line": {"shape": "hv", "width": 1.5, "color": colour},
        "marker": {"size": [6 if m else 3 for m in moved], "color": colour},
        "text": [titles[index] for index in wanted],
        "customdata": [_hover_value(column, index) for index in wanted],
        "hovertemplate": "<b>%{text}</b><br>%{customdata}<extra></extra>",
        "connectgaps": False,
    }


def _hover_title(trace: Trace, index: int) -> str:
    return place(trace, index)


def _hover_value(column: Column, index: int) -> str:
    change = column.change_text(index)
    return f"{column.text(index)} ({change})" if change else column.text(index)


def _note(column: Column, top: float, current: int) -> dict[str, object]:
    now = _hover_value(column, current) if current < len(column.values) else ""
    unit = " bytes" if column.memory and column.key.startswith("bytes") else ""
    return {
        "text": f"{column.title}{unit}  <b>{now}</b>" if now else f"{column.title}{unit}",
        "x": 0,
        "y": top,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 11},
    }


def _line(index: int) -> dict[str, object]:
    return {
        "type": "line",
        "x0": index,
        "x1": index,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": palette.CHANGE["changed"], "width": 1.5},
    }


def _stages(trace: Trace) -> Iterable[dict[str, object]]:
    """A faint line where a stage begins, sub-kernels and functions of one stage being one."""
    seen: Pass | None = None
    for step in trace.passes:
        if seen is not None and (step.stage, step.attempt) != (seen.stage, seen.attempt):
            yield {
                **_line(step.index),
                "x0": step.index - 0.5,
                "x1": step.index - 0.5,
                "line": {"color": palette.FAINT, "width": 1},
                "layer": "below",
            }
        seen = step
