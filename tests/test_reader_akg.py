"""AKG dumps as traces: recorded compiles of the real compiler, and a few made on the spot."""

from __future__ import annotations

import json
import re
import zipfile
from itertools import chain, pairwise
from pathlib import Path

import pytest

from core.compilers import Limits
from core.hints import Hints, Tile
from core.kernel import example_kernels, load_kernel
from core.readers import Opened, open_trace
from core.readers.akg_failure import read_printed
from core.readers.akg_hints import hints_outcome
from core.readers.akg_memory import allocations
from core.readers.akg_order import recorded_order, successors
from core.readers.akg_search import read_tiling_log
from core.readers.akg_tiling import read_dim_infos
from core.trace import Status, Trace
from tests.conftest import KERNELS

JOBS = Path(__file__).resolve().parent / "dumps" / "jobs"
UB, L0A = 262_144, 65_536  # bytes, as the compiler itself reports them


@pytest.fixture(scope="module")
def opened() -> dict[str, Opened]:
    return {path.stem: open_trace(path) for path in sorted(JOBS.glob("*.zip"))}


def members(name: str, part: str) -> list[str]:
    with zipfile.ZipFile(JOBS / f"{name}.zip") as archive:
        return [n for n in archive.namelist() if part in n]


def text(name: str, part: str) -> str:
    with zipfile.ZipFile(JOBS / f"{name}.zip") as archive:
        (member,) = members(name, part)
        return archive.read(member).decode()


# Passes


def test_passes_come_in_the_order_in_which_the_compiler_ran_them(opened):
    passes = opened["plain"].trace.passes
    assert [p.index for p in passes] == list(range(139))
    places = [(p.stage, p.number) for p in passes]
    assert places == [
        *(("composite", n) for n in range(18)),
        *(("lowering", n) for n in range(22)),
        *(("poly", n) for n in range(19)),
        *(("lowering", n) for n in range(22, 95)),
        *(("device", n) for n in range(7)),
    ]
    auto_poly = next(p for p in passes if p.name == "AutoPoly")
    assert auto_poly.number == 22
    assert passes[auto_poly.index - 1].name == "MarkOuterMost"
    assert {p.unit for p in passes} == {""}
    assert {p.attempt for p in passes} == {1}


def test_languages_sizes_and_texts_are_those_of_the_files(opened):
    trace, texts = opened["plain"].trace, opened["plain"].texts
    for step in trace.passes:
        assert step.language == ("schedule" if step.stage == "poly" else "statement")
        content = texts.get(step.text)
        assert step.bytes == len(content.encode())
        assert step.lines == len(content.splitlines())


def test_changed_is_a_difference_beyond_addresses(opened):
    trace, texts = opened["plain"].trace, opened["plain"].texts
    address = re.compile("0x[0-9a-f]+")
    for before, step in pairwise(trace.passes):
        if (before.stage, before.attempt) != (step.stage, step.attempt):
            continue
        one, other = texts.get(before.text), texts.get(step.text)
        assert step.changed == (address.sub("", one) != address.sub("", other)), step.name
    firsts = {p.stage: p for p in reversed(trace.passes)}
    assert all(p.changed for p in firsts.values())
    assert len(trace.changed) < len(trace.passes) / 3


def test_changed_masks_addresses(tmp_path):
    with zipfile.ZipFile(tmp_path / "k.zip", "w") as archive:
        for number, line in enumerate(("a, 0x55d0", "a, 0x7f12", "b, 0x7f12", "b, 1x7f12")):
            archive.writestr(f"k_0/{number:02}_P{number}.cc", f"// attr [placeholder({line})]\n")
    changed = [p.changed for p in open_trace(tmp_path / "k.zip").trace.passes]
    assert changed == [True, False, True, True]


def test_poly_steps_have_the_times_that_the_compiler_logged(opened):
    spent = re.findall(r"time \], (\w+) spent ([\d.e-]+) ms", text("plain", "dsa_transfrom.log"))
    steps = [p for p in opened["plain"].trace.passes if p.stage == "poly"]
    assert [(p.name, p.seconds) for p in steps] == [
        (name, pytest.approx(float(ms) / 1000)) for name, ms in spent
    ]
    assert all(p.seconds is None for p in opened["plain"].trace.passes if p.stage != "poly")


