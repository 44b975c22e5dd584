"""What the tests share: a Tilescope home of their own, the real compiler, the cases beside us."""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from core.compilers import Limits, Running, Session
from core.compilers.akg import Akg
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.hints import Hints
from core.home import home as users_home
from core.kernel import Kernel
from core.readers import Opened, open_trace

PROJECT = Path(__file__).resolve().parents[1]
CASES = PROJECT.parent / "shared" / "cases"
KERNELS = PROJECT / "data" / "kernels"

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
def compile_all(
    akg_session: Session, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Iterator[Opened]]:
    """Compile many for real, two at a time: `compile_all([(kernel, hints), …])`, in that order."""

    def compiled(
        jobs: Sequence[tuple[Kernel, Hints]], limits: Limits | None = None
    ) -> Iterator[Opened]:
        started: deque[tuple[Path, Running]] = deque()
        for kernel, hints in jobs:
            folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))
            started.append((folder, akg_session.start(folder, kernel, hints, limits or Limits())))
            if len(started) == 2:
                yield _read_when_ended(*started.popleft())
        while started:
            yield _read_when_ended(*started.popleft())

    return compiled


def _read_when_ended(folder: Path, running: Running) -> Opened:
    running.wait()
    return open_trace(folder)


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
