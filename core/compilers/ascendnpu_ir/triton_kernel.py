"""Triton kernels: read without running them.

Such a file has a docstring whose first line says what the kernel shows, the types to compile it
for, the values worth trying of its `tl.constexpr` arguments, and the kernel:

    CASES = {
        "fp32": {"signature": {"x": "*fp32", "out": "*fp32", "n": "i32"}, "constants": {"K": 3}},
    }
    PARAMETERS = {"BLOCK": [1024, 2048]}

    @triton.jit
    def kernel(x, out, n, K: tl.constexpr, BLOCK: tl.constexpr): ...

`signature` has a type for each argument that is no constexpr, a pointer's with a star in front;
every constexpr is in `constants`, in PARAMETERS, whose first value is the default, or has a default
of its own, written out. What a case has in `constants` for a name in PARAMETERS is the default of
that case. A name in PARAMETERS that is no argument is a flag of the compiler. Where several
functions have `triton.jit`, the kernel is the one named `kernel`, or the one that the case names
with "function". CASES and PARAMETERS are literals, so the server learns all it needs from the text
alone; only the child process that compiles the kernel runs the file.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from core.compilers.ascendnpu_ir.catalogue import FLAGS, near
from core.compilers.ascendnpu_ir.mlir_kernel import check_flag
from core.hints import HintValue
from core.kernel import KernelError, Parameter, Tensor

#: Triton's name of a type to the one that the other kernels use.
DTYPES = {
    "fp8e4nv": "float8_e4m3fn",
    "fp8e5": "float8_e5m2",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
    "i1": "bool",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
_KEYS = ("signature", "constants", "function")
_STORES = re.compile(r"store|atomic_\w+")


@dataclass(frozen=True, slots=True)
class Described:
    """What the text of a Triton kernel says of one of its cases."""

    about: str
    case: str
    tensors: tuple[Tensor, ...]  #: the pointers; how much they point at is known when it runs
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Specialised:
    """One compile of a Triton kernel: which function, for which types, with which constants."""

    function: str
    signature: Mapping[str, str]
    constants: Mapping[str, HintValue]


def imports_triton(source: str) -> bool:
    """True where a Python file imports Triton; False also where it is not Python."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for statement in module.body:
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names = [statement.module or ""]
        else:
            continue
        if any(name.partition(".")[0] == "triton" for name in names):
            return True
    return False


def read_triton_kernel(source: str, case: str = "") -> Described:
    """Read one case ("" = the first) of a Triton kernel without running it. Raises KernelError."""
    module = _parse(source)
    chosen, facts = _chosen(module, case)
    function = _function(module, facts)
    parameters = _parameters(module, function, facts.get("constants", {}), chosen)
    signature = _signature(function, facts["signature"], chosen)
    _check_constants(function, facts.get("constants", {}), parameters, chosen)
    stored = _stored(function)
    tensors = tuple(
        Tensor(name, (-1,), DTYPES[kind[1:]], "output" if name in stored else "input")
        for name, kind in signature.items()
        if kind.startswith("*")
    )
    about = (ast.get_docstring(module) or "").partition("\n")[0].strip()
    return Described(about, chosen, tensors, parameters)


def case_names(source: str) -> tuple[str, ...]:
    """The names of the cases, in the order of the file. Raises KernelError."""
    return tuple(_cases(_parse(source)))


def specialise(source: str, case: str, values: Mapping[str, HintValue]) -> Specialised:
    """What to hand to Triton for a case and values of the parameters. Raises KernelError."""
    module = _parse(source)
    chosen, facts = _chosen(module, case)
    function = _function(module, facts)
    named = _constexpr(function)
    constants = {
        **{k: v for k, v in _defaults(function).items() if k in named},
        **facts.get("constants", {}),
        **{k: v for k, v in values.items() if k in named},
    }
    return Specialised(function.name, _signature(function, facts["signature"], chosen), constants)


