"""The warm process: outcomes have names, limits hold, nothing survives its owner."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.compilers import Limits, Session, SessionLost
from core.hints import Hints, parse_dim
from core.kernel import Kernel, load_kernel
from core.trace import Status
from tests.conftest import KERNELS, PROJECT


@pytest.fixture(scope="module")
def chain() -> Kernel:
    return load_kernel(KERNELS / "elementwise_chain.json")


def run(
    session: Session, folder: Path, kernel: Kernel, dim: str = "", limits: Limits | None = None
):
    folder.mkdir()
    running = session.start(folder, kernel, Hints(parse_dim(dim)), limits or Limits())
    return running, folder


def test_compiles_to_the_last_step_and_leaves_a_dump(akg_session, chain, tmp_path):
    running, folder = run(akg_session, tmp_path / "job", chain)
    ended = running.wait()
    assert ended.status is Status.OK_TO_LAST_STEP
    assert ended.exit_code == 0
    assert json.loads((folder / "ended.json").read_text())["status"] == "ok_to_last_step"
    assert len(list((folder / "dump").rglob("*.cc"))) > 100
    assert list((folder / "dump").rglob("*.cce"))


def test_an_abort_of_the_compiler_is_an_ordinary_outcome(akg_session, chain, tmp_path):
    crash, _ = run(akg_session, tmp_path / "crash", chain, "0 0 131072 1")
    good, _ = run(akg_session, tmp_path / "good", chain, "0 0 8192 1")
    ended = crash.wait()
    assert (ended.status, ended.signal) == (Status.CRASHED, "SIGABRT")
    assert good.wait().status is Status.OK_TO_LAST_STEP
    assert not list((tmp_path / "crash").rglob("core*"))


def test_a_refusal_is_a_failure_with_the_compilers_words(akg_session, chain, tmp_path):
    running, folder = run(akg_session, tmp_path / "job", chain, "0 0 262144 1")
    assert running.wait().status is Status.FAILED
    assert "Allocation exceed bound of memory tag local.UB" in (folder / "error.txt").read_text()


def test_the_wall_clock_limit_stops_it(akg_session, chain, tmp_path):
    slow = "0 0 17 1"  # many loops: seconds of work
    running, _ = run(akg_session, tmp_path / "job", chain, slow, Limits(seconds=0.2))
    ended = running.wait()
    assert ended.status is Status.TIMED_OUT
    assert ended.seconds < 5


def test_cancel_kills_the_whole_group(akg_session, chain, tmp_path):
    running, _ = run(akg_session, tmp_path / "job", chain, "0 0 17 1")
    assert running.wait(0.1) is None
    running.cancel()
    assert running.wait().status is Status.CANCELLED
    assert children_of(akg_session.pid) == []


def test_a_memory_limit_stops_it_alone(akg_session, chain, tmp_path):
    # Less than AKG itself has mapped: every allocation fails, and only this child ends.
    limits = Limits(memory_bytes=64 << 20)
    running, _ = run(akg_session, tmp_path / "job", chain, limits=limits)
    assert running.wait().status in (Status.FAILED, Status.CRASHED)
    good, _ = run(akg_session, tmp_path / "good", chain)
    assert good.wait().status is Status.OK_TO_LAST_STEP


def test_the_environment_of_the_caller_does_not_leak(akg, chain, tmp_path, monkeypatch):
    # With RUNTIME_MODE set, AKG compiles for the two cores of another chip.
    monkeypatch.setenv("RUNTIME_MODE", "csim")
    monkeypatch.setenv("SYMBOLIC_TILING", "0")
    session = akg.session()
    try:
        running, folder = run(session, tmp_path / "job", chain)
        assert running.wait().status is Status.OK_TO_LAST_STEP
        meta = next(folder.rglob("akg_kernel_meta/*.json"))
        assert json.loads(meta.read_text())["blockDim"] == 32
    finally:
        session.close()


def test_losing_the_warm_process_is_said_and_not_a_compile_result(akg, chain, tmp_path):
    session = akg.session()
    running, _ = run(session, tmp_path / "job", chain, "0 0 17 1")
    os.kill(session.pid, signal.SIGKILL)
    with pytest.raises(SessionLost):
        running.wait()
    session.close()


_OWNER = """
import sys, time
from pathlib import Path
from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints, parse_dim
from core.kernel import load_kernel
session = Akg().session()
folder = Path(sys.argv[1]); folder.mkdir()
slow = Hints(parse_dim("0 0 17 1"))
running = session.start(folder, load_kernel(Path(sys.argv[2])), slow, Limits())
while not (folder / "printed.log").exists():
    running.wait(0.05)
print(session.pid, flush=True)
time.sleep(60)
"""


def test_nothing_survives_a_killed_owner(akg, tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWNER, tmp_path / "job", KERNELS / "elementwise_chain.json"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    warm = int(owner.stdout.readline())
    compiles = children_of(warm)
    assert compiles
    owner.kill()
    owner.wait()
    deadline = time.monotonic() + 10
    while any(alive(pid) for pid in [warm, *compiles]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in [warm, *compiles] if alive(pid)] == []


def children_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
