"""Texts of kernels, changed at a place or written anew."""

from __future__ import annotations

import ast
import json
from typing import Any


def replaced(source: str, node: ast.expr, text: str) -> str:
    """A Python text with another one in the place of an expression."""
    lines = source.splitlines(keepends=True)
    last = (node.end_lineno or node.lineno) - 1
    head = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    return "".join((*lines[: node.lineno - 1], head, text, tail, *lines[last + 1 :]))


def dumped(document: dict[str, Any]) -> str:
    """A composite kernel as JSON, with a line for each operator."""
    operators = ",\n".join(f"  {json.dumps(op)}" for op in document["op_desc"])
    entries = [
        f' "{key}": [\n{operators}\n ]' if key == "op_desc" else f' "{key}": {json.dumps(value)}'
        for key, value in document.items()
    ]
    return "{\n" + ",\n".join(entries) + "\n}\n"
