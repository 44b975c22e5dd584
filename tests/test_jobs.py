"""The queue: what is asked for is done once, and nothing that was done is lost."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from core.compilers import Limits
from core.compilers.registry import versions
from core.hints import Hints, Tile
from core.jobs.claims import MAX_DEATHS, Claim, Claims, compact, owners
from core.jobs.folders import COMPILES, remove, remove_those_of_the_dead
from core.jobs.process import lives, this_process
from core.jobs.progress import Progress, arrived, progress
from core.jobs.queue import Queue, QueueError
from core.kernel import Kernel, Tensor, load_kernel
from core.library import Library
from core.request import Request
from core.trace import Compiler, Failure, HintsOutcome, Status, Trace
from tests.conftest import KERNELS

PROJECT = Path(__file__).resolve().parents[1]

KERNEL = Kernel(
    "composite",
    "Fused_Add",
    '{"op": "Fused_Add"}',
    (Tensor("x", (16,), "float16", "input"), Tensor("y", (16,), "float16", "output")),
)


def tiled(*tiles: int) -> Hints:
    return Hints(tuple(Tile(0, axis, tile) for axis, tile in enumerate(tiles)))


def ended(hints: Hints, status: Status = Status.OK_TO_LAST_STEP) -> Trace:
    """What a claim is finished with here; these tests are of the rows, not of a compiler."""
    return Trace(
        kernel=KERNEL.name,
        kernel_hash=KERNEL.digest,
        compiler=Compiler("akg", "1.10.0"),
        target="Ascend910",
        status=status,
        hints=HintsOutcome(hints.as_dict()),
    )


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return Queue(Library(tmp_path / "home"))


def claims_of(queue: Queue, owner: str = "") -> Claims:
    return Claims(queue.library, owner or this_process(), queue.library.home / COMPILES)


def finish(claims: Claims, claim: Claim, status: Status = Status.OK_TO_LAST_STEP) -> None:
    trace = ended(claim.hints, status)
    new = None
    if claim.kind == "compile":
        new = claims.library.prepare(trace, claims.library, claim.kernel, parent=claim.parent)
    claims.finish(claim.number, claim.kind, trace, new)


# One compile


def test_a_compile_goes_from_queued_to_done(queue: Queue) -> None:
    parent = queue.library.add(ended(Hints()), queue.library)
    limits = Limits(5.0, 1 << 30)
    id = queue.submit(KERNEL, tiled(16), limits=limits, parent=parent)
    job = queue.job(id)
    assert (job.state, job.kind, job.kernel, job.hints) == (
        "queued",
        "compile",
        "Fused_Add",
        tiled(16),
    )
    assert (job.started, job.ended, job.trace, job.progress, job.over) == (
        None,
        None,
        None,
        None,
        False,
    )
    assert queue.kernel(id) == KERNEL

    claims = claims_of(queue)
    (claim,) = claims.claim(5)
    assert (claim.id, claim.kernel, claim.hints, claim.limits) == (id, KERNEL, tiled(16), limits)
    job = queue.job(id)
    assert (job.state, job.folder, job.progress) == ("running", claim.folder, Progress(0, ""))
    assert claims.claim(5) == []

    finish(claims, claim)
    job = queue.job(id)
    assert (job.state, job.status, job.over) == ("done", Status.OK_TO_LAST_STEP, True)
    assert job.folder is None and job.progress is None
    assert job.started is not None and job.ended is not None and job.started <= job.ended
    assert job.trace is not None
    row = queue.library.row(job.trace)
    assert (row.parent, row.origin, row.hints) == (parent, "compiled", "dim=0 0 16 1")
    assert queue.library.kernel(job.trace) == KERNEL
    assert queue.over([id, "unknown"]) == [id]


def test_jobs_are_listed_newest_first(queue: Queue) -> None:
    ids = [queue.submit(KERNEL, tiled(n)) for n in (1, 2, 3)]
    queue.submit_sweep(KERNEL, [tiled(7)])
    assert [job.id for job in queue.jobs()] == ids[::-1]
    claims = claims_of(queue)
    finish(claims, claims.claim(1)[0])
    assert [job.id for job in queue.jobs(active=True)] == ids[:0:-1]


def test_a_compile_goes_before_points(queue: Queue) -> None:
    queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    id = queue.submit(KERNEL, tiled(3))
    claims = claims_of(queue)
    assert [c.id for c in claims.claim(1)] == [id]
    assert [c.hints for c in claims.claim(5)] == [tiled(1), tiled(2)]


def test_a_claim_can_be_limited_to_some_jobs(queue: Queue) -> None:
    queue.submit(KERNEL, tiled(1))
    mine = queue.submit(KERNEL, tiled(2))
    assert [c.id for c in claims_of(queue).claim(5, only=[mine])] == [mine]


def test_what_is_unknown_gets_one_sentence(queue: Queue) -> None:
    with pytest.raises(QueueError, match="no compiler 'gcc'; choose from: akg"):
        queue.submit(KERNEL, Hints(), compiler="gcc")
    for ask in (
        *(queue.job, queue.cancel, queue.resume, queue.kernel),
        *(queue.sweep, queue.cancel_sweep, queue.resume_sweep, queue.delete_sweep),
    ):
        with pytest.raises(
            QueueError, match=r"^There is no .*nowhere; it may have been deleted\.$"
        ):
            ask("nowhere")


def test_deleting_a_trace_deletes_its_job(queue: Queue) -> None:
    id = queue.submit(KERNEL, Hints())
    claims = claims_of(queue)
    finish(claims, claims.claim(1)[0])
    trace = queue.job(id).trace
    assert trace is not None
    queue.library.delete(trace)
    with pytest.raises(QueueError):
        queue.job(id)
    with queue.library.database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM kernels").fetchone() == (0,)


def test_what_failed_for_good_says_why(queue: Queue) -> None:
    id = queue.submit(KERNEL, Hints())
    claims = claims_of(queue)
    claims.fail(claims.claim(1)[0].number, "The hint is wrong.")
    assert (queue.job(id).state, queue.job(id).error) == ("lost", "The hint is wrong.")


# Sweeps


def test_a_sweep_keeps_its_order_and_axes(queue: Queue) -> None:
    axes = {"axes": [{"band": 0, "axis": 0, "tiles": [8, 4, 16]}]}
    points = [tiled(8), tiled(4), tiled(16), tiled(4)]
    id = queue.submit_sweep(KERNEL, points, parent="p", axes=axes)
    claims = claims_of(queue)
    first, second = claims.claim(2)
    finish(claims, second, Status.CRASHED)
    sweep = queue.sweep(id)
    assert [p.hints for p in sweep.points] == points
    # The fourth is the second: the same compile.
    assert [p.state for p in sweep.points] == ["running", "done", "queued", "done"]
    assert sweep.counts == {"running": 1, "done": 2, "queued": 1} and sweep.counts["lost"] == 0
    assert not sweep.over and not sweep.cancelled
    assert (sweep.axes, sweep.parent, sweep.kernel) == (axes, "p", "Fused_Add")
    assert sweep.points[0].trace is None
    trace = sweep.points[1].trace
    assert trace is not None and trace.status is Status.CRASHED
    assert queue.kernel(id) == KERNEL

    finish(claims, first)
    finish(claims, claims.claim(9)[0])
    assert queue.sweep(id).over
    (row,) = queue.sweeps(KERNEL.digest)
    assert (row.id, row.points, row.done, row.waiting, row.axes) == (id, 4, 4, 0, axes)
    assert queue.sweeps("another") == []
    assert queue.library.rows() == []  # points are no traces of the library


def test_a_point_is_compiled_once_for_all_sweeps(queue: Queue) -> None:
    claims = claims_of(queue)
    first = queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    running, waiting = claims.claim(1)[0], tiled(2)
    second = queue.submit_sweep(KERNEL, [waiting, tiled(1), tiled(3)])
    assert [p.state for p in queue.sweep(second).points] == ["queued", "running", "queued"]
    finish(claims, running)
    for claim in claims.claim(9):
        assert claim.hints in (tiled(2), tiled(3))
        finish(claims, claim)
    assert queue.sweep(first).over and queue.sweep(second).over
    third = queue.submit_sweep(KERNEL, [tiled(3), tiled(1)])
    assert [p.state for p in queue.sweep(third).points] == ["done", "done"]
    assert claims.claim(9) == []
    # Equal hints, written otherwise.
    same = Hints(tiled(1).tiles, {})
    assert queue.sweep(queue.submit_sweep(KERNEL, [same])).over
    assert not queue.sweep(queue.submit_sweep(other(1), [tiled(1)])).over


def other(number: int) -> Kernel:
    """One of many kernels, which have nothing in common but their name."""
    return dataclasses.replace(KERNEL, source=f'{{"op": "Fused_Add", "n": {number}}}')


def test_the_points_of_a_sweep_are_of_any_kernels_and_versions(queue: Queue) -> None:
    usual, *older = versions("akg")
    assert older, "this test needs two versions"
    requests = [
        Request(KERNEL, tiled(1)),
        Request(other(1), tiled(1), "akg", older[0]),
        Request(other(1), tiled(1), version=usual),
    ]
    id = queue.submit_requests(requests, axes={"cases": []}, parent="p")
    sweep = queue.sweep(id)
    assert [(p.kernel_hash, p.compiler, p.version) for p in sweep.points] == [
        (KERNEL.digest, "akg", usual),
        (other(1).digest, "akg", older[0]),
        (other(1).digest, "akg", usual),
    ]
    assert [p.kernel for p in sweep.points] == ["Fused_Add"] * 3
    assert (sweep.kernel_hash, sweep.parent, sweep.axes) == ("", "p", {"cases": []})
    assert queue.kernel(sweep.points[1].job) == other(1)
    claims = claims_of(queue)
    assert [(c.kernel, c.tool) for c in claims.claim(9)] == [
        (KERNEL, ("akg", usual)),
        (other(1), ("akg", older[0])),
        (other(1), ("akg", usual)),
    ]
    assert queue.sweeps(KERNEL.digest) == [] and len(queue.sweeps()) == 1

    with pytest.raises(QueueError, match=r"akg 0\.1 cannot be had; choose from: "):
        queue.submit_requests([Request(KERNEL, tiled(1), "akg", "0.1")])
    with pytest.raises(QueueError, match="A sweep without a point"):
        queue.submit_requests([])
    queue.delete_sweep(id)
    with queue.library.database.reading() as connection:
        (left,) = connection.execute("SELECT count(*) FROM kernels").fetchone()
    assert left == 2, "those of the points that run"


def test_a_sweep_is_extended_and_compiles_nothing_again(queue: Queue) -> None:
    claims = claims_of(queue)
    id = queue.submit_requests([Request(KERNEL, tiled(1))])
    finish(claims, claims.claim(1)[0])
    queue.extend(id, [])
    queue.extend(id, [Request(KERNEL, tiled(1)), Request(KERNEL, tiled(2))])
    assert [p.state for p in queue.sweep(id).points] == ["done", "done", "queued"]
    assert queue.sweep(id).kernel_hash == KERNEL.digest
    queue.extend(id, [Request(other(1), tiled(1))])
    assert queue.sweep(id).kernel_hash == ""
    assert len(claims.claim(9)) == 2


def test_who_follows_a_sweep_is_told_what_is_new(queue: Queue) -> None:
    claims = claims_of(queue)
    id = queue.submit_requests([Request(other(n), tiled(1)) for n in range(4)])
    first, second, third = claims.claim(3)
    finish(claims, first, Status.FAILED)
    claims.fail(second.number, "The hint is wrong.")
    seen = queue.progress(id)
    assert seen.counts == {"done": 1, "lost": 1, "running": 1, "queued": 1} and not seen.over
    points = {point.job: point for point in seen.ended.values()}
    assert points.keys() == {first.id, second.id}
    assert points[first.id] == queue.sweep(id).points[0]
    assert points[second.id].error == "The hint is wrong."

    known = set(seen.ended)
    assert not queue.progress(id, known).ended
    finish(claims, third)
    queue.resume_sweep(id)  # what was lost is no longer
    then = queue.progress(id, known)
    assert [point.job for point in then.ended.values()] == [third.id]
    assert then.states[second.id] == "queued"
    (again,) = (c for c in claims.claim(9) if c.id == second.id)
    finish(claims, again)
    assert second.id in {p.job for p in queue.progress(id, known | set(then.ended)).ended.values()}


def test_what_a_sweep_would_take_is_known_before(queue: Queue) -> None:
    claims = claims_of(queue)
    requests = [Request(other(n), tiled(1)) for n in range(3)]
    assert queue.pace("akg") is None and not queue.measured(requests)
    queue.submit_requests(requests[:2])
    finish(claims, claims.claim(1)[0])
    assert queue.measured(requests) == {requests[0].digest}
    pace = queue.pace("akg", "Fused_Add")
    assert pace is not None and 0 <= pace < 60
    assert queue.pace("akg", "of another name") == pace


def test_of_each_way_to_fail_a_sweep_keeps_one_whole_trace(queue: Queue) -> None:
    claims = claims_of(queue)
    id = queue.submit_requests([Request(other(n), tiled(1)) for n in range(4)])

    def fail(claim: Claim, message: str) -> None:
        failure = Failure("error", "EmitInsn", None, None, None, message)
        trace = dataclasses.replace(ended(claim.hints, Status.FAILED), failure=failure)
        new = None
        if claims.fails_anew(claim.number, trace):
            new = claims.library.prepare(trace, claims.library, claim.kernel)
        claims.finish(claim.number, claim.kind, trace, new)

    for claim, message in zip(claims.claim(4), ("x = 1", "x = 2", "no", "x = 3"), strict=True):
        fail(claim, message)
    points = queue.sweep(id).points
    assert [bool(p.whole) for p in points] == [True, False, True, False]
    assert points[0].fingerprint == points[1].fingerprint != points[2].fingerprint
    assert {row.id for row in queue.library.rows()} == {points[0].whole, points[2].whole}
    # The point outlives its whole trace.
    queue.library.delete(str(points[0].whole))
    assert queue.sweep(id).points[0].whole is None
    assert queue.sweep(id).points[0].trace == points[0].trace


def test_a_fresh_sweep_measures_again_and_the_old_one_stays(queue: Queue) -> None:
    claims = claims_of(queue)
    old = queue.submit_sweep(KERNEL, [tiled(1)])
    finish(claims, claims.claim(1)[0], Status.FAILED)
    new = queue.submit_sweep(KERNEL, [tiled(1)], fresh=True)
    assert queue.sweep(new).points[0].state == "queued"
    finish(claims, claims.claim(1)[0])
    statuses = [p.trace.status for id in (old, new) for p in queue.sweep(id).points if p.trace]
    assert statuses == [Status.FAILED, Status.OK_TO_LAST_STEP]
    newest = queue.sweep(queue.submit_sweep(KERNEL, [tiled(1)])).points[0].trace
    assert newest is not None and newest.status is Status.OK_TO_LAST_STEP


def test_a_point_that_was_stopped_gets_more_time(queue: Queue) -> None:
    claims = claims_of(queue)
    queue.submit_sweep(KERNEL, [tiled(1)], limits=Limits(seconds=1))
    finish(claims, claims.claim(1)[0], Status.TIMED_OUT)
    assert queue.sweep(queue.submit_sweep(KERNEL, [tiled(1)], limits=Limits(seconds=1))).over
    assert not queue.sweep(queue.submit_sweep(KERNEL, [tiled(1)], limits=Limits(seconds=9))).over
    assert claims.claim(1)[0].limits.seconds == 9


def test_deleting_a_sweep_keeps_what_others_have(queue: Queue) -> None:
    claims = claims_of(queue)
    first = queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    second = queue.submit_sweep(KERNEL, [tiled(2), tiled(3)])
    for claim in claims.claim(2):
        finish(claims, claim)
    queue.delete_sweep(first)
    assert [p.state for p in queue.sweep(second).points] == ["done", "queued"]
    third = queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    assert [p.state for p in queue.sweep(third).points] == ["queued", "done"]
    queue.delete_sweep(second)
    queue.delete_sweep(third)
    with queue.library.database.reading() as connection:
        for table in ("jobs", "sweeps", "sweep_points", "kernels"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_compact_trace_needs_no_texts() -> None:
    from tests.test_trace_json import filled

    trace: Trace = filled(Trace)
    assert trace.passes and trace.logs and trace.diagnostics and trace.tiling.search
    small = compact(trace)
    assert (small.passes, small.logs, small.diagnostics, small.tiling.search) == ((), (), (), None)
    assert (small.tiling.axes, small.memory, small.failure) == (
        trace.tiling.axes,
        trace.memory,
        trace.failure,
    )
    assert (small.code, small.instructions) == (trace.code, trace.instructions)


# Cancelling


def test_cancelling_what_waits_and_what_runs(queue: Queue) -> None:
    claims = claims_of(queue)
    runs, waits = queue.submit(KERNEL, tiled(1)), queue.submit(KERNEL, tiled(2))
    (claim,) = claims.claim(1)
    queue.cancel(waits)
    queue.cancel(runs)
    assert queue.job(waits).state == "cancelled"
    assert queue.job(runs).state == "running"
    assert claims.to_cancel() == {claim.number}
    finish(claims, claim, Status.CANCELLED)
    assert (queue.job(runs).state, queue.job(runs).status) == ("cancelled", Status.CANCELLED)
    assert claims.to_cancel() == frozenset() and claims.claim(9) == []
    queue.cancel(runs)  # over: nothing happens
    assert queue.job(runs).state == "cancelled"
    left = queue.job(runs).trace
    assert left is not None and queue.library.row(left).status == "cancelled"
    queue.resume(runs)
    job = queue.job(runs)
    assert (job.state, job.status, job.trace) == ("queued", None, None)
    (claim,) = claims.claim(9)
    queue.resume(runs)  # runs: nothing happens
    finish(claims, claim)
    assert queue.job(runs).state == "done" and queue.job(runs).trace != left


def test_a_compile_that_ended_before_its_cancel_is_done(queue: Queue) -> None:
    claims = claims_of(queue)
    id = queue.submit(KERNEL, tiled(1))
    (claim,) = claims.claim(1)
    queue.cancel(id)
    finish(claims, claim)
    assert queue.job(id).state == "done"


def test_a_sweep_is_cancelled_and_resumed(queue: Queue) -> None:
    claims = claims_of(queue)
    points = [tiled(n) for n in range(1, 6)]
    id = queue.submit_sweep(KERNEL, points)
    first, second, third = claims.claim(3)
    finish(claims, first)
    queue.cancel_sweep(id)
    assert claims.to_cancel() == {second.number, third.number}
    finish(claims, second, Status.CANCELLED)
    states = ["done", "cancelled", "running", "cancelled", "cancelled"]
    assert [p.state for p in queue.sweep(id).points] == states
    assert queue.sweep(id).cancelled

    queue.resume_sweep(id)
    assert [p.state for p in queue.sweep(id).points] == [
        "done",
        "queued",
        "running",
        "queued",
        "queued",
    ]
    # The worker had killed the third already; since nobody wants it cancelled now, it goes back.
    assert claims.to_cancel() == frozenset()
    finish(claims, third, Status.CANCELLED)
    assert [p.state for p in queue.sweep(id).points] == ["done"] + ["queued"] * 4
    for claim in claims.claim(9):
        finish(claims, claim)
    sweep = queue.sweep(id)
    assert sweep.over and not sweep.cancelled and sweep.counts == {"done": 5}


def test_cancelling_a_sweep_spares_what_another_waits_for(queue: Queue) -> None:
    first = queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    second = queue.submit_sweep(KERNEL, [tiled(2), tiled(3)])
    queue.cancel_sweep(first)
    assert [p.state for p in queue.sweep(second).points] == ["queued", "queued"]
    queue.cancel_sweep(second)
    assert [p.state for p in queue.sweep(first).points] == ["cancelled", "cancelled"]
    # Who asks for a cancelled point wants it.
    assert not queue.sweep(queue.submit_sweep(KERNEL, [tiled(1)])).over


def test_a_cancelled_point_that_another_sweep_asks_for_goes_on(queue: Queue) -> None:
    claims = claims_of(queue)
    first = queue.submit_sweep(KERNEL, [tiled(1)])
    (claim,) = claims.claim(1)
    queue.cancel_sweep(first)
    second = queue.submit_sweep(KERNEL, [tiled(1)])
    assert claims.to_cancel() == frozenset()
    finish(claims, claim)
    assert queue.sweep(second).points[0].state == "done"


# Workers that come and go


def test_what_a_worker_puts_back_is_queued_again(queue: Queue) -> None:
    claims, others = claims_of(queue), claims_of(queue, f"{this_process()}-other")
    ids = [queue.submit(KERNEL, tiled(n)) for n in (1, 2, 3)]
    mine = claims.claim(2)
    theirs = others.claim(1)
    queue.cancel(ids[1])
    claims.put_back()
    assert [queue.job(id).state for id in ids] == ["queued", "cancelled", "running"]
    # What comes late from a job that is no longer ours is not kept.
    finish(claims, mine[0])
    claims.fail(mine[0].number, "Too late.")
    assert [queue.job(id).state for id in ids] == ["queued", "cancelled", "running"]
    assert queue.library.rows() == []
    finish(others, theirs[0])
    assert [c.id for c in claims.claim(9)] == [ids[0]]
    assert claims.claim(9) == []


def test_a_job_that_kills_its_workers_is_lost(queue: Queue) -> None:
    id = queue.submit_sweep(KERNEL, [tiled(1), tiled(2)])
    for _ in range(MAX_DEATHS):
        claims = claims_of(queue)
        _, second = claims.claim(2)
        finish(claims, second, Status.CANCELLED)  # goes back without a death
        claims.put_back(died="The worker process died while it was running.")
    point, other = queue.sweep(id).points
    assert (point.state, other.state) == ("lost", "queued")
    assert point.error is not None and point.error.startswith("The worker process died while")
    assert point.error.endswith("since that happened 2 times.")
    queue.resume_sweep(id)
    assert [p.state for p in queue.sweep(id).points] == ["queued", "queued"]
    assert queue.sweep(id).points[0].error is None


CLAIM_ALL = """
    queue = Queue(Library(Path(sys.argv[1])))
    claims = claims_of(queue)
    print("ready", flush=True)
    sys.stdin.readline()
    while some := claims.claim(2):
        for claim in some:
            print(claim.id, flush=True)
            finish(claims, claim)
