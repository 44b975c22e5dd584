"""Inquiries: questions that take several compiles, led step by step, by whoever is alive."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.analysis.inquiry import Answer, Inquiry
from core.compilers.akg import Akg
from core.hints import Hints, parse_dim
from core.jobs import inquiries
from core.jobs.claims import Claims
from core.jobs.inquiring import Inquiring, Leader
from core.jobs.queue import Queue, QueueError
from core.jobs.supervise import Supervisor
from core.jobs.worker import run_until
from core.kernel import Kernel, load_kernel
from core.library import Library, LibraryError
from core.request import Request
from core.trace import Status, Texts, Trace
from tests.test_jobs import KERNEL, claims_of, ended, finish, tiled
from tests.test_worker import KERNELS, mark, marked, own_home, until

__all__ = ["mark"]  # a fixture


@dataclass(frozen=True, slots=True)
class Counted:
    """What the inquiries of these tests find."""

    statuses: tuple[str, ...]
    errors: tuple[str, ...]


def start(
    trace: Trace, texts: Texts, kernel: Kernel, options: Mapping[str, Any]
) -> Inquiry[Counted]:
    """Asks for tiles 1 and 2, then for one as many as compile among them."""
    assert trace.kernel == kernel.name
    if "refuses" in options:
        raise ValueError("There is nothing to ask.")
    return _counted(kernel, options)


def _counted(kernel: Kernel, options: Mapping[str, Any]) -> Inquiry[Counted]:
    def ask(*tiles: int) -> Sequence[Request]:
        return [Request(kernel, tiled(tile)) for tile in tiles]

    first: Sequence[Answer] = yield ask(1, 2)
    if "dies" in options:
        os._exit(3)
    if "thinks" in options:
        time.sleep(60)
    good = sum(answer.compiles for answer in first)
    if "fails" in options:
        raise ZeroDivisionError("a fault of ours")
    then = yield ask(10 + good, 1)
    answers = [*first, *then]
    return Counted(
        tuple(a.trace.status.value if a.trace else "" for a in answers),
        tuple(a.error for a in answers),
    )


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Queue:
    monkeypatch.setattr(inquiries, "KINDS", {"count": inquiries.Kind(__name__, "Counted")})
    for module in ("core.jobs.queue", "core.jobs.inquiring"):
        monkeypatch.setattr(f"{module}.KINDS", inquiries.KINDS)
    return Queue(Library(tmp_path / "home"))


@pytest.fixture
def trace(queue: Queue) -> str:
    """Of the kernel of these tests, in the library."""
    return queue.library.add(ended(Hints()), queue.library, KERNEL)


def do_all(queue: Queue, claims: Claims, statuses: Mapping[int, Status] | None = None) -> int:
    """Finish what is asked for; how many compiles that were."""
    claimed = claims.claim(99)
    for claim in claimed:
        tile = claim.hints.tiles[0].outer
        finish(claims, claim, (statuses or {}).get(tile, Status.OK))
    return len(claimed)


def test_an_inquiry_asks_in_the_light_of_what_it_is_told(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace, {"note": 1})
    row = queue.inquiry(id)
    assert (row.state, row.kind, row.parent, row.options) == ("queued", "count", trace, {"note": 1})
    assert (row.sweep, row.asked, row.result, row.over) == (None, 0, None, False)

    leader, claims = Leader(queue.library), claims_of(queue)
    assert leader.round()
    row = queue.inquiry(id)
    assert (row.state, row.asked, row.answered) == ("running", 2, 0)
    assert row.sweep is not None
    leader.round()
    assert queue.inquiry(id).asked == 2, "it waits"
    assert do_all(queue, claims, {2: Status.FAILED}) == 2
    leader.round()
    assert [p.hints for p in queue.sweep(row.sweep).points] == [tiled(1), tiled(2), tiled(11)]
    assert do_all(queue, claims) == 1
    leader.round()
    row = queue.inquiry(id)
    assert (row.state, row.asked, row.answered, row.error) == ("done", 3, 3, None)
    assert row.result == Counted(("ok", "failed", "ok", "ok"), ("",) * 4)
    assert queue.inquiries(trace) == [row] and row.over
    assert not leader.round() and queue.sweeps() == []


def test_another_leader_goes_on_and_nothing_is_compiled_again(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace)
    claims = claims_of(queue)
    compiles = 0
    for _ in range(4):
        Leader(queue.library).round()  # each a process that died since
        Leader(queue.library).round()
        compiles += do_all(queue, claims)
    assert compiles == 3 and queue.inquiry(id).state == "done"
    again = queue.inquire("count", trace)
    for _ in range(3):
        Leader(queue.library).round()
    assert do_all(queue, claims) == 0
    assert queue.inquiry(again).result == queue.inquiry(id).result


def test_what_never_will_be_compiled_is_an_answer(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace)
    leader, claims = Leader(queue.library), claims_of(queue)
    leader.round()
    first, second = claims.claim(9)
    claims.fail(first.number, "The hint is wrong.")
    finish(claims, second)
    leader.round()
    do_all(queue, claims)
    leader.round()
    found = queue.inquiry(id).result
    assert found.statuses == ("", "ok_to_last_step", "ok", "")
    assert found.errors == ("The hint is wrong.", "", "", "The hint is wrong.")


def test_an_inquiry_is_cancelled_with_what_it_waits_for(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace)
    leader = Leader(queue.library)
    leader.round()
    queue.cancel_inquiry(id)
    assert not leader.round()
    row = queue.inquiry(id)
    assert (row.state, row.over) == ("cancelled", True)
    assert row.sweep and queue.sweep(row.sweep).counts == {"cancelled": 2}
    # Who asks anew has them compiled.
    again = queue.inquire("count", trace)
    leader.round()
    assert queue.inquiry(again).answered == 0


def test_a_point_that_somebody_else_cancelled_is_asked_for_again(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace)
    leader, claims = Leader(queue.library), claims_of(queue)
    leader.round()
    sweep = queue.inquiry(id).sweep
    assert sweep
    queue.cancel_sweep(sweep)
    for _ in range(3):
        leader.round()
        do_all(queue, claims)
    leader.round()
    assert queue.inquiry(id).state == "done"


def test_what_goes_wrong_is_one_sentence(queue: Queue, trace: str) -> None:
    with pytest.raises(QueueError, match=r"no inquiry 'guess'; choose from: count"):
        queue.inquire("guess", trace)
    with pytest.raises(LibraryError, match="There is no trace nowhere"):
        queue.inquire("count", "nowhere")
    with pytest.raises(QueueError, match="There is no inquiry nowhere"):
        queue.inquiry("nowhere")
    bare = queue.library.add(ended(Hints()), queue.library)
    asked = [
        queue.inquire("count", trace, {"refuses": True}),
        queue.inquire("count", trace, {"fails": True}),
        queue.inquire("count", bare),
        queue.inquire("count", trace),
    ]
    leader, claims = Leader(queue.library), claims_of(queue)
    for _ in range(3):
        leader.round()
        do_all(queue, claims)
    rows = [queue.inquiry(id) for id in asked]
    assert [row.state for row in rows] == ["failed", "failed", "failed", "done"]
    assert rows[0].error == "There is nothing to ask."
    assert rows[1].error == "The inquiry met a fault: ZeroDivisionError: a fault of ours."
    assert rows[2].error is not None and "without its kernel" in rows[2].error


def test_deleting_a_trace_deletes_what_was_asked_about_it(queue: Queue, trace: str) -> None:
    id = queue.inquire("count", trace)
    Leader(queue.library).round()
    queue.library.delete(trace)
    with pytest.raises(QueueError):
        queue.inquiry(id)
    with queue.library.database.reading() as connection:
        for table in ("jobs", "sweeps", "inquiries", "kernels"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


# By a process of its own

#: Leads with the kind of these tests; what core.jobs.inquiring runs is the same otherwise.
_PROCESS = """
import sys
from pathlib import Path
from core.jobs import inquiries, inquiring, queue
kinds = {"count": inquiries.Kind("tests.test_inquiries", "Counted")}
inquiries.KINDS = inquiring.KINDS = queue.KINDS = kinds
inquiring.main(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("how", ["dies", "thinks"])
def test_an_inquiry_that_takes_its_process_along_is_given_up_alone(
    queue: Queue, trace: str, how: str
) -> None:
    bad, good = queue.inquire("count", trace, {how: True}), queue.inquire("count", trace)
    inquiring = Inquiring(queue.library, seconds=1.0)
    inquiring._command = [sys.executable, "-c", _PROCESS, str(queue.library.home)]
    claims = claims_of(queue)
    try:
        until(lambda: (inquiring.round(), do_all(queue, claims), queue.inquiry(good).over)[-1], 30)
    finally:
        inquiring.close()
    assert queue.inquiry(good).state == "done"
    row = queue.inquiry(bad)
    assert row.state == "failed" and row.error is not None
    assert row.error.endswith(
        {"dies": "ended with code 3.", "thinks": "took longer than 1 s for one step."}[how]
    )


def test_a_real_question_survives_the_death_of_who_asks_it(
    tmp_path: Path, home: Path, akg: Akg, mark: str
) -> None:
    """A kernel that aborts is shrunk; the process that asks is killed in the middle."""
    queue = Queue(Library(own_home(tmp_path, home)))
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    (job,) = run_until(queue, [queue.submit(kernel, Hints(parse_dim("0 0 131072 1")))])
    assert job.trace is not None and job.status is Status.CRASHED
    with Supervisor(queue.library.home):
        id = queue.inquire("shrink", job.trace, {"budget": 6})
        until(lambda: queue.inquiry(id).answered >= 2)
        sweep = queue.inquiry(id).sweep
        assert sweep
        done = {p.job: queue.job(p.job) for p in queue.sweep(sweep).points if p.state == "done"}
        (leader,) = (pid for pid, said in marked(mark).items() if "core.jobs.inquiring" in said)
        os.kill(leader, signal.SIGKILL)
        until(lambda: queue.inquiry(id).over)
    row = queue.inquiry(id)
    assert (row.state, row.error) == ("done", None) and row.result.reproduced
    assert row.result.operators < row.result.operators_before
    points = queue.sweep(sweep).points
    assert len({point.job for point in points}) == len(points) >= 4
    assert {job: queue.job(job) for job in done} == done  # with their times: none was done again
