"""A sweep of 500 points, shapes times sets of hints, over which server and workers are killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.bench import KERNELS, PROJECT, Bench
from benchmarks.figures import Figure
from benchmarks.server import serving
from core.analysis.matrix import Layout, laid_out
from core.analysis.matrix.cases import cases
from core.analysis.matrix.hint_sets import parse_hint_set
from core.analysis.signatures import explain
from core.compilers.akg import Akg
from core.database import FILE
from core.jobs.matrices import SweepMatrix
from core.jobs.queue import Queue
from core.jobs.work import SweepProgress
from core.kernel import load_kernel
from core.library import Library
from core.request import Request
from core.views.matrix import groups_table

AIM_BYTES = 100_000  #: a point, on disk
#: Shapes of two small kernels, an elementwise one and a reduction: aligned ones and their
#: neighbours, from what fits one tile to what fills all cores.
SHAPES: Mapping[str, str] = {
    "elementwise_chain.json": "d0=1,7,16,63,64,65,127,128,255,256,512,1000,1024,2048,4096 "
    "d1=16,63,64,512,1024",
    "column_sum.json": "d0=16,63,64,127,128,256,512,1000,1024,4096 d1=16,63,64,512,1024",
}
#: The first asks for too much on purpose: it is what the others are held against.
HINTS = (
    'large tiles: dim="0 0 131072 1 0 1 131072 1"',
    "no hints:",
    "one core: enable_multicore=0",
    'small tiles: dim="0 0 256 1 0 1 256 1"',
)
KILLED_AT = 0.4  #: of the points


class Stamps(NamedTuple):
    """What the queue knows of a point: it is compiled again if and only if one of these changes."""

    started: float | None
    ended: float | None
    deaths: int


def measure(bench: Bench) -> list[Figure]:
    home = bench.home("shapes")
    layout, requests = _asked()
    log = bench.folder / "shapes.log"
    with serving(PROJECT / "app.py", log) as server:
        library = Library(home)
        queue = Queue(library)
        before = _bytes(home)
        began = time.monotonic()
        id = queue.submit_requests(requests, axes=layout.as_axes())
        first = _until(queue, id, KILLED_AT)
        killed = _kill(server.process)
    kept = _stamps(home)
    # What was measured when all was killed; others were under way.
    done = {job: kept[job] for job, state in queue.progress(id).states.items() if state == "done"}
    running = sum(state == "running" for state in queue.progress(id).states.values())
    with serving(PROJECT / "app.py", log):
        _until(queue, id, 1.0)
        seconds = time.monotonic() - began
        now = _stamps(home)
        again = [job for job, stamps in done.items() if now[job] != stamps]
    after = _bytes(home)
    of = SweepMatrix(queue, id, explain)
    matrix = of.look()
    died = sum(stamps.deaths for stamps in now.values())
    points = len(requests)
    rates = ", ".join(
        f"{column.name} {rate.text}"
        for column, rate in zip(layout.columns, matrix.rates, strict=True)
    )
    ways = "; ".join(
        f"{row['what']} ({row['cases']})" for row in groups_table(matrix).to_dict("records")
    )
    bench.remark(
        f"shapes: {len(layout.cases)} shapes of {len(SHAPES)} kernels x {len(layout.columns)} sets "
        f"of hints. Pass rates: {rates}. Ways to fail: {ways or 'none'}."
    )
    bench.remark(
        f"shapes: with {first:,} of {points:,} points done, server and its {killed} other "
        f"processes were killed with SIGKILL, {running} points under way. After the next start all "
        f"{of.counts['done']:,} were done; {died} deaths are noted, and of {len(done):,} points "
        f"that were done before, {len(again)} were compiled again."
    )
    library.close()
    size = (after - before) / points
    return [
        Figure(
            f"a sweep of {points} points over shapes",
            "",
            f"{seconds:.0f} s, killed once",
            None,
            "no point lost or compiled twice",
            of.counts["done"] == points and not again,
        ),
        Figure(
            "disk of a point",
            f"{(after - before) / (1 << 20):.1f} MiB for all",
            f"{size / 1000:.1f} KB",
            None,
            f"under {AIM_BYTES // 1000} KB",
            size < AIM_BYTES,
        ),
    ]


def _asked() -> tuple[Layout, Sequence[Request]]:
    akg = Akg()
    listed = []
    for file, shapes in SHAPES.items():
        kernel = load_kernel(KERNELS / file)
        named = (
            (f"{kernel.name} {name}", made, sizes) for name, made, sizes in cases([shapes], kernel)
        )
        listed += list(named)
    sets = [parse_hint_set(text, akg, listed[0][1]) for text in HINTS]
    return laid_out(listed, sets, called="elementwise and reduction")


def _until(queue: Queue, id: str, share: float) -> int:
    """Wait for a share of the points; how many are over."""
    while True:
        progress: SweepProgress = queue.progress(id, _All())
        over = sum(state in ("done", "lost") for state in progress.states.values())
        if over >= share * len(progress.states):
            return over
        time.sleep(0.2)


class _All:
    """Contains everything: the states are wanted alone."""

    def __contains__(self, _: object) -> bool:
        return True


def _kill(server: psutil.Process) -> int:
    """Kill a server and all below it at once, as a machine that loses power does; how many."""
    below = server.children(recursive=True)
    for process in (server, *below):
        os.kill(process.pid, signal.SIGKILL)
    psutil.wait_procs(below, timeout=10)
    return len(below)


def _stamps(home: Path) -> dict[str, Stamps]:
    with closing(sqlite3.connect(home / FILE)) as connection:
        rows = connection.execute("SELECT id, started, ended, deaths FROM jobs WHERE kind='point'")
        return {id: Stamps(*stamps) for id, *stamps in rows}


def _bytes(home: Path) -> int:
    """Of the library's file, with what is not written back yet written back."""
    with closing(sqlite3.connect(home / FILE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return sum(file.stat().st_size for file in home.glob(f"{FILE}*"))
