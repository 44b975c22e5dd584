"""The cases of a matrix: a kernel in the shapes that somebody lists, as text, as CSV or as JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.kernel import Kernel, KernelError
from core.shapes import free_sizes, parse_shapes, shape_label

_SIZES = re.compile(r"\d+(?:[xX×*]\d+)*")
_NAME = re.compile(r"[A-Za-z_][\w.\[\]-]*")
#: Columns of a table that hold a whole shape, rather than one size.
_WHOLE = ("shape", "case")
_LARGEST_FILE_BYTES = 4 << 20


def cases(
    texts: Sequence[str], kernel: Kernel
) -> tuple[tuple[str, Kernel, Mapping[str, int]], ...]:
    """The kernel in each shape of some texts, for `laid_out`: name, kernel, sizes; each once.

    A text is what `core.shapes` reads, or a table: see `as_lines`. Raises KernelError.
    """
    found: dict[str, Kernel] = {}
    for text in texts:
        for made in parse_shapes(as_lines(text), kernel):
            found.setdefault(made.digest, made)
    named = [(shape_label(made), made, free_sizes(made, kernel)) for made in found.values()]
    times = Counter(label for label, _, _ in named)
    return tuple(
        (label if times[label] == 1 else f"{label} ({_differing(made)})", made, sizes)
        for label, made, sizes in named
    )


def _differing(kernel: Kernel) -> str:
    """What tells kernels apart whose shapes are called the same."""
    shapes = " ".join(f"{t.name}={'x'.join(map(str, t.shape))}" for t in kernel.tensors)
    return kernel.case or shapes or kernel.digest[:6]


def as_lines(text: str) -> str:
    """Shapes as lines that `core.shapes` reads, from those, from CSV or from JSON.

    CSV has a line of names, of dimensions or tensors, and a line a shape below; a column called
    shape or case holds it whole. JSON is a list of such lines, or of objects with a number or a
    list of sizes for each name. Raises KernelError.
    """
    stripped = text.strip().removeprefix("\ufeff")
    if stripped[:1] in ("[", "{"):
        return _from_json(stripped)
    return _from_table(stripped) or stripped


def _from_json(text: str) -> str:
    try:
        listed = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise KernelError(
            f"The shapes are not JSON: {wrong.msg}, line {wrong.lineno} column {wrong.colno}."
        ) from None
    lines = []
    for each in listed if isinstance(listed, list) else [listed]:
        if isinstance(each, str):
            lines.append(each)
        elif isinstance(each, dict) and each:
            lines.append(" ".join(f"{name}={_size(value, name)}" for name, value in each.items()))
        elif isinstance(each, list):
            lines.append(_size(each, "a shape"))
        else:
            raise KernelError(
                f"{json.dumps(each)} is no shape; write a text, a list of sizes, or an object with "
                "names and sizes."
            )
    return "\n".join(lines)


def _size(value: object, name: str) -> str:
    if isinstance(value, list) and value and all(type(size) is int for size in value):
        return "x".join(map(str, value))
    if type(value) is int or (isinstance(value, str) and value):
        return str(value)
    raise KernelError(
        f"{json.dumps(value)} is no size of {name}; write a number, or a list of numbers."
    )


def _from_table(text: str) -> str:
    """The lines of a table; "" where it is none."""
    lines = text.splitlines()
    if len(lines) < 2 or "=" in text:
        return ""
    mark = next((m for m in ("\t", ";", ",") if m in lines[0]), ",")
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=mark) if any(row)]
    names = [name.strip() for name in rows[0]]
    body = [[value.strip() for value in row] for row in rows[1:]]
    plain = all(_NAME.fullmatch(name) for name in names)
    if not plain or not all(_fits(row, names) for row in body):
        return ""
    return "\n".join(
        " ".join(
            value if name.lower() in _WHOLE else f"{name}={value}"
            for name, value in zip(names, row, strict=False)
            if value
        )
        for row in body
    )


def _fits(row: Sequence[str], names: Sequence[str]) -> bool:
    return len(row) <= len(names) and all(
        name.lower() in _WHOLE or not value or _SIZES.fullmatch(value)
        for name, value in zip(names, row, strict=False)
    )


def read_shapes(file: Path) -> str:
    """The text of a file of shapes. Raises KernelError."""
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise KernelError(f"{file}: cannot be read ({error.strerror}).") from None
    if len(data) > _LARGEST_FILE_BYTES:
        raise KernelError(f"{file} is larger than 4 MiB, which no list of shapes is.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise KernelError(f"{file} is not UTF-8 text (byte {error.start} is not).") from None
