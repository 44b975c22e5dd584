"""One kernel with one set of hints in several versions of its compiler: what became of it in each.

Reads traces only, whole or compact ones; which passes came and went is known of whole ones alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.trace import Pass, Status, Trace

#: Numbers that differ from run to run, of machine code and of counters.
_PASSING = re.compile(r"0x[0-9a-fA-F]+|\d+")
_LEAP = 2  #: times as many instructions, from which on it is said


@dataclass(frozen=True, slots=True)
class Tried:
    """What one version made of the request."""

    version: str
    trace: Trace | None  #: None where it could not be tried
    refused: str = ""  #: why not, one sentence
    id: str = ""  #: of the trace, where it is kept


@dataclass(frozen=True, slots=True)
class Row:
    """One version, beside the version of reference."""

    version: str
    id: str
    status: Status | None  #: None where it could not be tried
    failure: str  #: the pass that failed and why, or why it could not be tried; ""
    tiling: str  #: "no=16 mo=2", the compiler's own words where it names no axes; ""
    memory: tuple[tuple[str, int], ...]  #: peak bytes of each memory
    cores: int | None
    instructions: int | None  #: executed by one core; None where they were not counted
    passes: int | None  #: that are in the trace; None of a compact one
    added: tuple[str, ...] = ()  #: passes that the reference has not, in their order
    removed: tuple[str, ...] = ()  #: passes that only the reference has
    same_code: bool | None = None  #: as the reference's, to the letter; None where not known

    taken: bool = True  #: False where the kernel itself is not for this version

    @property
    def compiles(self) -> bool | None:
        return None if self.status is None or not self.taken else self.status.compiles


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions, oldest first."""

    rows: tuple[Row, ...]
    reference: str  #: the version that the others are held against
    said: tuple[str, ...]  #: what follows, most important first, one sentence each
    fixed_in: tuple[str, ...] = ()  #: versions that compile where the one before them failed
    broken_in: tuple[str, ...] = ()  #: versions that fail where the one before them compiled

    def row(self, version: str) -> Row | None:
        return next((row for row in self.rows if row.version == version), None)


def age(version: str) -> tuple[int, ...]:
    """Sorts versions by age: "1.9.0" before "1.10.0"."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def compare_versions(tried: Iterable[Tried], reference: str) -> Versions:
    """The table of what several versions made of one request, and what follows from it.

    `reference`: the version that passes are counted as added or removed against, which need not
    have been tried.
    """
    ordered = sorted(tried, key=lambda each: age(each.version))
    held = next((each.trace for each in ordered if each.version == reference), None)
    rows = tuple(_row(each, held if each.version != reference else None) for each in ordered)
    traces = {each.version: each.trace for each in ordered if each.trace}
    known = [row for row in rows if row.compiles is not None]
    fixed = tuple(b.version for a, b in pairwise(known) if b.compiles and not a.compiles)
    broken = tuple(b.version for a, b in pairwise(known) if a.compiles and not b.compiles)
    said = (
        *_outcomes(known, traces, fixed, broken),
        *_not_taken(rows),
        *_differences(known, traces),
    )
    return Versions(rows, reference, said, fixed, broken)


def failure_alike(one: Trace, other: Trace) -> bool:
    """True where two compiles fail in the same way: same pass, kind and words but for numbers."""
    return _manner(one) == _manner(other)


def _manner(trace: Trace) -> tuple[object, ...]:
    failure = trace.failure
    if failure is None:
        return (trace.status,)
    words = _PASSING.sub("0", failure.message)
    return (failure.kind, failure.pass_name, failure.memory, failure.signal, words)


def _row(tried: Tried, reference: Trace | None) -> Row:
    trace = tried.trace
    if trace is None:
        return Row(
            *(tried.version, tried.id, None, tried.refused, "", (), None, None, None),
        )
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    if reference is not None and reference.passes and trace.passes:
        added = _only(trace, reference)
        removed = _only(reference, trace)
    same = None
    if reference is not None and reference.code and trace.code:
        same = reference.code == trace.code
    return Row(
        version=tried.version,
        id=tried.id,
        status=trace.status,
        failure=_failure(trace),
        tiling=tiling_text(trace),
        memory=tuple((plan.memory, plan.peak_bytes) for plan in trace.memory),
        cores=trace.block_dim,
        instructions=sum(trace.instructions.values()) if trace.instructions else None,
        passes=len(trace.passes) or None,
        added=added,
        removed=removed,
        same_code=same,
        taken=trace.failure is None or trace.failure.kind not in ("bad_input", "tool"),
    )


def tiling_text(trace: Trace) -> str:
    """The tiles that the code uses, by axis; else the compiler's own sentence on them."""
    bands = {(axis.unit, axis.band) for axis in trace.tiling.axes}
    if not bands:
        return trace.tiling.note if trace.status.compiles else ""
    return " ".join(
        f"{f'{axis.band}.' if len(bands) > 1 else ''}{axis.name}={axis.tile}"
        + (f":{axis.tile_l0}" if axis.tile_l0 != axis.tile else "")
        for axis in trace.tiling.axes
    )


