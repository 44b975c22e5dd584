"""`python -m benchmarks [--only NAME]`: measure, and print one table; `… fuzz`: random kernels."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import textwrap
import time

from benchmarks import fuzz
from benchmarks.bench import bench
from benchmarks.figures import Figure, table
from core.compilers import ToolMissing

#: A module of this package each, in the order in which they are measured.
MEASUREMENTS = (
    *("sweep", "mlir", "reading", "parsing", "searching", "painting", "reruns", "ranking"),
    *("predicting", "shapes", "networks", "starting"),
)


def main(arguments: list[str]) -> int:
    """Measure what was asked for. Figures that miss their aim are said, not failed."""
    if arguments[:1] == ["fuzz"]:
        return fuzz.main(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, metavar="NAME",
                        help=f"one of {', '.join(MEASUREMENTS)}; may be given again")  # fmt: skip
    chosen = parser.parse_args(arguments).only or MEASUREMENTS
    figures: list[Figure] = []
    loads = [os.getloadavg()[0]]
    try:
        with bench() as run:
            for name in MEASUREMENTS:
                if name in chosen:
                    began = time.monotonic()
                    print(f"{name} …", end=" ", file=sys.stderr, flush=True)
                    figures += importlib.import_module(f"benchmarks.{name}").measure(run)
                    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
                    loads.append(os.getloadavg()[0])
            remarks = run.remarks
    except ToolMissing as missing:
        print(missing, file=sys.stderr)
        return 3
    print(f"\n{table(figures)}\n")
    for remark in remarks:
        print(textwrap.fill(remark, 100, subsequent_indent="  "))
    print(
        f"Python {platform.python_version()}, {len(os.sched_getaffinity(0))} cores, "
        f"{platform.machine()}; load before and after each: "
        + ", ".join(f"{load:.1f}" for load in loads)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
