"""The four parsers of IR, in MB a second, against splitting the same texts into lines."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.bench import PROJECT, Bench
from benchmarks.figures import Figure, median
from core.ir import cce, mlir, schedule, statement
from core.readers import open_trace

REPEATED = 5
PARSERS: dict[str, Callable[[str], object]] = {
    "statement IR": statement.parse,
    "schedule trees": schedule.parse,
    "CCE": cce.parse,
    "MLIR": mlir.parse,
}
_LANGUAGES = {"statement": "statement IR", "schedule": "schedule trees", "mlir": "MLIR"}


def measure(bench: Bench) -> list[Figure]:
    texts = _texts()
    figures = []
    for name, parse in PARSERS.items():
        size = sum(len(text.encode()) for text in texts[name])
        lines = size / _seconds(str.splitlines, texts[name])
        parsed = size / _seconds(parse, texts[name])
        figures.append(
            Figure(
                f"parse {name}, {len(texts[name])} texts, {size / 1e6:.1f} MB",
                f"{lines / 1e6:,.0f} MB/s, splitlines",
                f"{parsed / 1e6:,.1f} MB/s",
                parsed / lines,
            )
        )
    bench.remark(
        "parsing: every different text of IR and code in the traces recorded with the project, to "
        "its tree. Baseline: str.splitlines of the same texts, which is the least that anything "
        f"that shows them does. Medians of {REPEATED}, one process."
    )
    return figures


def _texts() -> dict[str, list[str]]:
    """What the recorded traces hold, by the parser that reads it, each text once."""
    seen: set[str] = set()
    texts: dict[str, list[str]] = {name: [] for name in PARSERS}
    for path in sorted((PROJECT / "data" / "traces").glob("*.zip")):
        opened = open_trace(path)
        trace = opened.trace
        found = [(_LANGUAGES.get(step.language, ""), step.text) for step in trace.passes]
        found.append(("CCE" if trace.compiler.name == "akg" else "MLIR", trace.code))
        for name, digest in found:
            if name and digest and digest not in seen:
                seen.add(digest)
                texts[name].append(opened.texts.get(digest))
    return texts


def _seconds(doing: Callable[[str], object], texts: list[str]) -> float:
    taken = []
    for _ in range(REPEATED):
        began = time.perf_counter()
        for text in texts:
            doing(text)
        taken.append(time.perf_counter() - began)
    return median(taken)
