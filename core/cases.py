"""Another case for a kernel written in Python: CASES of the file, edited as text, nothing run."""

from __future__ import annotations

import ast

from core.kernel import KernelError

#: What the name of a case that was written here begins with.
MADE = "at_"


def entries(source: str) -> dict[str, ast.Dict]:
    """The cases by name, where they stand in the text. Raises KernelError."""
    return {name: value for name, (_, value) in _placed(source).items()}


def _placed(source: str) -> dict[str, tuple[ast.expr, ast.Dict]]:
    node = literal(source, "CASES")
    if node is None:
        raise KernelError("CASES: missing, or not written out as a dictionary.")
    return {
        str(name.value): (name, value)
        for name, value in zip(node.keys, node.values, strict=True)
        if isinstance(name, ast.Constant) and isinstance(value, ast.Dict)
    }


def literal(source: str, name: str) -> ast.Dict | None:
    """A dictionary at the top of a file, by the name that it is given."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        named = any(isinstance(each, ast.Name) and each.id == name for each in targets)
        if named and isinstance(statement.value, ast.Dict):
            return statement.value
    return None


def value_of(node: ast.Dict, key: str) -> ast.expr | None:
    """What a dictionary has for a key."""
    pairs = zip(node.keys, node.values, strict=True)
    return next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == key), None)


def replaced(source: str, node: ast.expr, text: str) -> str:
    """The source with another text in place of a node."""
    return source[: _offset(source, node)] + text + source[_offset(source, node, end=True) :]


def written(source: str, case: str, name: str, key: str, value: str) -> str:
    """The text with a case more, which is that of another but for one entry.

    A case that was written here takes the place of the one that it is made from.
    """
    cases = _placed(source)
    label, base = cases[case]
    entry = f"{name!r}: {_with(source, base, key, value)}"
    if case.startswith(MADE):
        start, end = _offset(source, label), _offset(source, base, end=True)
        return source[:start] + entry + source[end:]
    _, last = list(cases.values())[-1]
    end = _offset(source, last, end=True)
    return f"{source[:end]},\n    {entry}{source[end:]}"


def _with(source: str, case: ast.Dict, key: str, value: str) -> str:
    """The text of a case with another value for one of its keys."""
    start, end = _offset(source, case), _offset(source, case, end=True)
    found = value_of(case, key)
    if found is None:
        return f"{source[start : end - 1].rstrip().rstrip(',')}, {key!r}: {value}}}"
    before, after = _offset(source, found), _offset(source, found, end=True)
    return source[start:before] + value + source[after:end]


def _offset(source: str, node: ast.expr, *, end: bool = False) -> int:
    """Where a node begins or ends; Python counts columns in bytes."""
    line = (node.end_lineno or node.lineno) if end else node.lineno
    column = (node.end_col_offset or 0) if end else node.col_offset
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())
