"""The library: kept whole or not at all, shared by threads and processes, never lost in silence."""

from __future__ import annotations

import dataclasses
import io
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core import database
from core.hints import Hints
from core.jobs.queue import Queue
from core.kernel import Kernel, Tensor
from core.library import Library, LibraryError, text_hash, texts_of
from core.trace import (
    Buffer,
    Compiler,
    Failure,
    HintsOutcome,
    Log,
    MemoryPlan,
    Pass,
    Status,
    Tiling,
    Trace,
)
from core.trace_json import from_json, hints_to_json, kernel_from_json

PROJECT = Path(__file__).resolve().parents[1]


class Held(dict[str, str]):
    """Texts held in memory (the `Texts` protocol)."""

    def __init__(self, *texts: str) -> None:
        super().__init__({text_hash(text): text for text in texts})

    get = dict.__getitem__  # type: ignore[assignment]


def made(*texts: str, name: str = "Fused_Add") -> tuple[Trace, Held]:
    """A small trace with one pass a text."""
    passes = tuple(
        Pass(
            i, "device", "", 1, f"P{i}", i, text_hash(t), 1, len(t), i > 0, "statement", None, "ok"
        )
        for i, t in enumerate(texts)
    )
    trace = Trace(name, "k" * 32, Compiler("akg", "1.10.0"), "Ascend910", Status.OK, passes)
    return trace, Held(*texts)


KERNEL = Kernel(
    "composite",
    "Fused_Add",
    '{"op": "Fused_Add"}',
    (Tensor("x", (16,), "float16", "input"), Tensor("y", (16,), "float16", "output")),
    about="adds",
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "home")


def count(library: Library, table: str) -> int:
    with library.database.reading() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def assert_whole(library: Library) -> None:
    """Every trace can be opened with every text, and SQLite finds nothing wrong."""
    for row in library.rows():
        trace = library.trace(row.id)
        assert len(trace.passes) == row.passes
        for digest in texts_of(trace):
            assert text_hash(library.get(digest)) == digest
    with library.database.reading() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_what_goes_in_comes_out(library: Library) -> None:
    trace, texts = made("a\n", "b ± \U0001f600\n")
    id = library.add(trace, texts, KERNEL, parent="earlier", origin="imported")
    assert library.trace(id) == trace
    assert library.kernel(id) == KERNEL
    assert [library.get(str(p.text)) for p in trace.passes] == ["a\n", "b ± \U0001f600\n"]
    assert library.blob(str(trace.passes[1].text)) == "b ± \U0001f600\n".encode()
    row = library.row(id)
    assert (row.id, row.parent, row.origin) == (id, "earlier", "imported")
    assert row.compiler == "akg 1.10.0"
    assert datetime.now(UTC) - row.created < timedelta(minutes=1)
    again = Library(library.home)
    assert again.rows() == [row]
    assert again.trace(id) == trace


def test_every_text_of_a_trace_is_kept(library: Library) -> None:
    trace, texts = made("pass\n")
    others = Held("search\n", "log\n", "code\n")
    search, log, code = others
    trace = dataclasses.replace(
        trace, tiling=Tiling(search=search), logs=(Log("scop.log", log, 4),), code=code
    )
    library.add(trace, Held(*texts.values(), *others.values()))
    assert [library.get(d) for d in (search, log, code)] == ["search\n", "log\n", "code\n"]


def test_a_row_sums_up_its_trace(library: Library) -> None:
    trace, texts = made("a", "b", "c")
    plans = (
        MemoryPlan("L1", 100, 1000, ()),
        MemoryPlan("UB", 512, 1024, (Buffer("b", 512, 0, "float16", 1, 2, ""),)),
    )
    asked = {"dim": "0 0 16 1", "enable_feature_library": True}
    trace = dataclasses.replace(
        trace,
        status=Status.FAILED,
        memory=plans,
        hints=HintsOutcome(asked),
        block_dim=32,
        failure=Failure(
            "memory", "StorageFlatten", None, None, None, "Too much\nmemory" + "x" * 999
        ),
    )
    row = library.row(library.add(trace, texts))
    assert (row.status, row.passes, row.changed) == ("failed", 3, 2)
    assert (row.limiter, row.occupancy, row.block_dim) == ("UB", 0.5, 32)
    assert row.hints == "dim=0 0 16 1, enable_feature_library=True"
    assert row.failure is not None
    assert row.failure.startswith("Too much memoryxxx") and len(row.failure) <= 300


def test_rows_are_newest_first(library: Library) -> None:
    ids = [library.add(*made(str(i))) for i in range(5)]
    assert [row.id for row in library.rows()] == ids[::-1]


def test_the_stamp_changes_with_the_rows(library: Library) -> None:
    stamps = [library.stamp()]
    first = library.add(*made("a"))
    stamps.append(library.stamp())
    second = library.add(*made("b"), parent=first)
    stamps.append(library.stamp())
    library.trace(second)
    assert library.stamp() == stamps[-1]
    library.delete(first)
    stamps.append(library.stamp())
    library.delete(second)
    library.add(*made("c"))
    stamps.append(library.stamp())
    assert len(set(stamps)) == len(stamps)