def test_numbers_above_99_follow_99(opened):
    numbers = [
        p.number
        for p in opened["retried"].trace.passes
        if p.stage == "lowering" and p.number is not None
    ]
    assert numbers == sorted(numbers)
    assert numbers[-1] > 100


def test_retries_are_attempts_of_their_own(opened):
    trace = opened["retried"].trace
    assert trace.status is Status.OK_TO_LAST_STEP
    assert trace.failure is None
    polies = [p for p in trace.passes if p.name == "AutoPoly"]
    assert [p.attempt for p in polies] == [1, 2]
    assert {p.attempt for p in trace.passes if p.stage == "poly"} == {2}
    (failed,) = [p for p in trace.passes if p.status != "ok"]
    assert (failed.name, failed.attempt, failed.text) == ("StorageFlatten", 1, None)
    assert trace.passes[failed.index - 1].name == "ModDivEliminate"
    assert trace.passes[failed.index + 1].attempt == 2
    assert trace.passes[polies[1].index - 1].stage == "poly"


def test_other_versions_are_read(opened):
    trace = opened["akg_1_6"].trace
    assert trace.status is Status.OK_TO_LAST_STEP
    assert trace.block_dim == 32
    assert trace.kernel == "Fused_AddMul"
    names = [p.name for p in trace.passes]
    assert "ReorderInvariantSetSchedule" in names
    assert "AddTensorAttrs" not in names
    assert len([p for p in trace.passes if p.stage == "poly"]) == 21
    (axis,) = trace.tiling.axes
    assert (axis.tile, axis.searched, axis.origin) == (8192, 8192, "search")
    assert trace.plan("UB").peak_bytes == 65_536
    assert trace.plan("UB").capacity_bytes == UB
    assert any("does not say which chip" in note for note in trace.notes)


# How it ended


def test_job_is_read_back(opened):
    job = json.loads(text("plain", "job.json"))
    trace, kernel = opened["plain"].trace, opened["plain"].kernel
    assert kernel.source == job["kernel"]["source"]
    assert kernel == next(k for k in example_kernels(KERNELS) if k.name == "elementwise_chain")
    assert (trace.kernel, trace.kernel_hash) == (kernel.name, kernel.digest)
    assert (trace.compiler.name, trace.compiler.version) == ("akg", "1.10.0")
    assert (trace.target, trace.host, trace.started) == ("Ascend910", job["host"], job["started"])
    assert trace.seconds == json.loads(text("plain", "ended.json"))["seconds"]
    assert trace.block_dim == 32
    assert trace.instructions["vmul"] > 0
    names = {log.name for log in trace.logs}
    assert {"printed.log", "received.json", "scop.log", "tiling.log", "composite.log"} <= names
    assert "__aicore__" in opened["plain"].texts.get(trace.code)


def test_error_names_pass_source_and_component(opened):
    trace = opened["no_fp32_reduction"].trace
    assert trace.status is Status.FAILED
    failure = trace.failure
    assert (failure.kind, failure.pass_name, failure.after) == (
        "error",
        "EmitInsn",
        "68_SplitTail",
    )
    assert (failure.source, failure.component) == ("insn_builder_vector.cc:813", "emit_insn")
    assert failure.message == "reduce_last_axis only support float16 while dtype is float32"
    assert failure.stack[0] == "libakg.so(dmlc::LogMessageFatal::~LogMessageFatal()+0x5c)"
    assert len(failure.stack) == 9
    last = trace.passes[-1]
    assert (last.name, last.status, last.text, last.stage) == (
        "EmitInsn",
        "failed",
        None,
        "lowering",
    )
    assert [d.source for d in trace.diagnostics] == ["insn_builder_vector.cc:813"]


