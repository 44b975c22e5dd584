"""Record the dumps that tests read without a compiler: `python -m tests.record_dumps`.

Compiles kernels of data/kernels with the installed AKG and copies the passes named here to
tests/dumps/<name>/, as the compiler wrote them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints, parse_dim
from core.kernel import example_kernels

PROJECT = Path(__file__).resolve().parents[1]
DUMPS = PROJECT / "tests" / "dumps"


@dataclass(frozen=True)
class Recording:
    name: str
    kernel: str  #: name of an example kernel
    passes: Sequence[str]  #: parts of the paths of the files to keep
    dim: str = ""


RECORDINGS = (
    Recording(
        "elementwise",
        "elementwise_chain",
        (
            "_composite/00_Origin",
            "_0/00_ScheduleOps",
            "_0/22_AutoPoly",
            "_EmitInsn",
            "_InjectSync",
            "_DecorateDeviceScope",
            "_1/01_SplitHostDevice",
            "AnalyzeSchedule",
            "TileOuterBand",
            "MarkOuterMost",
            ".cce",
        ),
    ),
    # a tile that does not divide the extent: branches on the loop and on the core
    Recording("elementwise_129", "elementwise_chain", ("_DecorateDevice", ".cce"), "0 0 129 1"),
    Recording(
        "softmax",
        "softmax_fp16",
        (
            "_composite/00_",
            "_0/22_AutoPoly",
            "_DecorateDevice",
            "AnalyzeSchedule",
            "MarkOuterMost",
            ".cce",
        ),
    ),
    Recording(
        "matmul", "matmul_cube", ("_AutoPoly", "_DecorateDeviceScope", "AnalyzeSchedule", ".cce")
    ),
    # an attribute that holds a whole loop nest
    Recording("maxpool", "maxpool", ("_0/00_ScheduleOps", "AnalyzeSchedule")),
)


def main() -> None:
    kernels = {k.name: k for k in example_kernels(PROJECT / "data" / "kernels")}
    session = Akg().session()
    for recording in RECORDINGS:
        target = DUMPS / recording.name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as folder:
            hints = Hints(parse_dim(recording.dim))
            kernel = kernels[recording.kernel]
            session.start(Path(folder), kernel, hints, Limits()).wait()
            for path in sorted(Path(folder).rglob("*.c*")):
                if any(part in path.as_posix() for part in recording.passes):
                    stem = "poly_" if path.parent.name == "poly" else ""
                    (target / f"{stem}{path.name}").write_bytes(path.read_bytes())
        print(recording.name, len(list(target.iterdir())))
    session.close()


if __name__ == "__main__":
    main()
