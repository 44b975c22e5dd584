"""Where AKG put what: the folders of one dump, told apart by their names.

AKG 1.6 to 1.10 write, in the folder in which they run:

    <op>_composite/            passes over the graph of operators
    <op>_0/                    the lowering of the kernel; its poly/ holds schedules and logs
    <op>_Stitch_<i>_0/, <op>_Parallel_<i>_0/    likewise, of sub-kernel i of a fused kernel
    <op>_merge/                how sub-kernels become one
    <op>_1/                    host and device split
    stitch_info/               <op>_stitch_<i>/ (passes over the graph of sub-kernel i), and more
    akg_kernel_meta/           <kernel>.json, .cce, .o (kernel_meta/ up to AKG 1.6)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from core.readers.source import Source

FolderKind = Literal["composite", "lowering", "merge", "device"]

_PASS = re.compile(r"(\d{2,})_(.+)\.cc")
_UNIT = re.compile(r"(.*)_((?:Stitch|Parallel)_\d+)_0")
_PLAIN = re.compile(r"(.*)_(composite|merge|0|1)")
_STITCHED = re.compile(r"(.*)_stitch_(\d+)")
_KINDS: dict[str, FolderKind] = {
    "composite": "composite",
    "merge": "merge",
    "0": "lowering",
    "1": "device",
}
META_FOLDERS = ("akg_kernel_meta", "kernel_meta")


@dataclass(frozen=True, slots=True)
class PassFile:
    """One file NN_Name.cc."""

    number: int
    name: str
    path: str

    @property
    def stem(self) -> str:
        """As the file is called, "07_AnalyzeSchedule"."""
        return PurePosixPath(self.path).stem


@dataclass(frozen=True, slots=True)
class PassFolder:
    """The pass files of one folder, in numeric order ("100_" after "22_")."""

    kind: FolderKind
    unit: str  #: "Stitch_1", "Parallel_3"; "" for the whole kernel
    path: str
    files: tuple[PassFile, ...]
    poly: tuple[PassFile, ...] = ()
    logs: tuple[str, ...] = ()  #: paths of the .log files, those of poly/ too


@dataclass(slots=True)
class Layout:
    """One dump of one kernel."""

    root: str  #: the folder in which AKG ran, relative to the source
    op: str
    folders: list[PassFolder] = field(default_factory=list)

    def of(self, kind: FolderKind) -> list[PassFolder]:
        return [f for f in self.folders if f.kind == kind]

    @property
    def lowering(self) -> list[PassFolder]:
        """The lowering of each sub-kernel, in the order in which they were compiled."""
        return sorted(self.of("lowering"), key=lambda f: (_unit_number(f.unit), f.unit))

    @property
    def kernel_name(self) -> str:
        """What AKG calls its output files; an attribute may give it another name than the op's."""
        for folder in (*self.of("device"), *self.of("lowering")):
            found = _UNIT.fullmatch(_last(folder.path)) or _PLAIN.fullmatch(_last(folder.path))
            if found:
                return found.group(1)
        return self.op


def pass_file(path: str) -> PassFile | None:
    """What a path says, where it is a pass file's."""
    found = _PASS.fullmatch(_last(path))
    return PassFile(int(found.group(1)), found.group(2), path) if found else None


def find_layouts(source: Source, within: str = "") -> list[Layout]:
    """The dumps in a source, below one of its folders."""
    passes: dict[str, list[PassFile]] = {}
    logs: dict[str, list[str]] = {}
    for path in source.under(within):
        folder = _parent(path)
        if found := pass_file(path):
            passes.setdefault(folder, []).append(found)
        elif path.endswith(".log"):
            logs.setdefault(folder, []).append(path)
    layouts: dict[tuple[str, str], Layout] = {}
    for folder in sorted({_owner(f) for f in passes}):
        described = _describe(folder, source.name)
        if described is None:
            continue
        root, op, kind, unit = described
        poly = f"{folder}/poly" if folder else "poly"
        layouts.setdefault((root, op), Layout(root, op)).folders.append(
            PassFolder(
                kind,
                unit,
                folder,
                _ordered(passes.get(folder, ())),
                _ordered(passes.get(poly, ())),
                tuple(logs.get(folder, []) + logs.get(poly, [])),
            )
        )
    return _joined(list(layouts.values()))


def _describe(folder: str, source_name: str) -> tuple[str, str, FolderKind, str] | None:
    """Root, op, kind and unit that a folder's name tells."""
    name, root = _last(folder) or source_name, _parent(folder)
    if _last(root) == "stitch_info":
        stitched = _STITCHED.fullmatch(name)
        if stitched is None:
            return None
        return _parent(root), stitched.group(1), "composite", f"Stitch_{stitched.group(2)}"
    if found := _UNIT.fullmatch(name):
        return root, found.group(1), "lowering", found.group(2)
    if found := _PLAIN.fullmatch(name):
        return root, found.group(1), _KINDS[found.group(2)], ""
    if name == "poly":
        return None
    return root, name, "lowering", ""  # renamed by whoever sent it


def _joined(layouts: list[Layout]) -> list[Layout]:
    """Give a graph's passes back to the kernel that the attribute kernel_name renamed."""
    for graph in list(layouts):
        if any(f.kind != "composite" for f in graph.folders):
            continue
        renamed = [
            other
            for other in layouts
            if other.root == graph.root and other is not graph and not other.of("composite")
        ]
        if len(renamed) == 1:
            renamed[0].folders[:0] = graph.folders
            renamed[0].op = graph.op
            layouts.remove(graph)
    return layouts


def _ordered(files: Iterable[PassFile]) -> tuple[PassFile, ...]:
    return tuple(sorted(files, key=lambda f: (f.number, f.name)))


def _unit_number(unit: str) -> int:
    return int(unit.rpartition("_")[2]) if unit else -1


def _owner(folder: str) -> str:
    return _parent(folder) if _last(folder) == "poly" else folder


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]
