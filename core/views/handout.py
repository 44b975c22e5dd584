"""A trace as one HTML file that opens without a server: for a bug report, a chat, an archive.

The page is the bundle `handout.js` of core/components with the trace beside it: texts as lines kept
once and what each text takes over from an earlier one, all compressed, which the browser undoes.
"""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from time import monotonic
from typing import Any

from rapidfuzz.distance import Levenshtein

from core.analysis.diff import diff, split_lines
from core.analysis.memory import peak
from core.analysis.order import given_text
from core.analysis.studied import Study
from core.kernel import Kernel
from core.trace import MemoryPlan, Pass, Texts, Trace
from core.views.about import about
from core.views.figures import report_title, sentence
from core.views.graphs import graph_of
from core.views.layout import LayoutError, render_svg
from core.views.marks import failure_place, pass_title, result_language, result_name, trace_mark
from core.views.strip import labels, look
from core.views.tables import axes_table, buffers_table, culprits_table
from core.views.window import view
from core.views.wording import bytes_text, count, hints_text, percent, seconds_text

_BUNDLE = Path(__file__).resolve().parents[1] / "components" / "dist" / "handout.js"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
</head>
<body>
<noscript>This page holds a compile trace; it needs JavaScript, and no network.</noscript>
<script type="application/octet-stream" id="trace">{payload}</script>
<script type="module">{bundle}</script>
</body>
</html>
"""
#: Seconds that laying out graphs may take in all; those that are late are left out, and counted.
GRAPH_SECONDS = 20.0
#: Graphs of longer texts than this, in bytes, are left out: they take seconds each.
_GRAPH_BYTES = 400_000

#: Called with how many of how many steps are done.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Handout:
    """The file."""

    page: str
    left_out: tuple[str, ...]  #: what did not fit or took too long, one sentence each

    @property
    def data(self) -> bytes:
        return self.page.encode()


def handout(
    trace: Trace,
    texts: Texts,
    kernel: Kernel | None = None,
    study: Study | None = None,
    *,
    seconds: float = GRAPH_SECONDS,
    progress: Progress = lambda done, of: None,
) -> Handout:
    """The page of a trace. `seconds` bounds the time for its graphs.

    Raises KeyError where a text that the trace names is not kept.
    """
    packed = _Packed(texts)
    graphs, left_out = _graphs(trace, texts, seconds, progress)
    content = {
        "kernel": trace.kernel,
        "status": {"word": trace_mark(trace).word, "compiles": trace.status.compiles},
        "facts": _facts(trace),
        "failure": _failure(trace),
        "notes": list(trace.notes),
        "passes": _steps(trace, packed, graphs, study),
        "documents": _documents(trace, kernel, packed),
        "reports": _reports(trace, study),
        "graphs": list(graphs.values()),
        "tables": _tables(trace),
        "memory": [_memory(plan) for plan in trace.memory if plan.buffers],
        "left_out": left_out,
        "lines": packed.lines,
        "texts": packed.texts,
    }
    payload = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9)
    page = _PAGE.format(
        title=html.escape(f"{trace.kernel} · Tilescope"),
        payload=base64.b64encode(payload).decode(),
        # Inside a script element only its own end tag ends it.
        bundle=_BUNDLE.read_text(encoding="utf-8").replace("</script", "<\\/script"),
    )
    return Handout(page, tuple(left_out))


class _Packed:
    """Texts as numbers of lines; each text as runs of an earlier one and lines of its own."""

    def __init__(self, texts: Texts) -> None:
        self.lines: list[str] = []
        self.texts: list[dict[str, Any]] = []
        self._source = texts
        self._numbers: dict[str, int] = {}  # of lines
        self._places: dict[str, int] = {}  # of texts, by digest
        self._last: dict[str, tuple[int, list[int]]] = {}  # by language

    def place(self, digest: str | None, like: str) -> int | None:
        """The number of a text, packed against the last one that was `like` it."""
        if digest is None:
            return None
        if digest not in self._places:
            self._places[digest] = self.add(self._source.get(digest), like)
        return self._places[digest]

    def source(self, digest: str) -> str:
        """The text itself."""
        return self._source.get(digest)

    def add(self, text: str, like: str) -> int:
        """Pack a text that is in no store."""
        ids = [self._numbers.setdefault(line, len(self._numbers)) for line in split_lines(text)]
        self.lines += list(self._numbers)[len(self.lines) :]
        place = len(self.texts)
        before = self._last.get(like)
        self.texts.append(
            {"base": None, "runs": [0, 0, len(ids), *ids]}
            if before is None
            else {"base": before[0], "runs": _runs(before[1], ids)}
        )
        self._last[like] = place, ids
        return place


def _runs(before: list[int], after: list[int]) -> list[int]:
    """`after` as [start, length, of how many own lines, those …] over and over."""
    runs: list[int] = []
    for op in Levenshtein.opcodes(before, after):
        if op.tag == "equal":
            runs += [op.src_start, op.src_end - op.src_start, 0]
        elif op.tag != "delete":
            own = after[op.dest_start : op.dest_end]
            runs += [0, 0, len(own), *own]
    return runs


# --- what the page shows --------------------------------------------------------------------------


def _steps(
    trace: Trace, packed: _Packed, graphs: Mapping[str, dict[str, Any]], study: Study | None
) -> list[dict[str, Any]]:
    headings = labels(trace)
    places = {digest: place for place, digest in enumerate(graphs)}
    return [
        {
            **_step(trace, step, packed),
            "group": headings[step.index],
            "did": sentence(study.passes[step.index]) if study and step.changed else "",
            "graph": places.get(step.text or ""),
        }
        for step in trace.passes
    ]


def _step(trace: Trace, step: Pass, packed: _Packed) -> dict[str, Any]:
    known = about(trace.compiler.name, step)
    before = given_text(trace, step) if step.changed and step.text else None
    like = f"{step.language} {step.unit}"
    hunks: list[int] = []
    counts = None
    if before is not None and step.text is not None:
        change = diff(packed.source(before), packed.source(step.text))
        hunks = [n for h in change.hunks for n in (h.a0, h.a1, h.b0, h.b1)]
        counts = [change.added, change.removed, change.changed]
    facts = [step.argument] if step.argument else []
    if step.text:
        facts.append(f"{count(step.lines)} lines")
    if step.seconds is not None:
        facts.append(seconds_text(step.seconds))
    return {
        "title": pass_title(step),
        "look": look(step),
        "lines": step.lines,
        "language": step.language,
        "text": packed.place(step.text, like),
        "before": packed.place(before, like),
        "hunks": hunks,
        "counts": counts,
        "facts": " · ".join(facts),
        "about": known.what if known else "",
    }


def _documents(trace: Trace, kernel: Kernel | None, packed: _Packed) -> list[dict[str, Any]]:
    """Whole texts that are no pass: the emitted code, the logs, the kernel as given."""
    found: list[tuple[str, int | None, str]] = []
    if trace.code:
        place = packed.place(trace.code, "code")
        found.append((result_name(trace), place, result_language(trace)))
    for log in trace.logs:
        place = packed.place(log.text, f"log {log.name}")
        found.append((log.name, place, "mlir" if log.name.endswith(".mlir") else "text"))
    if kernel is not None:
        place = packed.add(kernel.source, "kernel")
        found.append(("the kernel", place, "mlir" if kernel.kind == "mlir" else "text"))
    return [{"title": title, "text": text, "language": kind} for title, text, kind in found]


def _facts(trace: Trace) -> list[tuple[str, str]]:
    facts = [
        ("compiler", f"{trace.compiler.name} {trace.compiler.version}"),
        ("target", trace.target),
        ("hints asked", hints_text(trace.hints.asked)),
    ]
    facts += [(f"{name} ignored", why) for name, why in trace.hints.ignored.items()]
    if trace.block_dim:
        facts.append(("cores", count(trace.block_dim)))
    facts.append(("passes", f"{count(len(trace.passes))}, {count(len(trace.changed))} changed"))
    if trace.seconds is not None:
        facts.append(("compiled in", seconds_text(trace.seconds)))
    facts.append(("on", " ".join(part for part in (trace.started, trace.host) if part)))
    return [(label, value) for label, value in facts if value]


def _failure(trace: Trace) -> str:
    if trace.status.compiles:
        return ""
    mark, place = trace_mark(trace), failure_place(trace)
    where = "" if not place else f" {place}" if place.startswith("after") else f" in {place}"
    message = trace.failure.message if trace.failure else "The compiler left no reason."
    return f"{mark.word[0].upper()}{mark.word[1:]}{where}. {message}"


def _reports(trace: Trace, study: Study | None) -> list[dict[str, Any]]:
    return [
        {
            "harm": report.finding.harm,
            "place": report.index,
            "line": report.finding.line,
            "title": report_title(report, trace),
            "message": report.finding.message,
        }
        for report in (study.reports if study else ())
    ]


def _tables(trace: Trace) -> list[dict[str, Any]]:
    """Title, columns and rows of what is best read as a table."""
    frames = {"Tiling": axes_table(trace), "Alive at once where a memory overflowed":
              culprits_table(trace)}  # fmt: skip
    frames |= {f"Buffers in {p.memory}": buffers_table(p) for p in trace.memory if p.buffers}
    tables = [
        {
            "title": title,
            "columns": list(frame.columns),
            "rows": [["" if v is None else _cell(v) for v in row] for row in frame.values.tolist()],
        }
        for title, frame in frames.items()
        if not frame.empty
    ]
    if trace.instructions:
        rows = sorted(trace.instructions.items(), key=lambda each: (-each[1], each[0]))
        tables.append(
            {
                "title": "Instructions executed on each core",
                "columns": ["instruction", "count"],
                "rows": [[name, count(number)] for name, number in rows],
            }
        )
    return tables


def _cell(value: object) -> str:
    return count(value) if isinstance(value, int) else str(value)


def _memory(plan: MemoryPlan) -> dict[str, Any]:
    moment = peak(plan)
    capacity = plan.capacity_bytes
    share = f", {percent(plan.peak_bytes / capacity)} of {bytes_text(capacity)}" if capacity else ""
    return {
        "memory": plan.memory,
        "peak": plan.peak_bytes,
        "capacity": capacity,
        "said": f"peak {bytes_text(plan.peak_bytes)}{share}",
        "at": moment.at,
        "culprits": [b.name for b in moment.culprits],
        "buffers": [
            [b.name, b.offset_bytes, b.bytes, b.first_use, b.last_use, b.copy_of]
            for b in plan.buffers
        ],
    }


# --- graphs ---------------------------------------------------------------------------------------


def _graphs(
    trace: Trace, texts: Texts, seconds: float, progress: Progress
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The graphs of the passes that changed something, by text; and what was left out."""
    wanted = {s.text: s for s in trace.changed if s.text and s.bytes <= _GRAPH_BYTES}
    long = sum(bool(s.text) and s.bytes > _GRAPH_BYTES for s in trace.changed)
    deadline = monotonic() + seconds

    def drawn(step: Pass) -> dict[str, Any] | None:
        if monotonic() > deadline:
            return None
        graph = graph_of(step, texts.get(step.text or ""))
        if graph is None:
            return {}
        shown = view(graph)
        try:
            svg = render_svg(shown.graph.dot)
        except LayoutError:
            return None
        nodes = {name: list(lines) for name, lines in shown.graph.lines.items()}
        return {"svg": svg, "nodes": nodes, "note": shown.note}

    found: dict[str, dict[str, Any]] = {}
    late = 0
    with ThreadPoolExecutor(cpu_count()) as painters:
        results = painters.map(drawn, wanted.values())
        for done, (digest, graph) in enumerate(zip(wanted, results, strict=True), 1):
            progress(done, len(wanted))
            late += graph is None
            if graph:
                found[digest] = graph
    said = []
    if long:
        said.append(f"Graphs of {count(long)} passes with long texts are not in this file.")
    if late:
        said.append(f"Graphs of {count(late)} passes took too long to draw for this file.")
    return found, said
