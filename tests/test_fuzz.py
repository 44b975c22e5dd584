"""Damaged, foreign and hostile input: a trace or one sentence, in bounded time and memory.

Real dumps are damaged in many ways, always the same ones (`derandomize`), and opened; what comes of
them is kept in a library and looked at as the pages do. The worst files are read in a process of
their own, whose time and memory are measured. TILESCOPE_FUZZ=20 tries twenty times as much.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import stat
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import cli
from core.analysis.changes import did, forget
from core.analysis.checks import check
from core.analysis.figures import figures
from core.analysis.search import Query, search
from core.analysis.study import study
from core.ir import cce, mlir, schedule, statement
from core.ir.instructions import count_instructions
from core.library import Library
from core.readers import Opened, ReadError, open_trace
from core.target import recorded_targets
from core.views.graphs import graph_of_text
from tests.conftest import KERNELS, PROJECT

DUMPS = Path(__file__).resolve().parent / "dumps"
TRIED: Counter[str] = Counter()

Files = dict[str, bytes]


def tried(examples: int) -> Callable[[Any], Any]:
    return settings(
        max_examples=examples * int(os.environ.get("TILESCOPE_FUZZ", "1")),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module", autouse=True)
def _said(pytestconfig: pytest.Config) -> Iterator[None]:
    """Print what was tried, whatever became of it."""
    yield
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("\nfuzzed: " + ", ".join(f"{n} {what}" for what, n in sorted(TRIED.items())))


# What is damaged


def unzipped(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


@cache
def dumps() -> list[Files]:
    """Job folders of both compilers, a user's dump, an exported trace."""
    jobs = ("aborted", "akg_1_6", "flattened", "retried")
    logs = ("overflow", "mix_tree", "triton", "upstream_tree")
    return [
        *(unzipped(DUMPS / "jobs" / f"{name}.zip") for name in jobs),
        *(unzipped(DUMPS / "mlir_logs" / f"{name}.zip") for name in logs),
        unzipped(PROJECT / "data" / "traces" / "transpose.zip"),
    ]


@cache
def logs() -> list[bytes]:
    return [gzip.decompress(path.read_bytes()) for path in sorted(DUMPS.rglob("*.log.gz"))]


@cache
def texts() -> dict[str, list[str]]:
    """Passes and code of recorded traces, by language; the shorter ones."""
    found: dict[str, dict[str, None]] = {"statement": {}, "schedule": {}, "cce": {}, "mlir": {}}
    names = ("softmax_fp16", "matmul_cube", "maxpool-*", "hfusion_rms_norm", "triton_add")
    for path in (p for n in names for p in (PROJECT / "data" / "traces").glob(f"{n}.zip")):
        opened = open_trace(path)
        trace = opened.trace
        listed = [(step.language, step.text) for step in trace.changed if step.text]
        if trace.code:
            listed.append(("cce" if trace.compiler.name == "akg" else "mlir", trace.code))
        for language, digest in listed:
            text = opened.texts.get(digest)
            if len(text) < 8_000:
                found[language][text] = None
    return {language: list(kept) for language, kept in found.items()}


# How it is damaged


@dataclass(frozen=True)
class Damage:
    kind: str
    seed: int

    def __call__(self, data: bytes, other: bytes) -> bytes:
        return _DAMAGES[self.kind](random.Random(self.seed), data, other)


