"""What open_trace takes, and what it says of everything else. Needs no compiler."""

from __future__ import annotations

import io
import os
import shutil
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.library import Library, texts_of
from core.readers import ReadError, open_trace
from core.readers import source as source_module
from core.trace import Status

JOBS = Path(__file__).resolve().parent / "dumps" / "jobs"


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def unzipped(name: str, folder: Path) -> Path:
    with zipfile.ZipFile(JOBS / f"{name}.zip") as archive:
        archive.extractall(folder)
    return folder


def members(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(JOBS / f"{name}.zip") as archive:
        return {each: archive.read(each) for each in archive.namelist()}


def refused(path: Path) -> str:
    """The one sentence with which a path is refused."""
    with pytest.raises(ReadError) as caught:
        open_trace(path)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_folder_and_zip_give_the_same_trace(tmp_path):
    of_zip = open_trace(JOBS / "plain.zip")
    of_folder = open_trace(unzipped("plain", tmp_path / "job"))
    assert of_folder.trace == of_zip.trace
    assert of_folder.kernel == of_zip.kernel
    for digest in texts_of(of_zip.trace):
        assert of_folder.texts.get(digest) == of_zip.texts.get(digest)


def test_texts_are_read_when_asked_for_and_lost_with_their_folder(tmp_path):
    opened = open_trace(unzipped("plain", tmp_path / "job"))
    first = opened.trace.passes[0].text
    assert first is not None
    assert opened.texts.get(first).startswith("//") or opened.texts.get(first)
    with pytest.raises(KeyError):
        opened.texts.get("0" * 32)
    shutil.rmtree(tmp_path / "job")
    with pytest.raises(KeyError):
        opened.texts.get(first)


def test_export_of_the_library_opens_again(tmp_path):
    opened = open_trace(JOBS / "retried.zip")
    library = Library(tmp_path / "home")
    key = library.add(opened.trace, opened.texts, opened.kernel)
    exported = tmp_path / "exported.zip"
    exported.write_bytes(library.export(key))
    again = open_trace(exported)
    assert again.trace == opened.trace
    assert again.kernel == opened.kernel
    for digest in texts_of(opened.trace):
        assert again.texts.get(digest) == opened.texts.get(digest)
    library.close()


def test_export_with_a_text_missing_or_changed_is_refused(tmp_path):
    opened = open_trace(JOBS / "flattened.zip")
    library = Library(tmp_path / "home")
    whole = library.export(library.add(opened.trace, opened.texts, opened.kernel))
    library.close()
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = next(name for name in parts if name.startswith("texts/"))
    less = zipped(tmp_path / "less.zip", {k: v for k, v in parts.items() if k != text})
    assert "lacks the text" in refused(less)
    other = zipped(tmp_path / "other.zip", {**parts, text: b"something else"})
    assert "not the one that was exported" in refused(other)
    broken = zipped(tmp_path / "broken.zip", {**parts, "trace.json": b'{"format": 1}'})
    assert "trace.json" in refused(broken)


def test_dump_is_found_at_any_depth(tmp_path):
    whole = open_trace(JOBS / "akg_1_6.zip")
    deep = unzipped("akg_1_6", tmp_path / "a" / "b" / "c")
    assert open_trace(deep).trace.passes == whole.trace.passes
    assert open_trace(tmp_path).trace.passes == whole.trace.passes
    lowering = open_trace(next(tmp_path.rglob("*_0"))).trace
    expected = [p for p in whole.trace.passes if p.stage in ("lowering", "poly")]
    assert list(lowering.passes) == [replace(p, index=at) for at, p in enumerate(expected)]


def test_newest_of_several_dumps_is_opened_and_the_others_named(tmp_path):
    old = unzipped("akg_1_6", tmp_path / "monday")
    new = unzipped("aborted", tmp_path / "tuesday")
    for path in old.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    trace = open_trace(tmp_path).trace
    assert trace.kernel == "elementwise_chain"
    assert "2 dumps were found; this is the newest, tuesday." in trace.notes[0]
    assert "monday/sent/kernels/Fused_AddMul" in trace.notes[0]
    for path in new.rglob("*"):
        os.utime(path, (900_000_000, 900_000_000))
    assert open_trace(tmp_path).trace.kernel == "Fused_AddMul"


def test_bytes_that_are_no_text_are_replaced_and_said(tmp_path):
    parts = members("akg_1_6")
    name = next(n for n in parts if n.endswith("00_ScheduleOps.cc"))
    parts[name] = b"// caf\xe9\n" + parts[name]
    opened = open_trace(zipped(tmp_path / "latin.zip", parts))
    step = next(p for p in opened.trace.passes if p.name == "ScheduleOps")
    assert opened.texts.get(step.text).startswith("// caf\ufffd\n")
    assert any("00_ScheduleOps.cc" in note for note in opened.trace.notes)


@pytest.mark.parametrize("what", ["empty", "absent", "nothing", "text", "truncated", "damaged"])
def test_what_is_no_dump_is_refused(what, tmp_path):
    path = tmp_path / f"{what}.zip"
    whole = (JOBS / "plain.zip").read_bytes()
    if what == "empty":
        path.mkdir()
        assert "is empty" in refused(path)
    elif what == "absent":
        assert "does not exist" in refused(path)
    elif what == "nothing":
        path.mkdir()
        (path / "letter.txt").write_text("Dear all,")
        (path / "00_readme.md").write_text("no pass")
        assert "holds no dump" in refused(path)
    elif what == "text":
        path.write_text("just words")
        assert "no whole zip" in refused(path)
    elif what == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
        assert "no whole zip" in refused(path)
    else:
        bytes_ = bytearray(whole)
        bytes_[2000:2400] = b"\0" * 400
        path.write_bytes(bytes_)
        assert "damaged" in refused(path)


def test_damaged_job_is_refused(tmp_path):
    parts = members("plain")
    assert "job.json" in refused(zipped(tmp_path / "a.zip", {**parts, "job.json": b"{"}))
    assert "KeyError" in refused(zipped(tmp_path / "b.zip", {**parts, "job.json": b"{}"}))
    ended = {**parts, "ended.json": b'{"status": "perfect"}'}
    assert "ended.json is damaged" in refused(zipped(tmp_path / "c.zip", ended))


def test_compile_that_died_while_writing_is_read(tmp_path):
    parts = members("hinted")
    parts["received.json"] = parts["received.json"][:40]
    last = next(name for name in parts if name.endswith("06_CombineContextCall.cc"))
    parts[last] = b""
    trace = open_trace(zipped(tmp_path / "half.zip", parts)).trace
    assert trace.passes[-1].lines == 0
    assert "enable_multicore" not in trace.hints.honoured | trace.hints.ignored


def test_figures_that_no_compiler_writes_are_refused(tmp_path):
    parts = members("plain")
    name = next(n for n in parts if n.endswith("scop.log"))
    parts[name] = parts[name].replace(b"c1_tiling_size=", b"c1_tiling_size=" + b"9" * 5000)
    assert "no compiler writes" in refused(zipped(tmp_path / "long.zip", parts))


def test_job_without_an_end_is_said_to_run_still(tmp_path):
    parts = {k: v for k, v in members("plain").items() if k != "ended.json"}
    trace = open_trace(zipped(tmp_path / "running.zip", parts)).trace
    assert trace.status is Status.FAILED
    assert any("not recorded" in note for note in trace.notes)


@pytest.mark.parametrize("name", ["/etc/passwd", "../../outside.cc", "k_0/../../x.cc", "C:/x.cc"])
def test_member_outside_the_zip_is_refused_and_nothing_written(name, tmp_path):
    path = zipped(tmp_path / "escape.zip", {**members("akg_1_6"), name: b"x"})
    before = sorted(tmp_path.rglob("*"))
    assert "outside its own folder" in refused(path)
    assert sorted(tmp_path.rglob("*")) == before


def test_backslashes_of_other_systems_are_read_as_folders(tmp_path):
    parts = {name.replace("/", "\\"): data for name, data in members("akg_1_6").items()}
    path = zipped(tmp_path / "windows.zip", parts)
    assert len(open_trace(path).trace.passes) > 100


def test_link_in_a_zip_is_refused_and_in_a_folder_passed_over(tmp_path):
    link = zipfile.ZipInfo("k_0/00_ScheduleOps.cc")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert "link" in refused(tmp_path / "link.zip")
    folder = tmp_path / "folder" / "k_0"
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (folder / "00_ScheduleOps.cc").symlink_to(tmp_path / "secret")
    assert "holds no dump" in refused(tmp_path / "folder") or "empty" in refused(
        tmp_path / "folder"
    )


def test_encrypted_and_oddly_packed_zips_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("k_0/00_ScheduleOps.cc", "for (i, 0, 1) {\n}\n")
    assert "deflate" in refused(tmp_path / "packed.zip")
    plain = zipped(tmp_path / "locked.zip", {"k_0/00_ScheduleOps.cc": b"x"})
    data = bytearray(plain.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    plain.write_bytes(data)
    assert "encrypted" in refused(plain)


def test_zip_bomb_is_refused_by_what_it_declares(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "MAX_TOTAL_BYTES", 1 << 20)
    bomb = zipped(tmp_path / "bomb.zip", {f"k_0/{n:02}_Pass.cc": bytes(1 << 18) for n in range(9)})
    assert bomb.stat().st_size < 1 << 16
    assert "unpacks to more than" in refused(bomb)


def test_zip_that_lies_about_a_size_is_refused(tmp_path):
    name = b"k_0/00_ScheduleOps.cc"
    path = zipped(tmp_path / "liar.zip", {name.decode(): bytes(1 << 22)})
    data = bytearray(path.read_bytes())
    for at in (data.index(b"PK\x03\x04") + 22, data.index(b"PK\x01\x02") + 24):
        data[at : at + 4] = struct.pack("<I", 100)
    path.write_bytes(data)
    assert "damaged" in refused(path)


def test_too_many_files_are_refused_before_they_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "MAX_FILES", 100)
    many = zipped(tmp_path / "many.zip", {f"k_0/{n:03}_Pass.cc": b"" for n in range(101)})
    assert "more than 100 files" in refused(many)
    folder = tmp_path / "folder"
    folder.mkdir()
    for n in range(101):
        (folder / f"{n}").touch()
    assert "more than 100 files" in refused(folder)
    # The list of members itself is too long for what MAX_FILES allows.
    monkeypatch.setattr(source_module, "MAX_FILES", 1)
    assert "lists more than 1 files" in refused(many)
