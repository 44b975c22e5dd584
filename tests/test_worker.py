"""The worker with the real compiler: what it keeps, what it survives, what it leaves behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.analysis.matrix import laid_out
from core.analysis.matrix.cases import cases
from core.analysis.signatures import explain
from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints, parse_dim
from core.jobs.folders import COMPILES, UNREAD
from core.jobs.matrices import SweepMatrix
from core.jobs.queue import Queue
from core.jobs.supervise import LOG, Supervisor
from core.jobs.work import Job, Sweep
from core.jobs.worker import Worker, run_until
from core.kernel import Kernel, load_kernel
from core.library import Library, text_hash, texts_of
from core.readers import open_trace
from core.trace import Status

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = PROJECT / "data" / "kernels"

#: Of these the second makes the compiler abort; the others compile.
DIMS = ("0 0 8192 1", "0 0 131072 1", "0 0 4096 1", "0 0 16384 1", "0 0 2048 1", "0 0 32768 1")
ABORTS = 1


@pytest.fixture
def elementwise() -> Kernel:
    return load_kernel(KERNELS / "elementwise_chain.json")


@pytest.fixture
def slow() -> Kernel:
    """Compiles for half a minute."""
    return load_kernel(KERNELS / "conv3d_padded.py", "8x8x8_c4_k3")


@pytest.fixture
def queue(tmp_path: Path, home: Path, akg: Akg) -> Queue:
    """The queue of a home of its own, with the installed compiler."""
    return Queue(Library(own_home(tmp_path, home)))


def own_home(folder: Path, home: Path) -> Path:
    own = folder / "home"
    own.mkdir()
    (own / "toolchains").symlink_to(home / "toolchains")
    return own


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Marks the processes that a test starts, in their environment; none may outlive it."""
    value = secrets.token_hex(8)
    monkeypatch.setenv("TILESCOPE_TEST_MARK", value)
    yield value
    left = marked(value)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