def test_abort_by_an_exception_names_the_memory(opened):
    trace = opened["aborted"].trace
    assert trace.status is Status.CRASHED
    failure = trace.failure
    assert (failure.kind, failure.signal) == ("memory", "SIGABRT")
    assert (failure.pass_name, failure.after) == ("StorageRewriteCCE", "84_LoopPartitionCCE")
    assert failure.message.startswith("Allocation exceed bound of memory tag local.UB: need")
    # 2,097,152 bits wanted beside 2,097,152 bits taken
    assert (failure.memory, failure.required_bytes, failure.available_bytes) == (
        "UB",
        524_288,
        UB,
    )
    assert trace.passes[-1].status == "crashed"
    assert trace.memory == ()
    assert trace.block_dim is None


def test_buffer_larger_than_its_memory(opened):
    failure = opened["flattened"].trace.failure
    assert (failure.kind, failure.pass_name) == ("memory", "StorageFlatten")
    assert failure.source == "storage_flatten.cc:213"
    assert (failure.memory, failure.required_bytes, failure.available_bytes) == (
        "UB",
        524_288,
        UB,
    )


def test_crash_without_a_word(opened):
    failure = opened["segfault"].trace.failure
    assert (failure.kind, failure.signal) == ("crash", "SIGSEGV")
    assert (failure.pass_name, failure.after) == ("LoopPartitionCCE", "44_LoopSwitchHoist")
    assert failure.message == "The compiler died of SIGSEGV and printed nothing."


def test_message_of_several_lines_is_joined(opened):
    failure = opened["displaced"].trace.failure
    assert failure.source == "analyze_align.h:233"
    assert failure.message == (
        "Check failed: 0: Need to split the vector var to make the offset equal or scalar computing"
    )
    assert len(failure.stack) == 9


def test_users_dump_that_ends_early_says_after_what(tmp_path):
    with (
        zipfile.ZipFile(JOBS / "no_fp32_reduction.zip") as job,
        zipfile.ZipFile(tmp_path / "dump.zip", "w") as dump,
    ):
        for name in job.namelist():
            if name.startswith("dump/"):
                dump.writestr(name, job.read(name))
    trace = open_trace(tmp_path / "dump.zip").trace
    assert trace.status is Status.FAILED
    # A user may have given attributes, but after SplitTail comes EmitInsn whatever they were.
    assert (trace.failure.pass_name, trace.failure.after) == ("EmitInsn", "68_SplitTail")
    assert trace.failure.message == (
        "The dump ends after 68_SplitTail, and no message of the compiler is beside it."
    )


def test_log_beside_a_users_dump_is_heard(tmp_path):
    with (
        zipfile.ZipFile(JOBS / "no_fp32_reduction.zip") as job,
        zipfile.ZipFile(tmp_path / "dump.zip", "w") as dump,
    ):
        for name in job.namelist():
            if name.startswith("dump/"):
                dump.writestr(name.removeprefix("dump/"), job.read(name))
        dump.writestr("console.log", job.read("printed.log"))
    failure = open_trace(tmp_path / "dump.zip").trace.failure
    assert failure.source == "insn_builder_vector.cc:813"


def test_printed_lines_of_other_forms_are_passed_over():
    said = read_printed(
        "Traceback (most recent call last):\n"
        "[ERROR] AKG:2026-11-30-15:49:46.976.434 [a.cc:7] [codegen] Check failed: x\n"
        "Stack trace:\n  [bt] (0) /opt/x/libakg.so(f()+0x1) [0x7f]\n\n  [bt] (1) not of it\n"
        "[WARNING] AKG:2026-11-30-15:49:46.976.434 [b.h:9] no component\n"
    )
    assert [s.diagnostic.message for s in said] == ["Check failed: x", "no component"]
    assert said[0].stack == ("libakg.so(f()+0x1)",)
    assert said[1].diagnostic.component == ""


