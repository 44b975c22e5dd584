"""What the measurements share: a home of their own, real compiles, remarks for below the table."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints
from core.home import home
from core.kernel import Kernel, load_kernel
from core.readers import Opened, open_trace

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = PROJECT / "data" / "kernels"
CASES = PROJECT.parent / "shared" / "cases" / "akg"


@dataclass
class Bench:
    """One run of the benchmarks."""

    folder: Path  #: scratch, gone afterwards; holds the home as well
    remarks: list[str] = field(default_factory=list)

    def home(self, name: str) -> Path:
        """A fresh Tilescope home that borrows the installed compilers; $TILESCOPE_HOME from now."""
        fresh = self.folder / name
        fresh.mkdir()
        (fresh / "toolchains").symlink_to(self.folder / "toolchains")
        os.environ["TILESCOPE_HOME"] = str(fresh)
        return fresh

    def compile(self, *kernels: Kernel) -> list[Path]:
        """Compile for real, without hints; the folders that `open_trace` reads."""
        self.home(f"compiles-{len(list(self.folder.iterdir()))}")
        session = Akg().session()
        folders = []
        try:
            for kernel in kernels:
                folder = Path(tempfile.mkdtemp(prefix="dump-", dir=self.folder))
                session.start(folder, kernel, Hints(), Limits()).wait()
                folders.append(folder)
        finally:
            session.close()
        return folders

    def trace(self, name: str) -> tuple[Kernel, Opened]:
        """One of our own kernels, compiled and read."""
        kernel = load_kernel(KERNELS / name)
        (folder,) = self.compile(kernel)
        return kernel, open_trace(folder)

    def remark(self, sentence: str) -> None:
        """Say something about a figure, below the table."""
        self.remarks.append(sentence)


@contextmanager
def bench() -> Iterator[Bench]:
    """A run with the installed compilers at hand; raises ToolMissing where there are none."""
    toolchains = home() / "toolchains"
    Akg().target()
    before = os.environ.get("TILESCOPE_HOME")
    with tempfile.TemporaryDirectory(prefix="tilescope-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / "toolchains").symlink_to(toolchains)
        try:
            yield Bench(folder)
        finally:
            if before is None:
                os.environ.pop("TILESCOPE_HOME", None)
            else:
                os.environ["TILESCOPE_HOME"] = before
