"""The second compiler: its chips, its catalogue of flags, and what a session leaves behind."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

import pytest

from core.compilers import Limits, Session, SessionLost, ToolMissing, warm_server
from core.compilers.ascendnpu_ir import RECIPE, AscendNpuIr, command
from core.compilers.ascendnpu_ir.catalogue import (
    FLAGS,
    TARGET,
    catalogue,
    check_hints,
    parse_attribute,
)
from core.compilers.ascendnpu_ir.flags import KINDS, ROWS
from core.compilers.registry import COMPILERS, compiler_for
from core.hints import HintError, Hints, HintValue, parse_dim
from core.kernel import load_kernel, parse_kernel
from core.trace import Status
from tests.conftest import KERNELS, PROJECT
from tests.ran import SPACES, Ran, run, run_all
from tests.test_mlir_kernels import kernel_of
from tests.test_warm import alive, children_of

FACTS = PROJECT.parent / "shared" / "facts" / "data"
CHIPS = ("Ascend910B1", "Ascend950PR_9579")


@pytest.fixture(scope="module")
def session(ascendnpu_ir: AscendNpuIr) -> Iterator[Session]:
    session = ascendnpu_ir.session()
    yield session
    session.close()


@pytest.fixture(scope="module")
def vadd():
    return load_kernel(KERNELS / "hivm_vadd.mlir")


def facts(name: str) -> list[dict[str, str]]:
    if not (FACTS / name).is_file():
        pytest.skip(f"no measured facts at {FACTS}")
    with (FACTS / name).open(newline="") as file:
        return list(csv.DictReader(file))


# Chips


def test_every_chip_has_the_capacities_that_were_measured(ascendnpu_ir):
    rows = facts("ascendnpu_ir_targets.csv")
    # A chip that both builds list is served by the first.
    measured = {row["target"]: row for row in reversed(rows)}
    targets = {target.name: target for target in ascendnpu_ir.targets()}
    assert targets.keys() == measured.keys()
    for name, target in targets.items():
        row = measured[name]
        assert target.cores == int(row["AI_CORE_COUNT"])
        assert target.architecture == row["ARCH"].strip('"')
        assert target.tiling_share == 1.0
        for memory in target.memories:
            assert memory.capacity_bytes * 8 == int(row[f"{memory.name}_SIZE"])
            aligned = row.get(f"{memory.name}_ALIGN_SIZE") or "0"
            assert memory.alignment_bytes * 8 == int(aligned)


def test_the_first_chip_is_the_compilers_own_default(ascendnpu_ir):
    assert ascendnpu_ir.target().name == "Ascend910B1"
    assert ascendnpu_ir.target("Ascend950PR_9579").capacity_bytes("UB") == 253_952
    with pytest.raises(HintError, match="Ascend910X is no chip"):
        ascendnpu_ir.target("Ascend910X")


def test_every_chip_is_compiled_for(session, vadd, ascendnpu_ir):
    targets = ascendnpu_ir.targets()
    jobs = [(vadd, {TARGET: target.name}) for target in targets]
    for target, ran in zip(targets, run_all(session, jobs, full=False), strict=True):
        assert ran.ended.status is Status.OK_TO_LAST_STEP, target.name
        assert ran.job["target"]["name"] == target.name
        capacity = target.capacity_bytes("UB")
        assert f'"UB_SIZE", {8 * capacity} : i32' in ran.module
        assert 0 < ran.peaks["UB"] <= capacity


def test_every_kind_of_kernel_has_a_compiler_for_ascend():
    kinds = [kind for name, each in COMPILERS.items() for kind in each.kinds if name != "akg-host"]
    assert sorted(kinds) == ["composite", "mlir", "python", "triton"]
    assert compiler_for(load_kernel(KERNELS / "hivm_vadd.mlir")).name == "ascendnpu-ir"
    assert compiler_for(load_kernel(KERNELS / "maxpool.py")).name == "akg"


# The catalogue


def test_every_flag_is_there_once_and_says_what_it_does():
    rows = [row for group in ROWS.values() for row in group]
    assert len({row.name for row in rows}) == len(rows) >= 34
    for row in rows:
        assert row.does.endswith((".", ".)"))
        assert "\n" not in row.does
        assert set(row.nothing_for) <= set(KINDS)
        assert set(row.choices) == set() or row.default in row.choices


@pytest.mark.parametrize("spec", FLAGS.values(), ids=FLAGS.keys())
def test_every_flag_takes_its_default_and_what_it_would_try(spec, vadd):
    for value in (spec.default, *spec.tries):
        if value is not None:
            check_hints(Hints(attributes={spec.name: value}), vadd, CHIPS)
            assert parse_attribute(f"{spec.name}={value}", vadd, CHIPS) == (spec.name, value)


def test_every_flag_of_the_table_is_offered_or_refused(vadd):
    refused = set()
    for row in facts("ascendnpu_ir_hints.csv"):
        for name, value in flags_of(row["hint"]).items():
            try:
                parse_attribute(f"{name}={value}", vadd, CHIPS)
            except HintError:
                refused.add(name)
    assert refused == set()


def flags_of(hint: str) -> dict[str, str]:
    """ "--a=1 --b" as {"a": "1", "b": "true"}."""
    words = [word.lstrip("-").partition("=") for word in hint.split() if word.startswith("--")]
    return {name: value or "true" for name, _, value in words}


def test_the_chip_is_a_choice_of_those_that_are_listed():
    chip = next(spec for spec in catalogue(CHIPS) if spec.name == TARGET)
    assert (chip.kind, chip.choices, chip.default) == ("choice", CHIPS, CHIPS[0])
    assert TARGET not in {spec.name for spec in catalogue(())}


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"block-dim": 0}, "block-dim must be 1 or more, not 0"),
        ({"block-dim": "20"}, "block-dim must be a whole number, not '20'"),
        ({"block-dim": True}, "block-dim must be a whole number, not True"),
        ({"enable-code-motion": 2}, "enable-code-motion must be true or false, not 2"),
        ({"limit-auto-multi-buffer-buffer": "none"}, "must be no-limit or only-cube or only-v"),
        ({"cube-tiling-tuning": "128x128"}, "must be whole numbers set apart by commas"),
        ({"target": "Ascend910B9"}, "target must be Ascend910B1 or Ascend950PR_9579"),
        ({"TILE": "big"}, "TILE must be a whole number, not 'big'"),
        ({"TILE": 1.5}, "TILE must be a whole number or a text, not 1.5"),
        ({"TIEL": 4}, "no flag 'TIEL' and the kernel no such parameter; did you mean TILE"),
        ({"enable-multi-buffer": True}, "did you mean enable-auto-multi-buffer"),
        ({"save-temps": "x"}, "save-temps cannot be set here: every compile already has"),
        ({"mlir-print-ir-before-all": True}, "every compile prints what it needs"),
        (
            {"mlir-pass-pipeline-crash-reproducer": "x"},
            "cannot be set here: it crashes the compiler before the first pass",
        ),
        ({"disable-hivm-tensor-compile": True}, "it crashes the compiler"),
        ({"inject-ir-from-file": "/x"}, "it makes the compiler read a file"),
    ],
    ids=str,
)
def test_hints_that_cannot_be_passed_on_are_refused(attributes, says, vadd):
    with pytest.raises(HintError, match=says) as error:
        check_hints(Hints(attributes=attributes), vadd, CHIPS)
    assert "\n" not in str(error.value)


def test_tiles_of_axes_are_for_the_other_compiler(vadd):
    with pytest.raises(HintError, match="this kernel's tiles are its parameters: TILE"):
        check_hints(Hints(parse_dim("0 0 8 1")), vadd, CHIPS)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("TILE=4096", ("TILE", 4096)),
        ("--block-dim=20", ("block-dim", 20)),
        ("-enable-code-motion=false", ("enable-code-motion", False)),
        ("enable-ubuf-saving", ("enable-ubuf-saving", True)),
        ("enable-ubuf-saving=1", ("enable-ubuf-saving", True)),
        ("hfusion-max-buffer-count-tuning=-2", ("hfusion-max-buffer-count-tuning", -2)),
        ("cube-tiling-tuning=128,128,64", ("cube-tiling-tuning", "128,128,64")),
        (" target = Ascend950PR_9579 ", ("target", "Ascend950PR_9579")),
    ],
)
def test_an_attribute_on_the_command_line(text, attribute, vadd):
    name, value = parse_attribute(text, vadd, CHIPS)
    assert (name, value) == attribute
    assert type(value) is type(attribute[1])


@pytest.mark.parametrize("text", ["", "=1", "TILE", "block-dim", "block-dim=", "target"])
def test_an_attribute_that_is_none_is_refused(text, vadd):
    with pytest.raises(HintError):
        parse_attribute(text, vadd, CHIPS)


# What the flags were measured to do

#: A kernel of each kind; a second one where what they do differs.
KERNELS_OF_KIND = {
    "HIVM": ("hivm_vadd.mlir",),
    "HFusion vector": ("hfusion_reduce.mlir", "hfusion_rms_norm.mlir"),
    "HFusion cube": ("hfusion_matmul.mlir",),
    "HFusion mixed": ("hfusion_matmul_add.mlir",),
    "Triton vector": ("triton_softmax.py:fp32",),
    "Triton cube": ("triton_matmul.py:fp16",),
    "Triton mixed": ("triton_flash_attention.py:fp16",),
}
_DOUBLED: dict[str, HintValue] = {"enable-auto-multi-buffer": True}
#: With what a flag was tried that is no switch, or does nothing on its own.
TRIED: dict[str, list[dict[str, HintValue]]] = {
    "block-dim": [{"block-dim": 8}],
    "hfusion-max-buffer-count-tuning": [{"hfusion-max-buffer-count-tuning": 4}],
    "cube-tiling-tuning": [{"cube-tiling-tuning": "64,64,64"}],
    "tile-mix-vector-loop": [{"tile-mix-vector-loop": 4}],
    "tile-mix-cube-loop": [{"tile-mix-cube-loop": 4}],
    "enable-auto-multi-buffer": [_DOUBLED, {"enable-auto-multi-buffer": False}],
    "limit-auto-multi-buffer-of-local-buffer": [
        {"limit-auto-multi-buffer-of-local-buffer": "no-limit"}
    ],
    "limit-auto-multi-buffer-buffer": [{"limit-auto-multi-buffer-buffer": "only-vector"}],
    "set-workspace-multibuffer": [{"set-workspace-multibuffer": 2}],
    "hfusion-max-horizontal-fusion-size": [{"hfusion-max-horizontal-fusion-size": 0}],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_flag_does_nothing_for_the_kinds_that_it_names_and_something_for_the_others(
    session, kind
):
    claimed = {r.name for rows in ROWS.values() for r in rows if kind in r.nothing_for}
    changed = set()
    for entry in KERNELS_OF_KIND[kind]:
        kernel = kernel_of(entry)
        tries = [
            (name, given)
            for name, spec in FLAGS.items()
            for given in TRIED.get(name, [{name: not spec.default}])
        ]
        # Limits of multi-buffering are compared with multi-buffering, which Triton has on.
        doubled, plain, *others = run_all(
            session,
            [
                (kernel, _DOUBLED),
                (kernel, {}),
                *(
                    (kernel, {**(_DOUBLED if name.startswith("limit-") else {}), **given})
                    for name, given in tries
                ),
            ],
            full=False,
        )
        assert plain.module
        for (name, _), ran in zip(tries, others, strict=True):
            same = doubled if name.startswith("limit-") else plain
            if not alike(ran, same, kind):
                changed.add(name)
    assert set(FLAGS) - changed == claimed


#: Where the compiler walks a set of pointers, its order hangs on what else the heap holds, such as
#: the words of its command line: in flash attention two workspaces may change places.
UNSTABLE = "Triton mixed"


def alike(one: Ran, other: Ran, kind: str) -> bool:
    if one.module == other.module or kind != UNSTABLE:
        return one.module == other.module
    return one.peaks == other.peaks and shapes(one) == shapes(other)


def shapes(ran: Ran) -> list[str]:
    """The lines of a module, whatever their order, names and numbers."""
    return sorted(re.sub(r"%\w+|\d+", "#", line) for line in ran.module.splitlines())


#: The kernels of the measured table, and ours of the same kinds.
SAME_KIND = {
    "ew2d(hfusion)": "hfusion_elementwise.mlir",
    "rms(hfusion)": "hfusion_rms_norm.mlir",
    "shallowcv(hfusion mix)": "hfusion_matmul_add.mlir",
    "singlecube(hfusion)": "hfusion_matmul.mlir",
    "triton-add": "triton_add.py:fp32",
    "triton-distributed(mix)": "triton_flash_attention.py:fp16",
    "triton-cube1": "triton_matmul.py:fp16",
}
_LIMITS = (
    "--limit-auto-multi-buffer-only-for-local-buffer=true",
    "--limit-auto-multi-buffer-of-local-buffer=no-limit",
    "--limit-auto-multi-buffer-buffer=only-cube",
    "--limit-auto-multi-buffer-buffer=only-vector",
    "--set-workspace-multibuffer=2",
)
#: Where ours differ from those of the table, and why.
DIFFERENT: Mapping[str, Mapping[str, str]] = {
    "rms(hfusion)": {
        "--enable-ubuf-saving=true": "ours needs no more UB for its scalars without it",
        "--enable-code-motion=false": "the same",
        "--enable-ops-reorder=false": "it moves one scalar of ours by 8 bytes",
    },
    "singlecube(hfusion)": {
        "--enable-ops-reorder=false": "ours has its blocks given, so there is nothing to reorder",
    },
    "triton-add": {
        "--enable-hivm-graph-sync-solver=false": "ours fills what is masked: one wait more",
    },
    "triton-distributed(mix)": {
        "--enable-ubuf-saving=true": "attention has values that live across its loop",
        "--enable-code-motion=false": "the same",
        "--enable-hivm-global-workspace-reuse=true": "attention has two workspaces",
        "--enable-auto-bind-sub-block=false": "attention is split over both vector cores",
    },
    "triton-cube1": {
        **{
            f"--enable-auto-multi-buffer=true{f' {limit}' if limit else ''}": "ours has a loop"
            for limit in ("", *_LIMITS)
        },
        "--enable-code-motion=false": "ours has a loop",
        "--enable-auto-blockify-loop=true": "ours has a grid",
    },
}


@pytest.mark.parametrize("measured", SAME_KIND)
def test_the_table_of_hints_holds_for_kernels_of_ours(session, measured):
    """Which hints change the finished module, and which move what a memory holds."""
    rows = [row for row in facts("ascendnpu_ir_hints.csv") if row["kernel"] == measured]
    kernel = kernel_of(SAME_KIND[measured])
    # The table was measured on Triton's own output, without what its back end passes.
    base = {"enable-auto-multi-buffer": False} if kernel.kind == "triton" else {}
    jobs = []
    for row in rows:
        asked = (
            parse_attribute(f"{n}={v}", kernel, CHIPS) for n, v in flags_of(row["hint"]).items()
        )
        jobs.append((kernel, {**base, **dict(asked)}))
    differ = {}
    first: Ran | None = None
    for row, ran in zip(rows, run_all(session, jobs, full=False), strict=True):
        first = first or ran
        ours = (ran.module != first.module, ran.peaks != first.peaks)
        theirs = (row["final_ir"] == "CHANGED", row["ir_end_bytes"] != rows[0]["ir_end_bytes"])
        if ours != theirs:
            differ[row["hint"]] = (ours, theirs)
    assert differ.keys() == DIFFERENT.get(measured, {}).keys()


# Sessions


def test_what_a_compile_leaves(session, vadd):
    ran = run(session, vadd)
    assert ran.ended.status is Status.OK_TO_LAST_STEP
    assert ran.ended.exit_code == 0
    assert json.loads((ran.folder / "ended.json").read_text())["status"] == "ok_to_last_step"
    assert {file.name for file in (ran.folder / "dump").iterdir()} == {
        *("hivm_vadd.mlir", "module.hivm.opt.mlir", "memory_info_aiv.json", "kernel.o"),
    }
    assert ran.job["last_step"] == "absent"
    assert ran.job["compiler"] == {"name": "ascendnpu-ir", "version": "1.2.0"}
    assert ran.command["level"] == "hivm"
    assert "IR Dump After PlanMemory (hivm-plan-memory)" in ran.log
    assert 'loc("hivm_vadd.mlir":16:' in ran.log


def test_nothing_says_where_it_was_compiled(session, vadd):
    crashes = load_kernel(KERNELS / "host_elementwise.mlir")
    for ran in run_all(session, [(vadd, {}), (vadd, {"TILE": 24_577}), (crashes, {})]):
        for file in [ran.folder / "printed.log", *(ran.folder / "dump").iterdir()]:
            text = file.read_text()
            assert str(ran.folder) not in text, file.name
            assert str(RECIPE.folder) not in text, file.name


def test_a_crash_is_an_ordinary_outcome_and_its_pass_is_named(session, vadd):
    crash, good = run_all(
        session, [(load_kernel(KERNELS / "host_elementwise.mlir"), {}), (vadd, {})]
    )
    assert (crash.ended.status, crash.ended.signal) == (Status.CRASHED, "SIGSEGV")
    assert crash.failed_pass == "hivm-recognize-deinterleave-op"
    assert not list(crash.folder.rglob("core*"))
    assert good.ended.status is Status.OK_TO_LAST_STEP


def test_a_point_has_the_same_outcome_and_prints_no_pass(session):
    for entry in ("hivm_vadd.mlir", "hfusion_rms_norm.mlir", "triton_matmul.py:fp16"):
        kernel = kernel_of(entry)
        whole, point = run(session, kernel), run(session, kernel, full=False)
        assert point.module == whole.module != ""
        assert "IR Dump" not in point.log
        assert point.command["traces"] is False


@pytest.mark.parametrize(
    ("entry", "failed"),
    [
        ("triton_matmul.py:l1_overflow", "hivm-plan-memory"),
        ("host_elementwise.mlir", "hivm-recognize-deinterleave-op"),
    ],
)
def test_a_point_that_fails_names_its_pass(session, entry, failed):
    assert run(session, kernel_of(entry), full=False).failed_pass == failed


@pytest.mark.parametrize(
    "entry", ["hfusion_rms_norm.mlir", "triton_softmax.py:fp32", "triton_flash_attention.py:fp16"]
)
def test_compiling_twice_gives_the_same(session, entry):
    first, *others = run_all(session, [(kernel_of(entry), {})] * 4)
    assert {other.log for other in others} == {first.log}
    assert {other.module for other in others} == {first.module}
    assert not (first.folder / "random_addresses").exists()


def test_a_trace_that_is_empty_is_our_own_fault(ascendnpu_ir, vadd, monkeypatch):
    monkeypatch.setattr(command, "_TRACE", ())
    session = ascendnpu_ir.session()
    try:
        ran = run(session, vadd)
    finally:
        session.close()
    assert ran.ended.status is Status.FAILED
    assert "printed no pass" in (ran.folder / "error.txt").read_text()


def test_the_wall_clock_limit_stops_it(session):
    ran = run(session, kernel_of("hfusion_rms_norm.mlir"), limits=Limits(seconds=0.02))
    assert ran.ended.status is Status.TIMED_OUT
    assert ran.ended.seconds < 2


def test_cancel_kills_the_compiler_too(session, tmp_path):
    running = session.start(
        tmp_path, kernel_of("hfusion_matmul_add.mlir"), Hints(), Limits(), full=True
    )
    assert running.wait(0.05) is None
    running.cancel()
    assert running.wait().status is Status.CANCELLED
    assert children_of(session.pid) == []


def test_a_memory_limit_stops_it_alone(session, vadd):
    limits = Limits(memory_bytes=96 << 20)  # less than the program itself
    assert run(session, vadd, limits=limits).ended.status in (Status.FAILED, Status.CRASHED)
    assert run(session, vadd).ended.status is Status.OK_TO_LAST_STEP


def test_the_environment_of_the_caller_does_not_leak(ascendnpu_ir, monkeypatch):
    kernel = kernel_of("triton_add.py:fp32")
    expected = run(session := ascendnpu_ir.session(), kernel)
    session.close()
    monkeypatch.setenv("TRITON_DISABLE_LINE_INFO", "1")
    monkeypatch.setenv("MLIR_ENABLE_DUMP", "1")
    monkeypatch.setenv("BISHENG_INSTALL_PATH", "/nowhere")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    leaky = ascendnpu_ir.session()
    try:
        assert run(leaky, kernel).log == expected.log
    finally:
        leaky.close()


def test_a_real_last_tool_is_taken_where_there_is_one(ascendnpu_ir, vadd, tmp_path, monkeypatch):
    tool = tmp_path / "hivmc"
    tool.write_text(
        (RECIPE.folder / "stand-in" / "hivmc").read_text() + f"\ntouch {tmp_path}/ran\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    session = ascendnpu_ir.session()
    try:
        ran = run(session, vadd)
    finally:
        session.close()
    assert ran.ended.status is Status.OK
    assert ran.job["last_step"] == "present"
    assert (tmp_path / "ran").exists()


def test_hints_are_checked_before_anything_starts(session, vadd, tmp_path):
    with pytest.raises(HintError, match="did you mean TILE"):
        session.start(tmp_path, vadd, Hints(attributes={"TIEL": 1}), Limits())
    with pytest.raises(HintError, match="divides by 0"):
        halves = parse_kernel(
            "// parameters: N = 2\nfunc.func @f(%x: memref<${8 // N}xf32>) { return }", "k.mlir"
        )
        session.start(tmp_path, halves, Hints(attributes={"N": 0}), Limits())
    assert list(tmp_path.iterdir()) == []


def test_triton_that_is_not_installed_names_the_command(ascendnpu_ir, tmp_path, monkeypatch, home):
    (tmp_path / "toolchains").mkdir()
    (tmp_path / "toolchains" / RECIPE.folder.name).symlink_to(RECIPE.folder)
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    session = AscendNpuIr().session()
    kernel = load_kernel(KERNELS / "triton_add.py")
    assert AscendNpuIr().lacks(kernel) == "triton-ascend"
    assert AscendNpuIr().lacks(load_kernel(KERNELS / "hivm_vadd.mlir")) is None
    try:
        with pytest.raises(ToolMissing, match="python -m core toolchain install triton-ascend"):
            session.start(tmp_path / "job", kernel, Hints(), Limits())
    finally:
        session.close()


def test_without_the_compiler_every_door_names_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    compiler = AscendNpuIr()
    assert not compiler.installed()
    assert compiler.lacks(load_kernel(KERNELS / "triton_add.py")) == "ascendnpu-ir"
    assert compiler.catalogue == catalogue(())
    for door in (compiler.session, compiler.target, compiler.targets):
        with pytest.raises(ToolMissing, match="python -m core toolchain install ascendnpu-ir"):
            door()


def test_the_server_has_the_words_of_the_data_model():
    words = ("OK", "OK_TO_LAST_STEP", "FAILED", "CRASHED", "TIMED_OUT", "CANCELLED")
    assert [getattr(warm_server, word) for word in words] == [Status[word].value for word in words]


def test_losing_the_process_with_triton_is_said(ascendnpu_ir, tmp_path):
    kernel = kernel_of("triton_flash_attention.py:fp16")
    session = ascendnpu_ir.session()
    try:
        running = session.start(tmp_path, kernel, Hints(), Limits())
        os.kill(session.triton_pid, signal.SIGKILL)
        with pytest.raises(SessionLost):
            running.wait()
    finally:
        session.close()


_OWNER = """
import sys, time
from pathlib import Path
from core.compilers import Limits
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.hints import Hints
from core.kernel import load_kernel
session = AscendNpuIr().session()
folder = Path(sys.argv[1]); folder.mkdir()
running = session.start(folder, load_kernel(Path(sys.argv[2])), Hints(), Limits())
log = folder / "printed.log"
while not (log.exists() and log.stat().st_size):  # its first pass has ended
    running.wait(0.001)