def _parse(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise KernelError(f"Line {error.lineno}: Not Python: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise KernelError(f"The file cannot be read as Python ({error}).") from None


def _fail(path: str, problem: str) -> NoReturn:
    raise KernelError(f"{path}: {problem}.")


def _literal(module: ast.Module, name: str) -> Any:
    """The value of a literal at the top of the file; None where it is not there."""
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        if statement.value and any(isinstance(t, ast.Name) and t.id == name for t in targets):
            try:
                return ast.literal_eval(statement.value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                _fail(name, "must be written out in full, as it is read without running the file")
    return None


def _cases(module: ast.Module) -> dict[str, dict[str, Any]]:
    cases = _literal(module, "CASES")
    if cases is None:
        raise KernelError(
            "CASES: missing; write CASES = {name: {'signature': {argument: type}}} at the top of "
            "the file, with types such as '*fp16' or 'i32'."
        )
    if not isinstance(cases, dict) or not cases:
        _fail("CASES", "must be a dictionary of at least one case")
    for name, facts in cases.items():
        if not isinstance(name, str) or not name or not name.isprintable():
            _fail("CASES", f"the name of a case must be a text, not {name!r}")
        if not isinstance(facts, dict) or not isinstance(facts.get("signature"), dict):
            _fail(f"CASES[{name!r}]", "must be a dictionary with a dictionary 'signature'")
        for key in facts:
            if key not in _KEYS:
                _fail(f"CASES[{name!r}]", f"has {key!r}, which means nothing; use {_listed(_KEYS)}")
        if not isinstance(facts.get("constants", {}), dict):
            _fail(f"CASES[{name!r}]['constants']", "must be a dictionary")
    return cases


def _chosen(module: ast.Module, case: str) -> tuple[str, dict[str, Any]]:
    cases = _cases(module)
    chosen = case or next(iter(cases))
    if chosen not in cases:
        raise KernelError(f"CASES has no {chosen!r}; choose one of {_listed(cases)}.")
    return chosen, cases[chosen]


def _function(module: ast.Module, facts: Mapping[str, Any]) -> ast.FunctionDef:
    found = {
        statement.name: statement
        for statement in module.body
        if isinstance(statement, ast.FunctionDef)
        and any(ast.unparse(d).partition("(")[0].endswith("jit") for d in statement.decorator_list)
    }
    if not found:
        raise KernelError("The file has no function with @triton.jit; nothing can be compiled.")
    wanted = facts.get("function") or ("kernel" if "kernel" in found else "")
    if not wanted and len(found) == 1:
        wanted = next(iter(found))
    if wanted not in found:
        _fail(
            "CASES",
            f"{wanted!r} is no function with @triton.jit; those are {_listed(found)}"
            if wanted
            else f"give 'function', one of {_listed(found)}, as several have @triton.jit",
        )
    return found[wanted]


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _constexpr(function: ast.FunctionDef) -> frozenset[str]:
    """The arguments that are constants of the compile."""
    return frozenset(
        argument.arg
        for argument in _arguments(function)
        if argument.annotation and "constexpr" in ast.unparse(argument.annotation)
    )


def _parameters(
    module: ast.Module, function: ast.FunctionDef, constants: Mapping[Any, Any], case: str
) -> tuple[Parameter, ...]:
    listed = _literal(module, "PARAMETERS") or {}
    if not isinstance(listed, dict):
        _fail("PARAMETERS", "must be a dictionary of lists: {'BLOCK': [1024, 2048]}")
    named = _constexpr(function)
    parameters = []
    for name, values in listed.items():
        path = f"PARAMETERS[{name!r}]"
        if not isinstance(values, list | tuple) or not values:
            _fail(path, "must be a list of the values worth trying, the default first")
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | str):
                _fail(path, f"{value!r} is neither a whole number nor a text")
        if len(set(values)) < len(values):
            _fail(path, "gives a value twice; give each once")
        if name not in named:
            if name not in FLAGS:
                _fail(
                    path,
                    f"{function.name} has no tl.constexpr argument of that name, and the compiler "
                    f"no such flag{near(name, [*named, *FLAGS])}",
                )
            check_flag(name, tuple(values))
        default = constants.get(name, values[0])
        if default not in values:
            _fail(
                f"CASES[{case!r}]['constants']",
                f"gives {name} a value that PARAMETERS does not list; add {default!r} there",
            )
        parameters.append(Parameter(name, tuple(values), default))
    return tuple(parameters)


def _signature(
    function: ast.FunctionDef, signature: Mapping[Any, Any], case: str
) -> dict[str, str]:
    path = f"CASES[{case!r}]['signature']"
    wanted = [a.arg for a in _arguments(function) if a.arg not in _constexpr(function)]
    for name in wanted:
        if name not in signature:
            _fail(path, f"gives no type for {name}, an argument of {function.name}")
    for name, kind in signature.items():
        if name not in wanted:
            _fail(path, f"has {name!r}, which is no argument of {function.name} that needs a type")
        if not isinstance(kind, str) or kind.removeprefix("*") not in DTYPES:
            _fail(path, f"{kind!r} is no type of Triton; use {_listed(DTYPES)}, * for a pointer")
    return {name: signature[name] for name in wanted}


def _check_constants(
    function: ast.FunctionDef,
    constants: Mapping[Any, Any],
    parameters: tuple[Parameter, ...],
    case: str,
) -> None:
    named = _constexpr(function)
    path = f"CASES[{case!r}]['constants']"
    for name, value in constants.items():
        if name not in named:
            _fail(path, f"has {name!r}, which is no tl.constexpr argument of {function.name}")
        if not isinstance(value, bool | int | float | str):
            _fail(path, f"{name} must be a number, a text, True or False")
    given = {*constants, *(parameter.name for parameter in parameters), *_defaults(function)}
    for name in sorted(named - given):
        _fail(path, f"gives no value for {name}; give one there or in PARAMETERS")


def _defaults(function: ast.FunctionDef) -> dict[str, Any]:
    """The arguments with a default that is written out; Triton itself passes over defaults."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    written = [
        *zip(
            positional[len(positional) - len(arguments.defaults) :],
            arguments.defaults,
            strict=True,
        ),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    found = {}
    for argument, default in written:
        with contextlib.suppress(ValueError, TypeError):
            if default is not None:
                found[argument.arg] = ast.literal_eval(default)
    return found


def _stored(function: ast.FunctionDef) -> frozenset[str]:
    """The arguments that it stores through, as far as the names in it tell."""
    made_of: dict[str, set[str]] = {}
    stored: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    made_of.setdefault(target.id, set()).update(_pointers(node.value))
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if _STORES.fullmatch(called):
                stored.update(_pointers(node.args[0]))
    reached: set[str] = set()
    while stored:
        name = stored.pop()
        if name not in reached:
            reached.add(name)
            stored |= made_of.get(name, set())
    return frozenset(reached)


def _pointers(node: ast.expr) -> Iterator[str]:
    """The names that a sum begins with: an offset is added to a pointer, not the other way."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        for argument in node.args[:1]:  # tl.make_block_ptr(pointer, …), tl.advance(pointer, …)
            yield from _pointers(argument)
        for keyword in node.keywords:
            if keyword.arg == "base":
                yield from _pointers(keyword.value)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
