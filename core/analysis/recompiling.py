"""What would stop a cell from being compiled again and again."""

from __future__ import annotations

from core.readers.logs import Recompiled

_NAMES = {"bool": "bool_"}


def varying(found: Recompiled) -> tuple[tuple[int | None, ...], ...]:
    """The shapes of its arguments with None where they vary; () where not even the rank stays."""
    shapes = list(found.shapes)
    if not shapes or len({tuple(map(len, each)) for each in shapes}) > 1:
        return ()
    return tuple(
        tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*argument, strict=True))
        for argument in zip(*shapes, strict=True)
    )


def set_inputs(found: Recompiled, network: str = "net") -> str:
    """The line of Python after which one compile serves all shapes; "" where none would."""
    arguments = varying(found)
    if not arguments or not any(None in each for each in arguments):
        return ""
    types = found.dtypes if len(found.dtypes) == len(arguments) else ("float32",) * len(arguments)
    tensors = ", ".join(
        f"Tensor(shape={list(shape)!r}, dtype=mindspore.{_NAMES.get(dtype, dtype)})"
        for shape, dtype in zip(arguments, types, strict=True)
    )
    return f"{network}.set_inputs({tensors})"


def why(found: Recompiled) -> str:
    """Why it was compiled more than once, in one sentence; "" where it was compiled once."""
    if found.count < 2:
        return ""
    if found.objects > 1 and len(found.shapes) <= 1:
        return (
            f"{found.objects} objects of it were made, and each is compiled for itself: make it "
            "once and call it often."
        )
    if not varying(found):
        return "Its arguments differ in number or rank, so no one compile can serve all of them."
    again = found.count - len(found.shapes)
    more = f"; {again} compiles were for shapes that it had seen" if again > 0 else ""
    return f"It was called with {len(found.shapes)} different shapes{more}."
