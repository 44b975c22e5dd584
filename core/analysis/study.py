"""Works out a trace's study: the figures of every pass, what it did, and what it broke.

Equal texts are read once, wherever they stand. A finding is reported at the pass that brought it
into the code, along the way that the code itself took through stages, sub-kernels and attempts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.changes import did, forget
from core.analysis.checks import check
from core.analysis.checks.finding import Finding
from core.analysis.figures import figures
from core.analysis.order import given_text
from core.analysis.sequence import Step, sequence
from core.analysis.studied import (
    Figures,
    Held,
    PassStudy,
    Report,
    StudiedLanguage,
    Study,
)
from core.target import Memory, recorded_targets
from core.trace import Pass, Texts, Trace

__all__ = ["Figures", "Held", "PassStudy", "Report", "StudiedLanguage", "Study", "study"]

_Identity = tuple[str, str]
_HARMS = ("wrong", "slow")
#: Languages in which a defect of the code can be seen. A schedule tree says nothing of it.
_CODE = frozenset(("statement", "mlir", "cce"))


@dataclass(frozen=True, slots=True)
class _Read:
    """One text, read."""

    figures: Figures | None
    findings: tuple[Finding, ...]
    whole: bool  #: whether a defect that is not found is not there


class _Reader:
    """Reads each text once, by its hash."""

    def __init__(self, texts: Texts, memories: Mapping[str, Memory]) -> None:
        self._texts = texts
        self._memories = memories
        self._read: dict[str, _Read] = {}
        self._did: dict[tuple[str, str], tuple[str, ...]] = {}

    def read(self, digest: str, language: StudiedLanguage) -> _Read:
        if digest not in self._read:
            text = self._texts.get(digest)
            found = figures(text, language)
            seen = found is not None and language in _CODE and not _host_alone(text, language)
            findings = check(text, language, self._memories) if seen else ()
            self._read[digest] = _Read(found, findings, seen)
        return self._read[digest]

    def did(self, before: str | None, after: str, language: StudiedLanguage) -> tuple[str, ...]:
        if before is None or before == after:
            return ()
        key = (before, after)
        if key not in self._did:
            try:
                given, left = self._texts.get(before), self._texts.get(after)
            except KeyError:
                return ()
            self._did[key] = did(given, left, language)
        return self._did[key]


def _host_alone(text: str, language: StudiedLanguage) -> bool:
    """Whether a text of the statement language holds the host's side without the kernel."""
    return language == "statement" and "tvm_struct_get(" in text and "device_scope" not in text


def study(trace: Trace, texts: Texts) -> Study:
    """The study of a trace. Raises KeyError where a text of it is missing.

    Checks know the memories of the trace's chip where that is one of the recorded ones.
    """
    chip = recorded_targets().get(trace.target)
    reader = _Reader(texts, {each.name: each for each in chip.memories} if chip else {})
    passes: list[PassStudy] = []
    way = _Way(sequence(trace))
    try:
        for step in trace.passes:
            passes.append(_pass(trace, step, reader, way))
        code = _code(trace, reader, way)
    finally:
        forget()
    reports = sorted(way.reports(), key=lambda each: (_HARMS.index(each.finding.harm), each.index))
    return Study(tuple(passes), tuple(reports), code)


def _pass(trace: Trace, step: Pass, reader: _Reader, way: _Way) -> PassStudy:
    if step.text is None:
        return PassStudy(None)
    before = given_text(trace, step) if step.changed else None
    changes = reader.did(before, step.text, step.language)
    read = reader.read(step.text, step.language)
    way.passed(step.index, read.findings if read.whole else None)
    return PassStudy(read.figures, changes)


def _code(trace: Trace, reader: _Reader, way: _Way) -> PassStudy | None:
    if trace.code is None:
        return None
    language: StudiedLanguage = (
        "mlir" if any(step.language == "mlir" for step in trace.passes) else "cce"
    )
    last = next((step for step in reversed(trace.passes) if step.text), None)
    changes: tuple[str, ...] = ()
    if last is not None and last.language == language:
        changes = reader.did(last.text, trace.code, language)
    read = reader.read(trace.code, language)
    way.passed(len(trace.passes), read.findings if read.whole else None)
    return PassStudy(read.figures, changes)


# --- which pass brought a finding in --------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A finding that the code has at present."""

    finding: Finding
    index: int
    last: int


_Findings = dict[_Identity, _Open]


class _Way:
    """The findings along the way of the code, as `sequence` tells it."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._before = {step.index: step.before for step in steps}
        self._has: dict[int, _Findings] = {}  # what the code has after each pass
        self._all: list[_Open] = []

    def passed(self, index: int, findings: Sequence[Finding] | None) -> None:
        """A pass left a text, with these findings; None where it tells of no finding at all."""
        reach = [self._has.get(before, {}) for before in self._before[index]]
        here = self._has[index] = {}
        if findings is None:
            for found in reach:
                here.update(found)
            return
        for finding in findings:
            known = [found[finding.identity] for found in reach if finding.identity in found]
            if not known:
                known = [_Open(finding, index, index)]
                self._all += known
            for each in known:
                each.last = max(each.last, index)
            here[finding.identity] = known[0]

    def reports(self) -> Iterable[Report]:
        return (Report(each.finding, each.index, each.last) for each in self._all)
