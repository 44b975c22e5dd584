"""Composite JSON: the form in which MindSpore hands a fused kernel to AKG, checked field by field.

AKG trusts these files. A missing field ends in a KeyError of Python or an assertion of C++, an
operator without inputs or a tensor without a shape in a segmentation fault, and declarations that
contradict each other in code that is not what the file says. So every field that it reads is
checked here, against what AKG 1.10 was seen to do with it; a file that it compiles as written
passes.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from core.compilers.akg.operators import BROADCASTING, OPERATORS
from core.kernel import KernelError, Tensor

#: Types of AKG's composite/parser.h that the chip can hold. (It also reads float64, which ends in
#: "Cannot convert type float64 to CCE type", and complex64, which only the complex operators take.)
DTYPES = [
    "float16",
    "float32",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "complex64",
]
_FLOATS = ("float16", "float32")

#: AKG makes a folder `<op>_composite`, and a folder's name has at most 255 bytes.
LONGEST_NAME = 255 - len("_composite")
#: Sizes and their products are 32-bit inside AKG: larger ones wrap round in silence.
_LARGEST = 2**31 - 1
_DEEPEST = 64
#: akg/ms/info_version_adapt.py: what its `_adapt_func_list` ends at.
_NEWEST_VERSION = 1
#: What to write for a field that is left out.
_WRITE_INSTEAD = {
    "process": '; set it to "aicore", the chip',
    "op": "; it is the name of the kernel",
    "attr": "; write null for an operator without attributes",
    "input_desc": "; it lists the tensors that come in",
    "output_desc": "; it lists the tensors that go out",
    "op_desc": "; it lists the operators of the kernel",
    "shape": "; write the size of every axis, as in [512, 64]",
    "data_type": '; write the type of the elements, as in "float16"',
    "tensor_name": "; it says which tensor this is",
}


@dataclass(frozen=True, slots=True)
class _Known:
    """A tensor that a graph input or an earlier operator has made."""

    shape: tuple[int, ...]
    dtype: str
    path: str


def read_composite(text: str) -> tuple[str, tuple[Tensor, ...]]:
    """The kernel's name, and the inputs and outputs of its graph, in the order of the file.

    Raises KernelError, whose sentence starts with the path of the field that is wrong.
    """
    kernel = _parse(text)
    return _Checker().kernel(kernel)


def _parse(text: str) -> dict[str, Any]:
    try:
        parsed = json.loads(text, parse_constant=_not_finite, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise KernelError(
            f"Not JSON: {error.msg} at line {error.lineno}, column {error.colno}; a composite "
            "kernel is one JSON object with process, op, input_desc, op_desc and output_desc."
        ) from None
    except KernelError:
        raise
    except ValueError:
        raise KernelError(
            "A number in the JSON has too many digits; AKG counts in 64 bits."
        ) from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(parsed, dict):
        raise KernelError(
            f"The file holds {_kind(parsed)}; a composite kernel is one JSON object with process, "
            "op, input_desc, op_desc and output_desc."
        )
    _check_depth(parsed)
    return parsed


def _not_finite(text: str) -> NoReturn:
    raise KernelError(f"{text} is not a JSON number, and AKG cannot read it; use a finite number.")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        _not_finite(text)
    return number


def _check_depth(value: object) -> None:
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> KernelError:
    return KernelError(
        f"The JSON is nested more than {_DEEPEST} levels deep; a composite kernel needs about ten."
    )


def _fail(path: str, problem: str) -> NoReturn:
    raise KernelError(f"{path}: {problem}.")


def _kind(value: object) -> str:
    """What a JSON value is, for a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "...")
    return "a list" if isinstance(value, list) else "an object"


def _get(parent: dict[str, Any], path: str, key: str) -> Any:
    if key not in parent:
        field = f"{path}.{key}" if path else key
        _fail(field, "missing" + _WRITE_INSTEAD.get(key, ", and AKG reads it"))
    return parent[key]


