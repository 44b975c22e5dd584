#!/usr/bin/env python3
"""Compiles the kernel of this bundle again and says whether it fails the same way.

    python3 reproduce.py            the kernel as given
    python3 reproduce.py --shrunk   its smallest form, where the bundle has one

It fetches public packages from the package index, pinned by their SHA-256, into the folder `work`
beside this file, and changes nothing else. It needs Linux on x86-64 or aarch64, and Python 3.11 or
3.12 on the PATH with pip; started by another Python from 3.9 on, it looks for one. The compiler
runs as Tilescope runs it, by the same code, which is in the folder `tilescope`.

Exit codes: 0 the same failure, 1 another outcome, 2 it could not be run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CODE = HERE / "tilescope"
REQUIREMENTS = CODE / "core" / "bundle" / "requirements.txt"
FIT = ((3, 11), (3, 12))
CANNOT = 2


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shrunk", action="store_true", help="compile the smallest form")
    parser.add_argument(
        "--toolchain", type=Path, metavar="FOLDER", help="compilers that are unpacked already"
    )
    parser.add_argument(
        "--work", type=Path, default=HERE / "work", metavar="FOLDER", help="where all is done"
    )
    options = parser.parse_args()
    tell_changes()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if options.toolchain:
        place = work / "toolchains"
        if not place.exists():
            place.symlink_to(options.toolchain.resolve(), target_is_directory=True)
    python = prepared(work)
    if python is None:
        return CANNOT
    command = [str(python), "-m", "core.bundle.again", str(HERE), str(work)]
    ended = subprocess.run(
        command + (["--shrunk"] if options.shrunk else []),
        cwd=str(CODE),
        env=environment(work),
        check=False,
    )
    return ended.returncode if ended.returncode >= 0 else CANNOT


def environment(work: Path) -> dict[str, str]:
    """Ours, without what another Python or another Tilescope needs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    kept.update(TILESCOPE_HOME=str(work), PYTHONDONTWRITEBYTECODE="1", PYTHONNOUSERSITE="1")
    return kept


def prepared(work: Path) -> Path | None:
    """A Python with all that is needed: this one, or that of an environment made for it."""
    if sys.version_info[:2] in FIT and has_all(sys.executable):
        return Path(sys.executable)
    made = work / "venv" / "bin" / "python"
    if made.exists() and has_all(made):
        return made
    base = fitting()
    if base is None:
        print(
            "Python 3.11 or 3.12 is needed, and none is on the PATH; install one beside this.",
            file=sys.stderr,
        )
        return None
    names = ", ".join(line.split("==")[0] for line in wanted())
    print("Making an environment with " + names, file=sys.stderr, flush=True)
    pip = [str(made), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", str(REQUIREMENTS)]
    for command in ([str(base), "-m", "venv", "--clear", str(work / "venv")], pip):
        if subprocess.run(command, env=environment(work), check=False).returncode:
            print("The environment could not be made; see above.", file=sys.stderr)
            return None
    return made


def wanted() -> list[str]:
    """The pinned packages: NAME==VERSION."""
    lines = REQUIREMENTS.read_text().splitlines()
    return [line.split()[0] for line in lines if "==" in line and not line.startswith("#")]


def has_all(python: str | Path) -> bool:
    """Whether a Python has the pinned packages in just these versions."""
    code = "import sys, importlib.metadata as m\n"
    code += "sys.exit(any(m.version(w.split('==')[0]) != w.split('==')[1] for w in sys.argv[1:]))"
    asked = subprocess.run(
        [str(python), "-c", code, *wanted()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return asked.returncode == 0


def fitting() -> str | None:
    """A Python of a version that fits."""
    names = [sys.executable, "python3.12", "python3.11", "python3"]
    code = f"import sys, ensurepip, venv; sys.exit(sys.version_info[:2] not in {FIT})"
    for found in filter(None, map(shutil.which, names)):
        quiet = subprocess.DEVNULL
        if subprocess.run([found, "-c", code], stderr=quiet, check=False).returncode == 0:
            return found
    return None


def tell_changes() -> None:
    """Say which files are not as they were written; a kernel may well be changed on purpose."""
    listed = json.loads((HERE / "MANIFEST.json").read_text())["files"]
    for name, sha256 in sorted(listed.items()):
        file = HERE / name
        if not file.is_file():
            print("Missing: " + name, file=sys.stderr)
        elif hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
            print("Changed: " + name, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