def test_order_is_certain_only_where_every_compile_went_on_alike():
    assert successors("lowering", ["ModDivEliminate", "LoopPartitionCCE"], attributes=False) == {
        "StorageRewriteCCE"
    }
    assert len(successors("lowering", ["ElimDMA", "MultiCorePartition"], attributes=False)) == 2
    with_attributes = successors(
        "lowering", ["ModDivEliminate", "LoopPartitionCCE"], attributes=True
    )
    assert {"StorageRewriteCCE", "AlgebraSimplify"} <= with_attributes
    assert successors("poly", ["UnGroupStatements", "NoSuchPass"], attributes=False) == frozenset()
    assert successors("lowering", ["EmitInsn", "SplitTail"], attributes=False) == frozenset()


def test_recorded_order_holds_for_the_recorded_compiles(opened):
    assert len(recorded_order()) > 150
    seen = 0
    for name, each in opened.items():
        if name == "akg_1_6":
            continue
        passes = [p for p in each.trace.passes if p.text and p.stage == "lowering"]
        for at in range(2, len(passes)):
            ran = [p.name for p in passes[:at] if p.attempt == passes[at].attempt]
            if len(ran) > 1:
                seen += 1
                assert passes[at].name in successors("lowering", ran, attributes=True)
    assert seen > 500


# Tiling


def test_tiles_are_those_the_code_uses_and_not_those_of_the_search(opened):
    tiling = opened["plain"].trace.tiling
    (axis,) = tiling.axes
    assert (axis.band, axis.axis, axis.extent) == (0, 0, 4_194_304)
    assert (axis.tile, axis.searched, axis.origin) == (16_384, 8_192, "symbolic")
    assert axis.constraints.multiple_of == 128
    assert axis.constraints.maximum == 4_194_304
    assert axis.constraints.multicore
    assert "search log says 8,192, which is not what the code uses" in tiling.note
    assert tiling.search is not None
    assert "final factor 8192" in opened["plain"].texts.get(tiling.search)


def test_cube_axes_have_names_and_l0_tiles(opened):
    axes = opened["cube"].trace.tiling.axes
    assert [a.name for a in axes] == ["no", "mo", "mi", "ni", "ko"]
    assert [a.extent for a in axes] == [32, 32, 16, 16, 32]
    assert [a.tile for a in axes] == [16, 2, 16, 16, 4]
    # What the same kernel's code uses with SYMBOLIC_TILING=0.
    assert [a.searched for a in axes] == [1, 32, 16, 16, 16]


def test_fused_axis_is_clipped_to_its_extent(opened):
    axes = opened["no_fp32_reduction"].trace.tiling.axes
    assert [(a.band, a.axis, a.extent, a.tile) for a in axes] == [
        (0, 0, 256, 8),
        (0, 1, 2047, 2047),  # dim_infos says 2048
        (1, 0, 256, 8),
        (1, 1, 1024, 1024),
    ]
    assert axes[1].origin == "whole"
    assert axes[1].loops == ("k1", "ax1")


def test_tiles_that_go_to_other_axes_are_said(opened):
    tiling = opened["displaced"].trace.tiling
    assert [a.tile for a in tiling.axes] == [2, 2, 5, 3, 3, 3, 3, 3]
    assert tiling.axes[4].searched == 6
    assert "went to other axes than it meant" in tiling.note


def test_search_by_inequalities_is_read(opened):
    axes = opened["retried"].trace.tiling.axes
    assert [(a.tile, a.searched) for a in axes] == [(1, 1), (89_998, 89_998)]


def test_dim_infos_written_twice_are_one_tiling():
    entry = "index=0 axis={} c1_tiling_size={} c0_tiling_size=1 dim_seq=0\n"
    scop_log = (
        "\n>>>>>>>>>> dim_infos <<<<<<<<<<\n"
        + "".join(entry.format(axis, tile) for tile in (64, 128) for axis in (0, 1))
        + "\n>>>>>>>>>> schedule attrs <<<<<<<<<<\ndim : 0 0 128 1 0 1 128 1\n"
    )
    used, dim = read_dim_infos(scop_log)
    assert [(u.band, u.label, u.c1) for u in used] == [(0, "0", 128), (0, "1", 128)]
    assert dim == "0 0 128 1 0 1 128 1"
    assert read_dim_infos("") == ([], "")
    assert read_tiling_log("") == ({}, {})