"""


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own that has this module's names."""
    source = f"from tests.test_jobs import *\nimport sys\n{textwrap.dedent(script)}"
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_never_claim_the_same(queue: Queue) -> None:
    ids = [queue.submit(KERNEL, tiled(n)) for n in range(1, 101)]
    workers = [python(CLAIM_ALL, queue.library.home) for _ in range(3)]
    for worker in workers:
        assert worker.stdout and worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin
        worker.stdin.write("go\n")
        worker.stdin.flush()
    claimed = [worker.communicate(timeout=60)[0].split() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    assert sorted(id for some in claimed for id in some) == sorted(ids)
    assert sum(bool(some) for some in claimed) > 1  # they did race
    assert len(queue.library.rows()) == 100


def test_a_dead_process_is_told_from_a_living_one() -> None:
    assert lives(this_process()) and lives(f"{this_process()}-token")
    pid, start = this_process().split("-")
    assert not lives(f"{pid}-{int(start) - 1}")  # an earlier process with our pid
    for nonsense in ("", "x", "1", "99999999-1", f"{pid}-"):
        assert not lives(nonsense)
    with subprocess.Popen(["sleep", "60"]) as process:
        stat = Path(f"/proc/{process.pid}/stat").read_text()
        name = f"{process.pid}-{stat.rpartition(')')[2].split()[19]}"
        assert lives(name)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not lives(name)  # though nobody has reaped it yet
    assert not lives(name)


def test_owners_are_those_of_running_jobs(queue: Queue) -> None:
    queue.submit(KERNEL, tiled(1))
    assert owners(queue.library) == frozenset()
    claims = claims_of(queue, "1-2-x")
    (claim,) = claims.claim(1)
    assert owners(queue.library) == {"1-2-x"}
    finish(claims, claim)
    assert owners(queue.library) == frozenset()


# Folders


def test_progress_counts_pass_files(tmp_path: Path) -> None:
    assert progress(tmp_path) == Progress(0, "")
    poly = tmp_path / "dump" / "Fused_0" / "poly"
    poly.mkdir(parents=True)
    (poly.parent / "09_First.cc").touch()
    (poly / "10_InitSchedule.cc").touch()
    (poly / "scop.log").touch()
    (poly.parent / "notes.cc").touch()
    (poly.parent / "100_Last.cc").touch()
    later = (tmp_path / "dump" / "Fused_0" / "100_Last.cc").stat().st_mtime_ns + 1
    for name in ("99_Middle.cc", "100_Last.cc"):
        (poly.parent / name).touch()
        os.utime(poly.parent / name, ns=(later, later))
    assert progress(tmp_path) == Progress(4, "100_Last")


def test_progress_counts_printed_passes_where_a_compiler_prints(tmp_path: Path) -> None:
    log = tmp_path / "printed.log"
    log.write_text(
        "// -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\n\n"
        "// -----// IR Dump After PlanMemory (hivm-plan-memory) //----- //\nfunc"
    )
    assert arrived(tmp_path) == ["CSE", "PlanMemory"]
    assert progress(tmp_path) == Progress(2, "PlanMemory")


def test_read_only_folders_are_removed() -> None:
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o777)
        child = os.fork()
        if child == 0:
            with contextlib.suppress(PermissionError):
                os.setuid(65534)  # nobody: root may remove anything
            folder = Path(parent) / "compile"
            inner = folder / "dump" / "kernel_meta"
            inner.mkdir(parents=True)
            (inner / "file").touch(0o400)
            inner.chmod(0o500)
            remove(folder)
            os._exit(folder.exists())
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_folders_of_dead_workers_are_removed(tmp_path: Path) -> None:
    mine, dead = tmp_path / COMPILES / this_process(), tmp_path / COMPILES / "99999999-1-abc"
    for folder in (mine, dead):
        (folder / "job").mkdir(parents=True)
    remove_those_of_the_dead(tmp_path)
    assert mine.exists() and not dead.exists()


def test_a_job_that_cannot_be_read_hides_and_spoils_no_other(home, tmp_path):
    library = Library(tmp_path)
    queue = Queue(library)
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    bad, good = queue.submit(kernel, Hints()), queue.submit(kernel, Hints())
    with library.database.writing() as connection:
        connection.execute("UPDATE jobs SET hints = ? WHERE id = ?", (b"{", bad))
    assert [job.id for job in queue.jobs()] == [good]
    with pytest.raises(QueueError, match="cannot be read"):
        queue.job(bad)
    claims = Claims(library, "worker-1", tmp_path / "compiles")
    assert [claim.id for claim in claims.claim(5)] == [good]
    with library.database.reading() as connection:
        state, error = connection.execute(
            "SELECT state, error FROM jobs WHERE id = ?", (bad,)
        ).fetchone()
    assert state == "lost"
    assert "cannot be read" in error
    library.close()
