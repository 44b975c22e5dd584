"""Kernels written in AKG's own Python language: read without running them, and built.

Such a file has a docstring whose first line says what the kernel shows, the shapes to compile it
for, and one function of the input tensors and then of the case's attributes:

    CASES = {
        "row": {"shapes": [[512, 64], [512, 1]], "dtypes": ["float16", "float16"],
                "attributes": [-1]},
    }

    def kernel(x, y, axis): ...

`shapes` has one shape for each tensor, or a list of shapes where one argument is a list of
tensors. CASES is a literal, so the server learns all it needs from the text alone; only the child
process that compiles the kernel runs the file.
"""

from __future__ import annotations

import ast
import importlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from core.hints import HintValue
from core.kernel import KernelError, Tensor

#: Types that AKG's vector and cube units were seen to compile in its Python language.
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
]
_LARGEST = 2**31 - 1
_KEYS = ("shapes", "dtypes", "attributes")


@dataclass(frozen=True, slots=True)
class Described:
    """What the text of a Python kernel says of itself."""

    about: str
    case: str
    tensors: tuple[Tensor, ...]  #: the inputs; what comes out is only known once it runs


def read_python_kernel(source: str, case: str = "") -> Described:
    """Read one case ("" = the first) of a Python kernel without running it. Raises KernelError."""
    module = _parse(source)
    cases = _cases(module)
    chosen = case or next(iter(cases))
    if chosen not in cases:
        raise KernelError(f"CASES has no {chosen!r}; choose one of {', '.join(cases)}.")
    shapes, dtypes, attributes = _case(cases[chosen], f"CASES[{chosen!r}]")
    _check_arity(module, len(shapes), len(attributes), f"CASES[{chosen!r}]")
    about = (ast.get_docstring(module) or "").partition("\n")[0].strip()
    return Described(about, chosen, tuple(_tensors(shapes, dtypes)))


def case_names(source: str) -> tuple[str, ...]:
    """The names of the cases, in the order of the file. Raises KernelError."""
    return tuple(_cases(_parse(source)))


def build_python_kernel(
    source: str, name: str, case: str, attributes: Mapping[str, HintValue]
) -> None:
    """Run the file and compile its kernel; the dump lands in the current directory.

    Meant for a child process in which `akg` can be imported; `attributes` are the hints in AKG's
    flat form. The dump has no composite stage: `<name>_0`, `<name>_1`, and `akg_kernel_meta` with
    the emitted code where MS_DEV_DUMP_CODE is set. AKG names the inputs input_1, input_2, ….
    """
    shapes, dtypes, given = _case(_cases(_parse(source))[case], f"CASES[{case!r}]")
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(source, f"{name}.py", "exec"), namespace)
    kernel_exec: Any = importlib.import_module("akg.utils.kernel_exec")
    kernel_exec.op_build(
        namespace["kernel"],
        shapes,
        dtypes,
        op_attrs=given,
        kernel_name=name,
        attrs=dict(attributes),
        dump_ir=True,
        # It would put a second copy of the emitted code beside the first.
        dump_code=False,
    )


