"""A kernel as MindSpore 2.10 describes it, for AKG 1.10 and Ascend: what differs, changed and said.

MindSpore 2.10 writes version 2 of the format, in which what used to be attributes are inputs with a
value (mindspore's akg/ms/info_version_adapt.py lists them); AKG 1.10 reads version 1.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

#: MindSpore's type ids (mindspore/core/include/ir/dtype/type_id.h).
_TYPES = {
    30: "bool", 32: "int8", 33: "int16", 34: "int32", 35: "int64", 37: "uint8", 38: "uint16",
    39: "uint32", 40: "uint64", 42: "float16", 43: "float32", 44: "float64", 45: "bfloat16",
}  # fmt: skip


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _one(value: Any) -> Any:
    return value[0] if isinstance(value, list) else value


def _type(value: Any) -> Any:
    return _TYPES.get(value, value) if isinstance(value, int) else value


#: By operator: inputs that were attributes, the last first, with how their value is written.
_ATTRIBUTES: Mapping[str, tuple[tuple[int, str, str, Callable[[Any], Any]], ...]] = {
    "Reshape": ((1, "shape", "listInt", _list),),
    "BroadcastTo": ((1, "shape", "listInt", _list),),
    "ReduceSum": ((1, "axis", "listInt", _list),),
    "ReduceMax": ((1, "axis", "listInt", _list),),
    "ReduceMin": ((1, "axis", "listInt", _list),),
    "ReduceProd": ((1, "axis", "listInt", _list),),
    "Argmax": ((1, "axis", "listInt", _list),),
    "Argmin": ((1, "axis", "listInt", _list),),
    "ExpandDims": ((1, "axis", "listInt", _list),),
    "Squeeze": ((1, "axis", "listInt", _list),),
    "CumSum": ((1, "axis", "listInt", _list),),
    "Transpose": ((1, "perm", "listInt", _list),),
    "Tile": ((1, "multiples", "listInt", _list),),
    "Cast": ((1, "dst_type", "str", _type),),
    "StridedSlice": (
        (3, "strides", "listInt", _list),
        (2, "end", "listInt", _list),
        (1, "begin", "listInt", _list),
    ),
    "OneHot": ((1, "depth", "int", _one),),
    "Gather": ((2, "axis", "int", _one),),
    "UnsortedSegmentSum": ((2, "num_segments", "int", _one),),
}


def retargeted(description: str) -> tuple[str, tuple[str, ...]]:
    """The description for AKG 1.10 on Ascend, and what was changed, one sentence each.

    Raises ValueError where the text is no description.
    """
    kernel = copy.deepcopy(json.loads(description))
    if not isinstance(kernel, dict) or not isinstance(kernel.get("op_desc"), list):
        raise ValueError("not the description of a fused kernel")
    said: list[str] = []
    if kernel.get("version", 0) > 1:
        for operator in kernel["op_desc"]:
            said += _to_attributes(operator)
        kernel["version"] = 1
        said.append("Version 2 of the description was written as version 1, which AKG 1.10 reads.")
    if kernel.get("process") != "aicore":
        said.append(
            f"The chip is Ascend's AI Core, where MindSpore asked for {kernel.get('process')}."
        )
        kernel["process"] = "aicore"
        kernel.pop("target_info", None)
    return json.dumps(kernel, indent=1), tuple(dict.fromkeys(said))


def _to_attributes(operator: dict[str, Any]) -> list[str]:
    said = []
    name = operator["name"]
    attributes = list(operator.get("attr") or [])
    for at, attribute, kind, written in _ATTRIBUTES.get(name, ()):
        inputs = operator.get("input_desc") or []
        if at >= len(inputs) or "value" not in inputs[at][0]:
            continue
        value = written(inputs.pop(at)[0]["value"])
        attributes.append({"data_type": kind, "name": attribute, "value": value})
        said.append(f"{name}: its input {at} became the attribute {attribute}.")
    if name == "Cast":
        said += _named_type(attributes, operator["output_desc"][0]["data_type"])
    operator["attr"] = attributes or None
    return said


def _named_type(attributes: list[dict[str, Any]], result: str) -> list[str]:
    """The type that a Cast makes, by its name, among the attributes of one."""
    there = next((each for each in attributes if each["name"] == "dst_type"), None)
    if there is None:
        # MindSpore's expanders leave it out where they change precision themselves.
        attributes.append({"data_type": "str", "name": "dst_type", "value": result})
        return ["Cast: the attribute dst_type was missing; the type of its result is written."]
    if isinstance(there["value"], str):
        return []
    there |= {"data_type": "str", "value": _type(there["value"])}
    return [f"Cast: dst_type was a number; {there['value']} is written for it."]