def _string(parent: dict[str, Any], path: str, key: str) -> str:
    value = _get(parent, path, key)
    if not isinstance(value, str):
        _fail(f"{path}.{key}" if path else key, f"must be a string, not {_kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        _fail(f"{path}.{key}" if path else key, f"{value!a} holds half a character")
    return value


def _list(value: object, path: str, of: str, *, empty: str = "") -> list[Any]:
    """`value` where it is a list; with `empty`, the consequence that makes an empty one wrong."""
    if not isinstance(value, list):
        _fail(path, f"must be a list of {of}, not {_kind(value)}")
    if empty and not value:
        _fail(path, f"must not be empty: {empty}")
    return value


def _object(value: object, path: str, of: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _fail(path, f"must be an object ({of}), not {_kind(value)}")
    return value


class _Checker:
    """One walk through a kernel, in the order in which AKG reads it."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._inputs: dict[str, str] = {}  # graph inputs: name to path
        self._used: set[str] = set()

    def kernel(self, kernel: dict[str, Any]) -> tuple[str, tuple[Tensor, ...]]:
        self._refuse_other_files(kernel)
        name = self._name(kernel)
        self._process(kernel)
        self._version(kernel)
        _fusion(kernel)
        operators = _list(
            _get(kernel, "", "op_desc"),
            "op_desc",
            "operators",
            empty="AKG crashes on a kernel without operators",
        )
        inputs = self._graph_inputs(kernel)
        for i, operator in enumerate(operators):
            self._operator(operator, f"op_desc[{i}]")
        outputs = self._graph_outputs(kernel)
        for tensor, path in self._inputs.items():
            if tensor not in self._used:
                _fail(f"{path}.tensor_name", f"no operator uses {tensor!r}, so remove it")
        return name, (*inputs, *outputs)

    def _refuse_other_files(self, kernel: dict[str, Any]) -> None:
        keys = ("process", "op", "op_desc", "input_desc", "output_desc")
        if not kernel.keys() & set(keys):
            raise KernelError(
                f"Not a composite kernel: the JSON object has none of {', '.join(keys)}."
            )
        if "op_desc" not in kernel and "binFileName" in kernel:
            _fail(
                "op_desc",
                "missing; this file describes a kernel that is already compiled (it has "
                "binFileName), so open the .info file that it was made from",
            )

    def _name(self, kernel: dict[str, Any]) -> str:
        name = _string(kernel, "", "op")
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            _fail("op", f"{_kind(name)} is no kernel name; use letters, digits and underscores")
        if len(name) > LONGEST_NAME:
            _fail("op", f"has {len(name)} characters; AKG can take {LONGEST_NAME} at most")
        return name

    def _process(self, kernel: dict[str, Any]) -> None:
        process = _string(kernel, "", "process")
        if process in ("cuda", "cpu"):
            _fail(
                "process",
                f'this kernel is for "{process}"; to compile it for Ascend set process to "aicore"',
            )
        if process != "aicore":
            _fail("process", f'{_kind(process)} is no chip that AKG knows; set it to "aicore"')

    def _version(self, kernel: dict[str, Any]) -> None:
        version = kernel.get("version", 0)
        if isinstance(version, bool) or not isinstance(version, int):
            _fail("version", f"must be 0 or 1, not {_kind(version)}")
        if version > _NEWEST_VERSION:
            _fail(
                "version",
                f"{version} is newer than AKG reads (up to {_NEWEST_VERSION}); write it as version "
                "1, where axes, shapes and types are attributes of an operator and not its inputs",
            )

    def _graph_inputs(self, kernel: dict[str, Any]) -> list[Tensor]:
        described = _get(kernel, "", "input_desc")
        found = []
        # MindSpore writes null where a kernel only uses constants.
        for i, entry in enumerate(
            [] if described is None else _list(described, "input_desc", "lists of one tensor")
        ):
            tensors = _list(entry, f"input_desc[{i}]", "one tensor", empty="it holds one tensor")
            if len(tensors) > 1:
                _fail(f"input_desc[{i}]", f"holds {len(tensors)} tensors; give each its own list")
            path = f"input_desc[{i}][0]"
            name, known = _tensor(tensors[0], path)
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                _fail(
                    f"{path}.tensor_name",
                    f"{name!r} cannot name an input; use letters, digits and underscores",
                )
            self._known[name] = known
            self._inputs[name] = path
            found.append(Tensor(name, known.shape, known.dtype, "input"))
        return found

    def _graph_outputs(self, kernel: dict[str, Any]) -> list[Tensor]:
        found = []
        for i, entry in enumerate(
            _list(
                _get(kernel, "", "output_desc"),
                "output_desc",
                "tensors",
                empty="AKG crashes on a kernel without outputs",
            )
        ):
            path = f"output_desc[{i}]"
            name, known = _tensor(entry, path)
            if name not in self._known:
                self._unknown(name, path, "no operator makes")
            self._agree(name, known)
            found.append(Tensor(name, known.shape, known.dtype, "output"))
        if all(each.name in self._inputs for each in found):
            _fail(
                "output_desc",
                "lists only inputs of the graph, and AKG crashes on a kernel that makes nothing; "
                "list what the operators make",
            )
        return found

    def _operator(self, entry: object, path: str) -> None:
        operator = _object(entry, path, "an operator")
        name = _string(operator, path, "name")
        if name not in OPERATORS:
            _fail(f"{path}.name", f"AKG has no operator {_kind(name)}{_near(name)}")
        _attributes(operator, path)
        groups = _list(
            _get(operator, path, "input_desc"),
            f"{path}.input_desc",
            "lists of tensors",
            empty="AKG crashes on an operator without inputs",
        )
        operands = []
        for i, group in enumerate(groups):
            group_path = f"{path}.input_desc[{i}]"
            for j, tensor in enumerate(
                _list(group, group_path, "tensors", empty="it holds at least one tensor")
            ):
                operands.append(self._operand(tensor, f"{group_path}[{j}]"))
        if name in BROADCASTING:
            if len(operands) != 2:
                _fail(f"{path}.input_desc", f"{name} takes two tensors, not {len(operands)}")
            _check_types(operands)
            _check_broadcast(*operands)
        for i, made in enumerate(
            _list(
                _get(operator, path, "output_desc"),
                f"{path}.output_desc",
                "tensors",
                empty="an operator makes at least one tensor",
            )
        ):
            self._result(made, f"{path}.output_desc[{i}]")

    def _operand(self, entry: object, path: str) -> _Operand:
        tensor = _object(entry, path, "a tensor")
        form = _format(tensor, path)
        if tensor.get("value") is not None:
            return _constant(tensor, path, form)
        name, known = _tensor(tensor, path)
        if name not in self._known:
            self._unknown(name, path, "neither an input of the graph nor an earlier operator makes")
        if name in self._inputs and tensor["shape"] == []:
            _fail(f"{path}.shape", "an empty shape makes AKG crash; write a scalar as [1]")
        self._agree(name, known)
        self._used.add(name)
        return _Operand(path, known.shape, known.dtype, form)

    def _result(self, entry: object, path: str) -> None:
        tensor = _object(entry, path, "a tensor")
        _format(tensor, path)
        name, known = _tensor(tensor, path)
        if name in self._known:
            _fail(
                f"{path}.tensor_name",
                f"{name!r} is already made at {self._known[name].path}, and AKG crashes on a "
                "tensor that is made twice; give each its own name",
            )
        self._known[name] = known

    def _unknown(self, name: str, path: str, problem: str) -> NoReturn:
        near = difflib.get_close_matches(name, self._known, n=1)
        meant = f"; did you mean {near[0]!r}" if near else ""
        _fail(f"{path}.tensor_name", f"{problem} {name!r}{meant}")

    def _agree(self, name: str, here: _Known) -> None:
        """The same tensor is described alike wherever it occurs.

        AKG goes by the first use and by what operators compute, and says nothing of the rest.
        """
        first = self._known[name]
        if here.dtype != first.dtype:
            _fail(
                f"{here.path}.data_type",
                f"{name!r} is {here.dtype} here and {first.dtype} at {first.path}.data_type; "
                "make them equal",
            )
        if here.shape != first.shape:
            _fail(
                f"{here.path}.shape",
                f"{name!r} is {list(here.shape)} here and {list(first.shape)} at "
                f"{first.path}.shape; make them equal, as AKG would follow one of them in silence",
            )


@dataclass(frozen=True, slots=True)
class _Operand:
    path: str
    shape: tuple[int, ...]
    dtype: str | None  # None for a constant that does not say
    format: str


def _tensor(entry: object, path: str) -> tuple[str, _Known]:
    """A tensor's name, shape and type. A scalar, written [] or [1], has the shape (1,)."""
    tensor = _object(entry, path, "a tensor")
    name = _string(tensor, path, "tensor_name")
    if not name:
        _fail(f"{path}.tensor_name", "must not be empty")
    dtype = _dtype(tensor, path)
    shape = _shape(_get(tensor, path, "shape"), f"{path}.shape")
    return name, _Known(shape or (1,), dtype, path)


def _dtype(tensor: dict[str, Any], path: str) -> str:
    dtype = _string(tensor, path, "data_type")
    if dtype == "float64":
        _fail(f"{path}.data_type", "AKG cannot compile float64 for this chip; use float32")
    if dtype not in DTYPES:
        _fail(
            f"{path}.data_type",
            f"{_kind(dtype)} is not a type AKG knows; use {', '.join(DTYPES[:-1])}",
        )
    return dtype


def _shape(value: object, path: str) -> tuple[int, ...]:
    for i, size in enumerate(_list(value, path, "whole numbers")):
        if isinstance(size, bool) or not isinstance(size, int):
            _fail(f"{path}[{i}]", f"must be a whole number, not {_kind(size)}")
        if size < 0:
            _fail(
                f"{path}[{i}]",
                f"{size} is no size; AKG compiles for fixed shapes, so give a number from 1 up",
            )
        if size == 0:
            _fail(f"{path}[{i}]", "0 is no size; give a number from 1 up")
        if size > _LARGEST:
            _fail(f"{path}[{i}]", f"{size} is too large; AKG counts up to {_LARGEST}")
    shape: tuple[int, ...] = tuple(value)  # type: ignore[arg-type]
    if (elements := math.prod(shape)) > _LARGEST:
        _fail(path, f"{list(shape)} has {elements} elements; AKG counts up to {_LARGEST}")
    return shape


def _format(tensor: dict[str, Any], path: str) -> str:
    form = tensor.get("format", "DefaultFormat")
    if not isinstance(form, str):
        _fail(f"{path}.format", f"must be a string, not {_kind(form)}; leave it out if not known")
    return form


def _constant(tensor: dict[str, Any], path: str, form: str) -> _Operand:
    value = tensor["value"]
    if not isinstance(value, bool | int | float):
        _fail(f"{path}.value", f"must be one number, not {_kind(value)}")
    if _get(tensor, path, "shape") != [1]:
        _fail(f"{path}.shape", "must be [1], as this input has a value and is a constant")
    dtype = _dtype(tensor, path) if "data_type" in tensor else None
    return _Operand(path, (1,), dtype, form)


def _attributes(operator: dict[str, Any], path: str) -> None:
    attributes = _get(operator, path, "attr")
    if not attributes:  # MindSpore writes null, other tools [] or {}
        return
    for i, entry in enumerate(_list(attributes, f"{path}.attr", "attributes")):
        where = f"{path}.attr[{i}]"
        attribute = _object(entry, where, "an attribute")
        _string(attribute, where, "name")
        _get(attribute, where, "value")


def _check_types(operands: Sequence[_Operand]) -> None:
    """AKG converts whole numbers to the other operand's type, but no float to another float."""
    floats = [operand for operand in operands if operand.dtype in _FLOATS]
    for other in floats[1:]:
        if other.dtype != floats[0].dtype:
            _fail(
                f"{other.path}.data_type",
                f"{other.dtype} does not go with {floats[0].dtype} at {floats[0].path}.data_type; "
                "put a Cast between them",
            )


def _check_broadcast(left: _Operand, right: _Operand) -> None:
    """Shapes of unlike formats (FRACTAL_NZ with a plain one) are matched by rules of AKG's own."""
    if left.format != right.format:
        return
    for a, b in zip(reversed(left.shape), reversed(right.shape), strict=False):
        if a != b and 1 not in (a, b):
            _fail(
                f"{right.path}.shape",
                f"{list(right.shape)} cannot be broadcast with {list(left.shape)} at "
                f"{left.path}.shape: {b} and {a} differ and neither is 1",
            )


def _fusion(kernel: dict[str, Any]) -> None:
    """The two forms of several kernels in one: what akg/composite/split_*.py read of them."""
    if "parallel_fusion" in kernel:
        fusion = _object(
            kernel["parallel_fusion"], "parallel_fusion", "how blocks are put together"
        )
        for key in ("fusion_type", "sub_graph", "core_num"):
            _get(fusion, "parallel_fusion", key)
        for key in ("id", "composite_graph"):
            _get(kernel, "", key)
    if "buffer_stitch" in kernel:
        stitch = _object(kernel["buffer_stitch"], "buffer_stitch", "what is stitched together")
        _get(stitch, "buffer_stitch", "stitch_op")


def _near(name: str) -> str:
    near = difflib.get_close_matches(name, OPERATORS, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}" if near else ""
