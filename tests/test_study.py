"""Studies: which pass a finding belongs to, how studies are kept, who works them out."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core import database
from core.analysis import studied
from core.analysis.checks.finding import Finding
from core.analysis.order import given_text, previous_text
from core.analysis.studied import Figures, Held, PassStudy, Report, Study
from core.analysis.study import study
from core.jobs.studying import Studying
from core.jobs.worker import Worker
from core.library import Library, LibraryError, text_hash
from core.readers import open_trace
from core.trace import Compiler, Pass, Status, Texts, Trace
from core.trace_json import DocumentError, study_from_json, study_to_json
from tests.conftest import PROJECT

TRACES = PROJECT / "data" / "traces"

SOUND = "for (cc0, 0, 4) {{\n  {0}[cc0] = a[cc0]\n}}\n"
LOST = (
    "for (cc0, 0, 4) {{\n  {0}[(cc0 + {1})] = a[cc0]\n}}\n"  # what its second name is, nobody says
)
TREE = 'domain: "{ S_0[i] : 0 <= i <= 4 }"\nchild:\n  schedule: "[{ S_0[i] -> [(i)] }]"\n'
HOST = 'let arg0 = tvm_struct_get(args, 0, 12):handle:PI\ntvm_call_packed("k", arg0):int32:I\n'


class Read(dict[str, str]):
    """Texts in memory, which counts how often each is read."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()

    def keep(self, text: str) -> str:
        self[text_hash(text)] = text
        return text_hash(text)

    def get(self, digest: str) -> str:  # type: ignore[override]
        self.times[digest] += 1
        return self[digest]


def ran(*passes: tuple[str, str, int, str | None], code: str = "") -> tuple[Trace, Read]:
    """A trace of passes: stage, unit, attempt, text. Names are "P0", "P1" … within a stage."""
    texts = Read()
    made: list[Pass] = []
    counts: Counter[tuple[str, str, int]] = Counter()
    for stage, unit, attempt, text in passes:
        name = f"P{counts[stage, unit, attempt]}"
        counts[stage, unit, attempt] += 1
        digest = texts.keep(text) if text is not None else None
        before = made[-1].text if made else None
        language = "schedule" if stage == "poly" else "statement"
        made.append(
            Pass(
                len(made), stage, unit, attempt, name, None, digest, 1, 1,
                digest != before, language, None, "ok",  # type: ignore[arg-type]
            )
        )  # fmt: skip
    trace = Trace("k", "", Compiler("akg", ""), "Ascend910", Status.OK, tuple(made))
    return replace(trace, code=texts.keep(code) if code else None), texts


def lost(trace: Trace, texts: Texts) -> list[tuple[str, int, int]]:
    """What is used without a definition: name, pass that brought it in, last pass with it."""
    found = study(trace, texts).reports
    return [(r.finding.subject, r.index, r.last) for r in found if r.finding.check == "undefined"]


# Which pass brought a finding in


def test_a_finding_belongs_to_the_first_text_that_has_it() -> None:
    trace, texts = ran(
        ("lowering", "", 1, SOUND.format("b")),
        ("lowering", "", 1, LOST.format("b", "cc7")),
        ("lowering", "", 1, LOST.format("c", "cc7")),
        ("device", "", 1, LOST.format("c", "cc7")),
    )
    assert lost(trace, texts) == [("cc7", 1, 3)]


def test_a_finding_that_goes_is_said_to_and_may_come_again() -> None:
    trace, texts = ran(
        ("lowering", "", 1, LOST.format("b", "cc7")),
        ("lowering", "", 1, SOUND.format("b")),
        ("lowering", "", 1, LOST.format("c", "cc7")),
    )
    assert lost(trace, texts) == [("cc7", 0, 0), ("cc7", 2, 2)]


def test_texts_that_tell_of_no_code_are_looked_through() -> None:
    """A schedule tree, the host's side alone, a pass that left nothing, a text that is broken."""
    trace, texts = ran(
        ("lowering", "", 1, LOST.format("b", "cc7")),
        ("poly", "", 1, TREE),
        ("lowering", "", 1, None),
        ("lowering", "", 1, LOST.format("c", "cc7") + "}\n"),
        ("device", "", 1, HOST),
        ("device", "", 1, LOST.format("c", "cc7")),
    )
    assert lost(trace, texts) == [("cc7", 0, 5)]