def _truncated(dice: random.Random, data: bytes, _: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _interleaved(dice: random.Random, data: bytes, other: bytes) -> bytes:
    pairs = zip(data.split(b"\n"), other.split(b"\n"), strict=False)
    return b"\n".join(line for pair in pairs for line in pair if dice.random() < 0.8)


def _spliced(dice: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]


def _lines_moved(dice: random.Random, data: bytes, _: bytes) -> bytes:
    lines = data.split(b"\n")
    for _unused in range(3):
        lines.insert(dice.randrange(len(lines)), lines.pop(dice.randrange(len(lines))))
    del lines[dice.randrange(len(lines))]
    return b"\n".join(lines)


def _bytes_changed(dice: random.Random, data: bytes, _: bytes) -> bytes:
    damaged = bytearray(data or b" ")
    for _unused in range(dice.choice((1, 5, 50))):
        damaged[dice.randrange(len(damaged))] = dice.randrange(256)
    return bytes(damaged)


def _words_put_in(dice: random.Random, data: bytes, _: bytes) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + dice.choice(_WORDS) + data[at + dice.randrange(3) :]


def _numbers_changed(dice: random.Random, data: bytes, _: bytes) -> bytes:
    digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    at = dice.choice(digits) if digits else 0
    return data[:at] + dice.choice((b"0", b"-1", b"9" * 18, b"9" * 40, b"9" * 5000)) + data[at:]


_WORDS = (
    *(
        b"\0",
        b"\xef\xbb\xbf",
        b"\xe9",
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b'"',
        b"\r\n",
        b"\x1b[1m",
    ),
    *(b"\xe2\x80\xa8", b"((((((((", b" if ", b"for (", b"1e999", b"0x", b"//", b"#", b"->", b"?"),
    *(b"<", b"@", b"%0", b"x" * 3000, b"\xed\xa0\x80"),
)
_DAMAGES: dict[str, Callable[[random.Random, bytes, bytes], bytes]] = {
    "truncated": _truncated,
    "interleaved": _interleaved,
    "spliced": _spliced,
    "lines moved": _lines_moved,
    "bytes changed": _bytes_changed,
    "words put in": _words_put_in,
    "numbers changed": _numbers_changed,
    "latin-1": lambda _dice, data, _other: data.replace(b"a", b"\xe9"),
    "UTF-16": lambda _dice, data, _other: data.decode(errors="replace").encode("utf-16"),
    "NULs": lambda _dice, data, _other: data.replace(b" ", b"\0"),
    "BOM": lambda _dice, data, _other: b"\xef\xbb\xbf" + data,
    "emptied": lambda _dice, _data, _other: b"",
    "binary": lambda dice, data, _other: dice.randbytes(len(data) + 1),
    "doubled": lambda _dice, data, _other: data + data,
}
#: What is damaged and how comes of one number, so that all ways are tried equally often.
SEEDS = st.integers(0, 1 << 32)


def damages(dice: random.Random, most: int) -> list[Damage]:
    count = dice.randrange(1, most + 1)
    return [Damage(dice.choice(sorted(_DAMAGES)), dice.randrange(1 << 32)) for _ in range(count)]


# What becomes of it


@contextmanager
def watched() -> Iterator[Path]:
    """A folder to open something in, beside which nothing may change."""
    with tempfile.TemporaryDirectory() as name:
        outside = Path(name)
        (outside / "beside.txt").write_text("untouched")
        inside = outside / "opened"
        inside.mkdir()
        before: set[tuple[str, int, int]] = set()
        yield inside
        after = _state(outside)
        assert {path for path, *_ in after} >= {"beside.txt", "opened"}
        assert all(path == "beside.txt" or path.startswith("opened") for path, *_ in after - before)


def _state(folder: Path) -> set[tuple[str, int, int]]:
    found = set()
    for path in folder.rglob("*"):
        facts = path.lstat()
        size = 0 if path.is_dir() else facts.st_size
        found.add((os.fsdecode(path.relative_to(folder)), size, facts.st_mtime_ns))
    return found


def outcome(path: Path) -> Opened | str:
    """A trace that can be kept, or one sentence; what is opened stays as it is."""
    before = _state(path.parent)
    try:
        opened = open_trace(path)
        kept.add(opened.trace, opened.texts, opened.kernel, origin="imported")
    except ReadError as refused:
        TRIED["refused"] += 1
        return sentence(refused)
    finally:
        assert _state(path.parent) == before
    TRIED["traces"] += 1
    return opened


def sentence(error: ValueError) -> str:
    said = str(error)
    assert said.endswith("."), said
    assert said.isprintable(), said
    assert 20 < len(said) <= 610
    assert said.encode()  # no half of a character, which no page could show
    return said


class _Kept:
    """One library for all, as that of a user who opens everything."""

    def __init__(self) -> None:
        self._library: Library | None = None

    def add(self, *args: Any, **kwargs: Any) -> None:
        if self._library is None:
            self._folder = tempfile.TemporaryDirectory()
            self._library = Library(Path(self._folder.name))
        id = self._library.add(*args, **kwargs)
        assert self._library.trace(id) == args[0]
        assert self._library.row(id).passes == len(args[0].passes)


kept = _Kept()


def written(folder: Path, files: Files, *, packed: bool) -> Path:
    if packed:
        path = folder / "dump.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return path
    path = folder / "dump"
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    path.mkdir(exist_ok=True)
    return path


# Dumps and logs


@tried(70)
@given(SEEDS, st.booleans())
def test_dumps_with_damaged_files(seed, packed):
    dice = random.Random(seed)
    files, other = dict(dice.choice(dumps())), dice.choice(dumps())
    for damage in damages(dice, 4):
        name = dice.choice(sorted(files))
        files[name] = damage(files[name], other[dice.choice(sorted(other))])
        TRIED[f"files {damage.kind}"] += 1
    with watched() as folder:
        outcome(written(folder, files, packed=packed))


@tried(30)
@given(SEEDS, st.booleans())
def test_dumps_with_files_lost_renamed_and_mixed(seed, packed):
    dice = random.Random(seed)
    files, other = dict(dice.choice(dumps())), dice.choice(dumps())
    for _ in range(dice.randrange(1, 6)):
        name = dice.choice(sorted(files))
        data = files.pop(name)
        match dice.randrange(3):
            case 0:
                files[dice.choice(_NAMES)] = data
            case 1:
                files |= dict(dice.sample(sorted(other.items()), min(9, len(other))))
        if not files:
            files["empty"] = b""
    TRIED["dumps with files lost, renamed or mixed"] += 1
    with watched() as folder:
        outcome(written(folder, files, packed=packed))


_NAMES = (
    *("99_é.cc", "a" * 200 + ".cc", "x_0/00_A.cc", "x_0/poly/00_B.cc", "x_0/00_A\nB.cc"),
    *("x_composite/0000000000000000000000001_X.cc", "_0/00_.cc", "trace.json", "job.json"),
    *("x_Parallel_99999999999999999999999_0/01_Y.cc", "stitch_info/x_stitch_٣/00_A.cc", "x.log"),
    *("dump/job.json", "texts/x.txt", "kernel.json", "1_2_x.mlir", "kernel.ttir", "x.ttadapter"),
    "builtin_module_no-symbol-name/1_cse.mlir",
)


@tried(60)
@given(SEEDS)
def test_dumps_with_wrong_json(seed):
    dice = random.Random(seed)
    files = dict(dice.choice(dumps()))
    described = [name for name in sorted(files) if name.endswith(".json")]
    if not described:
        return
    for _ in range(dice.randrange(1, 3)):
        name = dice.choice(described)
        changed = _wrong(dice, json.loads(files[name]))
        files[name] = json.dumps(changed).encode("utf-8", "surrogatepass")
        TRIED["wrong values in JSON"] += 1
    with watched() as folder:
        outcome(written(folder, files, packed=dice.random() < 0.5))


def _wrong(dice: random.Random, document: Any) -> Any:
    """The document with one of its values replaced, taken away, or under another name."""
    value: Any = document
    way: list[tuple[Any, Any]] = []
    while isinstance(value, dict | list) and value and (not way or dice.random() < 0.8):
        key = dice.choice(sorted(value) if isinstance(value, dict) else range(len(value)))
        way.append((value, key))
        value = value[key]
    if not way:
        return dice.choice(_VALUES)
    holder, key = way[-1]
    if isinstance(holder, dict) and dice.random() < 0.3:
        moved = holder.pop(key)
        if dice.random() < 0.5:
            holder[dice.choice(("", "\ud800", "dim", "a\nb"))] = moved
    else:
        holder[key] = dice.choice(_VALUES)
    return document


_VALUES: tuple[Any, ...] = (
    *(None, [], {}, "", "x", -1, 0, True, 1.5, 1e308, float("nan"), float("inf"), 10**400),
    *("\ud800", "\0", "a\nb", "9" * 5000, 2**31, 2**63, 2**70, -(2**63), [[1]], {"a": {"b": 1}}),
    *("\u202e", ["x"] * 3, "x" * 100_000),
)


@tried(60)
@given(SEEDS, st.sampled_from(("log", "gz", "zip")))
def test_logs(seed, form):
    dice = random.Random(seed)
    data, other = dice.choice(logs()), dice.choice(logs())
    for damage in damages(dice, 3):
        data = damage(data, other)
        TRIED[f"logs {damage.kind}"] += 1
    with watched() as folder:
        path = folder / f"printed.{form}"
        match form:
            case "gz":
                packed = gzip.compress(data, 1)
                path.write_bytes(packed[: dice.choice((len(packed), len(packed) // 2, 15))])
            case "zip":
                path = written(folder, {"printed.log": data}, packed=True)
            case _:
                path.write_bytes(data)
        outcome(path)


@tried(60)
@given(SEEDS)
def test_zips_with_damaged_bytes(seed):
    dice = random.Random(seed)
    data = (DUMPS / "jobs" / dice.choice(("flattened.zip", "akg_1_6.zip"))).read_bytes()
    kind = dice.choice(("truncated", "bytes changed", "spliced", "doubled"))
    near_end = dice.random() < 0.6  # where a zip lists what is in it
    cut = len(data) - 400 * dice.randrange(1, 30) if near_end else 0
    damaged = data[:cut] + Damage(kind, seed)(data[cut:], data)
    TRIED[f"zips {kind}"] += 1
    with watched() as folder:
        path = folder / "dump.zip"
        path.write_bytes(damaged)
        outcome(path)


# Texts, as pages, checks and studies read them

PARSERS: dict[str, tuple[Callable[[str], object], type[ValueError]]] = {
    "statement": (statement.parse, statement.StatementError),
    "schedule": (schedule.parse, schedule.ScheduleError),
    "cce": (cce.parse, cce.CceError),
    "mlir": (mlir.parse, mlir.MlirError),
}
MEMORIES = {memory.name: memory for memory in recorded_targets()["Ascend910"].memories}


def looked_at(language: Any, text: str, before: str = "") -> None:
    """Everything that is made of one text; each says that it has nothing, or that it cannot."""
    parse, refusal = PARSERS[language]
    try:
        parse(text)
        TRIED[f"{language} texts parsed"] += 1
    except refusal as error:
        TRIED[f"{language} texts refused"] += 1
        assert "\n" not in str(error)
        assert len(str(error)) < 500
    graph_of_text(language, text)
    check(text, language, MEMORIES)
    figures(text, language)
    did(before, text, language)
    if language in ("statement", "cce") and len(text) < 4_000:
        with suppress(statement.StatementError, cce.CceError):
            count_instructions(text, 2)
    if language == "mlir":
        with suppress(mlir.MlirError):
            mlir.parse(text, tolerant=True)
    forget()


@tried(220)
@given(st.sampled_from(sorted(PARSERS)), SEEDS)
def test_texts(language, seed):
    dice = random.Random(seed)
    before = dice.choice(texts()[language])
    data, other = before.encode(), dice.choice(texts()[dice.choice(sorted(PARSERS))]).encode()
    for damage in damages(dice, 3):
        data = damage(data, other)
    looked_at(language, data.decode(errors="replace"), before)


DEEP = 20_000
_CODE = 'extern "C" __global__ __aicore__ void k( __gm__ half* a) {\n'


@pytest.mark.parametrize(
    ("language", "text"),
    {
        "parentheses": ("statement", f"a(0) = {'(' * DEEP}1{')' * DEEP}\n"),
        "calls": ("statement", f"a[0] = {'f(' * DEEP}1{')' * DEEP}\n"),
        "signs": ("statement", f"a[0] = {'-' * DEEP}1\n"),
        "sums": ("statement", f"a[0] = {'1 + ' * DEEP}1\n"),
        "loops": ("statement", "for (i, 0, 4) {\n" * DEEP + "a(0) = 1\n" + "}\n" * DEEP),
        "ifs": ("statement", "if (x) {\n a(0) = 1\n}" + " else if (x) {\n a(0) = 1\n}" * DEEP),
        "cores": (
            "statement",
            "// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 999999999999\n"
            "if ((blockIdx.x < 3)) {\n  vadd(1)\n}\n",
        ),
        "no trip": (
            "statement",
            "for (i, 0, -5) {\n  if ((i < 3)) {\n    vadd(1)\n  }\n}\n",
        ),
        "shift": (
            "statement",
            "for (i, 0, (1 << 99999999999)) {\n  if ((i < 3)) {\n    vadd(1)\n  }\n}\n",
        ),
        "lists": ("schedule", "[" * DEEP),
        "maps": ("schedule", "{a: " * DEEP),
        "children": ("schedule", "".join(f"{' ' * i}child:\n" for i in range(2_000))),
        "alias": ("schedule", "&a\nchild: *a\n"),
        "laughs": (
            "schedule",
            "a0: &a0 [x, x]\n"
            + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 40)),
        ),
        "list as key": ("schedule", "? [a, b]\n: c\n"),
        "C loops": (
            "cce",
            f"{_CODE}{'for (int i = 0; i < 4; ++i) {' * 1}\n" * 1
            + "for (int i = 0; i < 4; ++i) {\n" * DEEP
            + "}\n" * (DEEP + 2),
        ),
        "C expression": ("cce", f"{_CODE}  x({'(' * DEEP}1{')' * DEEP});\n}}\n"),
        "C digits": ("cce", f"{_CODE}  for (int i = 0; i < {'9' * 9_000}; ++i) {{\n  }}\n}}\n"),
        "repeats": (
            "cce",
            f"{_CODE}  __ubuf__ half* b = (__ubuf__ half*)(0);\n"
            f"  vadd(((__ubuf__ half *)b + 0), ((__ubuf__ half *)b + 0), ((__ubuf__ half *)b + 0), "
            f"{'9' * 30}, 1, 1, 1, 8, 8, 8);\n}}\n",
        ),
        "regions": ("mlir", "func.func @f() {\n" + "scf.if %a {\n" * DEEP + "}\n" * (DEEP + 1)),
        "attributes": (
            "mlir",
            f"func.func @f() attributes {{a = {'[' * DEEP}{']' * DEEP}}} {{\n}}\n",
        ),
        "affine": (
            "mlir",
            f"%0 = affine.apply affine_map<()[s0] -> ({'(' * DEEP}s0{')' * DEEP})>()[%a]\n",
        ),
        "too long": ("statement", "0\n" * 200_000),
    }.values(),
)
def test_texts_that_nobody_wrote(language, text):
    looked_at(language, text)


def test_a_damaged_dump_is_studied_and_searched():
    files = dict(dumps()[1])
    for place, name in enumerate(sorted(n for n in files if n.endswith(".cc"))):
        kind = sorted(_DAMAGES)[place % len(_DAMAGES)]
        files[name] = Damage(kind, place)(files[name], files[name][::-1])
    with watched() as folder:
        opened = outcome(written(folder, files, packed=False))
        assert isinstance(opened, Opened)
        assert opened.trace.notes  # bytes that are no text were replaced, and that is said
        studied = study(opened.trace, opened.texts)
        assert len(studied.passes) == len(opened.trace.passes)
        search(opened.trace, opened.texts, Query("local_UB"))


# Zips and folders that somebody made on purpose


def zip_of(path: Path, *members: tuple[zipfile.ZipInfo | str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def special(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o777) << 16
    return info


def raw_zip(path: Path, name: bytes, data: bytes = b"", **fields: int) -> Path:
    """One member as the bytes say it, whether or not that can be."""
    method, size, flags = (
        fields.get("method", 0),
        fields.get("size", len(data)),
        fields.get("flags", 0),
    )
    crc, copies = fields.get("crc", zlib.crc32(data)), fields.get("copies", 1)
    head = (20, flags, method, 0, 0x21, crc, len(data), size, len(name), 0)
    local = struct.pack("<4s5H3I2H", b"PK\3\4", *head) + name + data
    central = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, *head, 0, 0, 0, 0, 0) + name
    listed = central * copies
    end = struct.pack(
        "<4s4H2IH", b"PK\5\6", 0, 0, copies % 65536, copies % 65536, len(listed), len(local), 0
    )
    path.write_bytes(local + listed + end)
    return path


@cache
def zeros(size: int) -> bytes:
    """Deflated zeros, quickly: the same piece again and again, each whole by itself."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = squeezer.compress(bytes(1 << 26)) + squeezer.flush(zlib.Z_FULL_FLUSH)
    return piece * (size >> 26) + squeezer.flush()


ZIPS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "absolute path": (lambda p: zip_of(p, ("/etc/00_A.cc", b"x")), "outside its own folder"),
    "parent": (lambda p: zip_of(p, ("a_0/../../00_A.cc", b"x")), "outside its own folder"),
    "drive": (lambda p: zip_of(p, ("C:\\a_0\\00_A.cc", b"x")), "outside its own folder"),
    "link": (lambda p: zip_of(p, (special("a_0/00_A.cc", stat.S_IFLNK), b"/etc/passwd")), "a link"),
    "device": (lambda p: zip_of(p, (special("a_0/00_A.cc", stat.S_IFBLK), b"")), "a device"),
    "encrypted": (lambda p: raw_zip(p, b"a_0/00_A.cc", b"x" * 20, flags=1), "encrypted"),
    "odd method": (lambda p: raw_zip(p, b"a_0/00_A.cc", b"x", method=97), "other than deflate"),
    "wrong CRC": (lambda p: raw_zip(p, b"a_0/00_A.cc", b"x", crc=1), "damaged"),
    "a zip in a zip": (
        lambda p: zip_of(p, ("in.zip", (DUMPS / "jobs" / "flattened.zip").read_bytes())),
        "holds no dump",
    ),
    "no member": (lambda p: zip_of(p), "is empty"),
    "folders only": (lambda p: zip_of(p, ("a_0/", b""), ("a_0/poly/", b"")), "is empty"),
    "name that is no UTF-8": (lambda p: raw_zip(p, b"\xff\xfe_0/00_A.cc", b"x", flags=0x800), ""),
    "name in another code": (lambda p: raw_zip(p, b"\x8e\xb0_0/00_A.cc", b"x = 1"), ""),
    "NUL in a name": (lambda p: raw_zip(p, b"a_0/00_A.cc\0../x", b"x"), ""),
    "line end in a name": (lambda p: raw_zip(p, b"a_0/00_A\n.cc", b"x"), ""),
    "no name": (lambda p: raw_zip(p, b"", b"x"), ""),
    "inflates to nothing": (
        lambda p: raw_zip(p, b"a_0/00_A.cc", b"\xff" * 9, method=8, size=9), "damaged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ZIPS)
def test_zips_made_on_purpose(name):
    make, words = ZIPS[name]
    with watched() as folder:
        said = outcome(make(folder / "dump.zip"))
    TRIED["zips made on purpose"] += 1
    if words:
        assert isinstance(said, str), "it must be refused"
        assert words in said


def test_of_two_members_of_one_name_one_is_read():
    with watched() as folder:
        path = folder / "dump.zip"
        with pytest.warns(UserWarning, match="Duplicate name"):
            zip_of(path, ("a_0/00_A.cc", b"first = 1"), ("a_0/00_A.cc", b"second = 2"))
        opened = outcome(path)
        assert isinstance(opened, Opened)
        assert len(opened.trace.passes) == 1


def test_folders_made_on_purpose():
    with watched() as folder:
        inside = folder / "dump"
        (inside / "a_0").mkdir(parents=True)
        (inside / "a_0" / "00_A.cc").write_text("x(0) = 1\n")
        (inside / "round").symlink_to(inside)
        (inside / "a_0" / "01_B.cc").symlink_to("/etc/passwd")
        os.mkfifo(inside / "a_0" / "02_C.cc")
        os.mkdir(os.fsencode(inside) + b"/\xff\xfe_0")  # noqa: PTH102 - a name that is no text
        Path(os.fsdecode(os.fsencode(inside) + b"/\xff\xfe_0/00_\xe9.cc")).write_text("y(0) = 1\n")
        opened = outcome(inside)
        assert isinstance(opened, Opened)
        names = {file for note in opened.trace.notes for file in note.split()}
        assert [step.name for step in opened.trace.passes] in (["A"], ["\ufffd"])
        assert any("\ufffd" in name for name in names) or opened.trace.kernel.isprintable()


# The worst, each in bounded time and memory

_HEAD = b"// -----// IR Dump After CSE (cse) //----- //\n"
_AKG_ERROR = b"[ERROR] AKG:2026-11-30-15:49:46.976.434 [a.cc:1] [pass] Check failed: x\n"
LONG = 50 << 20  # bytes of one line
SHORT_OF_LIMIT = 31 << 20


def _tree(path: Path, files: Files) -> Path:
    return written(path, files, packed=False)


WORST: dict[str, Callable[[Path], Path]] = {
    "a log of one line": lambda p: _file(p / "x.log", b"x" * LONG),
    "a dump of one line": lambda p: _file(p / "x.log", _HEAD + b"module {\n" + b"x" * LONG),
    "a pass of one line": lambda p: _tree(p, {"a_0/00_A.cc": b"a(0) = " + b"b(0)+" * (LONG // 5)}),
    "a pass of 6 MB": lambda p: _tree(p, {"a_0/00_A.cc": b"a(0) = " + b"b(0)+" * 1_200_000}),
    "a schedule of one line": lambda p: _tree(
        p,
        {
            "a_0/00_A.cc": b"x(0) = 1\n",
            "a_0/poly/07_AnalyzeSchedule.cc": b'domain: "{ S[i] : ' + b"0 <= i and " * 500_000
            + b'0 <= i }"\nchild:\n  schedule: "[{ S[i] -> [(i)] }]"\n',
            "a_0/poly/scop.log": b"dim_infos " + b"1 " * (SHORT_OF_LIMIT // 2 - 9),
            "a_0/poly/tiling.log": b"[ " * (SHORT_OF_LIMIT // 2),
        },
    ),
    "code of many lines": lambda p: _tree(
        p,
        {
            "a_0/00_A.cc": b"x(0) = 1\n",
            "akg_kernel_meta/a.cce": _CODE.encode() + b"  x(1);\n" * 149_000 + b"}\n",
        },
    ),
    "words without end": lambda p: _tree(
        p, {**dumps()[0], "printed.log": _AKG_ERROR + b"a\n" * (SHORT_OF_LIMIT // 2 - 99)}
    ),
    "addresses only": lambda p: zip_of(
        p / "dump.zip",
        *((f"a_0/0{n}_A.cc", b"0x%d " % n * 2_000_000) for n in range(3)),
    ),
    "bytes that are no text": lambda p: _tree(p, {"a_0/00_A.cc": b"\xe9" * SHORT_OF_LIMIT}),
    "a bomb": lambda p: raw_zip(
        p / "dump.zip", b"a_0/00_A.cc", zeros(10 << 30), method=8, size=0xFFFFFFFE
    ),
    "a bomb that lies": lambda p: raw_zip(
        p / "dump.zip", b"a_0/00_A.cc", zeros(10 << 30), method=8, size=1 << 20
    ),
    "a packed bomb": lambda p: _file(
        p / "x.log.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\3" + zeros(10 << 30)
    ),
    "a million entries": lambda p: raw_zip(
        p / "dump.zip", b"a_0/00_A.cc", b"x", copies=1_000_000
    ),
    "100,000 entries": lambda p: raw_zip(p / "dump.zip", b"a", b"x", copies=100_000),
    "many dumps": lambda p: _file(p / "x.log", (_HEAD + b"module {\n}\n\n") * 200_000),
    "words between dumps": lambda p: _file(
        p / "x.log", (_HEAD + b"module {\n}\nx:1:1: error: bad\n\n" + b"n" * 3_000) * 10_000
    ),
    "torn headers": lambda p: _file(
        p / "x.log", (b"// -----// IR Dump After " + b"A" * 900 + b"\n") * 30_000
    ),
    "brackets as JSON": lambda p: _tree(p, {"job.json": b"[" * SHORT_OF_LIMIT}),
    "a trace of brackets": lambda p: _tree(
        p, {"trace.json": b'{"format":1,"trace":' + b"[1," * (SHORT_OF_LIMIT // 4)}
    ),
    "noise": lambda p: _file(p / "x.log", random.Random(1).randbytes(1 << 20) * 40),
}  # fmt: skip

_CHILD = """
import json, resource, sys, time
from pathlib import Path
from core.library import Library
from core.readers import ReadError, open_trace

home, *paths = map(Path, sys.argv[1:])
library = Library(home)
held = open("/proc/self/statm").read().split()[0]
most = int(held) * resource.getpagesize() + (1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for path in paths:
    open("/proc/self/clear_refs", "w").write("5")  # begins the peak anew
    before = [l for l in open("/proc/self/status") if l.startswith("VmRSS")][0].split()[1]
    began = time.process_time()
    try:
        opened = open_trace(path)
        library.add(opened.trace, opened.texts, opened.kernel)
        said = f"trace of {len(opened.trace.passes)} passes"
    except ReadError as error:
        said = str(error)
    except BaseException as error:
        said = f"raised {type(error).__name__}: {error}"
    taken = time.process_time() - began
    peak = [l for l in open("/proc/self/status") if l.startswith("VmHWM")][0].split()[1]
    print(json.dumps([taken, (int(peak) - int(before)) * 1024, said]), flush=True)
"""


def _file(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.slow
def test_the_worst_files_take_bounded_time_and_memory(tmp_path, capsys):
    """Under 5 seconds of the processor and 300 MB each, in a process that has 1 GB to spare."""
    paths = {}
    for number, (name, make) in enumerate(WORST.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        paths[name] = make(folder)
    home = tmp_path / "home"
    command = [sys.executable, "-c", _CHILD, str(home), *map(str, paths.values())]
    child = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, child.stderr[-2000:]
    results = [json.loads(line) for line in child.stdout.splitlines()]
    assert len(results) == len(paths)
    with capsys.disabled():
        print("\nworst files: seconds of the processor, memory beyond that before")
        for name, (seconds, held, said) in zip(paths, results, strict=True):
            print(f"  {name:24} {seconds:4.1f} s {held >> 20:4} MiB  {said[:70]}")
    for name, (seconds, held, said) in zip(paths, results, strict=True):
        TRIED["worst files"] += 1
        assert not said.startswith("raised "), (name, said)
        assert said.startswith("trace of ") or sentence(ValueError(said)), name
        assert seconds < 5, name
        assert held < 300 << 20, name


# Files that are no dumps


@pytest.mark.parametrize("name", ["softmax_fp16.json", "hfusion_matmul.mlir", "triton_add.py"])
def test_a_kernel_is_told_from_a_dump(name, tmp_path, capsys):
    for path in (KERNELS / name, tmp_path / "kernel.txt"):
        if not path.exists():
            path.write_bytes((KERNELS / "softmax_fp16.json").read_bytes())
        assert cli.main(["read", str(path)]) == cli.BAD_INPUT
        said = capsys.readouterr().err.strip()
        assert said == (
            f"{path.name} is a kernel, not what a compiler made of one; compile it first: "
            f"python -m core compile {path.name}."
        )