def marked(value: str) -> dict[int, str]:
    """The living processes with a mark, this one apart: pid to command line."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"TILESCOPE_TEST_MARK={value}".encode() in environment and folder.name != str(
            os.getpid()
        ):
            found[int(folder.name)] = command
    return found


def pid_of(value: str, module: str) -> int:
    """The process that runs a module, not what it has forked: that has another parent."""
    ours = {pid: command for pid, command in marked(value).items() if module in command}
    (pid,) = (
        pid
        for pid in ours
        if int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) not in ours
    )
    return pid


def until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something to come true; fail where it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def points(dims: tuple[str, ...] = DIMS) -> list[Hints]:
    return [Hints(parse_dim(dim)) for dim in dims]


def assert_swept(sweep: Sweep) -> None:
    """Every point is done, with what the compiler is known to do with it."""
    assert [p.state for p in sweep.points] == ["done"] * len(DIMS)
    for at, point in enumerate(sweep.points):
        trace = point.trace
        assert trace is not None and trace.hints.asked == point.hints.as_dict()
        assert trace.status is (Status.CRASHED if at == ABORTS else Status.OK_TO_LAST_STEP)
        assert trace.passes == () and trace.kernel_hash == sweep.kernel_hash
        ub = trace.plan("UB")
        if at != ABORTS:
            assert ub is not None and ub.peak_bytes > 0 and trace.block_dim


def wait_for_some(queue: Queue, sweep: str, done: int) -> dict[str, Job]:
    """Wait until some points of a sweep are done; those, as jobs."""
    until(lambda: queue.sweep(sweep).counts["done"] >= done)
    return {p.job: queue.job(p.job) for p in queue.sweep(sweep).points if p.state == "done"}


# In this process


@dataclass(frozen=True)
class Compiled:
    """Compiles that several tests look at."""

    queue: Queue
    kernel: Kernel
    automatic: Job
    tiled: Job  #: DIMS[0]
    aborted: Job
    stopped: Job  #: by its time limit

    @property
    def library(self) -> Library:
        return self.queue.library


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, home: Path, akg: Akg) -> Compiled:
    queue = Queue(Library(own_home(tmp_path_factory.mktemp("compiled"), home)))
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    slow = load_kernel(KERNELS / "conv3d_padded.py", "8x8x8_c4_k3")
    ids = [
        queue.submit(kernel, Hints()),
        queue.submit(kernel, Hints(parse_dim(DIMS[0]))),
        queue.submit(kernel, Hints(parse_dim(DIMS[ABORTS]))),
        queue.submit(slow, Hints(), limits=Limits(seconds=1.0)),
    ]
    ended = {job.id: job for job in run_until(queue, ids)}
    assert ended.keys() == set(ids)
    return Compiled(queue, kernel, *(ended[id] for id in ids))


def test_compiles_are_kept_whole(compiled: Compiled) -> None:
    library = compiled.library
    asked = (Hints(), Hints(parse_dim(DIMS[0])), Hints(parse_dim(DIMS[ABORTS])))
    jobs = (compiled.automatic, compiled.tiled, compiled.aborted)
    assert [job.state for job in jobs] == ["done"] * 3
    assert [job.status for job in jobs] == [
        Status.OK_TO_LAST_STEP,
        Status.OK_TO_LAST_STEP,
        Status.CRASHED,
    ]
    for job, hints in zip(jobs, asked, strict=True):
        assert job.trace
        trace = library.trace(job.trace)
        assert trace.hints.asked == hints.as_dict()
        assert trace.status is job.status
        assert library.kernel(job.trace) == compiled.kernel
        assert len(trace.passes) > 90
        for digest in texts_of(trace):
            assert text_hash(library.get(digest)) == digest
    assert compiled.aborted.trace
    failure = library.trace(compiled.aborted.trace).failure
    assert failure is not None and failure.signal == "SIGABRT"
    assert not list((library.home / COMPILES).iterdir())


def test_a_time_limit_is_kept(compiled: Compiled) -> None:
    job = compiled.stopped
    assert (job.state, job.status) == ("done", Status.TIMED_OUT)
    assert job.trace
    assert compiled.library.trace(job.trace).status is Status.TIMED_OUT


def test_an_export_is_read_back(compiled: Compiled, tmp_path: Path) -> None:
    library, id = compiled.library, compiled.automatic.trace
    assert id
    exported = tmp_path / "export.zip"
    exported.write_bytes(library.export(id))
    opened = open_trace(exported)
    assert (opened.trace, opened.kernel) == (library.trace(id), compiled.kernel)
    other = Library(tmp_path)
    again = other.add(opened.trace, opened.texts, opened.kernel, origin="imported")
    assert other.export(again) == exported.read_bytes()


def test_recorded_traces_are_brought_in_once(compiled: Compiled, tmp_path: Path) -> None:
    first, second = compiled.automatic.trace, compiled.tiled.trace
    assert first and second
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "elementwise.zip").write_bytes(compiled.library.export(first))
    (folder / "broken.zip").write_bytes(b"no zip")
    library = Library(tmp_path)
    assert library.add_recorded(folder) == ["elementwise"]
    assert library.add_recorded(folder) == []
    assert library.trace("elementwise") == compiled.library.trace(first)
    assert library.row("elementwise").origin == "recorded"
    library.delete("elementwise")
    assert library.add_recorded(folder) == []  # the user's word
    (folder / "elementwise.zip").write_bytes(compiled.library.export(second))
    assert library.add_recorded(folder) == ["elementwise"]  # a newer recording
    (folder / "elementwise.zip").write_bytes(b"no zip")
    assert library.add_recorded(folder) == []
    assert library.trace("elementwise") == compiled.library.trace(second)


def test_a_compiler_that_is_not_installed_is_said(
    tmp_path: Path, elementwise: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    queue = Queue(Library(tmp_path))
    (job,) = run_until(queue, [queue.submit(elementwise, Hints())])
    assert job.state == "lost"
    assert job.error is not None and "python -m core toolchain install akg" in job.error


def test_leaving_early_cancels_what_is_left(
    queue: Queue, elementwise: Kernel, slow: Kernel
) -> None:
    quick, long = queue.submit(elementwise, Hints()), queue.submit(slow, Hints())
    running = run_until(queue, [quick, long])
    assert next(running).id == quick
    running.close()
    assert (queue.job(quick).state, queue.job(long).state) == ("done", "cancelled")


def test_a_dump_that_cannot_be_read_is_kept(queue: Queue, elementwise: Kernel) -> None:
    id = queue.submit(elementwise, Hints())
    worker = Worker(queue.library)
    try:
        until(lambda: (worker.round(), queue.job(id).folder)[1])
        folder = queue.job(id).folder
        assert folder is not None
        until(lambda: (worker.round(), (folder / "job.json").exists())[1])
        (folder / "job.json").write_text("{}")
        until(lambda: (worker.round(), queue.job(id).over)[1])
    finally:
        worker.stop()
    job = queue.job(id)
    (kept,) = (queue.library.home / UNREAD).iterdir()
    assert job.state == "lost" and job.error is not None and str(kept) in job.error
    assert (kept / "dump").is_dir()


def test_cancelling_stops_a_running_compile(queue: Queue, slow: Kernel, mark: str) -> None:
    id = queue.submit(slow, Hints())
    worker = Worker(queue.library)
    try:

        def running() -> bool:
            worker.round()
            progress = queue.job(id).progress
            return progress is not None and progress.passes > 20

        until(running)
        asked = time.monotonic()
        queue.cancel(id)
        until(lambda: (worker.round(), queue.job(id).over)[1], 5)
        assert time.monotonic() - asked < 2
        job = queue.job(id)
        assert (job.state, job.status) == ("cancelled", Status.CANCELLED)
        # Where it had got to can be looked at.
        assert job.trace is not None
        trace = queue.library.trace(job.trace)
        assert trace.status is Status.CANCELLED and len(trace.passes) > 20
        until(lambda: not worker.round(), 5)
    finally:
        worker.stop()


@pytest.mark.parametrize("module", ["core.compilers.warm_server", "core.jobs.reading"])
def test_a_helper_that_is_killed_is_replaced(
    queue: Queue, elementwise: Kernel, mark: str, module: str
) -> None:
    id = queue.submit_sweep(elementwise, points())
    worker = Worker(queue.library)
    try:
        until(lambda: (worker.round(), queue.sweep(id).counts["done"] >= 2)[1])
        os.kill(pid_of(mark, module), signal.SIGKILL)
        until(lambda: (worker.round(), queue.sweep(id).over)[1])
    finally:
        worker.stop()
    assert_swept(queue.sweep(id))
    assert not marked(mark)


# As a process of its own


def test_a_killed_worker_loses_no_point_and_leaves_no_process(
    queue: Queue, elementwise: Kernel, mark: str
) -> None:
    id = queue.submit_sweep(elementwise, points())
    with Supervisor(queue.library.home) as supervisor:
        done = wait_for_some(queue, id, 2)
        killed = set(marked(mark))
        first = supervisor.pid
        assert first in killed
        assert any(p.state == "running" for p in queue.sweep(id).points)
        os.kill(first, signal.SIGKILL)
        until(lambda: not killed & marked(mark).keys(), 10)
        until(lambda: queue.sweep(id).over)
        assert supervisor.pid not in (None, first)
        # What was done was not done again.
        assert {job: queue.job(job) for job in done} == done
        assert len(list((queue.library.home / COMPILES).iterdir())) == 1
    assert_swept(queue.sweep(id))
    assert not marked(mark)
    assert not list((queue.library.home / COMPILES).iterdir())


def test_a_sweep_over_shapes_survives_its_worker_and_says_pass_rates(
    queue: Queue, elementwise: Kernel, mark: str
) -> None:
    """30 points, of which no finished one is lost, and none is compiled twice."""
    shapes = cases(["d0=16,64,100,256,4096 d1=16,63,1024"], elementwise)
    large = Hints(parse_dim("0 0 262144 1"))
    layout, requests = laid_out(shapes, [("no hints", Hints()), ("large", large)])
    id = queue.submit_requests(requests, axes=layout.as_axes())
    of = SweepMatrix(queue, id, explain)
    with Supervisor(queue.library.home) as supervisor:
        until(lambda: queue.progress(id).counts["done"] >= 8)
        first = supervisor.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        until(lambda: supervisor.pid not in (None, first))
        done = {
            job: queue.job(job)
            for job, state in queue.progress(id).states.items()
            if state == "done"
        }
        assert 8 <= len(done) < 30
        until(lambda: (of.look(), queue.progress(id).over)[1])
    assert queue.progress(id).counts == {"done": 30}
    assert {job: queue.job(job) for job in done} == done
    matrix = of.look()
    assert matrix.over and [rate.text for rate in matrix.rates] == ["100 %", "100 % → 73 %"]
    failing = {matrix.layout.cases[row].name for each in matrix.groups for row, _ in each.places}
    assert failing == {"100x1024", "256x1024", "4096x63", "4096x1024"}
    # Of each way in which they fail one whole trace is kept, and no other.
    whole = {str(matrix.cells[each.example].whole) for each in matrix.groups}
    assert {row.id for row in queue.library.rows()} == whole
    assert all(queue.library.trace(id).passes for id in whole)
    assert not marked(mark)


SERVER = """
    import sys, time
    from pathlib import Path
    from core.jobs.supervise import Supervisor
    with Supervisor(Path(sys.argv[1])):
        time.sleep(600)