def test_equal_texts_and_kernels_are_kept_once(library: Library) -> None:
    for name in ("one", "two", "three"):
        library.add(*made("same\n", f"own {name}\n", "same\n", name=name), KERNEL)
    assert count(library, "texts") == 4
    assert count(library, "kernels") == 1


def test_delete_drops_what_nobody_else_has(library: Library) -> None:
    first_trace, first_texts = made("shared\n", "mine\n")
    first = library.add(first_trace, first_texts, KERNEL)
    second = library.add(*made("shared\n", "yours\n"), KERNEL, parent=first)
    library.delete(first)
    assert [row.id for row in library.rows()] == [second]
    assert library.row(second).parent is None
    assert_whole(library)
    assert library.get(text_hash("shared\n")) == "shared\n"
    with pytest.raises(KeyError):
        library.get(text_hash("mine\n"))
    assert library.kernel(second) == KERNEL
    library.delete(second)
    tables = ("traces", "documents", "texts", "trace_texts", "kernels")
    assert [count(library, table) for table in tables] == [0] * 5


def test_unknown_ids_get_one_sentence(library: Library) -> None:
    for ask in (library.trace, library.kernel, library.row, library.delete, library.export):
        with pytest.raises(LibraryError, match=r"^There is no trace nowhere in the library; .*\.$"):
            ask("nowhere")
    with pytest.raises(KeyError):
        library.get("0" * 32)


def test_an_id_is_used_once(library: Library) -> None:
    trace, texts = made("a")
    assert library.add(trace, texts, id="softmax-fp16") == "softmax-fp16"
    with pytest.raises(LibraryError, match="in the library already"):
        library.add(*made("b"), id="softmax-fp16")
    with pytest.raises(LibraryError, match="cannot be used"):
        library.add(trace, texts, id="../up")
    assert count(library, "texts") == 1


def test_a_trace_without_its_texts_is_refused(library: Library) -> None:
    trace, texts = made("a", "b")
    del texts[text_hash("b")]
    with pytest.raises(LibraryError, match="incomplete"):
        library.add(trace, texts)
    texts[text_hash("b")] = "another text under the hash of b"
    with pytest.raises(LibraryError, match="does not have the content"):
        library.add(trace, texts)
    assert (count(library, "traces"), count(library, "texts")) == (0, 0)


def test_a_text_deleted_while_another_is_about_to_use_it(library: Library) -> None:
    first = library.add(*made("shared\n"))
    new = library.prepare(*made("shared\n", "more\n"))
    assert text_hash("shared\n") not in new.compressed  # relied upon: it was kept
    library.delete(first)
    with library.database.writing() as connection:
        library.write(connection, new)
    assert_whole(library)


def test_export_holds_everything_and_repeats_itself(library: Library) -> None:
    trace, texts = made("a\n", "b\n")
    id = library.add(trace, texts, KERNEL)
    data = library.export(id)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = {f"texts/{digest}.txt" for digest in texts}
        assert set(archive.namelist()) == {"trace.json", "kernel.json"} | names
        assert from_json(archive.read("trace.json")) == trace
        assert kernel_from_json(archive.read("kernel.json")) == KERNEL
        assert archive.read(f"texts/{text_hash('b' + chr(10))}.txt") == b"b\n"
    twin = library.add(trace, texts, KERNEL)
    assert library.export(twin) == data


def test_threads_share_a_library(library: Library) -> None:
    wrong: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(10):
                id = library.add(*made("shared\n", f"{number} {i}\n"))
                assert library.trace(id).passes
                library.rows()
                if i % 2:
                    library.delete(id)
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert count(library, "traces") == 40
    assert count(library, "texts") == 41
    assert_whole(library)


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A process of its own that has this module's names."""
    source = f"from tests.test_library import *\nimport sys\n{textwrap.dedent(script)}"
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )


ADD_MANY = """
    library = Library(Path(sys.argv[1]))
    print("ready", flush=True)
    for i in range(int(sys.argv[2])):
        texts = [f"shared {i}\\n" * 200, f"{sys.argv[3]} {i}\\n" * 200]
        id = library.add(*made(*texts), KERNEL)
        if i % 3 == 2:
            library.delete(id)
"""


def test_processes_add_and_delete_at_once(tmp_path: Path) -> None:
    # The home is empty: they also race to make the file.
    workers = [python(ADD_MANY, tmp_path, 60, name) for name in ("x", "y", "z")]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    for worker in workers:
        assert worker.stdout
        worker.stdout.close()
    library = Library(tmp_path)
    assert library.notice == ""
    assert count(library, "traces") == 3 * 40
    assert count(library, "texts") == 40 + 3 * 40
    assert_whole(library)


