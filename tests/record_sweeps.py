"""Measure the recorded sweeps again: `python -m tests.record_sweeps [NAME …]`, some ten minutes.

The points of each file in data/sweeps stay as they are; their outcomes are those of the compilers
that are installed. Predictions are judged by them (`benchmarks/predicting.py`, `test_predict.py`).
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import time
from pathlib import Path

import zstandard

from benchmarks.predicting import SWEEPS, TRACES, points
from core.compilers.registry import compiler_for
from core.hints import Hints, parse_dim
from core.home import home
from core.jobs.queue import Queue
from core.jobs.supervise import Supervisor
from core.library import Library
from core.readers import open_trace
from core.trace_json import to_json


def main(names: list[str]) -> None:
    """Compile every point of these sweeps, or of all, and write the files anew."""
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "toolchains").symlink_to(home() / "toolchains")
        library = Library(Path(scratch))
        with Supervisor(Path(scratch)):
            for file in sorted(SWEEPS.glob("*.json.zst")):
                name = file.name.removesuffix(".json.zst")
                if not names or name in names:
                    _measure(Queue(library), name, file)
        library.close()


def _measure(queue: Queue, name: str, file: Path) -> None:
    kernel = open_trace(TRACES / f"{name}.zip").kernel
    assert kernel is not None
    asked = points(file)
    hints = [_hints(point["hints"]) for point in asked]
    id = queue.submit_sweep(kernel, hints, compiler=compiler_for(kernel).name)
    while not queue.sweep(id).over:
        time.sleep(0.5)
    ended = {point.hints.digest: point for point in queue.sweep(id).points}
    for point, each in zip(asked, hints, strict=True):
        found = ended[each.digest]
        point["error"] = found.error
        # When and where it was compiled is nobody's concern.
        trace = found.trace and dataclasses.replace(found.trace, host="", started="", seconds=None)
        point["trace"] = json.loads(to_json(trace)) if trace else None
    packed = json.dumps(asked, separators=(",", ":")).encode()
    file.write_bytes(zstandard.ZstdCompressor(level=19).compress(packed))
    print(f"{name}: {len(asked)} points", flush=True)


def _hints(flat: dict[str, object]) -> Hints:
    attributes = {name: value for name, value in flat.items() if name != "dim"}
    return Hints(parse_dim(str(flat.get("dim", ""))), attributes)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(sys.argv[1:])