"""


def test_a_killed_server_leaves_no_process_and_the_sweep_goes_on_later(
    queue: Queue, elementwise: Kernel, mark: str
) -> None:
    id = queue.submit_sweep(elementwise, points())
    home = queue.library.home
    command = [sys.executable, "-c", textwrap.dedent(SERVER), str(home)]
    with subprocess.Popen(command, cwd=PROJECT) as server:
        done = wait_for_some(queue, id, 2)
        server.kill()
    until(lambda: not marked(mark), 15)
    sweep = queue.sweep(id)
    assert "running" not in sweep.counts  # the worker had time to put them back
    done |= {p.job: queue.job(p.job) for p in sweep.points if p.state == "done"}
    assert not list((home / COMPILES).iterdir())
    queue.resume_sweep(id)
    with Supervisor(home):
        until(lambda: queue.sweep(id).over)
    assert_swept(queue.sweep(id))
    assert {job: queue.job(job) for job in done} == done
    assert not marked(mark)


def test_one_worker_works_and_the_next_takes_over(
    queue: Queue, elementwise: Kernel, mark: str
) -> None:
    home = queue.library.home
    with Supervisor(home) as second:
        with Supervisor(home) as first:
            until(lambda: first.pid and second.pid)
            id = queue.submit_sweep(elementwise, points(DIMS[:2]))
            until(lambda: queue.sweep(id).over)
            warm = [c for c in marked(mark).values() if "warm_server" in c]
            assert len(warm) == 1  # one works
        again = queue.submit_sweep(elementwise, points(DIMS[2:4]))
        until(lambda: queue.sweep(again).over)
    # Whichever came first, the one that was left did the rest.
    assert queue.sweep(again).counts == {"done": 2}


def test_a_worker_that_cannot_start_is_said(tmp_path: Path, mark: str) -> None:
    (tmp_path / "library.sqlite").mkdir()
    with Supervisor(tmp_path) as supervisor:
        until(lambda: supervisor.problem)
        assert supervisor.problem.startswith("The worker that compiles ended with exit code 1;")
        assert "cannot be opened" in (tmp_path / LOG).read_text()
