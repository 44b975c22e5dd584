"""A captured network as tables: its kernels and how they compile, what is not fused, its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.lines import Became
from core.capture import Capture, CapturedKernel
from core.library import TraceRow
from core.source_lines import SourceLine
from core.trace import Status
from core.views.marks import status_mark
from core.views.wording import count, middle, percent

#: Columns of the table of kernels, with what each says.
HELP: Mapping[str, str] = {
    "kernel": "The fused kernel, by the operators in it.",
    "times": "How often the network calls it.",
    "operators": "How many operators were fused.",
    "lines": "Lines of the network's file that it stands for.",
    "status": "How the newest compile for Ascend ended.",
    "fullest": "The fullest memory of the newest compile.",
    "cores": "Cores that it is spread over.",
    "hints": "What was asked of the newest compile.",
    "why": "Why it does not compile.",
}
_NAME = 48


@dataclass(frozen=True, slots=True)
class Compiled:
    """A captured kernel with the newest trace of it, if there is one."""

    captured: CapturedKernel
    row: TraceRow | None
    waiting: bool = False  #: a compile of it is under way
    title: str = ""  #: of the signature of its failure

    @property
    def compiles(self) -> bool:
        return self.row is not None and self.row.status in ("ok", "ok_to_last_step")


def short_name(captured: CapturedKernel) -> str:
    """The operators of a kernel, without "Fused" and the hash."""
    words = captured.kernel.name.removeprefix("Fused_").rsplit("_", 1)
    return (
        words[0] if len(words) > 1 and words[1].isalnum() and len(words[1]) > 7 else "_".join(words)
    )


def kernels_table(found: Sequence[Compiled]) -> pd.DataFrame:
    """One row a kernel, in the order of the network."""
    return pd.DataFrame([_row(each) for each in found], columns=list(HELP), dtype=object)


def _row(each: Compiled) -> dict[str, object]:
    captured, row = each.captured, each.row
    full = ""
    if row is not None and row.occupancy is not None:
        full = f"{row.limiter} {percent(row.occupancy)}"
    return {
        "kernel": middle(short_name(captured), _NAME),
        "times": captured.times,
        "operators": len(captured.origins),
        "lines": ", ".join(f"{line.file}:{line.line}" for line in captured.lines),
        "status": "compiling…" if each.waiting else status_text(each),
        "fullest": full,
        "cores": row.block_dim if row is not None else None,
        "hints": row.hints if row is not None else "",
        "why": captured.problem or each.title or (row.failure or "" if row is not None else ""),
    }


def status_text(each: Compiled) -> str:
    """The word for how it stands."""
    if each.captured.problem:
        return "no compiler takes it"
    return status_mark(Status(each.row.status)).word if each.row is not None else "not compiled"


def pass_rate(found: Sequence[Compiled]) -> str:
    """ "8 of 9 kernels compile (89 %)"; "" before one is compiled."""
    tried = [each for each in found if each.row is not None or each.captured.problem]
    good = sum(each.compiles for each in found)
    if not tried:
        return ""
    left = len(found) - len(tried)
    rest = f", {left} not compiled yet" if left else ""
    return f"{good} of {len(tried)} kernels compile ({percent(good / len(tried))}){rest}"


def summary(capture: Capture) -> str:
    """What came of it, in one line."""
    times = sum(each.times for each in capture.kernels)
    calls = f", called {count(times)} times" if times > len(capture.kernels) else ""
    library = sum(each.times for each in capture.library)
    kept = f"; {count(library)} operators stay library kernels" if library else ""
    kernels = (
        "1 fused kernel"
        if len(capture.kernels) == 1
        else (f"{count(len(capture.kernels))} fused kernels")
    )
    return f"{kernels}{calls}{kept}; captured in {capture.seconds:.1f} s"


def library_rows(capture: Capture) -> list[tuple[str, ...]]:
    """Operator, times, line, what we have instead; a row each."""
    return [
        (
            each.operator,
            count(each.times),
            f"{each.line.file}:{each.line.line}" if each.line else "",
            f"example kernel {each.instead}" if each.instead else "",
        )
        for each in capture.library
    ]


def origin_rows(captured: CapturedKernel) -> list[tuple[str, ...]]:
    """Operator, scope, what it was expanded from, and its line; a row each."""
    return [
        (
            each.operator,
            each.expanded,
            each.scope,
            f"{each.line.line}: {each.line.text}" if each.line else "",
        )
        for each in captured.origins
    ]


def marked_source(
    source: str, lines: Sequence[SourceLine], file: str
) -> list[tuple[int, str, bool]]:
    """The network's file: number, text, and whether the line is one of these."""
    wanted = {line.line for line in lines if line.file == file}
    return [(at, text, at in wanted) for at, text in enumerate(source.splitlines(), 1)]


def became_rows(found: Sequence[Became]) -> list[tuple[str, ...]]:
    """Operator, its line of the network, what holds its result, and where that is written."""
    return [
        (
            each.operator.operator,
            f"{each.operator.line.file}:{each.operator.line.line}" if each.operator.line else "",
            ", ".join(middle(name, _NAME) for name in each.names) or "nothing of its own",
            ", ".join(map(str, each.written)) or each.ends,
        )
        for each in found
    ]
