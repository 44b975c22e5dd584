"""Searching all passes of a trace, and following one thing through them, against bytes.count."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.bench import CASES, PROJECT, Bench
from benchmarks.figures import Figure, mebibytes, median, milliseconds
from benchmarks.long_passes import lengthened
from core.analysis.diff import split_lines
from core.analysis.follow import follow
from core.analysis.search import Query, search
from core.ir.expression import StatementError
from core.ir.statement import parse
from core.kernel import load_kernel
from core.library import Library, text_hash
from core.readers import Opened, open_trace
from core.trace import Trace

REPEATED = 5
PASSES = 1000
LARGEST = "Fused_LambUpdateWithLR_16084*.info"  #: of the cases, by what its passes print
LONG = PROJECT / "data" / "traces" / "triton_flash_attention-fp16.zip"
TIMES = 3  #: so often the largest is repeated within each text to have the length of 18 MB

SEARCH_AIM, FOLLOW_AIM = 0.5, 3.0  # seconds


@dataclass(frozen=True, slots=True)
class _Own:
    """Texts made here of real ones."""

    own: Mapping[str, str]

    def get(self, digest: str) -> str:
        return self.own[digest]


def measure(bench: Bench) -> list[Figure]:
    library = Library(bench.home("searching"))
    figures: list[Figure] = []
    long = _keep(library, *lengthened(open_trace(LONG), PASSES))
    figures += _searching(library, long, ["%arg0", "nowhere"], r"hivm\.hir\.v\w+ ins\(%\d+")
    found = sorted(CASES.glob(LARGEST))[:1]
    if found:
        (folder,) = bench.compile(load_kernel(found[0]))
        opened = open_trace(folder)
        largest = _keep(library, opened.trace, opened.texts)
        figures += _searching(library, largest, ["input_17", "cc0"], r"^\s*for \(cc\d+")
        figures += _following(library, largest, "")
        wide = _keep(library, *_widened(opened))
        figures += _following(library, wide, f", {TIMES} times as long")
    else:
        bench.remark("searching: without the measured cases beside the project, one trace only.")
    library.close()
    bench.remark(
        f"searching: {PASSES} passes are those of {LONG.stem} after one another, each text told "
        "apart by a line at its end. Texts come from the library, decompressed for each search; "
        "the baseline has them in memory already and counts the same letters. Following is held "
        f"against parsing the texts that changed once. Medians of {REPEATED}."
    )
    return figures


def _keep(library: Library, trace: Trace, texts: object) -> Trace:
    library.add(trace, texts)  # type: ignore[arg-type]
    return trace


def _widened(opened: Opened) -> tuple[Trace, _Own]:
    own: dict[str, str] = {}

    def wide(digest: str | None) -> str | None:
        if digest is None:
            return None
        text = (opened.texts.get(digest).rstrip("\n") + "\n") * TIMES
        own[text_hash(text)] = text
        return text_hash(text)

    passes = tuple(
        replace(
            step,
            text=wide(step.text),
            given=None,
            lines=len(split_lines(opened.texts.get(step.text))) * TIMES if step.text else 0,
            bytes=step.bytes * TIMES,
        )
        for step in opened.trace.passes
    )
    trace = replace(
        opened.trace, kernel="wide", passes=passes, logs=(), code=wide(opened.trace.code)
    )
    return replace(trace, tiling=type(trace.tiling)()), _Own(own)


def _searching(library: Library, trace: Trace, words: list[str], pattern: str) -> list[Figure]:
    digests = {step.text for step in trace.passes if step.text}
    raw = [library.blob(digest) for digest in digests]
    what = f"{trace.kernel[:12]}, {len(trace.passes)} passes, {mebibytes(sum(map(len, raw)))}"
    figures: list[Figure] = []
    queries = [*(Query(word, case=True) for word in words), Query(words[0])]
    for query in (*queries, Query(words[0], word=True), Query(pattern, pattern=True)):
        needle = words[0] if query.pattern else query.text
        plain = _median(partial(_count, raw, needle.encode()))
        taken = _median(partial(search, trace, library, query))
        figures.append(
            Figure(
                f"search {_said(query)}, {what}",
                f"{milliseconds(plain)}, bytes.count",
                milliseconds(taken),
                taken / plain,
                "under 500 ms",
                taken < SEARCH_AIM,
            )
        )
    return figures


def _said(query: Query) -> str:
    kind = "a pattern" if query.pattern else "a word" if query.word else ""
    return kind or ("a text" if query.case else "a text in any case")


def _count(raw: list[bytes], needle: bytes) -> int:
    return sum(text.count(needle) for text in raw)


def _following(library: Library, trace: Trace, how: str) -> list[Figure]:
    step = next(p for p in trace.passes if p.name == "StorageFlatten")
    assert step.text is not None
    name = re.findall(r"allocate (\w+)\[", library.get(step.text))[0]
    changed = {p.text for p in trace.changed if p.text and p.language == "statement"}
    plain = _median(partial(_parse, library, changed))
    taken = _median(partial(follow, trace, library, step.index, 0, name))
    stops = len(follow(trace, library, step.index, 0, name).stops)
    size = mebibytes(sum(p.bytes for p in trace.passes))
    return [
        Figure(
            f"follow a buffer through {stops} passes{how}, {size}",
            f"{milliseconds(plain)}, parsing what changed",
            milliseconds(taken),
            taken / plain,
            "under 3 s",
            taken < FOLLOW_AIM,
        )
    ]


def _parse(library: Library, digests: set[str]) -> None:
    for _, text in library.blobs(digests):
        with suppress(StatementError):  # of a tuple that is repeated
            parse(text.decode())


def _median(doing: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATED):
        began = time.perf_counter()
        doing()
        taken.append(time.perf_counter() - began)
    return median(taken)
