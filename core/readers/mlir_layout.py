"""Where MLIR tools put what: logs, folders of one file a pass, what Triton keeps of a kernel.

`--mlir-print-ir-tree-dir` (mlir/lib/Pass/IRPrinting.cpp) makes a folder for each operation that
passes run on, named by its kind and symbol, and numbers the files in it: 22_cse.mlir is what the
module's pass 22 made, func_func_f/22_3_cse.mlir what pass 3 on the function made after that. Where
only changes are printed, functions whose passes took turns cannot be told from functions worked on
one after another; the order within each is right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from core.readers.mlir_log import has_dumps
from core.readers.source import Source

Kind = Literal["log", "tree", "triton"]

#: What Triton and its back ends make of a kernel, in that order; the suffix is a stage.
STAGES = ("ttir", "ttsharedir", "ttgir", "ttadapter", "llir", "npubin")

_TREE_FILE = re.compile(r"(\d+(?:_\d+)*)_[A-Za-z][\w.-]*\.mlir")
_TREE_ROOT = re.compile(r"builtin_module_\S+")
_TRITON_FILE = re.compile(rf"(.+)\.({'|'.join(STAGES)})(?:\.mlir)?")
_LOG_SUFFIXES = frozenset((".log", ".txt", ".out", ".err", ".mlir", ".dump", ".gz", ""))
#: A log begins with what the tool says of its options, if with anything but a dump.
_SNIFFED = 1 << 16
_MOST_SNIFFED = 500  # files of a folder
_SYMBOL = re.compile(r"(?m)^ *\"?[\w.]+\"?(?: \w+)* @\"?([\w$.-]+)")


@dataclass(frozen=True, slots=True)
class Printed:
    """One thing that an MLIR tool left behind."""

    kind: Kind
    root: str  #: its folder
    path: str  #: of a log; else what to call it
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path


def find_printed(source: Source, jobs: Sequence[str]) -> list[Printed]:
    """What MLIR tools left in a source, outside of the folders of compiles of ours."""
    paths = [path for path in source.entries if not any(_inside(path, job) for job in jobs)]
    trees: dict[str, list[str]] = defaultdict(list)
    triton: dict[tuple[str, str], list[str]] = defaultdict(list)
    rest: list[str] = []
    for path in paths:
        tree = _tree_of(path, source.name)
        kept = _TRITON_FILE.fullmatch(path)
        if tree is not None:
            trees[tree].append(path)
        elif kept:
            folder, _, stem = kept[1].rpartition("/")
            triton[folder, stem].append(path)
        else:
            rest.append(path)
    found = [
        Printed("tree", root, root or source.name, tuple(files)) for root, files in trees.items()
    ]
    for (folder, stem), files in triton.items():
        name = f"{folder}/{stem}" if folder else stem
        found.append(Printed("triton", folder, name, tuple(sorted(files, key=_stage_order))))
    candidates = [
        path
        for path in rest
        if PurePosixPath(path).suffix in _LOG_SUFFIXES and source.entries[path].bytes
    ]
    for path in candidates[:_MOST_SNIFFED]:
        if has_dumps(source, path, _SNIFFED):
            found.append(Printed("log", str(PurePosixPath(path).parent), path, (path,)))
    return found


def stage_of(path: str) -> str:
    """The stage of Triton's whose result a file is."""
    found = _TRITON_FILE.fullmatch(path)
    return found[2] if found else ""


def tree_files(source: Source, printed: Printed) -> list[str]:
    """The files of a tree in the order in which they were written."""
    modules = {n[0]: path for path in printed.files if len(n := _tree_numbers(path)) == 1}
    ranks: dict[int, dict[str, int]] = {}  # of functions in their module, by the module's pass
    for path in printed.files:
        numbers = _tree_numbers(path)
        if len(numbers) > 1 and numbers[0] not in ranks:
            before = max((number for number in modules if number <= numbers[0]), default=None)
            text = source.text(modules[before])[0] if before is not None else ""
            ranks[numbers[0]] = {n: i for i, n in enumerate(_SYMBOL.findall(text))}
    return sorted(printed.files, key=lambda path: _moment(path, printed.root, ranks))


def _moment(path: str, root: str, ranks: dict[int, dict[str, int]]) -> tuple[object, ...]:
    """When a file was written, as a key to sort by: a module's before its functions'."""
    numbers = _tree_numbers(path)
    folders = PurePosixPath(path[len(root) + 1 :] if root else path).parts[:-1]
    rank = ranks.get(numbers[0], {})
    key: list[object] = []
    for number, folder in zip(numbers, folders, strict=False):
        named = max((s for s in rank if folder.endswith(f"_{s}")), key=len, default="")
        key += [number, 1, rank.get(named, len(rank)), folder]
    return (*key, numbers[-1], 0)


def _tree_numbers(path: str) -> tuple[int, ...]:
    found = _TREE_FILE.fullmatch(PurePosixPath(path).name)
    assert found is not None  # it was found by this name
    return tuple(int(number) for number in found[1].split("_"))


def _tree_of(path: str, source_name: str) -> str | None:
    """The folder of the module that a file of a tree belongs to; None for any other file."""
    parts = PurePosixPath(path).parts
    if not _TREE_FILE.fullmatch(parts[-1]):
        return None
    at = len(parts) - 1 - len(_tree_numbers(path))
    if at == -1:  # the module's own folder was opened
        return "" if _TREE_ROOT.fullmatch(source_name) else None
    return "/".join(parts[: at + 1]) if at >= 0 and _TREE_ROOT.fullmatch(parts[at]) else None


def _stage_order(path: str) -> int:
    return STAGES.index(stage_of(path))


def _inside(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")
