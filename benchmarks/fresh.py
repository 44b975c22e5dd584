"""The baseline of the sweep: a fresh Python process that loads AKG, compiles once, and ends.

`python -m benchmarks.fresh TOOLCHAIN FOLDER` compiles what `FOLDER/job.json` describes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.compilers.akg.child import compile_job, prepare


def main(toolchain: str, folder: str) -> None:
    os.nice(5)  # as the worker is: what else the machine does must slow both alike
    prepare([toolchain])
    compile_job(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
