"""The chips that the compiler lists, each described in the compiler's own figures."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.compilers.ascendnpu_ir.releases import Release

#: bishengir-compile hands these chips over to its second build (tools/bishengir-compile.cpp).
_A5_PREFIXES = ("Ascend910_95", "Ascend950")
#: The second build alone knows these.
_A5_ONLY = ("Ascend310B",)

_ENTRY = re.compile(r'#dlti\.dl_entry<"(\w+)", (?:(-?\d+) : i\d+|\\?"([^"\\]*)\\?")>')
_BITS = 8
_SOURCE = "dlti.target_system_spec, which bishengir-compile puts on every module"


class DescribeError(RuntimeError):
    """The compiler did not say what its chips are: one sentence."""


def is_a5(target: str) -> bool:
    """True where the compiler's second build (bishengir-compile-a5) serves a chip."""
    return target.startswith((*_A5_PREFIXES, *_A5_ONLY))


def program(binaries: Path, target: str, release: Release) -> Path:
    """The program that serves a chip."""
    a5 = release.second_build and is_a5(target)
    return binaries / ("bishengir-compile-a5" if a5 else "bishengir-compile")


def describe(
    binaries: Path, environment: Mapping[str, str], release: Release
) -> Sequence[Mapping[str, object]]:
    """Every chip that either build lists, as JSON of `Target`. Raises DescribeError."""
    builds = ("bishengir-compile", "bishengir-compile-a5")[: 1 + release.second_build]
    listed = dict.fromkeys(
        name for build in builds for name in _listed(binaries / build, environment)
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):
        (Path(folder) / "empty.mlir").write_text("module {}\n")
        asked = [
            pool.submit(
                _ask, program(binaries, name, release), name, Path(folder), environment, release
            )
            for name in listed
        ]
        return [described for each in asked if (described := each.result())]


def _listed(program: Path, environment: Mapping[str, str]) -> list[str]:
    """The values that the help of a program gives for --target."""
    said = _run([str(program), "--help"], program.parent, environment)
    _, found, after = said.partition("--target=<value>")
    names = []
    for line in after.splitlines()[1:] if found else ():
        value = re.match(r"\s+=(\S+)", line)
        if value is None:
            break
        names.append(value[1])
    if not names:
        raise DescribeError(f"{program.name} was unpacked but lists no chips in its help.")
    return [name for name in names if name != "Unknown"]


def _ask(
    program: Path, name: str, folder: Path, environment: Mapping[str, str], release: Release
) -> Mapping[str, object] | None:
    """Compile a module of nothing for a chip and read what the compiler wrote on it.

    None of a chip that the compiler lists and does not serve: 1.0.0 gives -1 for all its sizes.
    """
    kept = folder / name
    kept.mkdir()
    keep = [f"--save-temps={kept}"] if release.saves_module else []
    _run(
        [str(program), "../empty.mlir", f"--target={name}", *keep, "-o", "kernel.o"],
        kept,
        environment,
    )
    try:
        text = (kept / "module.hivm.opt.mlir").read_text()
    except OSError:
        text = ""
    entries = {key: number or word for key, number, word in _ENTRY.findall(text)}
    if "UB_SIZE" not in entries:
        raise DescribeError(f"{program.name} does not describe the chip {name} that it lists.")
    if int(entries["UB_SIZE"]) < 0:
        return None
    return {
        "name": name,
        "architecture": entries.get("ARCH", ""),
        "cores": int(entries["AI_CORE_COUNT"]),
        "memories": [
            {
                "name": memory,
                "capacity_bytes": int(entries[f"{memory}_SIZE"]) // _BITS,
                # Not said of L0A and L0B, in which the compiler plans no buffers.
                "alignment_bytes": int(entries.get(f"{memory}_ALIGN_SIZE", "0")) // _BITS,
            }
            for memory in ("UB", "L1", "L0A", "L0B", "L0C")
        ],
        # The compiler plans buffers up to the last byte: it holds nothing back.
        "tiling_share": 1.0,
        "source": _SOURCE,
    }


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DescribeError(f"{Path(command[0]).name} does not run here: {error}.") from None
    return ended.stdout
