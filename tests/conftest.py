"""What the tests share: a Tilescope home of their own, the real compiler, the cases beside us."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.compilers import Limits, Running, Session
from core.compilers.akg import Akg
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.hints import Hints, parse_dim
from core.home import home as users_home
from core.kernel import Kernel, load_kernel
from core.library import Library
from core.readers import Opened, open_trace
from pages import _rooms as rooms

PROJECT = Path(__file__).resolve().parents[1]
CASES = PROJECT.parent / "shared" / "cases"
KERNELS = PROJECT / "data" / "kernels"

#: The measured fused kernels, as what the compiler did with each is written down.
AKG_CASES = (
    [json.loads(line) for line in (CASES / "akg" / "expected.jsonl").read_text().splitlines()]
    if CASES.is_dir()
    else []
)
AKG_SWEEPS = ("addmul_4096x1024", "softmax_1024x512_fp16")


@dataclass(frozen=True)
class Dump:
    """One compile that has ended: the folder that it left, and what is read from it."""

    folder: Path
    opened: Opened


#: The user's installed compilers, found before the tests move to a home of their own.
_TOOLCHAINS = users_home() / "toolchains"


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A fresh $TILESCOPE_HOME for the whole run, which borrows the installed compilers."""
    folder = tmp_path_factory.mktemp("tilescope")
    if _TOOLCHAINS.is_dir():
        (folder / "toolchains").symlink_to(_TOOLCHAINS)
    before = os.environ.get("TILESCOPE_HOME")
    os.environ["TILESCOPE_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["TILESCOPE_HOME"]
    else:
        os.environ["TILESCOPE_HOME"] = before


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[Library]:
    """An empty library that the pages look at, and the installed compilers where there are any."""
    if (home / "toolchains").exists():
        (tmp_path / "toolchains").symlink_to((home / "toolchains").resolve())
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    yield rooms.library()
    rooms.forget(tmp_path)


@pytest.fixture(scope="session")
def akg(home: Path) -> Akg:
    """The installed AKG. Its absence fails the run in CI and skips elsewhere."""
    compiler = Akg()
    if not compiler.installed():
        reason = "AKG is not installed; run: python -m core toolchain install akg"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return compiler


@pytest.fixture(scope="session")
def ascendnpu_ir(home: Path) -> AscendNpuIr:
    """The installed AscendNPU IR. Its absence fails the run in CI and skips elsewhere."""
    compiler = AscendNpuIr()
    if not compiler.installed():
        reason = "AscendNPU IR is not installed; run: python -m core toolchain install ascendnpu-ir"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return compiler


@pytest.fixture(scope="session")
def compile_mlir(
    ascendnpu_ir: AscendNpuIr, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Opened]]:
    """Compile an MLIR kernel for real and read what it left: `compile_mlir(kernel, hints)`."""
    session = ascendnpu_ir.session()

    def compiled(kernel: Kernel, hints: Hints | None = None, *, full: bool = True) -> Opened:
        folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))
        session.start(folder, kernel, hints or Hints(), Limits(), full=full).wait()
        return open_trace(folder)

    yield compiled
    session.close()


@pytest.fixture(scope="session")
def akg_session(akg: Akg) -> Iterator[Session]:
    """One warm AKG for the whole run."""
    session = akg.session()
    yield session
    session.close()


@pytest.fixture(scope="session")
def dump_all(
    akg_session: Session, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Iterator[Dump]]:
    """Compile many for real, two at a time: `dump_all([(kernel, hints), …])`, in that order."""

    def compiled(
        jobs: Sequence[tuple[Kernel, Hints]], limits: Limits | None = None
    ) -> Iterator[Dump]:
        started: deque[tuple[Path, Running]] = deque()
        for kernel, hints in jobs:
            folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))
            started.append((folder, akg_session.start(folder, kernel, hints, limits or Limits())))
            if len(started) == 2:
                yield _read_when_ended(*started.popleft())
        while started:
            yield _read_when_ended(*started.popleft())

    return compiled


def _read_when_ended(folder: Path, running: Running) -> Dump:
    running.wait()
    return Dump(folder, open_trace(folder))


@pytest.fixture(scope="session")
def compile_all(dump_all: Callable[..., Iterator[Dump]]) -> Callable[..., Iterator[Opened]]:
    """The same where only what is read from the dumps is wanted."""

    def compiled(
        jobs: Sequence[tuple[Kernel, Hints]], limits: Limits | None = None
    ) -> Iterator[Opened]:
        return (dump.opened for dump in dump_all(jobs, limits))

    return compiled


@pytest.fixture(scope="session")
def compile_kernel(compile_all: Callable[..., Iterator[Opened]]) -> Callable[..., Opened]:
    """Compile for real and read the dump: `compile_kernel(kernel, hints, limits=…) -> Opened`."""

    def compiled(
        kernel: Kernel, hints: Hints | None = None, limits: Limits | None = None
    ) -> Opened:
        return next(compile_all([(kernel, hints or Hints())], limits))

    return compiled


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of measured cases; a plain clone has none."""
    if not CASES.is_dir():
        pytest.skip(f"no measured cases at {CASES}")
    return CASES


@pytest.fixture(scope="session")
def akg_cases(cases: Path, dump_all: Callable[..., Iterator[Dump]]) -> dict[str, Dump]:
    """The measured fused kernels, compiled once for the whole run, by file name."""
    jobs = [(load_kernel(cases / "akg" / case["file"]), Hints()) for case in AKG_CASES]
    return {case["file"]: dump for case, dump in zip(AKG_CASES, dump_all(jobs), strict=True)}


@pytest.fixture(scope="session")
def akg_sweeps(
    cases: Path, dump_all: Callable[..., Iterator[Dump]]
) -> dict[str, list[tuple[dict[str, str], Dump]]]:
    """The measured sweeps, compiled once for the whole run: each measured row with its dump."""
    sweeps = {}
    for name in AKG_SWEEPS:
        kernel = load_kernel(cases / "akg_sweep" / f"{name}.json")
        with (cases / "akg_sweep" / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        dumps = dump_all([(kernel, Hints(parse_dim(row["dim"]))) for row in rows])
        sweeps[name] = list(zip(rows, dumps, strict=True))
    return sweeps


@pytest.fixture(scope="session")
def mlir_cases(
    cases: Path, ascendnpu_ir: AscendNpuIr, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Dump]:
    """The measured MLIR kernels, compiled once for the whole run, by file name without suffix."""
    session = ascendnpu_ir.session()
    dumps = {}
    try:
        for file in sorted((cases / "mlir").glob("*.mlir")):
            folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))
            running = session.start(folder, load_kernel(file), Hints(), Limits())
            dumps[file.stem] = _read_when_ended(folder, running)
    finally:
        session.close()
    return dumps
