"""How chosen hints get to AKG from where people build kernels: MindSpore's own three channels.

- `compile_attrs` of the decorator `@kernel`, for functions in MindSpore's kernel language;
- `func_compile_attrs` in a kernel's description, which AKG's front end merges into the attributes
  of the build (`_update_compile_attr` in akg/composite/build_module.py);
- a tiling repository, a JSON file that the variable MS_GRAPH_KERNEL_TILING names
  (`_get_repository` there): it takes the place of the one that AKG ships.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from core.compilers import Limits
from core.compilers.akg.recipes import REPOSITORY_VARIABLE
from core.compilers.akg.repository import traits
from core.hints import Hints, HintValue
from core.kernel import Kernel, KernelError

__all__ = [
    "REPOSITORY_VARIABLE", "Channel", "Verified", "as_environment", "compile_attributes",
    "decorator", "environment", "in_description", "repository", "verify",
]  # fmt: skip

Channel: TypeAlias = Literal["description", "repository"]

_ATTRIBUTES = "func_compile_attrs"
#: What AKG reads from the environment of its process and from nowhere else.
ENVIRONMENT = ("SYMBOLIC_TILING", "FORCE_SYMBOLIC_TILING")


def compile_attributes(hints: Hints) -> dict[str, HintValue]:
    """The hints that AKG takes as attributes, by name; those of the environment are left out."""
    return {name: value for name, value in hints.as_dict().items() if name not in ENVIRONMENT}


def environment(hints: Hints) -> dict[str, str]:
    """The hints that only an environment variable can carry."""
    flat = hints.as_dict()
    return {name: str(int(bool(flat[name]))) for name in ENVIRONMENT if name in flat}


def decorator(hints: Hints) -> str:
    """The line above a function in MindSpore's kernel language."""
    return f"@kernel(compile_attrs={compile_attributes(hints)!r})"


def in_description(kernel: Kernel, hints: Hints) -> str:
    """The kernel's description with the hints among the attributes of its first operator.

    Raises KernelError for a kernel without a description.
    """
    described = _described(kernel)
    first = described["op_desc"][0]
    attributes: list[dict[str, Any]] = [
        each for each in first.get("attr") or [] if each.get("name") != _ATTRIBUTES
    ]
    value = json.dumps(compile_attributes(hints))
    attributes.append({"data_type": "str", "name": _ATTRIBUTES, "value": value})
    first["attr"] = attributes
    return json.dumps(described, indent=1)


def repository(chosen: Iterable[tuple[Kernel, Hints]]) -> str:
    """A tiling repository with the hints of several kernels, as JSON.

    Raises KernelError for a kernel without a description.
    """
    entries: dict[str, Any] = {}
    for kernel, hints in chosen:
        computes, shapes, dtypes = traits(_described(kernel))
        flat = dict(compile_attributes(hints))
        dim = flat.pop("dim", None)
        entry: dict[str, Any] = {} if dim is None else {"dim": dim}
        if flat:
            entry["metadata"] = {"attrs": flat}
        entries.setdefault(computes, {}).setdefault(shapes, {})[dtypes] = entry
    return json.dumps(entries, indent=1)


def _described(kernel: Kernel) -> dict[str, Any]:
    if kernel.kind != "composite":
        raise KernelError(
            f"{kernel.name} has no description for MindSpore to hand to AKG; only fused kernels "
            "and @kernel functions have."
        )
    description: dict[str, Any] = json.loads(kernel.source)
    return description


@dataclass(frozen=True, slots=True)
class Verified:
    """A kernel compiled through a channel, held against the same hints given directly."""

    channel: Channel
    honoured: bool  #: the emitted code is the same as with the hints given directly
    tiles: tuple[int, ...]  #: that the code uses, by axis
    cores: int | None
    why_not: str = ""  #: one sentence


def verify(kernel: Kernel, hints: Hints, channel: Channel) -> Verified:
    """Compile through the channel and directly, and compare. Raises KernelError, ToolMissing."""
    from core.compilers.akg import Akg, AkgSession  # which imports this module's neighbours
    from core.readers import Opened, open_trace

    def compiled(session: AkgSession, given: Kernel, asked: Hints, folder: Path) -> Opened:
        folder.mkdir()
        session.start(folder, given, asked, Limits()).wait()
        return open_trace(folder)

    beside = Hints((), {k: v for k, v in hints.attributes.items() if k in ENVIRONMENT})
    through = kernel
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        file = None
        if channel == "description":
            through = replace(kernel, source=in_description(kernel, hints))
        else:
            file = place / "repository.json"
            file.write_text(repository([(kernel, hints)]))
        direct, channelled = AkgSession(Akg()), AkgSession(Akg(), repository=file)
        try:
            wanted = compiled(direct, kernel, hints, place / "direct").trace
            got = compiled(channelled, through, beside, place / "through").trace
        finally:
            direct.close()
            channelled.close()
    same = wanted.code is not None and wanted.code == got.code
    why = ""
    if not same:
        failure = got.failure or wanted.failure
        why = failure.message if failure else "The emitted code differs."
    tiles = tuple(axis.tile for axis in got.tiling.axes)
    return Verified(channel, same, tiles, got.block_dim, why)


def as_environment(values: Mapping[str, str]) -> str:
    """Variables as a shell sets them, a line each."""
    return "\n".join(f"export {name}={value}" for name, value in values.items())