def test_sub_kernels_are_blamed_each_for_its_own() -> None:
    """Two of them lose a loop of the same name, one does not; the merged text has both."""
    trace, texts = ran(
        ("composite", "", 1, "o(4) = Abs(a(4)):float16:PI\n"),
        ("lowering", "Parallel_0", 1, SOUND.format("b")),
        ("lowering", "Parallel_0", 1, LOST.format("b", "cc7")),
        ("lowering", "Parallel_1", 1, SOUND.format("c")),
        ("lowering", "Parallel_1", 1, SOUND.format("c2")),
        ("lowering", "Parallel_2", 1, LOST.format("d", "cc7")),
        ("merge", "", 1, LOST.format("b", "cc7") + SOUND.format("c2")),
        ("device", "", 1, SOUND.format("b")),
    )
    assert lost(trace, texts) == [("cc7", 2, 6), ("cc7", 5, 6)]


def test_every_attempt_answers_for_itself() -> None:
    """A further attempt starts from what there was before its first pass ran for the first time."""
    trace, texts = ran(
        ("lowering", "", 1, LOST.format("b", "cc7")),
        ("lowering", "", 1, LOST.format("b", "cc7") + LOST.format("b", "cc8")),
        ("lowering", "", 2, LOST.format("b", "cc7")),
        ("lowering", "", 2, LOST.format("b", "cc7") + LOST.format("b", "cc8")),
        ("device", "", 1, LOST.format("b", "cc7")),
    )
    # Attempt 2 begins with P0, before which there was nothing.
    assert sorted(lost(trace, texts), key=lambda each: each[1]) == [
        ("cc7", 0, 1),
        ("cc8", 1, 1),
        ("cc7", 2, 4),
        ("cc8", 3, 3),
    ]


def test_an_attempt_of_which_an_earlier_stage_is_left_alone_starts_where_the_next_one_did() -> None:
    """AKG's poly folder is that of its last attempt."""
    trace, texts = ran(
        ("lowering", "", 1, SOUND.format("b")),
        ("lowering", "", 1, LOST.format("b", "cc7")),
        ("lowering", "", 1, LOST.format("b", "cc8")),
    )
    again = tuple(
        replace(trace.passes[1], index=3 + at, stage=stage, attempt=2, name=name, text=text)
        for at, (stage, name, text) in enumerate(
            [
                ("poly", "InitSchedule", texts.keep(TREE)),
                ("lowering", "P1", texts.keep(LOST.format("c", "cc7"))),
                ("lowering", "P2", texts.keep(SOUND.format("c"))),
            ]
        )
    )
    trace = replace(trace, passes=trace.passes + again)
    assert lost(trace, texts) == [("cc7", 1, 1), ("cc8", 2, 2), ("cc7", 4, 4)]


def test_what_only_the_emitted_code_has_comes_behind_the_passes() -> None:
    opened = open_trace(TRACES / "voxel_gather-512x64_rows128.zip")
    code = opened.texts.get(str(opened.trace.code))
    trace, texts = ran(("lowering", "", 1, SOUND.format("b")), ("device", "", 1, None), code=code)
    reports = study(trace, texts).reports
    assert reports and {(r.index, r.last) for r in reports} == {(2, 2)}


@pytest.mark.parametrize(
    ("name", "check", "at"),
    [
        ("maxpool-k3_s2_pad1", "undefined", "MultiCoreLoopSwitchHoist"),
        ("voxel_gather-512x64_rows128", "bounds", "AutoPoly"),
    ],
)
def test_real_defects_are_found_at_the_pass_that_made_them(name: str, check: str, at: str) -> None:
    opened = open_trace(TRACES / f"{name}.zip")
    found = study(opened.trace, opened.texts)
    wrong = [r for r in found.reports if r.finding.harm == "wrong"]
    assert wrong and {r.finding.check for r in wrong} == {check}
    assert {opened.trace.passes[r.index].name for r in wrong} == {at}
    assert found.reports[0].finding.harm == "wrong", "those that harm most come first"


def test_a_finding_of_an_attempt_that_was_given_up_is_its_own() -> None:
    opened = open_trace(TRACES / "scatter_add-points256_voxels64.zip")
    trace, found = opened.trace, study(opened.trace, opened.texts)
    reports = [r for r in found.reports if r.finding.check == "scalar"]
    assert {trace.passes[r.index].attempt for r in reports} == {1, 2}
    for report in reports:
        if trace.passes[report.index].attempt == 1:
            assert trace.passes[report.last].attempt == 1


