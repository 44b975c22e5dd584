"""The passes of an AKG dump in the order in which they ran, attempts apart, with what changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.readers.akg_layout import Layout, PassFile, PassFolder
from core.readers.source import Source, SourceTexts
from core.trace import Language, Pass

AUTO_POLY = "AutoPoly"

#: The first pass after sub-kernels were stitched together: AKG goes on with the merged body in the
#: folder of the last sub-kernel (src/composite/lower_tree/ascend_stitch…, and every dump seen).
_FIRST_AFTER_STITCH = "StorageFlatten"

#: What AscendStitchLowerNode writes beside its passes, in its order: the merged statements before
#: and after stitching, then the loop around them.
_STITCH_BEFORE_MERGED = ("before_stitch", "after_stitch")
_STITCH_AFTER_MERGED = ("after_add_loop",)

_ADDRESS = re.compile(rb"0x[0-9a-fA-F]+")
_LONGEST_MASKED = 4 << 20  # bytes; a text of nothing but addresses takes fifty times its size
_SPENT = re.compile(r"\[ Polyhedral exec time \], (\w+) spent (\d+(?:\.\d+)?(?:e[+-]?\d+)?) ms")


@dataclass(frozen=True, slots=True)
class Step:
    """One file of one pass, placed."""

    stage: str
    unit: str
    attempt: int
    name: str
    number: int | None
    path: str
    stem: str
    language: Language = "statement"
    seconds: float | None = None


def steps(layout: Layout, source: Source, *, died: bool) -> list[Step]:
    """All pass files of a dump in the order in which AKG wrote them.

    `died`: the compile is known not to have ended well and the files still carry the times at which
    AKG wrote them; then poly steps younger than every pass belong to an attempt of their own.
    """
    found = [*_plain(layout.of("composite"), "composite", "")]
    units = {f.unit for f in layout.folders if f.kind in ("composite", "lowering") and f.unit}
    lowering = {f.unit: f for f in layout.lowering}
    order = sorted(units, key=lambda unit: int(unit.rpartition("_")[2]))
    last = order[-1] if order else ""
    merged = bool(layout.of("merge"))
    rest: list[Step] = []
    for unit in ("", *order):
        if unit:
            found += _plain(layout.of("composite"), "composite", unit)
        folder = lowering.get(unit)
        if folder is None:
            continue
        own = [*_lowering(folder, source, died and unit == last)]
        if merged and unit == last and unit.startswith("Stitch"):
            own, rest = _split_merged(own)
        found += own
    found += _merge(layout, source)
    found += rest
    found += _plain(layout.of("device"), "device", "")
    return found


def attempts(found: Iterable[Step]) -> int:
    """How often the compiler tried, by the sub-kernel tried most often."""
    return max((step.attempt for step in found), default=1)


def read_passes(found: Iterable[Step], source: Source, texts: SourceTexts) -> list[Pass]:
    """Read every file once: its hash, its size, and whether it differs from the one before."""
    before: dict[tuple[str, str, int], bytes] = {}
    passes: list[Pass] = []
    for index, step in enumerate(found):
        data = source.read(step.path)
        key = (step.stage, step.unit, step.attempt)
        passes.append(
            Pass(
                index=index,
                stage=step.stage,
                unit=step.unit,
                attempt=step.attempt,
                name=step.name,
                number=step.number,
                text=texts.add(step.path, data),
                lines=data.count(b"\n") + (not data.endswith(b"\n") if data else 0),
                bytes=len(data),
                changed=key not in before or _differs(before[key], data),
                language=step.language,
                seconds=step.seconds,
                status="ok",
            )
        )
        before[key] = data
    return passes


def _differs(one: bytes, other: bytes) -> bool:
    """True where two texts differ in more than the memory addresses printed in them."""
    if one == other:
        return False
    if b"0x" not in one or b"0x" not in other or len(one) > _LONGEST_MASKED:
        return True
    return _ADDRESS.sub(b"0x", one) != _ADDRESS.sub(b"0x", other)


def _plain(folders: Iterable[PassFolder], stage: str, unit: str) -> Iterator[Step]:
    for folder in folders:
        if folder.unit == unit:
            for file in folder.files:
                yield _step(stage, unit, 1, file)


def _lowering(folder: PassFolder, source: Source, died: bool) -> Iterator[Step]:
    """One sub-kernel: attempts start at AutoPoly, and poly/ holds the steps of the last one."""
    polies = [i for i, file in enumerate(folder.files) if file.name == AUTO_POLY]
    poly = folder.poly
    unfinished = not polies
    if died and polies and poly:
        newest = max(source.entries[file.path].modified for file in folder.files)
        begun = source.entries[poly[0].path].modified
        if begun > newest:
            unfinished = True
            poly = tuple(f for f in poly if source.entries[f.path].modified >= begun)
    attempt = 1
    spent = [*_spent(folder, source)]
    for index, file in enumerate(folder.files):
        if polies and index in polies[1:]:
            attempt += 1
        if polies and index == polies[-1] and not unfinished:
            yield from _poly(folder.unit, attempt, poly, spent)
        yield _step("lowering", folder.unit, attempt, file)
    if unfinished:
        yield from _poly(folder.unit, attempt + bool(polies), poly, spent)


def _poly(
    unit: str, attempt: int, files: Iterable[PassFile], spent: list[tuple[str, float]]
) -> Iterator[Step]:
    """Poly steps with the times of the records of the same name, in order."""
    at = 0
    for file in files:
        seconds = None
        match = next((i for i in range(at, len(spent)) if spent[i][0] == file.name), None)
        if match is not None:
            seconds = spent[match][1]
            at = match + 1
        yield _step("poly", unit, attempt, file, "schedule", seconds)


def _spent(folder: PassFolder, source: Source) -> Iterator[tuple[str, float]]:
    """The time records of the poly steps: of the first run, then of the second, scalar one."""
    for name in ("dsa_transfrom.log", "scalar_transform.log"):
        for path in folder.logs:
            if path.endswith(f"/{name}") or path == name:
                text, _ = source.text(path)
                for step, milliseconds in _SPENT.findall(text):
                    yield step, float(milliseconds) / 1000.0


def _split_merged(own: list[Step]) -> tuple[list[Step], list[Step]]:
    """The last sub-kernel's own passes, and those over the merged body, which is the kernel."""
    at = next((i for i, step in enumerate(own) if step.name == _FIRST_AFTER_STITCH), len(own))
    merged = [
        Step(s.stage, "", s.attempt, s.name, s.number, s.path, s.stem, s.language, s.seconds)
        for s in own[at:]
    ]
    return own[:at], merged


def _merge(layout: Layout, source: Source) -> Iterator[Step]:
    merged = [*_plain(layout.of("merge"), "merge", "")]
    stitch = {name: _stitch(layout, source, name) for name in _STITCH_BEFORE_MERGED}
    if merged and any(stitch.values()):
        yield merged[0]
        yield from (step for name in _STITCH_BEFORE_MERGED if (step := stitch[name]))
        yield from merged[1:]
    else:
        yield from merged
    for name in _STITCH_AFTER_MERGED:
        if step := _stitch(layout, source, name):
            yield step


def _stitch(layout: Layout, source: Source, name: str) -> Step | None:
    folder = f"{layout.root}/stitch_info" if layout.root else "stitch_info"
    suffix = f"_{name}.cc"
    for path in source.under(folder):
        if path.endswith(suffix) and "/" not in path[len(folder) + 1 :]:
            return Step("stitch", "", 1, name, None, path, name)
    return None


def _step(
    stage: str,
    unit: str,
    attempt: int,
    file: PassFile,
    language: Language = "statement",
    seconds: float | None = None,
) -> Step:
    return Step(
        stage, unit, attempt, file.name, file.number, file.path, file.stem, language, seconds
    )
