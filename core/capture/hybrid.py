"""A function in MindSpore's kernel language (`@kernel`) as a kernel of ours, without MindSpore.

MindSpore hands such a function to AKG as its source text (the operator "Custom" of a description);
types and shapes of its results are found by running it on NumPy arrays, as MindSpore does too.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import json
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.capture.captured import CaptureError, Input

#: Elements up to which a function is run to find its results: its loops are Python's.
_MOST_ELEMENTS = 1 << 16


class _Scope:
    """Stands for block_realize and attr, which open a scope or mark what follows."""

    def __call__(self, *_: object, **__: object) -> _Scope:
        return self

    def __enter__(self) -> _Scope:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None


def _made(shape: Sequence[int], dtype: str = "float32", _: str = "global") -> NDArray[Any]:
    return np.zeros(tuple(shape), dtype)


def _grid(extents: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(extent) for extent in extents))


#: The words of the language (mindspore/ops/operations/_ms_kernel.py).
_WORDS: Mapping[str, Any] = {
    "allocate": _made, "output_tensor": _made, "grid": _grid, "serial": range, "vectorize": range,
    "parallel": range, "reduce": range, "attr": _Scope(), "block_realize": _Scope(),
    "abs": np.abs, "ceil": np.ceil, "ceil_div": lambda a, b: -(-a // b), "cos": np.cos,
    "erf": math.erf, "exp": np.exp, "expm1": np.expm1, "floor": np.floor, "isnan": np.isnan,
    "log": np.log, "power": np.power, "round": np.round, "rsqrt": lambda a: 1.0 / np.sqrt(a),
    "sign": np.sign, "sin": np.sin, "sqrt": np.sqrt, "tanh": np.tanh, "trunc": np.trunc,
    "atan": np.arctan, "atan2": np.arctan2,
    **{name: getattr(np, name) for name in
       ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")},
}  # fmt: skip


def kernel_function(text: str, name: str) -> ast.FunctionDef | None:
    """The function of this name where it is decorated as a kernel; None where it is not."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node if any(map(_is_kernel, node.decorator_list)) else None
    return None


def _is_kernel(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    named = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return named in ("kernel", "ms_kernel")


def described(file: Path, function: ast.FunctionDef, inputs: Sequence[Input]) -> str:
    """The description of the kernel for AKG on Ascend, as JSON. Runs the function.

    Raises CaptureError.
    """
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()[function.lineno - 1 : function.end_lineno]
    source = textwrap.dedent("\n".join(lines)) + "\n"
    outputs = _results(file, function.name, source, inputs)
    unique = f"Custom_{function.name}_{hashlib.sha256(source.encode()).hexdigest()}"
    given = [_tensor(f"input_{at}", i.shape, i.dtype) for at, i in enumerate(inputs)]
    made = [_tensor(f"output_0_{at}", o.shape, str(o.dtype)) for at, o in enumerate(outputs)]
    attributes: list[dict[str, Any]] = [
        _attribute("func_type", "hybrid"),
        _attribute("func_source_str", source),
        _attribute("func_compile_attrs", json.dumps(_compile_attributes(function))),
        _attribute("uniq_name", unique),
        _attribute("func_name", function.name),
        {"data_type": "int", "name": "inputs_num", "value": len(inputs)},
        {"data_type": "bool", "name": "autodiff", "value": False},
    ]
    operator = {
        "name": "Custom",
        "impl_path": "",
        "attr": attributes,
        "input_desc": [[{**each, "name": f"input_{at}"}] for at, each in enumerate(given)],
        "output_desc": [{**each, "name": f"output_{at}"} for at, each in enumerate(made)],
    }
    description = {
        "composite": True,
        "composite_graph": "custom",
        "id": 0,
        "op": f"{function.name}_{unique[-8:]}",
        "platform": "AKG",
        "process": "aicore",
        "version": 1,
        "input_desc": [[each] for each in given],
        "op_desc": [operator],
        "output_desc": made,
    }
    return json.dumps(description, indent=1)


def _results(
    file: Path, name: str, source: str, inputs: Sequence[Input]
) -> tuple[NDArray[Any], ...]:
    """What the function returns for arrays of ones."""
    words: dict[str, Any] = {**_WORDS, "kernel": _undecorated, "ms_kernel": _undecorated}
    elements = max((math.prod(each.shape) for each in inputs), default=0)
    if elements > _MOST_ELEMENTS:
        raise CaptureError(
            f"An input of {name} has {elements:,} elements; its results are found by running it in "
            f"Python, so give shapes of at most {_MOST_ELEMENTS:,} and change them afterwards."
        )
    arrays = [np.ones(each.shape, each.dtype) for each in inputs]
    try:
        exec(compile(source, str(file), "exec"), words)
        with np.errstate(all="ignore"):
            result = words[name](*arrays)
    except Exception as wrong:  # noqa: BLE001  whatever the user's function raises
        said = f"{type(wrong).__name__}: {wrong}"
        raise CaptureError(
            f"{name} in {file.name} cannot be run on these inputs: {said}."
        ) from None
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(each, np.ndarray) for each in results):
        raise CaptureError(f"{name} in {file.name} returns something else than tensors.")
    return results


def _undecorated(function: Any = None, **_: object) -> Any:
    if function is None:
        return lambda inner: inner
    return function


def _compile_attributes(function: ast.FunctionDef) -> dict[str, Any]:
    """What `@kernel(compile_attrs={…})` hands to AKG."""
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call):
            for keyword in decorator.keywords:
                if keyword.arg == "compile_attrs":
                    try:
                        value = ast.literal_eval(keyword.value)
                    except ValueError:
                        return {}
                    return value if isinstance(value, dict) else {}
    return {}


def _tensor(name: str, shape: Sequence[int], dtype: str) -> dict[str, Any]:
    return {
        "data_type": dtype,
        "format": "DefaultFormat",
        "shape": [int(size) for size in shape],
        "tensor_name": name,
    }


def _attribute(name: str, value: str) -> dict[str, Any]:
    return {"data_type": "str", "name": name, "value": value}