def test_equal_texts_are_read_once() -> None:
    opened = open_trace(TRACES / "elementwise_chain.zip")
    texts = Read()
    for digest in {str(s.text) for s in opened.trace.passes} | {str(opened.trace.code)}:
        texts[digest] = opened.texts.get(digest)
    found = study(opened.trace, texts)
    assert len(found.passes) == len(opened.trace.passes)
    # Once for its figures and findings, once as what came before, once as what came after.
    assert texts.times.total() <= 3 * len(texts) < len(opened.trace.passes)
    same = [i for i, s in enumerate(opened.trace.passes) if s.text == opened.trace.passes[20].text]
    assert len({id(found.passes[i].figures) for i in same}) == 1 < len(same)


def test_a_pass_starts_from_what_its_trace_says_or_from_the_text_before_it() -> None:
    trace, texts = ran(
        ("lowering", "", 1, "a\n"),
        ("poly", "", 1, TREE),
        ("lowering", "", 1, None),
        ("lowering", "", 1, "b\n"),
        ("lowering", "U", 1, "c\n"),
    )
    first, _, empty, second, other = trace.passes
    assert previous_text(trace, second) == first == previous_text(trace, empty)
    assert given_text(trace, second) == first.text
    assert given_text(trace, first) is given_text(trace, other) is None
    said = replace(second, given=texts.keep("given\n"))
    assert given_text(trace, said) == said.given


# Kept with their traces


STUDY = Study(
    (
        PassStudy(
            Figures(9, 4, 2, 2, 1, 3, 0, {"UB": Held(2, 4096), "L1": Held(1, None)}, {"vector": 3}),
            ("tiled cc0 by 8,192: 4,194,304 = 512 × 8,192",),
        ),
        PassStudy(None),
    ),
    (Report(Finding("bounds", "wrong", 7, "b", "b is too short.", "root", 2), 0, 1),),
    PassStudy(Figures(5, 1, 0, 0, 0, 0, 0)),
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "home")


def added(library: Library, id: str, **how: str) -> str:
    trace, texts = ran(("lowering", "", 1, f"{id}[0] = a[0]\n"))
    return library.add(trace, texts, id=id, **how)  # type: ignore[arg-type]


def test_a_study_comes_back_as_it_was() -> None:
    assert study_from_json(study_to_json(STUDY)) == STUDY
    with pytest.raises(DocumentError):
        study_from_json(b"{}")


def test_a_study_is_kept_with_its_trace_and_goes_with_it(library: Library) -> None:
    id = added(library, "t")
    assert library.study(id) is None and library.study_problem(id) == ""
    library.keep_study(id, STUDY)
    assert library.study(id) == Library(library.home).study(id) == STUDY
    library.delete(id)
    with library.database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM studies").fetchone() == (0,)
    for ask in (library.study, library.study_problem, library.want_study):
        with pytest.raises(LibraryError, match="no trace t"):
            ask(id)
    with pytest.raises(LibraryError):
        library.keep_study(id, STUDY)


def test_a_study_that_cannot_be_had_says_why_and_is_not_tried_again(library: Library) -> None:
    id = added(library, "t")
    assert library.unstudied() == id
    library.keep_study_problem(id, "It is too large.")
    assert (library.study(id), library.study_problem(id)) == (None, "It is too large.")
    assert library.unstudied() is None
    library.keep_study(id, STUDY)
    assert (library.study(id), library.study_problem(id)) == (STUDY, "")


def test_a_newer_analysis_works_old_studies_out_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = added(library, "t")
    library.keep_study(id, STUDY)
    assert library.unstudied() is None
    monkeypatch.setattr("core.library.VERSION", studied.VERSION + 1)
    assert library.study(id) is None and library.unstudied() == id


def test_a_study_that_is_damaged_is_made_anew_when_asked_for(library: Library) -> None:
    id = added(library, "t")
    library.keep_study(id, STUDY)
    with library.database.writing() as connection:
        connection.execute("UPDATE studies SET zstd = ?", (b"no zstd",))
    assert library.study(id) is None and library.unstudied() is None
    library.want_study(id)
    assert library.unstudied() == id


def test_what_is_looked_at_is_studied_first_then_the_newest(library: Library) -> None:
    first, second = added(library, "one"), added(library, "two", origin="imported")
    assert library.unstudied() == second
    library.want_study(first)
    assert library.unstudied() == first
    library.keep_study(first, STUDY)
    soon = datetime.now(UTC) + timedelta(minutes=1)
    assert library.unstudied(soon) is None, "nothing of it is wanted or new"
    assert library.unstudied(datetime.now(UTC) - timedelta(minutes=1)) is None, "it was imported"
    compiled = added(library, "three")
    assert library.unstudied(datetime.now(UTC) - timedelta(minutes=1)) == compiled
    library.want_study(second)
    assert library.unstudied(soon) == second