# Memory


def test_memory_is_the_end_of_the_last_buffer(opened):
    trace = opened["cube"].trace
    assert {m.memory: m.peak_bytes for m in trace.memory} == {
        "UB": 16_384,
        "L1": 73_728,
        "L0A": 8_192,
        "L0B": 65_536,
        "L0C": 32_768,
    }
    assert trace.limiter.memory == "L0B"
    assert trace.plan("L0A").capacity_bytes == L0A
    code = opened["cube"].texts.get(trace.code).splitlines()
    for plan in trace.memory:
        for buffer in plan.buffers:
            assert buffer.offset_bytes + buffer.bytes <= plan.peak_bytes
            assert re.search(rf"\b{buffer.name}\b", code[buffer.first_use - 1])
            assert re.search(rf"\b{buffer.name}\b", code[buffer.last_use - 1])


def test_second_half_of_a_double_buffer_is_a_copy(opened):
    copies = {b.name: b.copy_of for b in opened["cube"].trace.plan("L0A").buffers}
    assert copies == {
        "input_0_local_L1_local_L0A": "",
        "input_0_local_L1_local_L0A1": "input_0_local_L1_local_L0A",
    }


def test_names_that_repeat_across_fused_bodies_are_no_copies():
    one = (
        '  // attr [a] storage_scope = "local.UB"\n  allocate a[float16 * 4 * 8]\n'
        '  // attr [a] storage_scope = "local.UB"\n  allocate a[float32 * 8]\n'
        '  // attr [b] storage_scope = "local.REG"\n  allocate b[bool * 1]\n'
    )
    body = "// attr [0] device_scope = 0\n" + one
    found = allocations(body + body)
    assert [(a.name, a.bytes, a.body) for a in found] == [
        ("a", 64, 1),
        ("a", 32, 1),
        ("a", 64, 2),
        ("a", 32, 2),
    ]


# Hints


def test_honoured_hints(opened):
    trace = opened["hinted"].trace
    assert trace.hints.honoured == {"dim": "0 0 4096 1", "enable_multicore": 8}
    assert trace.hints.ignored == {}
    (axis,) = trace.tiling.axes
    assert (axis.tile, axis.origin, axis.searched) == (4096, "hint", None)
    assert trace.block_dim == 8
    assert trace.tiling.note == "The dim hint chose 4,096."


def test_attributes_that_the_front_end_overwrites_or_drops():
    received = [{"pragma_rmselfdep": True}, {"pragma_rmselfdep": True}]
    outcome = hints_outcome({"pragma_rmselfdep": False, "enable_multicore": 4}, received, [])
    assert outcome.honoured == {}
    assert outcome.ignored["pragma_rmselfdep"] == "AKG's front end overwrote it with True."
    assert "did not hand it on" in outcome.ignored["enable_multicore"]


# With the compiler


def test_hints_that_fit_no_axis_are_ignored_with_the_reason(compile_kernel):
    kernel = next(k for k in example_kernels(KERNELS) if k.name == "elementwise_chain")
    tiles = (Tile(0, 0, 1 << 24), Tile(0, 1, 64), Tile(3, 0, 5))
    trace: Trace = compile_kernel(kernel, Hints(tiles)).trace
    assert trace.hints.honoured == {"dim": "0 0 16777216 1"}
    assert "band 0 has 1 axis" in trace.hints.ignored["dim"]
    assert "there is no band 3" in trace.hints.ignored["dim"]
    (axis,) = trace.tiling.axes
    assert axis.tile == axis.extent == 4_194_304
    assert axis.origin == "hint"


def test_compile_that_is_stopped_names_where_it_was(compile_kernel):
    kernel = next(k for k in example_kernels(KERNELS) if k.name == "conv3d_direct")
    trace: Trace = compile_kernel(kernel, None, Limits(seconds=0.5)).trace
    assert trace.status is Status.TIMED_OUT
    assert trace.failure.kind == "timeout"
    assert trace.failure.message.startswith("Stopped by the time limit after")
    ran = [p for p in trace.passes if p.text]
    assert trace.failure.after == f"{ran[-1].number:02}_{ran[-1].name}"


