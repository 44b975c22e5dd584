"""The files of the project that one of its modules needs, found by reading them, not by running."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
#: What is read beside code: the order of AKG's passes, chips, signatures.
_DATA = ("data/order", "data/targets", "data/signatures")


@cache
def needed_files(module: str) -> tuple[str, ...]:
    """Paths below the project, of a module, all that it imports anywhere, and their data."""
    found: set[str] = set()
    pending = [module]
    while pending:
        name = pending.pop()
        file = _file(name)
        if file is None or file in found:
            continue
        found.add(file)
        if "." in name:
            pending.append(name.rpartition(".")[0])  # its package is run first
        pending += _named(file, name)
    data = (path for folder in _DATA for path in (PROJECT / folder).rglob("*") if path.is_file())
    return tuple(sorted({*found, *(path.relative_to(PROJECT).as_posix() for path in data)}))


def _file(module: str) -> str | None:
    """The file of a module of ours; None of any other name."""
    if module.partition(".")[0] != "core":
        return None
    base = module.replace(".", "/")
    for path in (f"{base}.py", f"{base}/__init__.py"):
        if (PROJECT / path).is_file():
            return path
    return None


def _named(file: str, module: str) -> Iterator[str]:
    """Modules that a file imports, at its top or later, or starts by their names."""
    package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
    for node in ast.walk(ast.parse((PROJECT / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join((*above, *filter(None, [base])))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
