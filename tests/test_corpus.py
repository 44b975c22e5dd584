"""The parsers accept every file that a compiler wrote: recorded traces, and every measured case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from core.ir import cce, mlir, schedule, statement
from core.readers import open_trace
from core.trace import Trace
from tests.conftest import PROJECT, Dump

RECORDED = sorted((PROJECT / "data" / "traces").glob("*.zip"))
PARSERS: dict[str, Callable[[str], object]] = {
    "statement": statement.parse,
    "schedule": schedule.parse,
    "cce": cce.parse,
    "mlir": mlir.parse,
}
#: Of a statement: what is a name, not an expression.
NAMES = {"first", "last", "kind", "variable", "name", "dtype", "key", "buffer", "tensor", "body"}


class Read:
    """What was parsed so far; equal texts once."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.wrong: list[tuple[str, str, str]] = []
        self._seen: set[tuple[str, str]] = set()
        self.modules: list[statement.Module] = []

    def __call__(self, language: str, where: object, text: str) -> None:
        self.files[language] += 1
        if (language, text) in self._seen:
            return
        self._seen.add((language, text))
        self.texts[language] += 1
        self.bytes[language] += len(text)
        try:
            tree = PARSERS[language](text)
        except (KeyError, ValueError) as error:
            self.wrong.append((language, str(where), f"{type(error).__name__}: {error}"))
        else:
            if isinstance(tree, statement.Module):
                self.modules.append(tree)

    def said(self) -> str:
        return ", ".join(
            f"{language} {self.files[language]} files ({self.texts[language]} different, "
            f"{self.bytes[language] / 1e6:.1f} MB)"
            for language in sorted(self.files)
        )


def texts_of(trace: Trace) -> Iterator[tuple[str, str, str]]:
    """Language, name and hash of every text of IR and code in a trace."""
    for step in trace.passes:
        if step.text is not None:
            yield step.language, step.name, step.text
    if trace.code is not None:
        yield "cce" if trace.compiler.name == "akg" else "mlir", "code", trace.code


def files_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """Language and path of every file of IR in a dump folder, by where the compiler puts it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".cc":
            yield "schedule" if path.parent.name == "poly" else "statement", path
        elif path.suffix in (".cce", ".mlir"):
            yield path.suffix[1:], path


def read_dumps(read: Read, dumps: list[Dump]) -> None:
    for dump in dumps:
        for language, path in files_of(dump.folder):
            read(language, path, path.read_text())


def test_every_text_of_every_recorded_trace(capsys):
    read = Read()
    for path in RECORDED:
        opened = open_trace(path)
        for language, name, text in texts_of(opened.trace):
            read(language, f"{path.name} {name}", opened.texts.get(text))
    with capsys.disabled():
        print(f"\n{len(RECORDED)} recorded traces: {read.said()}, {len(read.wrong)} skipped")
    assert read.wrong == []
    assert set(read.files) == set(PARSERS)
    assert sum(read.files.values()) > 4000

    expressions = {text for module in read.modules for text in expressions_of(module)}
    assert len(expressions) > 2000
    for text in expressions:
        statement.parse_expression(text)


def expressions_of(module: statement.Module) -> Iterator[str]:
    """Every expression that a module holds as text, but for a user's loop nest in an attribute."""
    for node in statement.walk(module.body):
        for name in (one.name for one in fields(node) if one.name not in NAMES):
            yield from _strings(getattr(node, name))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and not value.startswith("hybrid("):
        yield value
    elif isinstance(value, tuple) and all(isinstance(each, str | tuple) for each in value):
        for each in value:
            yield from _strings(each)


@pytest.mark.slow
def test_every_file_of_every_measured_akg_case(akg_cases, akg_sweeps, capsys):
    read = Read()
    dumps = [*akg_cases.values(), *(dump for rows in akg_sweeps.values() for _, dump in rows)]
    read_dumps(read, dumps)
    with capsys.disabled():
        print(f"\n{len(dumps)} AKG cases: {read.said()}, {len(read.wrong)} skipped")
    assert read.wrong == []
    assert read.files["cce"] == sum(d.opened.trace.status.compiles for d in dumps)
    assert read.files["statement"] > 50 * len(dumps)
    assert read.files["schedule"] > 15 * len(akg_cases)


def test_every_text_of_every_measured_mlir_case(mlir_cases, capsys):
    read = Read()
    read_dumps(read, list(mlir_cases.values()))
    for name, dump in mlir_cases.items():
        for language, step, text in texts_of(dump.opened.trace):
            read(language, f"{name} {step}", dump.opened.texts.get(text))
    with capsys.disabled():
        print(f"\n{len(mlir_cases)} MLIR cases: {read.said()}, {len(read.wrong)} skipped")
    assert read.wrong == []
    assert read.files["mlir"] > 30
