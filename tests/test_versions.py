"""Several versions of the compilers: installed side by side, asked for, read, held together."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.versions import Tried, Versions, age, compare_versions
from core.cli import main
from core.compilers import Limits, ToolMissing
from core.compilers.akg import Akg
from core.compilers.akg.catalogue import CATALOGUE, catalogue, notes
from core.compilers.ascendnpu_ir import AscendNpuIr, command
from core.compilers.ascendnpu_ir.recipes import RECIPES, environment
from core.compilers.ascendnpu_ir.releases import RELEASES
from core.compilers.registry import (
    COMPILERS,
    UnknownCompiler,
    compiler,
    installed_versions,
    recipe,
    recipes,
    versions,
)
from core.compilers.registry import RECIPES as TOOLCHAINS
from core.compilers.toolchain import _unpack
from core.hints import HintError, Hints
from core.jobs.claims import compact
from core.kernel import load_kernel, parse_kernel
from core.library import Library
from core.readers import Opened, open_trace
from core.readers.akg_order import OLDER, TABLES, pass_names, recorded_order, successors
from core.trace import Trace
from pages import _rooms as rooms
from tests.conftest import KERNELS, PROJECT

DUMPS = Path(__file__).resolve().parent / "dumps" / "versions"
ALL = [(each.name, each.version) for each in recipes() if each.name in COMPILERS]


@cache
def recorded(name: str, version: str) -> Opened:
    return open_trace(DUMPS / f"{name}@{version}.zip")


def tried(name: str, *known: str) -> list[Tried]:
    return [Tried(version, recorded(name, version).trace) for version in known]


@pytest.fixture
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    return tmp_path


def pretend(version: str, name: str) -> None:
    """Have a version look installed, with the chips of a real one."""
    folder = recipe(name, version).folder
    folder.mkdir(parents=True)
    real = json.loads((PROJECT / "data" / "targets" / "Ascend910.json").read_text())
    (folder / "toolchain.json").write_text(json.dumps({"targets": [real]}))


# Known by name and version


def test_what_nobody_asks_a_version_of_stays_as_it_was() -> None:
    usual = {"akg": "1.10.0", "ascendnpu-ir": "1.2.0"}
    assert {name: COMPILERS[name].version for name in usual} == usual
    assert {name: each.version for name, each in TOOLCHAINS.items() if name in usual} == usual
    assert compiler("akg") is COMPILERS["akg"]
    assert recipe("ascendnpu-ir").key == "ascendnpu-ir"
    assert recipe("akg").command.endswith("toolchain install akg")


def test_versions_are_known_newest_first() -> None:
    assert versions("akg") == ("1.10.0", "1.9.0", "1.6.2")
    assert versions("ascendnpu-ir") == ("1.2.0", "1.1.0", "1.0.0")
    assert versions("gcc") == ()
    for name, version in ALL:
        each = compiler(name, version)
        assert (each.name, each.version) == (name, version)
        assert recipe(f"{name}@{version}") is recipe(name, version)
        assert recipe(name, version).folder.name == f"{name}-{version}"


@pytest.mark.parametrize(("name", "version"), [("akg", "1.6"), ("gcc", "")])
def test_an_unknown_version_is_told_with_those_there_are(name: str, version: str) -> None:
    with pytest.raises(UnknownCompiler, match=r"1\.6\.2|akg, ascendnpu-ir"):
        compiler(name, version)
    with pytest.raises(UnknownCompiler):
        recipe(name, version)


def test_every_version_is_pinned_for_both_machines() -> None:
    hashes = [wheel.sha256 for each in recipes() for p in each.packages for wheel in p.wheels]
    assert len(hashes) == len(set(hashes)) > 16
    assert all(len(each) == 64 for each in hashes)
    for name, version in ALL:
        for package in recipe(name, version).packages:
            assert package.version == version
            assert {wheel.machine for wheel in package.wheels} == {"x86_64", "aarch64"}


def test_versions_are_installed_side_by_side(fresh_home: Path) -> None:
    assert installed_versions("akg") == ()
    pretend("1.6.2", "akg")
    pretend("1.10.0", "akg")
    assert installed_versions("akg") == ("1.10.0", "1.6.2")
    assert compiler("akg", "1.6.2").target().cores == 32
    with pytest.raises(ToolMissing, match=r"akg 1\.9\.0 .*toolchain install akg@1\.9\.0$"):
        compiler("akg", "1.9.0").session()
    with pytest.raises(ToolMissing, match=r"toolchain install ascendnpu-ir@1\.0\.0$"):
        compiler("ascendnpu-ir", "1.0.0").session()


def test_what_a_version_lacks_is_what_install_takes(fresh_home: Path) -> None:
    chain = load_kernel(KERNELS / "elementwise_chain.json")
    assert compiler("akg", "1.9.0").lacks(chain) == "akg@1.9.0"
    assert compiler("akg").lacks(chain) == "akg"


# What differs between them is data


def test_names_that_an_older_akg_does_not_know_are_said_to_do_nothing() -> None:
    assert catalogue("1.9.0") == CATALOGUE == catalogue()
    differing = {a.name for a, b in zip(catalogue("1.6.2"), CATALOGUE, strict=True) if a != b}
    assert "SYMBOLIC_TILING" in differing
    assert len(differing) == 8
    asked = Hints(attributes={"enable_polytops": "always", "enable_multicore": 8})
    assert notes(asked) == {}
    assert notes(asked, version="1.6.2").keys() == {"enable_polytops"}
    constrained = Hints(attributes={"custom_tiling": "MAX 0.0 8"})
    assert "SYMBOLIC_TILING" in notes(constrained)["custom_tiling"]
    assert notes(constrained, version="1.6.2") == {}  # it has the classic search alone


def test_flags_that_an_older_compiler_does_not_know_are_refused() -> None:
    vadd = load_kernel(KERNELS / "hivm_vadd.mlir")
    asked = Hints(attributes={"enable-ubuf-saving": True})
    AscendNpuIr("1.1.0").check(asked, vadd)
    with pytest.raises(HintError, match=r"1\.0\.0 has no flag enable-ubuf-saving.*1\.2\.0, 1\.1"):
        AscendNpuIr("1.0.0").check(asked, vadd)
    names = {version: {s.name for s in AscendNpuIr(version).catalogue} for version in RELEASES}
    assert names["1.0.0"] < names["1.1.0"] < names["1.2.0"]
    text = vadd.source.replace(
        "// parameters: ", "// parameters: enable-preload = true\n// parameters: "
    )
    declared = parse_kernel(text, "vadd.mlir")
    assert "enable-preload" in {each.name for each in declared.parameters}
    command.plan(declared, Hints(), "Ascend910B1", Path("/b"), full=True)
    with pytest.raises(HintError, match=r"declares the flag enable-preload.*1\.1\.0 has not"):
        older = RELEASES["1.1.0"]
        command.plan(declared, Hints(), "Ascend910B1", Path("/b"), full=True, release=older)


def test_a_compiler_that_prints_no_passes_has_them_printed() -> None:
    vadd = load_kernel(KERNELS / "hivm_vadd.mlir")
    hints = Hints(attributes={"enable-auto-multi-buffer": True, "TILE": 1024})
    plans = {
        version: command.plan(vadd, hints, "Ascend910B1", Path("/b"), full=True, release=release)
        for version, release in RELEASES.items()
    }
    oldest = plans["1.0.0"]
    assert oldest.printer is not None
    assert oldest.printer["program"] == "/b/bishengir-opt"
    inner = next(a for a in oldest.printer["arguments"] if a.startswith("--bishengir-compile="))
    assert "target=Ascend910B1" in inner and "enable-auto-multi-buffer=true" in inner
    assert not any("print-ir" in a or "save-temps" in a for a in oldest.arguments)
    assert plans["1.1.0"].printer is None
    assert any("print-ir" in a for a in plans["1.1.0"].arguments)
    assert not any("save-temps" in a for a in plans["1.1.0"].arguments)
    assert any("save-temps" in a for a in plans["1.2.0"].arguments)
    a5 = command.plan(
        vadd, hints, "Ascend950PR_9579", Path("/b"), full=False, release=RELEASES["1.0.0"]
    )
    assert a5.program == "/b/bishengir-compile"  # 1.0.0 has no second build


def test_the_module_is_kept_on_its_way_to_the_last_tool(tmp_path: Path) -> None:
    """1.1.0 and 1.0.0 have no --save-temps; what stands before hivmc keeps its input, runs it."""
    for name, script in RECIPES["1.1.0"].stand_ins.items():
        file = tmp_path / "toolchain" / "stand-in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(script)
        file.chmod(0o755)
    assert "keep/hivmc" not in RECIPES["1.2.0"].stand_ins
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "given.mlir").write_text("module {}\n")
    clean = environment(tmp_path / "toolchain")
    said = subprocess.run(
        ["hivmc", "--version"], cwd=work, env=clean, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("hivmc ")
    assert not list(work.iterdir())
    asked = ["hivmc", str(tmp_path / "given.mlir"), "-o", str(work / "kernel.o")]
    subprocess.run(asked, cwd=work, env=clean, check=True)
    assert (work / "module.hivm.opt.mlir").read_text() == "module {}\n"
    assert (work / "kernel.o").exists()


def test_wheels_that_hold_their_package_as_data_are_unpacked_alike(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        wheel.writestr("x-1.0.data/purelib/x/bin/tool", "program")
        wheel.writestr("x-1.0.data/purelib/x/other", "not wanted")
        wheel.writestr("x/beside", "wanted")
    _unpack(tmp_path / "a.whl", ("x/bin/tool", "x/beside"), tmp_path / "made")
    made = tmp_path / "made"
    files = {str(file.relative_to(made)) for file in made.rglob("*") if file.is_file()}
    assert files == {"x/bin/tool", "x/beside"}


def test_names_that_python_took_away_are_given_back_in_the_child_alone() -> None:
    code = (
        "import collections, sys; from core.compilers.akg.child import restore_names;"
        "restore_names(); print(issubclass(list, collections.Iterable))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "True"
    import collections

    assert not hasattr(collections, "Iterable")


def test_the_order_of_passes_is_that_of_the_version() -> None:
    assert {f"akg-{version}.txt" for version in ("1.10.0", *OLDER)} == {
        file.name for file in TABLES.iterdir()
    }
    assert recorded_order("1.9.0") is not recorded_order("1.6.2")
    assert recorded_order("1.9.0") == recorded_order("1.10.0") != recorded_order("1.6.2")
    trace = recorded("transpose", "1.6.2").trace
    names = [step.name for step in trace.passes if step.stage == "poly"]
    at = names.index("ReorderInvariantSetSchedule")
    before = names[:at]
    assert names[at] in successors("poly", before, attributes=False, version="1.6.2")
    assert names[at] not in successors("poly", before, attributes=False, version="1.10.0")
    assert names[at] in successors("poly", before, attributes=False)  # nobody knows of which
    assert {"AutoDoubleBuffer", "BroadcastForSSA"} <= pass_names()


# Read without a compiler


@pytest.mark.parametrize(
    ("name", "version", "status", "passes", "changed", "cores", "memory", "failed"),
    [
        ("transpose", "1.10.0", "ok_to_last_step", 139, 35, 1, {"UB": 32800}, None),
        ("transpose", "1.9.0", "ok_to_last_step", 139, 35, 1, {"UB": 32800}, None),
        ("transpose", "1.6.2", "ok_to_last_step", 140, 38, 16, {"UB": 21504}, None),
        ("unshifted", "1.9.0", "failed", 49, 8, None, {}, "TileOuterBand"),
        ("converted", "1.6.2", "failed", 102, 23, None, {}, "MultiLastAxisReductions"),
        ("overflow", "1.2.0", "failed", 8, 7, None, {"UB": 196672}, "PlanMemory"),
        ("overflow", "1.1.0", "failed", 40, 35, None, {"UB": 196672}, "PlanMemory"),
        ("overflow", "1.0.0", "failed", 45, 40, None, {"UB": 196672}, "PlanMemory"),
        ("outlined", "1.1.0", "crashed", 37, 36, 8, {}, "HIVMRecognizeDeinterleaveOp"),
        ("outlined", "1.0.0", "failed", 110, 105, 24, {}, "InsertInferTaskTypeFunc"),
        ("normed", "1.0.0", "ok_to_last_step", 44, 43, 24, {"UB": 61568}, None),
        (
            "retried",
            "1.2.0",
            "ok_to_last_step",
            116,
            108,
            None,
            {"L1": 393216, "L0C": 131072},
            None,
        ),
    ],
)
def test_compiles_of_every_version_are_read(
    name: str,
    version: str,
    status: str,
    passes: int,
    changed: int,
    cores: int | None,
    memory: Mapping[str, int],
    failed: str | None,
) -> None:
    opened = recorded(name, version)
    trace = opened.trace
    assert trace.compiler.version == version
    assert trace.status == status
    assert {plan.memory: plan.peak_bytes for plan in trace.memory} == memory
    assert trace.block_dim == cores
    assert (trace.failure.pass_name if trace.failure else None) == failed
    assert (len(trace.passes), len([p for p in trace.passes if p.changed])) == (passes, changed)
    assert opened.kernel is not None
    assert all(opened.texts.get(step.text) for step in trace.passes if step.text)


def test_an_older_compiler_tries_five_times_without_a_word() -> None:
    for version in ("1.0.0", "1.1.0"):
        trace = recorded("overflow", version).trace
        assert max(step.attempt for step in trace.passes) == 5
        assert any("5 times by itself" in note for note in trace.notes)
    assert max(step.attempt for step in recorded("overflow", "1.2.0").trace.passes) == 1


# Held together


def test_a_kernel_that_an_old_version_did_better() -> None:
    table = compare_versions(tried("transpose", "1.10.0", "1.6.2", "1.9.0"), "1.10.0")
    assert [row.version for row in table.rows] == ["1.6.2", "1.9.0", "1.10.0"]
    oldest, middle, newest = table.rows
    assert (oldest.cores, oldest.instructions, oldest.tiling) == (16, 713, "0=4 1=512")
    assert (newest.cores, newest.instructions, newest.tiling) == (1, 262_671, "0=1 1=512")
    assert oldest.added == ("ReorderInvariantSetSchedule", "AutoDoubleBuffer")
    assert oldest.removed == ("BroadcastForSSA", "AddTensorAttrs")
    assert (middle.added, middle.removed) == ((), ())
    assert (oldest.same_code, middle.same_code, newest.same_code) == (False, True, None)
    assert (table.fixed_in, table.broken_in) == ((), ())
    assert table.said == (
        "Compiles in every version that was tried.",
        "What differs where it compiles: tiles, memory, cores and the number of instructions.",
        "One core executes 262,671 instructions in 1.9.0, 713 in 1.6.2.",
    )


def test_broken_since_and_fixed_in() -> None:
    broken = compare_versions(tried("unshifted", "1.6.2", "1.9.0"), "1.9.0")
    assert broken.said[0] == "Broken since 1.9.0: 1.6.2 compiles it."
    assert (broken.broken_in, broken.fixed_in) == (("1.9.0",), ())
    # What 1.9.0 did not get to is nothing that it left out.
    assert broken.rows[0].added == ("ReorderInvariantSetSchedule",)
    fixed = compare_versions(tried("retried", "1.0.0", "1.1.0", "1.2.0"), "1.2.0")
    assert fixed.said == (
        "Fixed in 1.2.0.",
        "It fails in the same way in 1.0.0 and 1.1.0.",
    )
    assert fixed.fixed_in == ("1.2.0",)
    everywhere = compare_versions(tried("overflow", *RELEASES), "1.2.0")
    assert everywhere.said[0] == "Fails in every version that was tried."
    otherwise = compare_versions(tried("outlined", "1.0.0", "1.1.0"), "1.1.0")
    assert otherwise.said[1] == "It fails otherwise in 1.0.0 than in 1.1.0."


def test_a_version_that_broke_and_the_one_that_mended_it() -> None:
    good, bad = recorded("unshifted", "1.6.2").trace, recorded("unshifted", "1.9.0").trace
    table = compare_versions([Tried("1.6.2", good), Tried("1.9.0", bad), Tried("2.0", good)], "2.0")
    assert table.said[0] == "Broken in 1.9.0, fixed in 2.0: 1.6.2 compiles it."
    assert not any(said.startswith("Fixed") for said in table.said)


def test_a_kernel_that_is_not_for_a_version_breaks_nothing() -> None:
    good, bad = recorded("unshifted", "1.6.2").trace, recorded("unshifted", "1.9.0").trace
    assert bad.failure is not None
    foreign = replace(bad, failure=replace(bad.failure, kind="tool"))
    table = compare_versions(
        [Tried("1.6.2", foreign), Tried("1.9.0", good), Tried("1.10.0", None, "not installed")],
        "1.9.0",
    )
    assert table.fixed_in == table.broken_in == ()
    assert table.said == ("1.6.2 does not take the kernel as it is.",)
    last = table.row("1.10.0")
    assert last is not None and (last.status, last.failure) == (None, "not installed")


def test_compact_traces_give_the_same_but_for_the_passes() -> None:
    def table(change: Callable[[Trace], Trace]) -> Versions:
        found = ((version, recorded("transpose", version).trace) for version in ("1.6.2", "1.10.0"))
        return compare_versions([Tried(version, change(t)) for version, t in found], "1.10.0")

    whole, small = table(lambda trace: trace), table(compact)
    assert small.said == whole.said
    assert [row.instructions for row in small.rows] == [row.instructions for row in whole.rows]
    assert whole.rows[0].added and not small.rows[0].added
    assert small.rows[0].passes is None


def test_versions_are_put_in_order_by_their_numbers() -> None:
    assert sorted(["1.10.0", "1.9.0", "1.6.2"], key=age) == ["1.6.2", "1.9.0", "1.10.0"]


# At the command line


def test_the_list_has_every_version(fresh_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pretend("1.9.0", "akg")
    assert main(["toolchain", "list", "--json"]) == 0
    rows = {(r["name"], r["version"]): r for r in json.loads(capsys.readouterr().out)}
    assert set(ALL) < set(rows)
    assert [key for key, row in rows.items() if row["installed"]] == [("akg", "1.9.0")]
    assert main(["toolchain", "list"]) == 0
    assert "to have it: toolchain install akg@1.6.2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["toolchain", "install", "akg@2"], 2, "1.10.0, 1.9.0, 1.6.2"),
        (["compile", "KERNEL", "--version", "7"], 2, "--version 7: akg 7 is none of"),
        (["compile", "KERNEL", "--version", "1.9.0"], 3, "toolchain install akg@1.9.0"),
        (["sweep", "KERNEL", "--tile", "0=8", "--version", "1.6.2"], 3, "install akg@1.6.2"),
        (["versions", "KERNEL"], 3, "toolchain install akg"),
    ],
)
def test_a_version_that_is_not_there_is_one_sentence(
    fresh_home: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    said: str,
) -> None:
    kernel = str(KERNELS / "elementwise_chain.json")
    assert main([kernel if word == "KERNEL" else word for word in arguments]) == code
    assert said in capsys.readouterr().err


# On the page


@pytest.fixture
def page(fresh_home: Path, home: Path) -> Iterator[Library]:
    """A library with the recorded transposes, and the usual compilers alone."""
    for each in TOOLCHAINS.values():
        folder = each.folder
        real = home / "toolchains" / folder.name
        if real.exists():
            folder.parent.mkdir(exist_ok=True)
            folder.symlink_to(real.resolve())
    yield rooms.library()
    rooms.forget(fresh_home)


def _rerun(id: str) -> AppTest:
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=20)
    app.query_params["trace"] = id
    app.switch_page("rerun.py")
    return app.run()


def _words(app: AppTest) -> str:
    said = [*app.markdown, *app.caption, *app.warning, *app.error]
    texts = [*(str(e.value) for e in said), *(str(e.value) for e in app.code)]
    return "\n".join([*texts, *(str(e.proto.body) for e in app.get("html"))])


def test_a_re_run_takes_a_version(akg: Akg, page: Library) -> None:
    opened = recorded("transpose", "1.10.0")
    id = page.add(opened.trace, opened.texts, opened.kernel)
    app = _rerun(id)
    assert not app.exception
    version = app.selectbox(key=f"rerun:{id}:version")
    assert version.options == [
        "1.10.0, of this trace",
        "1.9.0, not installed",
        "1.6.2, not installed",
    ]
    assert not app.button(key="rerun:run").disabled
    assert "toolchain install akg@1.9.0" in _words(app)
    assert app.button(key="versions:run").disabled
    version.select("1.6.2").run()
    assert not app.exception
    assert app.button(key="rerun:run").disabled
    assert "akg@1.6.2 is not installed; run this once" in _words(app)


def test_other_versions_stand_beside_a_trace(akg: Akg, page: Library) -> None:
    opened = recorded("transpose", "1.9.0")
    id = page.add(opened.trace, opened.texts, opened.kernel)
    app = _rerun(id)
    assert not app.exception
    words = _words(app)
    assert "1.9.0, of this trace" in words
    assert "1.6.2" in words and "not installed" in words
    # 1.9.0 is not here to run it again, so the usual version is offered.
    assert app.selectbox(key=f"rerun:{id}:version").value == "1.10.0"
    assert not app.button(key="versions:run").disabled
    app.button(key="versions:run").click().run()
    (job,) = rooms.queue().jobs(active=True)
    assert (job.compiler, job.version, job.parent) == ("akg", "1.10.0", id)
    assert "waits" in _words(app)


# The real ones, where they are installed


@pytest.fixture(scope="module", params=ALL, ids=lambda each: "-".join(each))
def installed(request: pytest.FixtureRequest, home: Path) -> tuple[str, str]:
    name, version = request.param
    if not compiler(name, version).installed():
        pytest.skip(f"not installed; run: {recipe(name, version).command}")
    return name, version


def test_an_installed_version_compiles(installed: tuple[str, str], tmp_path: Path) -> None:
    name, version = installed
    akg = name == "akg"
    file = "transpose.json" if akg else "hfusion_rms_norm.mlir"
    session = compiler(name, version).session()
    folder = tmp_path / "job"
    folder.mkdir()
    try:
        session.start(folder, load_kernel(KERNELS / file), Hints(), Limits()).wait()
    finally:
        session.close()
    opened = open_trace(folder)
    trace = opened.trace
    assert trace.status.compiles, trace.failure
    assert trace.compiler.version == version
    assert len(trace.passes) > 40
    if akg:  # to the letter what was recorded
        assert trace.code == recorded("transpose", version).trace.code
    else:
        assert {p.memory: p.peak_bytes for p in trace.memory} == {
            "UB": 61568 if version == "1.0.0" else 76736
        }
