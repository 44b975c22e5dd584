"""Record whole compiles for the tests of the readers: `python -m tests.record_jobs [NAME …]`.

Each file of tests/dumps/jobs is the folder of one compile by the installed AKG, zipped, with the
machine's own paths replaced in what was printed. `akg_1_6.zip` is the exception: what AKG 1.6.2,
out of its public wheel, wrote for a kernel that adds and multiplies two tensors of float16, with
nothing of ours beside it.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from core.compilers import Limits, Session
from core.compilers.akg import Akg
from core.hints import Hints, Tile
from core.home import home
from core.kernel import Kernel, example_kernels, parse_kernel

PROJECT = Path(__file__).resolve().parents[1]
JOBS = PROJECT / "tests" / "dumps" / "jobs"
#: Files that name places; a retry writes the error of the attempt before into tiling.log.
_NAMING = (".log", ".txt", "command.json")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One dump: a kernel of data/kernels, and what is asked of the compiler."""

    name: str
    kernel: str
    hints: Hints = field(default_factory=Hints)
    case: str = ""
    longer: tuple[str, str] = ("", "")  #: an extent of the kernel, and what to make of it


RECIPES = (
    Recipe("plain", "elementwise_chain"),
    Recipe("hinted", "elementwise_chain", Hints((Tile(0, 0, 4096),), {"enable_multicore": 8})),
    Recipe("cube", "matmul_cube"),
    Recipe("no_fp32_reduction", "softmax_fp32"),
    Recipe("aborted", "elementwise_chain", Hints((Tile(0, 0, 131072),))),
    Recipe("flattened", "elementwise_chain", Hints((Tile(0, 0, 262144),))),
    Recipe("segfault", "maxpool", case="k3_s2_pad1"),
    Recipe("retried", "softmax_fp16", longer=("1024", "30000")),
    Recipe("displaced", "conv3d_padded", case="4x4x4_c2_k3"),
)


def record(session: Session, target: Path, kernel: Kernel, hints: Hints) -> None:
    """Compile, and zip the job's folder with its members in order and without times."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        ended = session.start(folder, kernel, hints, Limits()).wait()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(p for p in folder.rglob("*") if p.is_file()):
                data = path.read_bytes()
                if path.name.endswith(_NAMING):
                    data = _without_paths(data.decode()).encode()
                member = zipfile.ZipInfo(str(path.relative_to(folder)))
                archive.writestr(member, data, zipfile.ZIP_DEFLATED, 9)
    print(f"{target.name}: {ended.status if ended else '?'}, {target.stat().st_size:,} B")


def _without_paths(text: str) -> str:
    for ours, neutral in (
        (str(PROJECT), "/opt/tilescope"),
        (str(home()), "/var/lib/tilescope"),
        (sys.prefix, "/opt/venv"),
        (sys.base_prefix, "/usr"),
    ):
        text = text.replace(ours, neutral)
    return text


def main(names: list[str]) -> None:
    kernels = {(k.name, k.case): k for k in example_kernels(PROJECT / "data" / "kernels")}
    JOBS.mkdir(parents=True, exist_ok=True)
    session = Akg().session()
    for recipe in RECIPES:
        if not names or recipe.name in names:
            case = recipe.case or next(c for name, c in kernels if name == recipe.kernel)
            kernel = kernels[recipe.kernel, case]
            if recipe.longer[0]:
                text = kernel.source.replace(*recipe.longer)
                kernel = parse_kernel(text, f"{kernel.name}.json")
            record(session, JOBS / f"{recipe.name}.zip", kernel, recipe.hints)
    session.close()


if __name__ == "__main__":
    main(sys.argv[1:])