def test_stitched_kernel(cases, compile_kernel):
    (path,) = (cases / "akg").glob("Fused_Mul_Add_Cast_Softmax_Cast_fusion_7110*.info")
    trace: Trace = compile_kernel(load_kernel(path)).trace
    order = list(dict.fromkeys((p.stage, p.unit) for p in trace.passes))
    of_unit = [[("composite", u), ("lowering", u), ("poly", u)] for u in _units("Stitch", 3)]
    assert order == [
        ("composite", ""),
        *chain(*of_unit),
        ("merge", ""),
        ("stitch", ""),
        ("lowering", ""),
        ("device", ""),
    ]
    merged = [p.name for p in trace.passes if p.stage in ("merge", "stitch")]
    assert merged == [
        "Origin",
        "before_stitch",
        "after_stitch",
        "StitchFusionAscend",
        "after_add_loop",
    ]
    body = [p for p in trace.passes if (p.stage, p.unit) == ("lowering", "")]
    assert (body[0].name, body[-1].name) == ("StorageFlatten", "DecorateDeviceScope")
    assert {a.unit for a in trace.tiling.axes} == set(_units("Stitch", 3))
    assert {a.origin for a in trace.tiling.axes} == {"repository"}
    assert {m.memory for m in trace.memory} == {"UB", "L1"}


def test_kernel_of_parallel_parts(cases, compile_kernel):
    (path,) = (cases / "akg").glob("Fused_Transpose_split_*_parall_*.info")
    trace: Trace = compile_kernel(load_kernel(path), Hints((Tile(0, 0, 128),))).trace
    order = list(dict.fromkeys((p.stage, p.unit) for p in trace.passes))
    of_unit = [[("lowering", u), ("poly", u)] for u in _units("Parallel", 3)]
    assert order == [("composite", ""), *chain(*of_unit), ("merge", ""), ("device", "")]
    assert [p.name for p in trace.passes if p.stage == "merge"] == [
        "Origin",
        "ir::BlockFusion",
        "ElimDupInputs",
    ]
    assert [(a.unit, a.extent, a.tile) for a in trace.tiling.axes] == [
        ("Parallel_0", 5184, 128),
        ("Parallel_1", 5184, 128),
        ("Parallel_2", 576, 128),
    ]
    assert trace.block_dim > 32


def test_buffers_of_fused_bodies_are_copies_within_their_body_only(cases, compile_kernel):
    (path,) = (cases / "akg").glob("Fused_BroadcastTo_atomic_clean_BroadcastTo_*.info")
    trace: Trace = compile_kernel(load_kernel(path)).trace
    assert trace.block_dim == 45
    copies = {b.name: b.copy_of for b in trace.plan("UB").buffers}
    name = "broadcast_local_UB"
    assert copies[f"{name}2"] == name
    assert copies[f"{name}3"] == ""
    assert copies[f"{name}5"] == f"{name}3"
    assert list(copies.values()).count("") == 7


def _units(kind: str, count: int) -> list[str]:
    return [f"{kind}_{number}" for number in range(count)]


def test_four_attempts_that_all_failed(cases, compile_kernel):
    trace: Trace = compile_kernel(load_kernel(cases / "akg" / "case4_logsoftmax.info")).trace
    failed = [(p.attempt, p.name) for p in trace.passes if p.status == "failed"]
    assert failed == [
        (1, "StorageFlatten"),
        (2, "StorageRewriteCCE"),
        (3, "StorageRewriteCCE"),
        (4, "StorageRewriteCCE"),
    ]
    failure = trace.failure
    assert (failure.attempts, failure.kind, failure.memory) == (4, "memory", "UB")
    assert failure.required_bytes == 15_386_624 // 8
    assert any("first of 4 attempts" in note for note in trace.notes)
    assert {d.source for d in trace.diagnostics} == {"storage_flatten.cc:213", "lower_cce.cc:495"}
