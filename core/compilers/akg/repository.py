"""The tilings that AKG ships for kernels it knows: config/repository.json of the toolchain.

An entry is found by what a kernel computes, the shapes and the element types of its tensors
(`_build_to_module` in akg/composite/build_module.py looks them up in this order). An entry without
a shape holds attributes for every shape.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.compilers.akg import RECIPE
from core.kernel import Kernel

_FILE = "mindspore/_akg/akg/config/repository.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """What AKG's repository holds for a kernel."""

    computes: str  #: how the repository calls what the kernel computes
    shapes: str
    dtypes: str
    dim: str = ""  #: the tiles, "" where it holds none for these shapes
    attributes: Mapping[str, object] = field(default_factory=dict)
    others: int = 0  #: shapes of the same computation that it holds

    @property
    def known(self) -> bool:
        """Whether it changes the compile of this kernel."""
        return bool(self.dim or self.attributes)


def repository_entry(kernel: Kernel) -> Entry | None:
    """What AKG ships for a composite kernel; None for another kind, or where AKG is absent."""
    path = RECIPE.folder / _FILE
    if kernel.kind != "composite" or not path.is_file():
        return None
    try:
        computes, shapes, dtypes = traits(json.loads(kernel.source))
    except (ValueError, KeyError, TypeError, IndexError):
        return None
    same: Any = _repository(path).get(computes) or {}
    shaped = same.get(shapes) or {}
    typed = shaped.get(dtypes) or {}
    of_all = (same.get("metadata") or {}).get("attrs") or {}
    own = (typed.get("metadata") or {}).get("attrs") or {}
    attributes = dict(own or of_all)
    dim = str(typed.get("dim") or attributes.pop("dim", "")).strip()
    others = sum(name != "metadata" for name in same)
    return Entry(computes, shapes, dtypes, dim, attributes, others)


@lru_cache(1)
def _repository(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def traits(description: Mapping[str, Any]) -> tuple[str, str, str]:
    """How the repository calls what a description computes, its shapes, its element types.

    Tensors are numbered as they appear; an operation names how far back each operand lies, and the
    last number of all are the results. Equal neighbours in the other two are dashes.
    """
    given = [each[0] for each in description.get("input_desc") or []]
    made = list(description.get("output_desc") or [])
    number = {tensor["tensor_name"]: at for at, tensor in enumerate(given)}
    parts = [str(len(given))] if description.get("input_desc") is not None else []
    count = len(given)
    for operation in description.get("op_desc") or []:
        read = [each[0] for each in operation.get("input_desc") or []]
        back = sorted(
            count - number[tensor["tensor_name"]] for tensor in read if tensor.get("value") is None
        )
        part = operation["name"] + "".join(map(str, back))
        if operation["name"] == "MatMul":
            said = {each["name"]: each["value"] for each in operation["attr"]}
            part += f"_{int(said['transpose_a'])}_{int(said['transpose_b'])}"
        parts.append(part)
        for tensor in operation.get("output_desc") or []:
            number[tensor["tensor_name"]] = count
            count += 1
    results = sorted(number[tensor["tensor_name"]] for tensor in made)
    parts.append("".join(map(str, results)))
    tensors = [*given, *made]
    dtypes = _dashed(tensor["data_type"] for tensor in tensors)
    if any(operation["name"] == "BatchMatMul" for operation in description.get("op_desc") or []):
        return ".".join(parts), "any_shape", dtypes
    shapes = ("_".join(map(str, tensor["shape"])) for tensor in tensors)
    return ".".join(parts), _dashed(shapes), dtypes


def _dashed(words: Iterable[str]) -> str:
    found: list[str] = []
    for word in words:
        if found and found[-1].rstrip("-") == word:
            found[-1] += "-"
        else:
            found.append(word)
    return ".".join(found)