def test_a_library_from_before_studies_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:1])
    old = Library(tmp_path)
    id = added(old, "t")
    old.close()
    with sqlite3.connect(tmp_path / database.FILE) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    monkeypatch.undo()
    new = Library(tmp_path)
    assert new.study(id) is None and new.unstudied() == id
    new.keep_study(id, STUDY)
    assert new.study(id) == STUDY and new.get(str(new.trace(id).passes[0].text)).startswith("t[0]")


# Worked out beside the worker


def until(condition: Callable[[], object], studying: Studying, *, idle: bool = True) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        studying.round(idle)
        time.sleep(0.02)


def test_every_trace_is_studied_by_another_process(library: Library) -> None:
    opened = open_trace(TRACES / "hivm_vadd.zip")
    ids = [library.add(opened.trace, opened.texts), added(library, "t", origin="imported")]
    studying = Studying(library)
    try:
        until(lambda: library.unstudied() is None, studying)
    finally:
        studying.close()
    found = library.study(ids[0])
    assert found == study(opened.trace, opened.texts)
    assert library.study(ids[1]) is not None


def test_while_compiles_run_only_what_is_new_or_looked_at_is_studied(library: Library) -> None:
    old = added(library, "old", origin="imported")
    studying = Studying(library)
    new = added(library, "new")
    try:
        until(lambda: library.study(new), studying, idle=False)
        for _ in range(40):
            studying.round(idle=False)
            time.sleep(0.02)
        assert library.study(old) is None
        library.want_study(old)
        until(lambda: library.study(old), studying, idle=False)
    finally:
        studying.close()


def test_a_study_that_takes_too_long_is_given_up(library: Library) -> None:
    id = added(library, "t")
    studying = Studying(library, seconds=0.0)
    try:
        until(lambda: library.study_problem(id), studying)
    finally:
        studying.close()
    assert library.study_problem(id).endswith("that works them out took longer than 0 s.")
    assert library.unstudied() is None


def test_a_process_that_dies_over_a_trace_loses_that_trace_alone(library: Library) -> None:
    id = added(library, "t")
    studying = Studying(library)
    try:
        until(lambda: children("core.jobs.studying"), studying)
        os.kill(children("core.jobs.studying")[0], signal.SIGKILL)
        until(lambda: library.study_problem(id), studying)
        assert "died of signal 9" in library.study_problem(id)
        other = added(library, "other")
        until(lambda: library.study(other), studying)
    finally:
        studying.close()


def test_what_is_interrupted_is_studied_another_time(library: Library) -> None:
    id = added(library, "t")
    studying = Studying(library)
    studying.round(idle=True)
    studying.close()
    assert not children("core.jobs.studying")
    assert library.study(id) is None and library.study_problem(id) == ""
    assert library.unstudied() == id


def test_a_trace_whose_document_is_damaged_says_so(library: Library) -> None:
    id = added(library, "t")
    with library.database.writing() as connection:
        connection.execute("UPDATE documents SET zstd = ?", (b"damaged",))
    studying = Studying(library)
    try:
        until(lambda: library.study_problem(id), studying)
    finally:
        studying.close()
    assert "cannot be read" in library.study_problem(id)


def children(module: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode().split("\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if module in command and parent == os.getpid():
            found.append(int(folder.name))
    return found


def test_a_worker_studies_and_one_of_a_command_line_does_not(library: Library) -> None:
    id = added(library, "t", origin="recorded")
    for only in ([], None):
        worker = Worker(library, slots=1, compilers={}, only=only)
        try:
            deadline = time.monotonic() + (60 if only is None else 1)
            while library.study(id) is None and time.monotonic() < deadline:
                worker.round()
        finally:
            worker.stop()
        assert (library.study(id) is not None) == (only is None)
        assert not children("core.jobs.studying")


def test_the_command_line_lists_what_checks_found() -> None:
    words = ("read", str(TRACES / "voxel_gather-512x64_rows128.zip"))
    run = [sys.executable, "-m", "core", *words]
    told = subprocess.run(
        [*run, "--json"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    checks = json.loads(told.stdout)["checks"]
    assert {"check", "harm", "subject", "message", "index", "pass", "line"} <= checks[0].keys()
    assert ("bounds", "wrong", "AutoPoly") in {(c["check"], c["harm"], c["pass"]) for c in checks}
    said = subprocess.run(run, cwd=PROJECT, capture_output=True, text=True, check=False).stdout
    assert f"wrong, since 21_AutoPoly: {checks[0]['message']}" in said