def test_a_process_killed_inside_the_transaction_leaves_nothing(tmp_path: Path) -> None:
    library = Library(tmp_path)
    kept = library.add(*made("kept\n"))
    script = """
        library = Library(Path(sys.argv[1]))
        new = library.prepare(*made("lost\\n", "too\\n"), KERNEL)
        with library.database.writing() as connection:
            library.write(connection, new)
            print("inside", flush=True)
            sys.stdin.read()
    """
    source = f"from tests.test_library import *\nimport sys\n{textwrap.dedent(script)}"
    with subprocess.Popen(
        [sys.executable, "-c", source, str(tmp_path)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout and process.stdout.readline() == "inside\n"
        assert [row.id for row in library.rows()] == [kept]  # a reader does not wait
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert [row.id for row in library.rows()] == [kept]
    assert (count(library, "texts"), count(library, "kernels")) == (1, 0)
    library.add(*made("next\n"))
    assert_whole(library)


@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.1])
def test_a_process_killed_at_any_moment_leaves_whole_traces(tmp_path: Path, seconds: float) -> None:
    with python(ADD_MANY, tmp_path, 100_000, "x") as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.kill()
    library = Library(tmp_path)
    assert library.notice == ""
    assert_whole(library)
    library.add(*made("next\n"))


@pytest.mark.parametrize("content", [b"no database\n" * 999, b"SQLite format 3\0" + b"\1" * 9000])
def test_a_damaged_file_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "library.sqlite").write_bytes(content)
    library = Library(tmp_path)
    (aside,) = tmp_path.glob("library.sqlite.damaged-*")
    assert aside.read_bytes() == content
    assert str(aside) in library.notice and library.notice.endswith("begun.")
    library.add(*made("a"))
    assert len(Library(tmp_path).rows()) == 1
    assert Library(tmp_path).notice == ""


def test_a_file_cut_short_is_kept_aside(tmp_path: Path) -> None:
    library = Library(tmp_path)
    library.add(*made("a"), KERNEL)
    library.close()
    file = tmp_path / "library.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    file.write_bytes(file.read_bytes()[:20_000])
    library = Library(tmp_path)
    assert "damaged" in library.notice
    assert library.rows() == []


def test_damage_found_in_use_is_mended_at_the_next_start(tmp_path: Path) -> None:
    library = Library(tmp_path)
    texts = [random.Random(i).randbytes(3000).hex() for i in range(100)]
    id = library.add(*made(*texts))
    library.close()
    file = tmp_path / "library.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    size = file.stat().st_size
    with file.open("r+b") as handle:  # in the texts, by far the most of the file
        handle.seek(size // 2)
        handle.write(b"\x7f" * (size // 4))
    library = Library(tmp_path)
    assert library.notice == ""
    assert library.trace(id).passes
    with pytest.raises(LibraryError, match=r"is damaged \(.*\); start Tilescope again"):
        library.delete(id)
    library.close()
    library = Library(tmp_path)
    (aside,) = tmp_path.glob("library.sqlite.damaged-*")
    assert str(aside) in library.notice
    assert aside.stat().st_size == size
    assert library.rows() == []


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Library(tmp_path).add(*made("a"))
    file = tmp_path / "library.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LibraryError, match="newer Tilescope"):
        Library(tmp_path)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM traces").fetchone() == (1,)
    connection.close()


def test_a_library_from_before_inquiries_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the row that a version of then wrote for a point, and one for its sweep."""
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:2])
    old = Library(tmp_path)
    id = old.add(*made("a"), kernel=KERNEL)
    with old.database.writing() as connection:
        connection.execute(
            "INSERT INTO jobs (id, kind, state, kernel_id, kernel, kernel_hash, hints, hints_hash,"
            " compiler, version, seconds, memory_bytes, created, current)"
            " VALUES ('j', 'point', 'queued', 1, 'k', ?, ?, 'h', 'akg', '1.10.0', 1, 1, 0, 1)",
            (KERNEL.digest, hints_to_json(Hints())),
        )
        connection.execute(
            "INSERT INTO sweeps (id, kernel_id, kernel, kernel_hash, compiler, version, axes,"
            " created) VALUES ('s', 1, 'k', ?, 'akg', '1.10.0', '{}', 0)",
            (KERNEL.digest,),
        )
        connection.execute("INSERT INTO sweep_points VALUES (1, 0, 1)")
    old.close()
    monkeypatch.undo()
    new = Library(tmp_path)
    queue = Queue(new)
    (point,) = queue.sweep("s").points
    assert (point.state, point.kernel_hash, point.version) == ("queued", KERNEL.digest, "1.10.0")
    assert (point.fingerprint, point.whole) == ("", None)
    assert [row.id for row in queue.sweeps(KERNEL.digest)] == ["s"]
    assert queue.inquiries(id) == []
    queue.inquire("shrink", id)
    assert [row.state for row in queue.inquiries(id)] == ["queued"]


def test_a_home_that_cannot_be_made_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="TILESCOPE_HOME"):
        Library(tmp_path / "file" / "home")
