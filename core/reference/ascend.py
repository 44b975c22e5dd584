"""The code that AKG emitted for Ascend, run in the emulator and held against the reference."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.ir import cce
from core.kernel import Kernel
from core.reference import (
    Difference,
    NoReference,
    difference,
    evaluate,
    inputs_for,
    precision,
)
from core.reference.emulator import CannotEmulate, emulate
from core.reference.operators import Array


@dataclass(frozen=True, slots=True)
class Bound:
    """Which parameter of the code is which tensor of the kernel."""

    inputs: tuple[str, ...]  #: tensors that are parameters by their own name
    outputs: tuple[tuple[str, str], ...]  #: tensor, and the parameter that it is


def bind(kernel: Kernel, code: str) -> Bound:
    """The parameters of the code by what they are. Raises CannotEmulate."""
    try:
        parsed = cce.parse(code).parameters
    except cce.CceError as wrong:
        raise CannotEmulate(f"The emitted code cannot be read: {wrong}") from None
    # An output that stands for an input assigned in place is a parameter without a type.
    parameters = [parameter.name for parameter in parsed if parameter.dtype != "void"]
    described: dict[str, Any] = json.loads(kernel.source)
    given = [group[0]["tensor_name"] for group in described["input_desc"] or []]
    in_place = assigned(described)
    made = [each["tensor_name"] for each in described["output_desc"]]
    others = [name for name in parameters if name not in given]
    real = [name for name in made if name not in in_place]
    if len(others) != len(real):
        raise CannotEmulate(
            f"The code has {len(others)} parameters for {len(real)} outputs; which is which is "
            "not known."
        )
    outputs = [(name, in_place[name]) for name in made if name in in_place]
    outputs += list(zip(real, others, strict=True))
    return Bound(tuple(name for name in parameters if name in given), tuple(outputs))


def assigned(described: dict[str, Any]) -> dict[str, str]:
    """Outputs that stand for an input which is assigned in its place, by their name."""
    found = {}
    for operator in described["op_desc"]:
        fake = any(
            each["name"] == "fake_output" and each["value"] for each in operator.get("attr") or []
        )
        if operator["name"] in ("InplaceAssign", "Assign") and fake:
            target = operator["input_desc"][0][0]["tensor_name"]
            found[operator["output_desc"][0]["tensor_name"]] = target
    return found


def run(kernel: Kernel, code: str, inputs: dict[str, Array], cores: int) -> dict[str, Array]:
    """What the code leaves in each output, by the kernel's names. Raises CannotEmulate."""
    bound = bind(kernel, code)
    described: dict[str, Any] = json.loads(kernel.source)
    types = {each["tensor_name"]: each for each in described["output_desc"]}
    targets = {}
    for name, parameter in bound.outputs:
        shape = [int(size) for size in types[name]["shape"]]
        if parameter in inputs:
            targets[parameter] = np.array(inputs[parameter])
        else:
            targets[parameter] = np.zeros(shape, types[name]["data_type"])
    made = emulate(
        code,
        {name: inputs[name] for name in bound.inputs if name not in targets},
        targets,
        cores,
    )
    return {
        name: made[parameter].reshape([int(size) for size in types[name]["shape"]])
        for name, parameter in bound.outputs
    }


def check_code(kernel: Kernel, code: str, cores: int, seed: int = 0) -> tuple[Difference, ...]:
    """How far the code's outputs are from what they should be, on random inputs.

    Raises NoReference or CannotEmulate with a sentence where that cannot be told.
    """
    inputs = inputs_for(kernel, seed)
    right = evaluate(kernel, inputs)
    got = run(kernel, code, inputs, cores)
    described: dict[str, Any] = json.loads(kernel.source)
    types = {each["tensor_name"]: each["data_type"] for each in described["output_desc"]}
    largest = max((int(np.prod(tensor.shape)) for tensor in kernel.tensors), default=1)
    step = precision(kernel)
    return tuple(
        difference(
            name, right[name], got[name], types[name], max(1, largest // max(1, value.size)), step
        )
        for name, value in right.items()
    )


__all__ = ["Bound", "CannotEmulate", "NoReference", "assigned", "bind", "check_code", "run"]
