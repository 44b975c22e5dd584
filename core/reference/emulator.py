"""The emitted code of an Ascend kernel, run instruction by instruction on arrays: the vector unit.

It says what a kernel computes without a chip: in the order and the precision of the code that AKG
emits. Elementwise instructions are rounded once to their type, as NumPy does. Two things are the
chip's own and not in any text: the order inside `vcadd`, taken as a binary tree over neighbours, as
the Ascend C guide describes it; and the approximations of `vexp`, `vln`, `vsqrt`, `vrec`, taken as
exact. Cores run one after the other. The matrix unit is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ir import cce
from core.ir.arithmetic import CORE, Unknown, function
from core.ir.expression import Binary, Call, Cast, Expression, Load, Not, Number, Variable
from core.reference.operators import Array

_BLOCK = 32  # bytes that strides count in
_BLOCKS = 8  # of one repeat: 256 bytes
_POINTED = re.compile(r"__(gm|ubuf)__ (\w+) \*")
_TYPES = {"half": "float16", "float": "float32", "int32_t": "int32", "uint32_t": "uint32",
          "int8_t": "int8", "uint8_t": "uint8", "int16_t": "int16", "uint16_t": "uint16",
          "int64_t": "int64", "uint64_t": "uint64", "bool": "uint8"}  # fmt: skip
_IGNORED = frozenset(
    (
        "set_flag",
        "wait_flag",
        "pipe_barrier",
        "set_padding",
        "set_mask_norm",
        "set_status",
        "set_spr",
        "set_st_atomic_cfg",
    )
)
_BINARY: Mapping[str, Callable[[Array, Array], Array]] = {
    "vadd": np.add, "vsub": np.subtract, "vmul": np.multiply, "vdiv": np.divide,
    "vmax": np.maximum, "vmin": np.minimum, "vand": np.bitwise_and, "vor": np.bitwise_or,
}  # fmt: skip
_UNARY: Mapping[str, Callable[[Array], Array]] = {
    "vabs": np.abs, "vexp": np.exp, "vln": np.log, "vsqrt": np.sqrt, "vnot": np.invert,
    "vrec": np.reciprocal, "vrsqrt": lambda v: 1 / np.sqrt(v),
    "vrelu": lambda v: np.maximum(v, v.dtype.type(0)),
}  # fmt: skip
_SCALAR: Mapping[str, Callable[[Array, Any], Array]] = {
    "vadds": np.add, "vmuls": np.multiply, "vmaxs": np.maximum, "vmins": np.minimum,
}  # fmt: skip
_CONVERT = re.compile(r"vconv_([a-z]+\d+)2([a-z]+\d+)([a-z]?)$")
_CONVERTED = {"f16": "float16", "f32": "float32", "s32": "int32", "u8": "uint8", "s8": "int8"}
_ROUNDINGS: Mapping[str, Callable[[Array], Array]] = {
    "f": np.floor, "c": np.ceil, "z": np.trunc, "a": np.round,
}  # fmt: skip
_ATOMIC = re.compile(r"0x[1-9a-f]\w*\)?\s*<<\s*60")
_MOST_STEPS = 4_000_000  # instructions; a kernel that needs more is not run here


class CannotEmulate(ValueError):
    """A kernel that is not run here: one sentence saying which instruction, or why."""


@dataclass(slots=True)
class _Place:
    """Where an operand begins: an array of elements of its type, and the first one."""

    array: NDArray[Any]
    at: int
    dtype: str


@dataclass(slots=True)
class _Machine:
    tensors: dict[str, NDArray[Any]]
    pointers: Mapping[str, cce.Pointer]
    dtypes: Mapping[str, str]
    ub: NDArray[np.uint8]
    mask: int = (1 << 128) - 1
    atomic: bool = False
    steps: int = 0
    core: int = 0
    declared: dict[str, int] = field(default_factory=dict)


def emulate(
    code: str, inputs: Mapping[str, Array], outputs: Mapping[str, Array], cores: int = 1
) -> dict[str, Array]:
    """Run emitted code: what it leaves in each output, by the names that the code has.

    `outputs` are arrays of the right type with what is there before. Raises CannotEmulate.
    """
    try:
        kernel = cce.parse(code)
    except cce.CceError as wrong:
        raise CannotEmulate(f"The emitted code cannot be read: {wrong}") from None
    beyond = next((p.memory for p in kernel.pointers if p.memory != "UB"), None)
    if beyond:
        raise CannotEmulate(
            f"It uses {beyond}, a memory of the matrix unit, which is not run here."
        )
    tensors = {name: np.ascontiguousarray(values).reshape(-1) for name, values in inputs.items()}
    made = {name: np.array(values).reshape(-1) for name, values in outputs.items()}
    # A kernel that works in place has one parameter for both.
    tensors |= {name: values for name, values in made.items() if name not in tensors}
    size = 262144
    machine = _Machine(
        tensors=tensors,
        pointers={p.name: p for p in kernel.pointers},
        dtypes={p.name: p.dtype for p in kernel.parameters},
        ub=np.zeros(size, np.uint8),
    )
    with np.errstate(all="ignore"):
        for core in range(max(1, cores)):
            machine.core, machine.mask, machine.atomic = core, (1 << 128) - 1, False
            machine.ub[:] = 0
            _run(kernel.body, machine, {CORE: core})
    return {name: tensors[name].reshape(np.shape(outputs[name])) for name in outputs}


# Statements


def _run(body: Iterable[cce.Statement], machine: _Machine, values: dict[str, int]) -> None:
    for node in body:
        match node:
            case cce.Loop():
                start, limit = _whole(node.start, values), _whole(node.limit, values)
                for value in range(start, limit):
                    values[node.variable] = value
                    _run(node.body, machine, values)
                values.pop(node.variable, None)
            case cce.Branch():
                _run(
                    node.then if _condition(node, machine, values) else node.otherwise,
                    machine,
                    values,
                )
            case cce.Invoke():
                _invoke(node, machine, values)
            case cce.Assign():
                _assign(node, machine, values)
            case cce.Declare():
                _declare(node, machine, values)
            case _:
                if node.text.strip(" {};"):
                    raise CannotEmulate(f"Line {node.first} is not understood here.")


def _condition(node: cce.Branch, machine: _Machine, values: Mapping[str, int]) -> bool:
    return bool(_scalar(_tree(node.condition), machine, values))


def _declare(node: cce.Declare, machine: _Machine, values: dict[str, int]) -> None:
    # Status registers are read to be written back; nothing is computed from them.
    register = node.value is not None and re.match(r"get_\w+\(", node.value)
    if node.value:
        values[node.name] = 0 if register else int(_scalar(_tree(node.value), machine, values))


def _assign(node: cce.Assign, machine: _Machine, values: Mapping[str, int]) -> None:
    target = _tree(node.target)
    if not isinstance(target, Load):
        raise CannotEmulate(f"Line {node.first} stores where it is not followed here.")
    place = _named(target.buffer, machine)
    at = place.at + int(_scalar(target.index, machine, values))
    place.array[at] = _scalar(_tree(node.value), machine, values)
    machine.steps += 1


def _whole(text: str, values: Mapping[str, int]) -> int:
    try:
        return function(_tree(text))(values)
    except Unknown:
        raise CannotEmulate(
            f"The bound {text} depends on data, which is not followed here."
        ) from None


def _tree(text: str) -> Expression:
    try:
        return cce.parse_expression(text)
    except cce.CceError:
        raise CannotEmulate(f"“{text[:60]}” is not understood here.") from None


def _scalar(tree: Expression, machine: _Machine, values: Mapping[str, int]) -> Any:
    """A number of the scalar unit."""
    match tree:
        case Number():
            return tree.value
        case Variable():
            if tree.name in values:
                return values[tree.name]
            raise CannotEmulate(f"{tree.name} has no value here.")
        case Cast():
            value = _scalar(tree.value, machine, values)
            dtype = _TYPES.get(tree.dtype, tree.dtype)
            if "int" in dtype:
                return int(value)
            return np.dtype(dtype).type(value)
        case Load():
            place = _named(tree.buffer, machine)
            return place.array[place.at + int(_scalar(tree.index, machine, values))]
        case Not():
            return not _scalar(tree.operand, machine, values)
        case Binary():
            left = _scalar(tree.left, machine, values)
            return _binary(tree.operator, left, lambda: _scalar(tree.right, machine, values))
        case Call(name="max" | "min", arguments=(first, second)):
            pick = max if tree.name == "max" else min
            return pick(_scalar(first, machine, values), _scalar(second, machine, values))
        case _:
            raise CannotEmulate(f"An expression of the scalar unit is not understood here: {tree}.")


def _binary(operator: str, left: Any, right: Callable[[], Any]) -> Any:
    if operator == "&&":
        return bool(left) and bool(right())
    if operator == "||":
        return bool(left) or bool(right())
    if isinstance(left, int):
        other = right()
        if isinstance(other, int):
            if operator in ("/", "%"):
                quotient = abs(left) // abs(other) * (1 if (left < 0) == (other < 0) else -1)
                return quotient if operator == "/" else left - quotient * other
            return _PLAIN[operator](left, other)
        return _PLAIN[operator](left, other)
    return _PLAIN[operator](left, right())


_PLAIN: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "%": lambda a, b: a % b, "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, ">>": lambda a, b: a >> b,
    "<<": lambda a, b: a << b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
}  # fmt: skip


# Operands


def _named(name: str, machine: _Machine, dtype: str = "") -> _Place:
    """A buffer or a tensor by its name, as elements of its type."""
    pointer = machine.pointers.get(name)
    if pointer is not None:
        kind = np.dtype(_TYPES.get(dtype, dtype) or pointer.dtype)
        usable = machine.ub.size - machine.ub.size % kind.itemsize
        return _Place(
            machine.ub[:usable].view(kind), pointer.offset_bytes // kind.itemsize, kind.name
        )
    if name in machine.tensors:
        array = machine.tensors[name]
        return _Place(array, 0, array.dtype.name)
    raise CannotEmulate(f"{name} is neither a buffer nor a tensor that was given.")


def _place(tree: Expression, dtype: str, machine: _Machine, values: Mapping[str, int]) -> _Place:
    """An operand “buffer + offset”."""
    offset = 0
    while isinstance(tree, Binary) and tree.operator == "+":
        offset += int(_scalar(tree.right, machine, values))
        tree = tree.left
    if isinstance(tree, Cast):
        tree = tree.value
    if not isinstance(tree, Variable):
        raise CannotEmulate("An operand is not understood here.")
    place = _named(tree.name, machine, dtype)
    return _Place(place.array, place.at + offset, place.dtype)


def _lanes(machine: _Machine, width: int) -> NDArray[np.bool_]:
    """Which lanes of a repeat are on."""
    return np.array([bool(machine.mask >> lane & 1) for lane in range(width)])


def _indices(
    place: _Place, repeat: int, block: int, step: int, width: int, machine: _Machine
) -> NDArray[np.int64]:
    """Elements that an operand touches: an array of repeats by lanes."""
    elements = _BLOCK // np.dtype(place.dtype).itemsize
    lane = np.arange(width)
    in_block = lane // elements * block * elements + lane % elements
    return place.at + np.arange(repeat)[:, None] * step * elements + in_block[None, :]


# Instructions


def _invoke(node: cce.Invoke, machine: _Machine, values: Mapping[str, int]) -> None:
    name = node.name
    if name in _IGNORED:
        return
    machine.steps += 1
    if machine.steps > _MOST_STEPS:
        raise CannotEmulate(
            f"It takes more than {_MOST_STEPS:,} instructions, too many to run here."
        )
    if name.startswith("set_atomic"):
        machine.atomic = name != "set_atomic_none"
        return
    if name == "set_ctrl":  # bits 60 and 61 of the control register: atomic adds to global memory
        machine.atomic = _ATOMIC.search(node.arguments) is not None
        return
    call = _tree(f"{name}({node.arguments})")
    assert isinstance(call, Call)
    pointed = [ctype for _, ctype in _POINTED.findall(node.arguments)]
    arguments = call.arguments
    if name == "set_vector_mask":
        high, low = (int(_scalar(a, machine, values)) for a in arguments[:2])
        machine.mask = (high << 64) | (low & ((1 << 64) - 1))
        return
    places = [
        _place(tree, ctype, machine, values)
        for tree, ctype in zip(arguments, pointed, strict=False)
    ]
    rest = arguments[len(places) :]
    try:
        if name.startswith("copy_"):
            _copy(name, places, [int(_scalar(a, machine, values)) for a in rest[:5]], machine)
        elif name == "vector_dup":
            value = _scalar(rest[0], machine, values)
            numbers = [int(_scalar(a, machine, values)) for a in rest[1:]]
            _dup(places[0], value, numbers, machine)
        else:
            _vector(name, places, rest, machine, values)
    except IndexError:
        raise CannotEmulate(
            f"Line {node.first}: {name} reaches beyond its memory, an error on the chip."
        ) from None


def _copy(name: str, places: list[_Place], numbers: list[int], machine: _Machine) -> None:
    """Bursts of blocks of 32 bytes with gaps between them."""
    target, source = places
    _, bursts, length, source_gap, target_gap = numbers
    size = np.dtype(target.dtype).itemsize
    per = _BLOCK // size
    count = length * per
    for burst in range(bursts):
        start = source.at + burst * (length + source_gap) * per
        values = source.array[start : start + count]
        to = target.at + burst * (length + target_gap) * per
        # A transfer moves whole blocks; what lies beyond a tensor's end is not the kernel's.
        room = min(len(values), len(target.array) - to)
        if machine.atomic and name == "copy_ubuf_to_gm":
            target.array[to : to + room] += values[:room]
        else:
            target.array[to : to + room] = values[:room]


def _dup(target: _Place, value: Any, numbers: list[int], machine: _Machine) -> None:
    repeat, block, step = numbers[0], numbers[1], numbers[3] if len(numbers) > 3 else 8
    width = _BLOCK * _BLOCKS // np.dtype(target.dtype).itemsize
    where = _indices(target, repeat, block, step, width, machine)
    target.array[where[:, _lanes(machine, width)]] = value


def _vector(
    name: str,
    places: list[_Place],
    rest: tuple[Expression, ...],
    machine: _Machine,
    values: Mapping[str, int],
) -> None:
    numbers: list[Any] = [_scalar(a, machine, values) for a in rest]
    if name in _BINARY:
        repeat, *strides = map(int, numbers[:7])
        _elementwise(_BINARY[name], places, repeat, strides[:3], strides[3:6], machine)
    elif name in _UNARY:
        repeat, *strides = map(int, numbers[:5])
        _elementwise(_UNARY[name], places, repeat, strides[:2], strides[2:4], machine)
    elif name in _SCALAR:
        scalar = np.dtype(places[1].dtype).type(numbers[0])
        repeat, *strides = map(int, numbers[1:6])
        _elementwise(
            lambda v: _SCALAR[name](v, scalar),
            places, repeat, strides[:2], strides[2:4], machine,
        )  # fmt: skip
    elif found := _CONVERT.match(name):
        repeat, *strides = map(int, numbers[:5])
        _convert(found[3], places, repeat, strides, machine)
    elif name == "vcadd":
        repeat, to, block, step = map(int, numbers[:4])
        _reduce(places, repeat, to, block, step, machine)
    elif name in ("vcgmax", "vcgmin", "vcgadd"):
        repeat, to, block, step = map(int, numbers[:4])
        _reduce_blocks(name, places, repeat, to, block, step, machine)
    else:
        raise CannotEmulate(f"The instruction {name} is not run here.")


def _elementwise(
    function_: Callable[..., Array],
    places: list[_Place],
    repeat: int,
    blocks: list[int],
    steps: list[int],
    machine: _Machine,
) -> None:
    width = _BLOCK * _BLOCKS // np.dtype(places[0].dtype).itemsize
    lanes = _lanes(machine, width)
    all_ = [
        _indices(place, repeat, block, step, width, machine)[:, lanes]
        for place, block, step in zip(places, blocks, steps, strict=True)
    ]
    target = places[0]
    # One repeat after the other where a later one reads or writes what an earlier one wrote.
    together = steps[0] != 0 and all(
        other is all_[0] or place.array is not target.array or not _later(all_[0], other)
        for place, other in zip(places[1:], all_[1:], strict=True)
    )
    rows = [slice(None)] if together else [slice(r, r + 1) for r in range(repeat)]
    for row in rows:
        read = [place.array[each[row]] for place, each in zip(places[1:], all_[1:], strict=True)]
        target.array[all_[0][row]] = function_(*read)


def _later(written: NDArray[np.int64], read: NDArray[np.int64]) -> bool:
    """Whether one repeat reads what another has written."""
    if written.shape == read.shape and np.array_equal(written, read):
        return False
    if not written.size or not read.size:
        return False
    return not (written.max() < read.min() or read.max() < written.min())


def _convert(
    rounding: str, places: list[_Place], repeat: int, strides: list[int], machine: _Machine
) -> None:
    """64 elements a repeat, whichever type is wider."""
    to_block, from_block, to_step, from_step = strides
    target, source = places
    width = 64
    lanes = _lanes(machine, width)
    where = _indices(target, repeat, to_block, to_step, width, machine)[:, lanes]
    read = _indices(source, repeat, from_block, from_step, width, machine)[:, lanes]
    rows = [slice(None)] if to_step else [slice(r, r + 1) for r in range(repeat)]
    for row in rows:
        values = source.array[read[row]]
        if "int" in target.dtype and values.dtype.kind == "f":
            values = _ROUNDINGS.get(rounding, np.rint)(values)
        target.array[where[row]] = values.astype(target.dtype)


def _reduce(
    places: list[_Place], repeat: int, to: int, block: int, step: int, machine: _Machine
) -> None:
    """The sum of the lanes of each repeat, neighbours first."""
    target, source = places
    width = _BLOCK * _BLOCKS // np.dtype(source.dtype).itemsize
    lanes = _lanes(machine, width)
    read = _indices(source, repeat, block, step, width, machine)
    values = np.where(lanes[None, :], source.array[np.minimum(read, source.array.size - 1)], 0)
    values = values.astype(source.dtype)
    target.array[target.at + np.arange(repeat) * to] = tree_sum(values)


def tree_sum(values: Array) -> Array:
    """Rows summed as `vcadd` does: neighbours, then neighbours of those, each rounded."""
    while values.shape[-1] > 1:
        values = (values[..., 0::2] + values[..., 1::2]).astype(values.dtype)
    return values[..., 0]


def _reduce_blocks(
    name: str, places: list[_Place], repeat: int, to: int, block: int, step: int, machine: _Machine
) -> None:
    """One result for each block of 32 bytes."""
    target, source = places
    elements = _BLOCK // np.dtype(source.dtype).itemsize
    width = elements * _BLOCKS
    lanes = _lanes(machine, width)
    read = _indices(source, repeat, block, step, width, machine)
    values = source.array[np.minimum(read, source.array.size - 1)]
    neutral = {"vcgmax": -np.inf, "vcgmin": np.inf, "vcgadd": 0}[name]
    values = np.where(lanes[None, :], values, np.dtype(source.dtype).type(neutral))
    grouped = values.reshape(repeat, _BLOCKS, elements)
    if name == "vcgadd":
        result = tree_sum(grouped)
    else:
        result = grouped.max(axis=2) if name == "vcgmax" else grouped.min(axis=2)
    on = lanes.reshape(_BLOCKS, elements).any(axis=1)
    where = target.at + np.arange(repeat)[:, None] * to * _BLOCKS + np.arange(_BLOCKS)[None, :]
    target.array[where[:, on]] = result[:, on]
