"""Sweep throughput: the queue and its worker against a fresh Python process for each compile."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import psutil

from benchmarks.bench import KERNELS, PROJECT, Bench
from benchmarks.figures import Figure, median, milliseconds
from core.compilers.akg import RECIPE, child_environment
from core.hints import Hints, Tile
from core.jobs.queue import Queue
from core.jobs.supervise import Supervisor
from core.kernel import Kernel, load_kernel
from core.library import Library

AIM = 5.0
SLOTS = 2  #: compiles at a time, on both sides
WHOLE, WHOLE_AIM = 200, 90.0  #: points of one sweep, and the seconds that they may take
#: Both sides take turns, and the median turn counts, so that what else the machine does meets both.
ROUNDS = 7
FRESH_A_ROUND, SWEPT_A_ROUND = 4, 24


def measure(bench: Bench) -> list[Figure]:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    home = bench.home("sweep")
    library = Library(home)
    queue = Queue(library)
    points = [Hints(tiles=(Tile(0, 0, 1024 + 32 * n),)) for n in range(ROUNDS * SWEPT_A_ROUND + 1)]
    fresh_rates: list[float] = []
    swept_rates: list[float] = []
    fresh_used = swept_used = 0.0
    _fresh(bench, kernel, points[:1])
    with Supervisor(home, slots=SLOTS) as supervisor:
        began = time.perf_counter()
        _sweep(queue, kernel, points[:1])
        cold = time.perf_counter() - began
        for turn in range(ROUNDS):
            some = points[1 + turn * SWEPT_A_ROUND :][:SWEPT_A_ROUND]
            before = _used_by_children()
            seconds = _fresh(bench, kernel, some[:FRESH_A_ROUND])
            fresh_rates.append(FRESH_A_ROUND / seconds)
            fresh_used += _used_by_children() - before
            before = _used_by(supervisor)
            swept_rates.append(len(some) / _sweep(queue, kernel, some))
            swept_used += _used_by(supervisor) - before
        whole = _sweep(
            queue, kernel, [Hints(tiles=(Tile(0, 0, 8192 + 32 * n),)) for n in range(WHOLE)]
        )
    library.close()
    fresh, swept = median(fresh_rates), median(swept_rates)
    fresh_used /= ROUNDS * FRESH_A_ROUND
    swept_used /= ROUNDS * SWEPT_A_ROUND
    bench.remark(
        f"sweep: {kernel.name}, {ROUNDS * SWEPT_A_ROUND} tiles through queue, worker and reader, "
        f"each read and stored, against {ROUNDS * FRESH_A_ROUND} processes that import AKG from "
        f"cached bytecode, compile and end, their dumps unread; {SLOTS} at a time on both sides, "
        f"in {ROUNDS} turns, medians. Processor time of one: {milliseconds(swept_used)} against "
        f"{milliseconds(fresh_used)}, {fresh_used / swept_used:.2f} x. A cold worker takes "
        f"{cold:.1f} s to its first point, once."
    )
    return [
        Figure(
            "sweep throughput",
            f"{fresh:.2f} compiles/s, fresh processes",
            f"{swept:.2f} compiles/s",
            swept / fresh,
            f"at least {AIM:g} x",
            swept / fresh >= AIM,
        ),
        Figure(
            f"a sweep of {WHOLE} points",
            f"{WHOLE / fresh:.0f} s, fresh processes",
            f"{whole:.1f} s",
            WHOLE / fresh / whole,
            f"under {WHOLE_AIM:g} s",
            whole < WHOLE_AIM,
        ),
    ]


def _used_by_children() -> float:
    """Processor seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _used_by(supervisor: Supervisor) -> float:
    """Processor seconds of the worker, its warm compiler, its readers, and what has ended there."""
    worker = psutil.Process(supervisor.pid)
    times = [each.cpu_times() for each in (worker, *worker.children(recursive=True))]
    return float(sum(t.user + t.system + t.children_user + t.children_system for t in times))


def _sweep(queue: Queue, kernel: Kernel, points: Sequence[Hints]) -> float:
    """Seconds from asking for a sweep to its last point."""
    began = time.perf_counter()
    id = queue.submit_sweep(kernel, points)
    while not queue.sweep(id).over:
        time.sleep(0.02)
    seconds = time.perf_counter() - began
    ended = Counter(
        point.trace.status if point.trace else point.state for point in queue.sweep(id).points
    )
    if set(ended) - {"ok", "ok_to_last_step"}:
        raise RuntimeError(f"Not every point of the sweep compiled: {dict(ended)}.")
    return seconds


def _fresh(bench: Bench, kernel: Kernel, points: Sequence[Hints]) -> float:
    """Seconds for compiling each point in a process of its own, SLOTS at a time."""
    folders = [_job(bench, kernel, hints) for hints in points]
    began = time.perf_counter()
    with ThreadPoolExecutor(SLOTS) as pool:
        list(pool.map(_compile, folders))
    return time.perf_counter() - began


def _job(bench: Bench, kernel: Kernel, hints: Hints) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fresh-", dir=bench.folder))
    (folder / "dump").mkdir()
    job = {"kernel": asdict(kernel), "hints": hints.as_dict()}
    (folder / "job.json").write_text(json.dumps(job))
    return folder


def _compile(folder: Path) -> None:
    # Any Python but ours keeps the bytecode of what it imports, which makes AKG load faster.
    bytecode = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder.parent / "bytecode"),
    }
    with (folder / "printed.log").open("wb") as log:
        subprocess.run(
            [
                *(sys.executable, "-W", "ignore", "-m", "benchmarks.fresh"),
                *(str(RECIPE.folder), str(folder)),
            ],
            cwd=PROJECT,
            env=child_environment(RECIPE.folder) | bytecode,
            stdout=log,
            stderr=log,
            check=True,
        )