def _parse(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        where = f"Line {error.lineno}: " if error.lineno else ""
        raise KernelError(f"{where}Not Python: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise KernelError(f"Not Python: {error}.") from None


def _fail(path: str, problem: str) -> NoReturn:
    raise KernelError(f"{path}: {problem}.")


def _cases(module: ast.Module) -> dict[str, Any]:
    value = next(
        (
            statement.value
            for statement in module.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            and "CASES" in map(_target, _targets(statement))
        ),
        None,
    )
    if value is None:
        raise KernelError(
            "CASES: missing; write CASES = {name: {'shapes': [...], 'dtypes': [...], "
            "'attributes': [...]}} at the top of the file."
        )
    try:
        cases = ast.literal_eval(value)
    except (ValueError, TypeError, RecursionError, MemoryError):
        _fail("CASES", "must be written out in full, as it is read without running the file")
    if not isinstance(cases, dict) or not cases:
        _fail("CASES", "must be a dictionary of at least one case")
    for name in cases:
        if not isinstance(name, str) or not name or not name.isprintable():
            _fail("CASES", f"the name of a case must be a text, not {name!r}")
    return cases


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _target(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _case(case: object, path: str) -> tuple[list[Any], list[str], list[Any]]:
    if not isinstance(case, dict):
        _fail(path, f"must be a dictionary with {', '.join(_KEYS)}")
    for key in case:
        if key not in _KEYS:
            _fail(path, f"has {key!r}, which means nothing; use {', '.join(_KEYS)}")
    for key in ("shapes", "dtypes"):
        if key not in case:
            _fail(f"{path}[{key!r}]", "missing")
    shapes, dtypes, attributes = case["shapes"], case["dtypes"], case.get("attributes", [])
    for key, value in zip(_KEYS, (shapes, dtypes, attributes), strict=True):
        if not isinstance(value, list | tuple):
            _fail(f"{path}[{key!r}]", "must be a list")
    _check_tensors(shapes, dtypes, path)
    return list(shapes), list(dtypes), list(attributes)


def _check_tensors(shapes: Sequence[Any], dtypes: Sequence[Any], path: str) -> None:
    if not shapes:
        _fail(f"{path}['shapes']", "must not be empty")
    if len(shapes) != len(dtypes):
        _fail(path, f"has {len(shapes)} shapes and {len(dtypes)} dtypes; give one for each tensor")
    for i, shape in enumerate(shapes):
        for part in shape if _is_group(shape) else [shape]:
            _check_shape(part, f"{path}['shapes'][{i}]")
    for i, dtype in enumerate(dtypes):
        if dtype not in DTYPES:
            _fail(
                f"{path}['dtypes'][{i}]",
                f"{dtype!r} is not a type AKG knows; use {', '.join(DTYPES)}",
            )


def _is_group(shape: object) -> bool:
    return isinstance(shape, list | tuple) and bool(shape) and isinstance(shape[0], list | tuple)


def _check_shape(shape: object, path: str) -> None:
    if not isinstance(shape, list | tuple) or not shape:
        _fail(path, "must be a list of whole numbers; write a scalar as [1]")
    for size in shape:
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            _fail(path, f"{size!r} is no size; give a whole number from 1 up")
    if math.prod(shape) > _LARGEST:
        _fail(path, f"has {math.prod(shape)} elements; AKG counts up to {_LARGEST}")


def _tensors(shapes: list[Any], dtypes: list[str]) -> list[Tensor]:
    """The inputs under the names that AKG's op_build gives them."""
    found = []
    for i, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True), start=1):
        if _is_group(shape):
            found += [
                Tensor(f"input_{i}_{j}", tuple(part), dtype, "input")
                for j, part in enumerate(shape, start=1)
            ]
        else:
            found.append(Tensor(f"input_{i}", tuple(shape), dtype, "input"))
    return found


def _check_arity(module: ast.Module, tensors: int, attributes: int, path: str) -> None:
    kernel = next(
        (s for s in module.body if isinstance(s, ast.FunctionDef) and s.name == "kernel"), None
    )
    if kernel is None:
        raise KernelError(
            "kernel: missing; write def kernel(...), which takes the tensors and then the "
            "attributes of a case and returns what it computes."
        )
    arguments = kernel.args
    # op_build itself passes `target` by name to a function that has it.
    named = [a.arg for a in [*arguments.posonlyargs, *arguments.args] if a.arg != "target"]
    given = tensors + attributes
    fewest = max(0, len(named) - len(arguments.defaults))
    most = None if arguments.vararg else len(named)
    if given < fewest or (most is not None and given > most):
        takes = (
            str(fewest)
            if fewest == most
            else f"{fewest} to {most}"
            if most
            else f"{fewest} or more"
        )
        _fail(
            f"kernel (line {kernel.lineno})",
            f"takes {takes} arguments, but {path} gives {tensors} tensors and {attributes} "
            "attributes",
        )
    needed = [
        a.arg
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None and a.arg != "target"
    ]
    if needed:
        _fail(
            f"kernel (line {kernel.lineno})",
            f"{needed[0]} can only be given by name, and a case gives tensors and attributes by "
            "position",
        )
