"""Kernels written as MLIR text: what such a file declares, and the text that a compile gets.

A file may leave numbers open. It then says in its first comment lines what may go there:

    // Adds two vectors, TILE elements at a time.
    // parameters: TILE = 1024, 8192, 24576; block-dim = 20, 40

and has `${TILE}`, or a sum or product such as `${TILE * 4}`, wherever the number belongs. The first
value of each is its default. A name that no place in the text uses is a flag of the compiler.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.compilers.ascendnpu_ir.catalogue import FLAGS, flag_value, near
from core.hints import HintError, HintValue
from core.kernel import KernelError, Parameter, Tensor

#: What a module is made of, which decides the pipeline that the compiler runs on it.
Level = Literal["hivm", "hfusion", "triton", "torch"]

#: MLIR's name of an element type to the one that the other kernels use.
DTYPES = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i1": "bool",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
_PLACE = re.compile(r"\$\{([^{}\n]*)\}")
_DECLARED = re.compile(r"//\s*parameters:(.*)", re.IGNORECASE)
_FUNCTION = re.compile(
    r'func\.func\s+(?:(private)\s+|public\s+|nested\s+)?@("[^"\n]+"|[\w$.-]+)\s*\('
)
_GENERIC_FUNCTION = re.compile(r'"func\.func"\s*\(')
_ARGUMENT = re.compile(r"\s*%([\w$.-]+)\s*:\s*(?:memref|tensor)<([^,>]*)")
_VIEW = re.compile(
    r"%([\w$.-]+)\s*=\s*(?:memref\.(?:subview|reinterpret_cast|cast|collapse_shape|expand_shape)"
    r"|tensor\.(?:cast|collapse_shape|expand_shape))\s+%([\w$.-]+)"
)
_WRITTEN = re.compile(r"(?:\bouts\(|\bwritable\s+)((?:\s*%[\w$.-]+,?)+)")

_TRITON = re.compile(
    r"\b(?:global_kernel|mix_mode|parallel_mode|WorkspaceArgIdx|SyncBlockLockArgIdx"
    r"|tt\.(?:divisibility|tensor_kind))\b"
)
_TORCH = re.compile(r"\btorch\.|!torch\.")
_HFUSION = re.compile(r"\b(?:linalg|tensor|hfusion)\.[a-z_0-9]+|\btensor<")
_HIVM = re.compile(r"\bhivm\.hir\.")


@dataclass(frozen=True, slots=True)
class Module:
    """What the text of an MLIR kernel says of itself."""

    about: str
    tensors: tuple[Tensor, ...]  #: arguments of the entry function that are memory or tensors
    parameters: tuple[Parameter, ...]


def read_mlir_kernel(source: str) -> Module:
    """Check the text of an MLIR kernel as far as can be done without the compiler.

    Raises KernelError.
    """
    if re.search(r"^\s*(?://|#) -----// IR Dump", source, re.MULTILINE):
        raise KernelError(
            "This is what a compiler printed and no kernel; open it as a trace instead."
        )
    about, parameters = _heading(source)
    _check_places(source, parameters)
    defaults = {parameter.name: parameter.default for parameter in parameters}
    try:
        text = _code(instantiate(source, defaults))
    except HintError as wrong:
        raise KernelError(f"With the defaults of the parameters: {wrong}") from None
    return Module(about, _tensors(text), parameters)


def instantiate(source: str, values: Mapping[str, HintValue]) -> str:
    """The text with every place filled; lines stay where they are. Raises HintError."""
    return _PLACE.sub(lambda place: str(_evaluate(place[1], values)), source)


def level(text: str) -> Level:
    """What a module is made of, by its text."""
    code = _code(text)
    if _TORCH.search(code):
        return "torch"
    if _TRITON.search(code):
        return "triton"
    if _HFUSION.search(code) and not (_HIVM.search(code) and "linalg." not in code):
        return "hfusion"
    return "hivm"


def places(source: str) -> frozenset[str]:
    """The names of the parameters that the text has a place for."""
    return frozenset(
        name for place in _PLACE.finditer(source) for name in re.findall(r"[A-Za-z_]\w*", place[1])
    )


def parse_values(text: str) -> tuple[int | str, ...]:
    """Read "1024, 8192" or '"128,128,64", "64,64,64"'. Raises KernelError."""
    values: list[int | str] = []
    for quoted, plain in re.findall(r'\s*(?:"([^"]*)"|([^,]*))\s*(?:,|$)', text.strip()):
        word = (quoted or plain).strip()
        if word:
            values.append(int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else word)
    if not values:
        raise KernelError(f"{text.strip()!r} has no value; write NAME = VALUE, VALUE.")
    if len(set(values)) < len(values):
        raise KernelError(f"{text.strip()!r} gives a value twice; give each once.")
    return tuple(values)


def check_flag(name: str, values: tuple[int | str, ...]) -> None:
    """Raise KernelError where a parameter that is a flag has a value the flag cannot take."""
    for value in values:
        try:
            flag_value(FLAGS[name], value)
        except HintError as wrong:
            raise KernelError(f"parameters: {wrong}") from None


def _heading(source: str) -> tuple[str, tuple[Parameter, ...]]:
    """What the comment lines at the top say: one line on the kernel, and its parameters."""
    about, parameters = "", []
    for line in source.lstrip().splitlines():
        if not line.strip().startswith("//"):
            break
        declared = _DECLARED.match(line.strip())
        if declared:
            parameters += [_parameter(part) for part in declared[1].split(";") if part.strip()]
        else:
            about = about or line.strip().lstrip("/").strip()
    names = [parameter.name for parameter in parameters]
    for name in names:
        if names.count(name) > 1:
            raise KernelError(f"parameters: {name} is declared twice; declare it once.")
    return about, tuple(parameters)


def _parameter(text: str) -> Parameter:
    name, equals, listed = text.partition("=")
    name = name.strip()
    if not equals or not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        raise KernelError(
            f"parameters: {text.strip()!r} is not NAME = VALUE, VALUE; several are set apart by ;."
        )
    values = parse_values(listed)
    return Parameter(name, values, values[0])


def _check_places(source: str, parameters: tuple[Parameter, ...]) -> None:
    used = places(source)
    declared = {parameter.name for parameter in parameters}
    for name in sorted(used - declared):
        raise KernelError(
            f"${{{name}}}: {name} is not declared; begin the file with a line such as "
            f"// parameters: {name} = 1024, 2048"
        )
    for parameter in parameters:
        if parameter.name in used:
            continue
        if parameter.name not in FLAGS:
            raise KernelError(
                f"parameters: the text has no place ${{{parameter.name}}}, and the compiler has no "
                f"flag of that name{near(parameter.name, FLAGS)}."
            )
        check_flag(parameter.name, parameter.values)


def _evaluate(text: str, values: Mapping[str, HintValue]) -> int | str:
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, TypeError):
        raise HintError(
            f"${{{text}}} is not a parameter, nor a sum, difference, product or whole quotient of "
            "parameters and numbers."
        ) from None
    except ZeroDivisionError:
        raise HintError(f"${{{text}}} divides by 0; choose other values.") from None


def _value(node: ast.expr, values: Mapping[str, HintValue]) -> int | str:
    if isinstance(node, ast.Name):
        value = values[node.id]
        return value if isinstance(value, str) else int(value)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, values), _value(node.right, values)
        if isinstance(left, str) or isinstance(right, str):
            raise TypeError
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.FloorDiv():
                return left // right
    raise ValueError


def _code(text: str) -> str:
    """The text without its comments."""
    return _COMMENT.sub(lambda part: "" if part[0].startswith("//") else part[0], text)


def _tensors(code: str) -> tuple[Tensor, ...]:
    """The memory and tensor arguments of the function that the device enters."""
    functions = [f for f in _FUNCTION.finditer(code) if f[1] is None]
    if not functions:
        if _GENERIC_FUNCTION.search(code):
            return ()  # the generic form; the compiler reads it as well
        raise KernelError("The file holds no function (func.func @name); nothing can be compiled.")
    ends = [f.start() for f in functions[1:]] + [len(code)]
    bodies = [code[f.end() : end] for f, end in zip(functions, ends, strict=True)]
    body = next((b for b in bodies if "hacc.entry" in b), bodies[0])
    arguments, rest = _until_closed(body)
    written = _written(rest)
    return tuple(
        Tensor(
            found[1],
            *_shape(found[2]),
            "output" if found[1] in written or _says_output(argument) else "input",
        )
        for argument in _split(arguments)
        if (found := _ARGUMENT.match(argument))
    )


def _says_output(argument: str) -> bool:
    return bool(re.search(r"arg_type<output>|tt\.tensor_kind\s*=\s*[12]\b", argument))


def _written(body: str) -> frozenset[str]:
    """The values that operations write to, and what those are views of."""
    views = dict(_VIEW.findall(body))
    written = {
        name for names in _WRITTEN.findall(body) for name in re.findall(r"%([\w$.-]+)", names)
    }
    for name in list(written):
        while name in views:
            name = views.pop(name)
            written.add(name)
    return frozenset(written)


def _shape(text: str) -> tuple[tuple[int, ...], str]:
    """ "16x?xf32" as ((16, -1), "float32")."""
    *sizes, dtype = re.split(r"x(?=[\d?*]|[a-z!])", text.strip())
    shape = tuple(int(size) if size.isdecimal() else -1 for size in sizes)
    return shape, DTYPES.get(dtype, dtype)


def _until_closed(text: str) -> tuple[str, str]:
    """The text up to the bracket that closes what is open at its start, and what follows."""
    depth = 1
    for at, sign in enumerate(text):
        depth += (sign in "([{<") - (sign in ")]}" or (sign == ">" and text[at - 1] != "-"))
        if depth == 0:
            return text[:at], text[at + 1 :]
    return text, ""


def _split(arguments: str) -> Iterator[str]:
    """The arguments, which commas inside of brackets do not part."""
    depth = begin = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "([{<") - (sign in ")]}" or (sign == ">" and arguments[at - 1] != "-"))
        if sign == "," and depth == 0:
            yield arguments[begin:at]
            begin = at + 1
    if arguments[begin:].strip():
        yield arguments[begin:]