def _failure(trace: Trace) -> str:
    failure = trace.failure
    if failure is None:
        return ""
    where = f"{failure.pass_name}: " if failure.pass_name else ""
    return failure.message if failure.message.startswith(where[:-2]) else where + failure.message


def _only(one: Trace, other: Trace) -> tuple[str, ...]:
    """Names of passes that only one has, in the order in which they first ran.

    What came after the last pass that they share is nothing that the other one left out, where it
    did not get that far.
    """
    others = {_known(step) for step in other.passes}
    first = list(dict.fromkeys(map(_known, one.passes)))
    if not other.status.compiles:
        shared = [at for at, step in enumerate(first) if step in others]
        first = first[: shared[-1] + 1] if shared else []
    return tuple(dict.fromkeys(name for stage, name in first if (stage, name) not in others))


def _known(step: Pass) -> tuple[str, str]:
    return step.stage, step.name


def _outcomes(
    rows: Sequence[Row],
    traces: Mapping[str, Trace],
    fixed: Sequence[str],
    broken: Sequence[str],
) -> list[str]:
    if len(rows) < 2:
        return []
    said = []
    for version in broken:
        until = rows[[row.version for row in rows].index(version) - 1].version
        later = next((each for each in fixed if age(each) > age(version)), "")
        since = f"Broken in {version}, fixed in {later}" if later else f"Broken since {version}"
        said.append(f"{since}: {until} compiles it.")
    for version in fixed:
        if not any(age(each) < age(version) for each in broken):
            said.append(f"Fixed in {version}.")
    if not said:
        if rows[0].compiles:
            said.append("Compiles in every version that was tried.")
        else:
            said.append("Fails in every version that was tried.")
    failing = [row.version for row in rows if not row.compiles]
    groups: list[list[str]] = []
    for version in failing:
        for group in groups:
            if failure_alike(traces[group[0]], traces[version]):
                group.append(version)
                break
        else:
            groups.append([version])
    if len(groups) > 1:
        said.append(f"It fails otherwise in {' than in '.join(map(_listed, groups))}.")
    elif groups and len(groups[0]) > 1:
        said.append(f"It fails in the same way in {_listed(groups[0])}.")
    return said


def _not_taken(rows: Sequence[Row]) -> list[str]:
    refusing = [row.version for row in rows if not row.taken]
    if not refusing:
        return []
    if len(refusing) == len(rows) > 1:
        return ["No version takes the kernel as it is."]
    verb = "does" if len(refusing) == 1 else "do"
    return [f"{_listed(refusing)} {verb} not take the kernel as it is."]


def _differences(rows: Sequence[Row], traces: Mapping[str, Trace]) -> list[str]:
    """What differs between the versions that compile it."""
    good = [row for row in rows if row.compiles]
    if len(good) < 2:
        return []
    if len({traces[row.version].code for row in good}) == 1 and traces[good[0].version].code:
        return [f"The code is the same, to the letter, in {_listed([r.version for r in good])}."]
    differing = {
        "tiles": len({row.tiling for row in good}) > 1,
        "memory": len({row.memory for row in good}) > 1,
        "cores": len({row.cores for row in good}) > 1,
        "the number of instructions": len({row.instructions for row in good}) > 1,
    }
    names = [name for name, differs in differing.items() if differs]
    if not names:
        return ["Tiles, memory and cores are the same in every version that compiles it."]
    return [f"What differs where it compiles: {_listed(names)}.", *_leaps(good)]


def _leaps(good: Sequence[Row]) -> list[str]:
    """From which version to the next the instructions of a core leap."""
    said = []
    for before, after in pairwise(good):
        if not before.instructions or not after.instructions:
            continue
        more, fewer = after.instructions, before.instructions
        if max(more, fewer) >= _LEAP * min(more, fewer):
            said.append(
                f"One core executes {more:,} instructions in {after.version}, {fewer:,} in "
                f"{before.version}."
            )
    return said


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
