"""What a sweep over cases asks for: rows and columns of a matrix, and its compiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from core.compilers.registry import compiler, compiler_for
from core.hints import Hints
from core.kernel import Kernel
from core.request import Request

#: What a compile is known by: hashes of kernel and hints, name and version of the compiler.
Key: TypeAlias = tuple[str, str, str, str]
Place: TypeAlias = tuple[int, int]  #: row and column


class LayoutError(ValueError):
    """Something that is no layout of a matrix: one sentence."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row: a kernel in one of its shapes."""

    name: str  #: "input_0=512x64"
    kernel_hash: str
    sizes: Mapping[str, int]  #: by the name of each dimension; empty where it has none by name


@dataclass(frozen=True, slots=True)
class Column:
    """One column: hints that every case is compiled with."""

    name: str  #: "as it is", "no double buffer"
    hints: Hints
    compiler: str  #: name
    version: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows and columns of a matrix: what a sweep over cases keeps of what was asked."""

    cases: tuple[Case, ...]
    columns: tuple[Column, ...]
    kernel: str = ""  #: name of the kernel that was given a shape for each case

    def as_axes(self) -> dict[str, Any]:
        """As a sweep's `axes`."""
        axes: dict[str, Any] = msgspec.to_builtins(self)
        return axes

    @staticmethod
    def of(axes: Mapping[str, Any]) -> Layout:
        """The inverse of `as_axes`. Raises LayoutError."""
        try:
            return msgspec.convert(axes, type=Layout)
        except msgspec.ValidationError as wrong:
            raise LayoutError(f"This sweep has no cases and hints to lay out: {wrong}.") from None

    def key(self, place: Place) -> Key:
        case, column = self.cases[place[0]], self.columns[place[1]]
        return case.kernel_hash, column.hints.digest, column.compiler, column.version


def is_matrix(axes: Mapping[str, Any]) -> bool:
    """Whether a sweep's `axes` are of cases and hints, rather than of the tiles of one kernel."""
    return "cases" in axes and "columns" in axes


def laid_out(
    cases: Sequence[tuple[str, Kernel, Mapping[str, int]]],
    hints: Sequence[tuple[str, Hints]],
    versions: Sequence[str] = ("",),
    name: str = "",
    called: str = "",
) -> tuple[Layout, tuple[Request, ...]]:
    """The layout of a matrix, and its compiles, row by row.

    A case is a name, a kernel and its sizes; equal kernels are one row, and equal hints one column.
    Of several versions each has columns of its own; "" is the usual one. `name` is the compiler,
    "" the one that takes such kernels; `called` is the kernel, which may have another name in each
    shape. Raises ToolMissing for an unknown compiler or version, and LayoutError where there are no
    cases or no hints.
    """
    if not cases or not hints:
        what = "shape" if not cases else "set of hints"
        raise LayoutError(f"There is nothing to compile: give at least one {what}.")
    rows = {kernel.digest: (text, kernel, sizes) for text, kernel, sizes in reversed(cases)}
    rows = {digest: rows[digest] for digest in dict.fromkeys(k.digest for _, k, _ in cases)}
    name = name or compiler_for(cases[0][1]).name
    columns: dict[tuple[str, str], Column] = {}
    for version in versions:
        known = compiler(name, version)
        behind = f", {known.version}" if len(versions) > 1 else ""
        for text, asked in hints:
            column = Column(f"{text}{behind}", asked, name, known.version)
            columns.setdefault((asked.digest, known.version), column)
    layout = Layout(
        tuple(Case(text, digest, dict(sizes)) for digest, (text, _, sizes) in rows.items()),
        tuple(columns.values()),
        called or cases[0][1].name,
    )
    requests = tuple(
        Request(kernel, column.hints, column.compiler, column.version)
        for _, kernel, _ in rows.values()
        for column in layout.columns
    )
    return layout, requests
