"""The figures of a trace's passes as columns, and its study in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.analysis.studied import Figures, PassStudy, Report, Study
from core.trace import Trace
from core.views.marks import pass_title, result_name
from core.views.wording import bytes_text, count

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
