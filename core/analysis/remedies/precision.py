"""The same kernel in lower precision, as a whole or where the compiler knows no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from core.analysis.remedies.case import Case, Proposal, proposal
from core.analysis.remedies.scheduling import FUSED, POLYTOPS, alone
from core.kernel import Kernel, KernelError, parse_kernel

_WIDE, _NARROW = "float32", "float16"
_REDUCING = ("ReduceMax", "ReduceMin")
_ROUNDED = (
    "Values are rounded to float16, about three digits, before the largest is taken; the result of "
    "a softmax stays right where the same value is subtracted everywhere."
)
_WHY = (
    "The chip has no instruction for the largest of a row in float32; in float16 it has. Only this "
    "operator is narrowed, with a cast on either side."
)
_ALL = "Everything is computed in float16: about three digits, and nothing above 65,504."


def precision(case: Case) -> Iterator[Proposal]:
    """float16 for float32, in the reductions alone or everywhere."""
    kernel = case.kernel
    if kernel.kind != "composite" or f'"{_WIDE}"' not in kernel.source:
        return
    refused = "only support float16" in case.failure.message
    if not refused and not case.memory:
        return
    description: dict[str, Any] = json.loads(kernel.source)
    narrow = _narrow_reductions(kernel, description) if refused else None
    if narrow is not None and alone(description):
        yield proposal(
            96.0, "precision", "the largest taken in float16", _WHY, case.request(kernel=narrow),
            _ROUNDED,
        )  # fmt: skip
    elif narrow is not None:
        yield proposal(
            96.0,
            "precision",
            "the largest taken in float16, and PolyTOPS as the scheduler",
            f"{_WHY} {FUSED}",
            case.request(kernel=narrow, hints=case.with_attributes(POLYTOPS)),
            _ROUNDED,
        )
    whole = _narrowed(kernel, description)
    if whole is not None:
        yield proposal(
            90.0 if refused else 45.0,
            "precision",
            "the whole kernel in float16",
            "The chip takes the largest of a row in float16, and half the bytes double the tile."
            if refused
            else "Half the bytes: every buffer is half as large.",
            case.request(kernel=whole),
            _ALL,
        )


def _narrowed(kernel: Kernel, description: dict[str, Any]) -> Kernel | None:
    text = json.dumps(description, indent=1).replace(f'"{_WIDE}"', f'"{_NARROW}"')
    return _named(kernel, json.loads(text), "_float16")


def _narrow_reductions(kernel: Kernel, description: dict[str, Any]) -> Kernel | None:
    """Each reduction in float32 with a cast before and a cast behind it."""
    other = deepcopy(description)
    operators: list[dict[str, Any]] = []
    changed = False
    for operator in other["op_desc"]:
        source = operator["input_desc"][0][0]
        if operator["name"] not in _REDUCING or source["data_type"] != _WIDE:
            operators.append(operator)
            continue
        changed = True
        result = operator["output_desc"][0]
        before = {**source, "name": "output_0", "tensor_name": f"{result['tensor_name']}_narrow"}
        before["data_type"] = _NARROW
        after = {**result, "tensor_name": f"{result['tensor_name']}_reduced"}
        after["data_type"] = _NARROW
        operators.append(_cast(source, before))
        operator["input_desc"][0][0] = {**before, "name": source.get("name", "input_0")}
        operator["output_desc"][0] = after
        operators.append(operator)
        operators.append(_cast({**after, "name": "input_0"}, result))
    if not changed:
        return None
    other["op_desc"] = operators
    return _named(kernel, other, "_narrow")


def _cast(source: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "Cast",
        "impl_path": "",
        "attr": [{"data_type": "str", "name": "dst_type", "value": result["data_type"]}],
        "input_desc": [[{**source, "name": "input_0"}]],
        "output_desc": [{**result, "name": "output_0"}],
    }


def _named(kernel: Kernel, description: dict[str, Any], suffix: str) -> Kernel | None:
    """The changed kernel, named so that it is not taken for the one that was given."""
    description["op"] = f"{description['op']}{suffix}"
    try:
        made = parse_kernel(json.dumps(description, indent=1), f"{description['op']}.json")
    except KernelError:
        return None
    return replace(made, about=kernel.about)
