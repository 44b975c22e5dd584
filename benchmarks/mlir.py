"""MLIR: indexing a log against reading it, and points of a sweep against whole compiles."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.bench import KERNELS, Bench
from benchmarks.figures import Figure, mebibytes, median
from core.compilers import Limits
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.hints import Hints
from core.jobs.queue import Queue
from core.jobs.worker import run_until
from core.kernel import load_kernel
from core.library import Library
from core.readers import open_trace

REPEATED = 5
LOG_BYTES = 20_000_000
POINTS = 48


def measure(bench: Bench) -> list[Figure]:
    compiler = AscendNpuIr()
    compiler.targets()  # raises where it is not installed
    return [*_splitting(bench, compiler), _sweeping(bench, compiler)]


def _splitting(bench: Bench, compiler: AscendNpuIr) -> list[Figure]:
    log = _log(bench, compiler)
    size = log.stat().st_size
    doings: dict[str, Callable[[], object]] = {
        "reading it": partial(log.read_bytes),
        "open_trace": partial(open_trace, log),
    }
    if shutil.which("csplit"):
        doings["csplit"] = partial(_csplit, log)
    seconds = {name: _median(doing) for name, doing in doings.items()}
    speed = {name: size / taken / 1e6 for name, taken in seconds.items()}
    passes = len(open_trace(log).trace.passes)
    bench.remark(
        f"MLIR log: one real trace repeated to {mebibytes(size)}, {passes} passes, opened whole: "
        "split, indexed, compared pass by pass, memory and failure read. csplit, of coreutils, "
        "only cuts the file at the same headers, into files."
    )
    figures = [
        Figure(
            "open an MLIR log",
            f"{speed['reading it']:,.0f} MB/s, plain read",
            f"{speed['open_trace']:,.0f} MB/s, {seconds['open_trace']:.2f} s",
            speed["open_trace"] / speed["reading it"],
            "under 2 s for 20 MB",
            seconds["open_trace"] < 2.0,
        )
    ]
    if "csplit" in speed:
        figures.append(
            Figure(
                "open an MLIR log",
                f"{speed['csplit']:,.0f} MB/s, csplit",
                f"{speed['open_trace']:,.0f} MB/s",
                speed["open_trace"] / speed["csplit"],
            )
        )
    return figures


def _log(bench: Bench, compiler: AscendNpuIr) -> Path:
    """What the compiler prints of one kernel, after one another until it is long enough."""
    session = compiler.session()
    folder = bench.folder / "mlir-log"
    folder.mkdir()
    try:
        kernel = load_kernel(KERNELS / "hfusion_rms_norm.mlir")
        session.start(folder, kernel, Hints(), Limits()).wait()
    finally:
        session.close()
    one = (folder / "printed.log").read_bytes()
    log = bench.folder / "long.log"
    log.write_bytes(one * -(-LOG_BYTES // len(one)))
    return log


def _csplit(log: Path) -> None:
    into = log.parent / "csplit"
    into.mkdir(exist_ok=True)
    command = ["csplit", "--quiet", "--elide-empty-files", "--digits=6", str(log)]
    subprocess.run([*command, r"/^\/\/ -----\/\/ IR Dump/", "{*}"], cwd=into, check=True)
    shutil.rmtree(into)


def _median(doing: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATED):
        began = time.perf_counter()
        doing()
        taken.append(time.perf_counter() - began)
    return median(taken)


def _sweeping(bench: Bench, compiler: AscendNpuIr) -> Figure:
    """Points of a sweep through queue, worker and reader, against the same as whole compiles."""
    kernel = load_kernel(KERNELS / "hivm_vadd.mlir")
    library = Library(bench.home("mlir"))
    queue = Queue(library)

    def rate(jobs: list[str]) -> float:
        began = time.perf_counter()
        for _ in run_until(queue, jobs):
            pass
        return len(jobs) / (time.perf_counter() - began)

    points = [Hints(attributes={"TILE": 512 + 256 * n}) for n in range(POINTS)]
    whole = rate([queue.submit(kernel, hints, compiler=compiler.name) for hints in points])
    sweep = queue.submit_sweep(kernel, points, compiler=compiler.name)
    swept = rate([point.job for point in queue.sweep(sweep).points])
    library.close()
    bench.remark(
        f"MLIR sweep: {kernel.name}, {POINTS} tiles, each read and stored, against the same as "
        "whole compiles, which print and keep every pass. Both start one process of the compiler a "
        "point: it has no state worth keeping warm."
    )
    return Figure(
        "MLIR sweep points",
        f"{whole:.1f} whole compiles/s",
        f"{swept:.1f} points/s",
        swept / whole,
    )