print(session.pid, flush=True)
time.sleep(60)
"""


def test_nothing_survives_a_killed_owner(ascendnpu_ir, tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWNER, tmp_path / "job", KERNELS / "hfusion_matmul_add.mlir"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    warm = int(owner.stdout.readline())
    compiles = children_of(warm)
    below = [pid for each in compiles for pid in children_of(each)]
    assert below
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 10
    while any(alive(pid) for pid in [warm, *compiles, *below]) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [pid for pid in [warm, *compiles, *below] if alive(pid)] == []


# The measured cases


@pytest.mark.parametrize(
    ("case", "status", "failed", "says"),
    [
        ("f1", Status.FAILED, "", "use of undeclared SSA value name"),
        ("f3", Status.FAILED, "", "requires the same element type for all operands"),
        ("g1", Status.CRASHED, "hivm-plan-memory", "shape size which should be static"),
        ("g2", Status.FAILED, "convert-linalg-to-hfusion", "explicitly marked illegal"),
        ("g5", Status.FAILED, "convert-hfusion-to-hivm", "failed to verify that operand at idx 0"),
        ("g9", Status.FAILED, "", "currently don't support cast int64_t_to_int8_t_truncmode"),
        ("v1024", Status.OK_TO_LAST_STEP, "", ""),
        ("v32768", Status.FAILED, "hivm-plan-memory", "ub overflow, requires 2097152 bits"),
    ],
)
def test_a_measured_case_ends_as_it_did(session, cases, case, status, failed, says):
    ran = run(session, load_kernel(cases / "mlir" / f"{case}.mlir"))
    assert ran.ended.status is status
    assert ran.failed_pass == failed
    assert says in ran.log


def test_the_memories_of_the_tests_are_those_of_the_data_model(ascendnpu_ir):
    assert set(SPACES.values()) <= {memory.name for memory in ascendnpu_ir.target().memories}
