"""Reading a dump, and opening its trace from the library, against plainly reading its bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.bench import CASES, KERNELS, Bench
from benchmarks.figures import Figure, mebibytes, median, milliseconds
from core.kernel import load_kernel
from core.library import Library
from core.readers import open_trace

REPEATED = 9
LARGEST = "Fused_Transpose_split_*parall*.info"  #: four kernels fused into one, in parallel


def measure(bench: Bench) -> list[Figure]:
    kernels = [load_kernel(KERNELS / "layer_norm.json")]
    kernels += [load_kernel(path) for path in sorted(CASES.glob(LARGEST))[:1]]
    if len(kernels) == 1:
        bench.remark("reading: without the measured cases beside the project, one dump only.")
    figures: list[Figure] = []
    folders = bench.compile(*kernels)
    library = Library(bench.home("reading"))
    for kernel, folder in zip(kernels, folders, strict=True):
        opened = open_trace(folder)
        id = library.add(opened.trace, opened.texts, opened.kernel)
        files = [path for path in folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        plain, read, kept = _in_turns(
            partial(_read_plainly, files), partial(open_trace, folder), partial(library.trace, id)
        )
        shown = kernel.name if len(kernel.name) < 24 else f"{kernel.name[:11]}…{kernel.name[-4:]}"
        what = f"{shown}, {len(opened.trace.passes)} passes"
        baseline = f"{milliseconds(plain)}, {len(files)} files, {mebibytes(size)}"
        figures += [
            Figure(f"read a dump, {what}", baseline, milliseconds(read), read / plain),
            Figure(f"from the library, {what}", baseline, milliseconds(kept), kept / plain),
        ]
    library.close()
    bench.remark(
        "reading: a dump folder to a whole trace, every text parsed or hashed. From the library: "
        "the same trace opened there. Baseline: every byte of the dump read, nothing done with it. "
        f"Medians of {REPEATED}, in turns, files in the page cache."
    )
    return figures


def _in_turns(*doings: Callable[[], object]) -> list[float]:
    seconds: list[list[float]] = [[] for _ in doings]
    for _ in range(REPEATED):
        for doing, taken in zip(doings, seconds, strict=True):
            began = time.perf_counter()
            doing()
            taken.append(time.perf_counter() - began)
    return [median(taken) for taken in seconds]


def _read_plainly(files: list[Path]) -> int:
    return sum(len(path.read_bytes()) for path in files)
