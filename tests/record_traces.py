"""Record the traces that the first screen shows: `python -m tests.record_traces data/traces`.

Every example kernel is compiled as it is, and one of them again with hints that show something.
Paths of the machine that recorded are taken out of what the compiler printed.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from core.compilers import Limits
from core.compilers.registry import COMPILERS, RECIPES, compiler_for
from core.hints import Hints, parse_dim
from core.kernel import Kernel, example_kernels
from core.library import Library
from core.readers import open_trace

PROJECT = Path(__file__).resolve().parents[1]

#: Kernel name, what is added to the trace's name, dim, attributes.
HINTED = (
    ("elementwise_chain", "tile_8192", "0 0 8192 1", {}),
    ("elementwise_chain", "tile_131072", "0 0 131072 1", {}),
    ("softmax_fp16", "tile_4", "0 0 4 1 0 1 3072 1", {}),
    ("maxpool-k3_s2_pad1", "no_multicore", "", {"enable_multicore": 0}),
    ("hivm_vadd", "tile_24576", "", {"TILE": 24576}),
    ("hivm_vadd", "tile_24577", "", {"TILE": 24577}),
    ("triton_flash_attention-fp16", "950", "", {"target": "Ascend950PR_9579"}),
)


def main(into: Path) -> None:
    """Compile, read, export; one zip a trace, named as the trace is."""
    into.mkdir(parents=True, exist_ok=True)
    for old in into.glob("*.zip"):
        old.unlink()
    kernels = {_name(kernel): kernel for kernel in example_kernels(PROJECT / "data" / "kernels")}
    jobs = [(name, kernel, Hints(), None) for name, kernel in kernels.items()]
    jobs += [
        (f"{name}-{added}", kernels[name], Hints(parse_dim(dim), attributes), name)
        for name, added, dim, attributes in HINTED
    ]
    sessions = {name: compiler.session() for name, compiler in COMPILERS.items()}
    with tempfile.TemporaryDirectory() as scratch:
        library = Library(Path(scratch) / "home")
        for name, kernel, hints, parent in jobs:
            folder = Path(scratch) / name
            folder.mkdir()
            session = sessions[compiler_for(kernel).name]
            session.start(folder, kernel, hints, Limits(seconds=600)).wait()
            _forget_paths(folder)
            opened = open_trace(folder)
            id = library.add(opened.trace, opened.texts, kernel, parent=parent, id=name)
            (into / f"{name}.zip").write_bytes(library.export(id))
            print(f"{name}: {opened.trace.status}", flush=True)
            shutil.rmtree(folder)
        library.close()
    for session in sessions.values():
        session.close()


def _name(kernel: Kernel) -> str:
    return f"{kernel.name}-{kernel.case}" if kernel.case else kernel.name


def _forget_paths(folder: Path) -> None:
    known = {str(r.folder): f"$TILESCOPE_HOME/toolchains/{r.folder.name}" for r in RECIPES.values()}
    known |= {str(folder): "$JOB", str(PROJECT): "$PROJECT"}
    known |= {sys.base_prefix: "$PYTHON", sys.prefix: "$PYTHON"}
    for file in [*folder.glob("*"), *folder.glob("dump/*")]:
        if not file.is_file() or file.suffix not in (".log", ".txt", ".json", ".mlir"):
            continue
        text = file.read_text(errors="replace")
        for path, word in known.items():
            text = text.replace(path, word)
        file.write_text(re.sub(r"/\w+/tmpdir\.\w+", "$SCRATCH", text))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
