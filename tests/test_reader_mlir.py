"""What MLIR tools print, as traces: logs, trees and compiles recorded from the real tools."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
import tracemalloc
import zipfile
from itertools import accumulate, combinations, pairwise
from pathlib import Path

import pytest

from core.analysis.memory import shares
from core.library import Library, texts_of
from core.readers import Opened, ReadError, mlir_scope, open_trace
from core.trace import Status, Trace

LOGS = Path(__file__).resolve().parent / "dumps" / "mlir_logs"
JOBS = LOGS / "jobs"
HEADER = re.compile(
    r"^// -----// IR Dump (Before|After) (\S+)( Failed)? \((\S+)\)"
    r"(?: \('(\S+)' operation(?:: @(\S+))?\))? //----- //$",
    re.MULTILINE,
)
UB, L1, L0C = 196_608, 524_288, 131_072  # bytes on Ascend910B1, from the compiler's own words


@pytest.fixture(scope="module")
def logs() -> dict[str, Opened]:
    return {path.name.partition(".")[0]: open_trace(path) for path in sorted(LOGS.glob("*.log.gz"))}


@pytest.fixture(scope="module")
def jobs() -> dict[str, Opened]:
    return {path.stem: open_trace(path) for path in sorted(JOBS.glob("*.zip"))}


def raw(name: str) -> str:
    return gzip.decompress((LOGS / f"{name}.log.gz").read_bytes()).decode()


def plain(name: str, folder: Path) -> Path:
    path = folder / f"{name}.log"
    path.write_text(raw(name))
    return path


def member(job: str, name: str) -> str:
    with zipfile.ZipFile(JOBS / f"{job}.zip") as archive:
        return archive.read(name).decode()


def refused(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        open_trace(path)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
    return str(caught.value)


# Passes


@pytest.mark.parametrize("name", ["vadd", "mix", "mix_modules", "mix_located", "upstream"])
def test_passes_are_those_of_the_headers_with_the_text_behind_each(logs, name):
    text, opened = raw(name), logs[name]
    headers = list(HEADER.finditer(text))
    passes = opened.trace.passes
    assert len(headers) == len(passes) > 5
    ends = [h.start() for h in headers[1:]] + [len(text)]
    for header, end, step in zip(headers, ends, passes, strict=True):
        assert (step.name, step.argument) == (header[2], header[4])
        content = opened.texts.get(step.text)
        assert content.strip() == text[header.end() : end].strip()
        assert (step.lines, step.bytes) == (len(content.splitlines()), len(content.encode()))
        assert (step.language, step.status) == ("mlir", "ok")
    assert [p.index for p in passes] == list(range(len(passes)))


def test_function_passes_have_the_function_as_their_unit(logs):
    whole = [h.groups() for h in HEADER.finditer(raw("mix_modules"))]
    units = [symbol or "" if kind == "func.func" else "" for *_, kind, symbol in whole]
    assert len(set(units)) > 4
    assert [p.unit for p in logs["mix_modules"].trace.passes] == units
    # Here the header does not say it, and the text is the function alone.
    assert [p.unit for p in logs["mix"].trace.passes] == units


@pytest.mark.parametrize("name", ["mix", "mix_located"])
def test_changed_does_not_depend_on_whether_modules_or_functions_are_printed(logs, name):
    """Module by module the text before is simply the one before in the log."""
    texts = [p.text for p in logs["mix_modules"].trace.passes]
    truth = [True, *(one != other for one, other in pairwise(texts))]
    assert [p.changed for p in logs["mix_modules"].trace.passes] == truth
    assert [p.changed for p in logs[name].trace.passes] == truth
    assert sum(truth) < len(truth) / 5


def test_what_a_pass_was_given_is_what_the_module_was_then(logs):
    whole, alone = logs["mix_modules"], logs["mix"]
    pairs = zip(alone.trace.passes[1:], whole.trace.passes, strict=False)
    composed = 0
    for step, before in pairs:
        module = whole.texts.get(before.text)
        given = alone.texts.get(step.given)
        if step.unit:
            parts = mlir_scope.parts(module)
            assert parts is not None
            assert given == mlir_scope.function(parts, step.unit), step.index
        else:
            composed += alone.trace.passes[step.index - 1].unit != ""
            assert given == module, step.index
    assert composed > 10


def test_only_changes_are_marked_where_everything_is_printed(logs):
    whole = [(p.name, p.unit, p.text) for p in logs["mix"].trace.changed]
    only = [(p.name, p.unit, p.text) for p in logs["mix_changed"].trace.passes]
    assert len(only) < len(whole) + 2
    assert set(only) <= {(p.name, p.unit, p.text) for p in logs["mix"].trace.passes}
    assert set(whole) <= set(only) | {whole[0]}


def test_before_and_after_make_one_pass(logs):
    both, after = logs["vadd_both"].trace, logs["vadd"].trace
    same = [(p.name, p.argument, p.unit, p.text) for p in after.passes]
    assert [(p.name, p.argument, p.unit, p.text) for p in both.passes] == same
    assert all(p.given for p in both.passes)
    assert [p.changed for p in both.passes[1:]] == [p.changed for p in after.passes[1:]]
    assert not both.passes[0].changed  # what came in is known here


def test_passes_that_print_nothing_ran_and_changed_nothing(logs):
    both, only = logs["vadd_both"].trace, logs["vadd_both_changed"].trace
    assert [(p.name, p.unit, p.changed, p.text) for p in only.passes] == [
        (p.name, p.unit, p.changed, p.text) for p in both.passes
    ]


def test_texts_before_passes_tell_what_the_ones_before_them_made(logs):
    before, after = logs["vadd_before"].trace, logs["vadd"].trace
    assert [p.name for p in before.passes] == [p.name for p in after.passes]
    known = [(b, a) for b, a in zip(before.passes, after.passes, strict=True) if b.text]
    assert len(known) > 0.75 * len(before.passes)  # a module is not printed before a function
    assert all(b.text == a.text for b, a in known)
    assert before.passes[-1].text is None  # nothing was printed after it


def test_stages_follow_the_pipeline(logs, jobs):
    def stages(trace: Trace) -> list[str]:
        return list(dict.fromkeys(p.stage for p in trace.passes))

    assert stages(logs["mix"].trace) == ["hfusion", "hivm", "lowering"]
    assert stages(logs["vadd"].trace) == ["hivm", "lowering"]
    assert stages(logs["upstream"].trace) == ["function", "module"]
    assert stages(jobs["triton_add"].trace)[:3] == ["triton", "adapter", "hfusion"]
    assert stages(jobs["vadd_950"].trace) == ["hivm", "lowering"]


def test_headers_of_any_mlir_tool(tmp_path):
    lines = [
        ("// -----// IR Dump After Canonicalizer //----- //", ("Canonicalizer", "", "k", "ok")),
        ("// -----// IR Dump After CSE (cse) //----- //", ("CSE", "cse", "k", "ok")),
        (
            "// -----// IR Dump After (anonymous namespace)::Mine (mine) //----- //",
            ("(anonymous namespace)::Mine", "mine", "k", "ok"),
        ),
        (
            "// -----// IR Dump After X Failed (x-y) ('gpu.func' operation: @g.1) //----- //",
            ("X", "x-y", "g.1", "failed"),
        ),
        (
            "// -----// IR Dump After Y (y) ('builtin.module' operation: @m) //----- //\r",
            ("Y", "y", "", "ok"),
        ),
    ]
    body = "func.func private @k(%x: f32) -> f32 {\n  return %x : f32\n}\n\n"
    path = tmp_path / "any.log"
    path.write_text("".join(f"{line}\n{body}" for line, _ in lines))
    passes = open_trace(path).trace.passes
    assert [(p.name, p.argument, p.unit, p.status) for p in passes] == [w for _, w in lines]


def test_windows_line_ends_change_nothing(logs, tmp_path):
    path = tmp_path / "crlf.log"
    path.write_bytes(raw("mix").replace("\n", "\r\n").encode())
    trace = open_trace(path).trace
    assert [(p.name, p.unit, p.changed) for p in trace.passes] == [
        (p.name, p.unit, p.changed) for p in logs["mix"].trace.passes
    ]
    assert trace.memory == logs["mix"].trace.memory


# Threads, tears, cuts


@pytest.mark.parametrize("name", ["mix_threads", "upstream_threads"])
def test_functions_of_threads_are_put_in_order_and_the_note_says_so(logs, name):
    trace = logs[name].trace
    assert any("threads" in note for note in trace.notes)
    runs = [p.unit for p, q in pairwise(trace.passes) if p.unit != q.unit]
    log = [m[2] for m in HEADER.finditer(raw(name))]
    assert sorted(p.name for p in trace.passes) == sorted(log)
    if name == "mix_threads":
        alone = logs["mix"].trace
        for unit in {p.unit for p in alone.passes}:
            order = [p.name for p in alone.passes if p.unit == unit]
            assert [p.name for p in trace.passes if p.unit == unit] == order
        assert sum(p.changed for p in trace.passes) == sum(p.changed for p in alone.passes)
    else:
        assert len(runs) == 8  # one run a function, then the module's


def test_single_thread_is_not_taken_for_several(logs):
    for name in ("mix", "mix_modules", "mix_changed", "upstream", "host"):
        assert not any("threads" in note for note in logs[name].trace.notes), name


def test_torn_dumps_are_counted_and_what_to_do_is_said(logs):
    opened = logs["upstream_torn"]
    torn = [p for p in opened.trace.passes if p.language == "text"]
    assert torn
    (note,) = opened.trace.notes
    assert note.startswith(f"{len(torn)} of {len(opened.trace.passes)} dumps are torn")
    assert "--mlir-disable-threading" in note
    assert all(opened.texts.get(p.text) is not None for p in opened.trace.passes)


@pytest.mark.parametrize("share", [0.13, 0.5, 0.77, 0.98])
def test_log_that_was_cut_gives_what_is_whole(logs, tmp_path, share):
    text = raw("mix")
    path = tmp_path / "cut.log"
    path.write_text(text[: int(len(text) * share)])
    cut, whole = open_trace(path).trace, logs["mix"].trace
    assert 0 < len(cut.passes) < len(whole.passes)
    assert cut.passes == whole.passes[: len(cut.passes)]
    assert cut.status is Status.FAILED
    assert "cut off" in cut.failure.message and cut.failure.pass_name is None
    (note,) = cut.notes
    assert whole.passes[len(cut.passes)].name in note


def test_packed_log_that_was_cut(logs, tmp_path):
    packed = (LOGS / "mix.log.gz").read_bytes()
    path = tmp_path / "mix.log.gz"
    path.write_bytes(packed[: len(packed) // 2])
    cut = open_trace(path).trace
    assert len(cut.passes) > 50
    assert cut.passes == logs["mix"].trace.passes[: len(cut.passes)]
    assert "ends in the middle" in cut.notes[0]
    path.write_bytes(packed[:1000] + b"\0" * 500 + packed[1500:])
    assert "damaged" in open_trace(path).trace.notes[0]


def test_two_compiles_in_one_log_are_told_apart(tmp_path):
    path = tmp_path / "two.log"
    path.write_text(raw("vadd") + raw("mix"))
    trace = open_trace(path).trace
    assert {p.attempt for p in trace.passes} == {1, 2}
    assert any("2 compiles" in note for note in trace.notes)
    assert trace.plan("UB").peak_bytes == 196_480


# Opening


def test_gzip_zip_and_plain_give_the_same(logs, tmp_path):
    packed = logs["mix"]
    alone = open_trace(plain("mix", tmp_path))
    with zipfile.ZipFile(tmp_path / "mix.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "mix.log", "sent/mix.log")
    zipped = open_trace(tmp_path / "mix.zip")
    assert packed.trace == alone.trace == zipped.trace
    for digest in texts_of(packed.trace):
        text = packed.texts.get(digest)
        assert alone.texts.get(digest) == zipped.texts.get(digest) == text


def test_large_log_opens_quickly_and_in_little_memory(tmp_path):
    path = tmp_path / "large.log"
    text = raw("mix_modules").encode()
    path.write_bytes(text * (20_000_000 // len(text) + 1))
    begun = time.perf_counter()
    trace = open_trace(path).trace
    assert time.perf_counter() - begun < 2
    assert len(trace.passes) > 1500
    tracemalloc.start()
    opened = open_trace(path)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = path.stat().st_size
    assert size > 20_000_000
    assert held < size / 10 and peak < size / 4
    assert "func.func" in opened.texts.get(opened.trace.passes[-1].text)


def test_text_of_a_log_that_was_written_anew_is_not_another_text(tmp_path):
    path = plain("vadd", tmp_path)
    opened = open_trace(path)
    step = opened.trace.passes[7]
    assert "func.func" in opened.texts.get(step.text)
    path.write_text(path.read_text().replace("vadd", "vsub"))
    with pytest.raises(KeyError):
        opened.texts.get(step.text)
    path.unlink()
    with pytest.raises(KeyError):
        opened.texts.get(step.text)


def test_what_is_no_log_is_refused(tmp_path):
    path = tmp_path / "some.log"
    path.write_bytes(b"")
    assert "empty" in refused(path) and "--mlir-disable-threading" in refused(path)
    path.write_text("Dear all,\nnothing here.\n")
    assert "no IR of any pass" in refused(path)
    path.write_text(member("vadd", "dump/module.hivm.opt.mlir"))
    assert "one MLIR module" in refused(path)
    path.write_bytes(raw("vadd").encode("utf-16"))
    assert "UTF-16" in refused(path)
    path.write_bytes((LOGS / "vadd.log.gz").read_bytes()[:15])
    assert "cannot be read" in refused(path)


def test_bytes_that_are_no_text_are_replaced_and_said(tmp_path):
    path = tmp_path / "latin.log"
    path.write_bytes(raw("vadd").encode().replace(b"hivm.hir.load", b"hivm.\xe9.load", 1))
    opened = open_trace(path)
    assert "hivm.�.load" in opened.texts.get(opened.trace.passes[0].text)
    assert any("UTF-8" in note for note in opened.trace.notes)


def test_library_keeps_and_exports_all_texts(logs, tmp_path):
    opened = logs["mix"]
    library = Library(tmp_path / "home")
    exported = tmp_path / "exported.zip"
    exported.write_bytes(library.export(library.add(opened.trace, opened.texts)))
    library.close()
    again = open_trace(exported)
    assert again.trace == opened.trace
    given = [p.given for p in opened.trace.changed if p.given]
    assert given and all(again.texts.get(g) == opened.texts.get(g) for g in given)


# Trees and Triton's folders


def test_tree_folder_is_the_same_as_its_log(logs, tmp_path):
    trace, expected = open_trace(LOGS / "upstream_tree.zip").trace, logs["upstream"].trace
    assert trace.passes == expected.passes
    assert trace.kernel == expected.kernel
    with zipfile.ZipFile(LOGS / "upstream_tree.zip") as archive:
        archive.extractall(tmp_path)
    (module,) = (tmp_path / "tree").iterdir()
    assert open_trace(module).trace.passes == expected.passes


def test_tree_folder_of_changes_has_each_functions_passes_in_order(logs):
    trace, expected = open_trace(LOGS / "mix_tree.zip").trace, logs["mix_changed"].trace
    assert (trace.memory, trace.tiling, trace.kernel) == (
        expected.memory,
        expected.tiling,
        expected.kernel,
    )
    units = {p.unit for p in expected.passes}
    assert len(units) == 6
    for unit in units:
        order = [(p.name, p.argument, p.text) for p in expected.passes if p.unit == unit]
        assert [(p.name, p.argument, p.text) for p in trace.passes if p.unit == unit] == order

    def after_modules(trace: Trace) -> list[tuple[int, str, str]]:
        """Each function pass with the number of module passes before it."""
        done = [0, *accumulate(not p.unit for p in trace.passes)]
        return sorted((done[p.index], p.unit, p.text) for p in trace.passes if p.unit)

    assert after_modules(trace) == after_modules(expected)


def test_folders_of_triton_are_stages(tmp_path):
    with zipfile.ZipFile(LOGS / "triton.zip") as archive:
        archive.extractall(tmp_path)
    for folder in ("dump", "cache"):
        opened = open_trace(tmp_path / folder)
        trace = opened.trace
        assert (trace.compiler.name, trace.kernel) == ("triton", "add")
        assert [(p.name, p.stage) for p in trace.passes] == [
            ("ttir", "triton"),
            ("ttadapter", "adapter"),
        ]
        first, second = trace.passes
        assert "tt.load" in opened.texts.get(first.text)
        assert "memref.copy" in opened.texts.get(second.text)
        assert second.given == first.text
    assert "2 dumps were found" in open_trace(tmp_path).trace.notes[0]


def test_compile_of_triton_is_one_trace_of_three_tools(jobs):
    opened = jobs["triton_add"]
    passes = opened.trace.passes
    assert [p.name for p in passes[:3]] == ["Inliner", "Canonicalizer", "TritonCombineOps"]
    adapter = [p for p in passes if p.stage == "adapter"]
    assert "TritonToLinalg" in {p.name for p in adapter}
    last = [p for p in passes if p.stage == "triton"][-1]
    made = member("triton_add", "dump/triton_add.ttir.mlir")
    assert opened.texts.get(last.text).strip() == made.strip()
    assert {log.name for log in opened.trace.logs} >= {
        "printed.log",
        "triton_add.ttir.mlir",
        "triton_add.ttadapter.mlir",
        "command.json",
        "memory_info_aiv.json",
    }
    assert opened.kernel is not None and opened.kernel.kind == "triton"
    assert [p.name for p in opened.kernel.parameters] == ["BLOCK"]


# Attempts


def test_retries_are_attempts_with_their_failed_pass_and_a_note(jobs):
    trace = jobs["saved"].trace
    assert trace.status is Status.OK_TO_LAST_STEP
    compiled = [p for p in trace.passes if p.stage not in ("triton", "adapter")]
    ends = [[p for p in compiled if p.attempt == n][-1] for n in (1, 2, 3)]
    assert [(p.argument, p.status) for p in ends] == [
        ("hivm-plan-memory", "failed"),
        ("hivm-plan-memory", "failed"),
        ("convert-hivm-to-std", "ok"),
    ]
    assert all(p.text for p in ends)
    firsts = [next(p for p in compiled if p.attempt == n) for n in (1, 2, 3)]
    assert {p.argument for p in firsts} == {"hacc-append-device-spec"}
    assert list(trace.notes) == [
        f"L1 overflowed, and the compiler tried again by itself with {flag}=false."
        for flag in ("enable-code-motion", "enable-auto-multi-buffer")
    ]
    assert trace.hints.asked == {"enable-auto-multi-buffer": True}
    assert "false by itself" in trace.hints.ignored["enable-auto-multi-buffer"]
    assert trace.plan("L1").peak_bytes == 2 * 512 * (256 + 128)


def test_retries_without_a_word_are_counted(logs):
    trace = logs["overflow_950"].trace
    starts = [p.index for p in trace.passes if p.argument == "hacc-append-device-spec"]
    assert [trace.passes[at].attempt for at in starts] == [1, 2, 3, 4, 5]
    assert trace.failure.attempts == 5
    assert any("5 times" in note for note in trace.notes)
    assert [p.attempt for p in trace.passes if p.status == "failed"] == [1, 2, 3, 4, 5]


# Failures


def check_overflow(trace: Trace) -> None:
    failure = trace.failure
    assert trace.status is Status.FAILED
    assert (failure.kind, failure.pass_name, failure.component) == (
        "memory",
        "PlanMemory",
        "hivm-plan-memory",
    )
    assert (failure.memory, failure.required_bytes, failure.available_bytes) == ("UB", 262_144, UB)
    assert failure.source == "hivm_vadd.mlir:7:3"
    assert failure.message.startswith(
        "The kernel does not fit in UB: 262,144 bytes have to be there at one time, and the chip "
        "has 196,608."
    )
    found = [(c.name, c.bytes, c.source) for c in failure.culprits]
    assert found == [
        ("%alloc", 131_072, "hivm_vadd.mlir:16:15"),
        ("%alloc_2", 131_072, "hivm_vadd.mlir:18:16"),
    ]
    (plan,) = trace.memory
    assert (plan.memory, plan.peak_bytes, plan.capacity_bytes) == ("UB", 262_144, UB)
    assert [b.bytes for b in plan.buffers] == [131_072] * 3
    last = trace.passes[-1]
    assert (last.name, last.status) == ("PlanMemory", "failed")


def test_overflow_names_the_buffers_that_do_not_fit(jobs, tmp_path):
    check_overflow(jobs["overflow"].trace)
    check_overflow(jobs["overflow_fast"].trace)
    check_overflow(open_trace(LOGS / "overflow.zip").trace)
    with zipfile.ZipFile(LOGS / "overflow.zip") as archive:
        archive.extractall(tmp_path)
    check_overflow(open_trace(tmp_path).trace)


def test_overflow_names_them_also_without_a_memory_display(logs, tmp_path):
    with zipfile.ZipFile(LOGS / "overflow.zip") as archive:
        (tmp_path / "alone.log").write_bytes(archive.read("overflow.log"))
    trace = open_trace(tmp_path / "alone.log").trace
    check_overflow(trace)
    assert {b.offset_bytes for b in trace.plan("UB").buffers} == {None}
    failure = logs["overflow_950"].trace.failure
    assert (failure.required_bytes, failure.available_bytes) == (393_216, 253_952)
    assert sum(c.bytes for c in failure.culprits) == failure.required_bytes
    assert [c.source.rpartition(".mlir:")[2] for c in failure.culprits] == [
        "16:15",
        "18:16",
        "20:14",
    ]


def test_lifetimes_of_a_failed_plan_are_lines_of_the_failed_pass(jobs):
    opened = jobs["overflow"]
    lines = opened.texts.get(opened.trace.passes[-1].text).splitlines()
    for buffer in opened.trace.plan("UB").buffers:
        name = re.compile(rf"{buffer.name}\b(?!_)")
        used = [
            n for n, line in enumerate(lines, 1) if name.search(line) and " = memref" not in line
        ]
        assert (buffer.first_use, buffer.last_use) == (used[0], used[-1])


def test_display_of_another_memory_that_fits_is_shown_too(jobs):
    trace = jobs["l0c"].trace
    assert trace.failure.memory == "L0C"
    assert (trace.failure.required_bytes, trace.failure.available_bytes) == (262_144, L0C)
    assert [(c.bytes, c.source.partition(":")[0]) for c in trace.failure.culprits] == [
        (262_144, "triton_matmul.py")
    ]
    display = json.loads(member("l0c", "dump/memory_info_aic.json"))
    names = {"cc": "L0C", "cbuf": "L1", "ub": "UB"}
    assert {p.memory for p in trace.memory} == {names[r["scope"]] for r in display["Record"]}


def test_diagnostics_come_cause_first(jobs):
    printed = member("overflow", "printed.log")
    assert printed.index("Failed to run BiShengHIR pipeline") < printed.index("ub overflow")
    said = [d.message for d in jobs["overflow"].trace.diagnostics if d.level == "ERROR"]
    assert said[0].startswith("ub overflow")
    assert said[1:] == ["Failed to run BiShengHIR pipeline", "Failed to run BiShengIR pipeline"]


@pytest.mark.parametrize(
    ("name", "kind", "pass_name", "source", "words"),
    [
        ("undefined", "bad_input", "parser", "2:21", "a value at undefined.mlir:2:21 that nothing"),
        ("unknown_dialect", "bad_input", "parser", "2:13", "dialect that this compiler does not"),
        ("two_types", "bad_input", "verifier", "3:3", "not allowed as it is written"),
        ("no_such_cast", "bad_input", "verifier", "3:3", "cannot convert int64 to int8"),
        ("no_lowering", "error", "ConvertLinalgToHFusion", "4:12", "(it holds math.atan2)"),
        ("double", "error", "ConvertHFusionToHIVM", "1:19", "elements of type f64; it takes"),
        ("convolution", "error", "FlattenOps", "5:8", "into something that is not allowed"),
        ("triton_refused", "bad_input", "front end", "17:12", "no attribute 'lode'"),
    ],
)  # fmt: skip
def test_each_failure_is_explained_in_plain_words(jobs, name, kind, pass_name, source, words):
    failure = jobs[name].trace.failure
    assert (failure.kind, failure.pass_name) == (kind, pass_name)
    suffix = "py" if name.startswith("triton") else "mlir"
    assert failure.source == f"{name}.{suffix}:{source}"
    assert words in failure.message
    assert "\n" not in failure.message and failure.message.endswith(".")
    if pass_name not in ("parser", "verifier", "front end"):
        last = jobs[name].trace.passes[-1]
        assert (last.name, last.status) == (pass_name, "failed") and last.text


def test_wrong_options_are_bad_input(logs):
    chip, option = logs["unknown_chip"].trace.failure, logs["unknown_option"].trace.failure
    assert (chip.kind, option.kind) == ("bad_input", "bad_input")
    assert chip.message.startswith("This compiler knows no chip called Ascend910X.")
    assert option.message.startswith("This compiler has no option --enable-lir-compile=false.")


def test_pass_of_a_crash_is_the_last_that_began(logs, jobs):
    for opened in (logs["host"], jobs["host"]):
        trace = opened.trace
        assert trace.status is Status.CRASHED
        last = trace.passes[-1]
        assert (last.name, last.status, last.text) == (
            "HIVMRecognizeDeinterleaveOp",
            "crashed",
            None,
        )
        assert "func.func" in opened.texts.get(last.given)
        assert (trace.failure.kind, trace.failure.pass_name) == ("crash", last.name)
        assert all(p.status == "ok" for p in trace.passes[:-1])
    assert "(SIGSEGV)" in jobs["host"].trace.failure.message
    assert logs["host"].trace.failure.stack


def test_pass_of_a_crash_is_not_guessed(logs):
    trace = logs["dynamic"].trace
    assert trace.failure.pass_name is None
    assert trace.failure.after == trace.passes[-1].name == "MarkMultiBuffer"
    assert "only known when the kernel runs" in trace.failure.message
    assert all(p.status == "ok" for p in trace.passes)


def test_failure_of_another_tool(logs):
    trace = logs["upstream_failed"].trace
    assert trace.compiler.name == "mlir"
    assert (trace.failure.pass_name, trace.failure.source) == (
        "OneShotBufferize",
        "not_bufferized.mlir:2:8",
    )


def test_absence_of_the_last_tool_is_no_failure(tmp_path):
    """What bishengir-compile prints where there is no hivmc, behind a log of ours."""
    path = tmp_path / "no_hivmc.log"
    path.write_text(
        "[ERROR] Cannot find hivmc under $PATH \n[ERROR] Failed to run `hivmc --version`.\n"
        + raw("vadd")
        + "[ERROR] Cannot find hivmc under $PATH \n"
        'loc("k.mlir":1:1): error: External hivmc run fails, returning module before running '
        "external compiler\n[ERROR] Failed to run BiShengIR pipeline\n"
    )
    trace = open_trace(path).trace
    assert (trace.status, trace.failure) == (Status.OK_TO_LAST_STEP, None)


def test_two_streams_in_one_file_do_not_hide_the_cause(tmp_path):
    """A warning that another stream's error cuts in two, as seen in a log of 4 MB."""
    path = tmp_path / "mixed.log"
    path.write_text(
        raw("vadd") + 'loc("/src/test/bloc("/src/test/b/k.mlir":0:0): error: '
        "Failed to run BiShengHIR pipeline\n\n"
        'loc("/src/test/b/k.mlir":30:1): error: ub overflow, requires 1580032 bits while 1572864 '
        "bits available! (possible reason: tiling basic block is too large)\n"
        "[ERROR] Failed to run BiShengIR pipeline\n"
        '/k.mlir":53:8): warning: [cv-pipelining] cannot pipeline loop\n'
    )
    trace = open_trace(path).trace
    assert trace.failure.source == "k.mlir:30:1"
    assert trace.failure.required_bytes == 197_504
    assert trace.diagnostics[0].message.startswith("ub overflow")
    assert any(d.level == "WARNING" for d in trace.diagnostics)


# Memory


def placed(text: str) -> dict[str, int]:
    """max(offset + bytes) a memory, from the final IR's text, line by line."""
    widths = {"f16": 2, "f32": 4, "i8": 1, "i64": 8, "i32": 4, "i1": 1, "i16": 2}
    numbers = dict(re.findall(r"(%\S+) = (?:arith|llvm\.mlir)\.constant\(?\s?\(?(\d+) : i64", text))
    peaks: dict[str, int] = {}
    pattern = r"pointer_cast\(([^)]*)\)[^:]*: memref<((?:\d+x)+)(\w+), #hivm.address_space<(\w+)>>"
    for addresses, shape, dtype, space in re.findall(pattern, text):
        size = widths[dtype]
        for extent in shape.split("x")[:-1]:
            size *= int(extent)
        for address in addresses.split(", "):
            end = int(numbers[address]) + size if size else 0
            peaks[space] = max(peaks.get(space, 0), end)
    names = {"ub": "UB", "cbuf": "L1", "cc": "L0C"}
    return {names[space]: peak for space, peak in peaks.items() if space in names}


@pytest.mark.parametrize(
    "name", ["vadd", "vadd_fast", "vadd_950", "rms_norm", "triton_add", "triton_matmul", "saved"]
)
def test_peaks_are_those_of_the_final_ir(jobs, name):
    trace = jobs[name].trace
    text = member(name, "dump/module.hivm.opt.mlir")
    assert {p.memory: p.peak_bytes for p in trace.memory} == placed(text) != {}
    for plan in trace.memory:
        assert plan.peak_bytes == max(b.offset_bytes + b.bytes for b in plan.buffers)
        assert all(b.source for b in plan.buffers) or name == "vadd_fast"
    assert jobs[name].texts.get(trace.code) == text


def test_capacities_are_the_modules_own(jobs):
    for name in ("vadd", "vadd_950", "triton_matmul"):
        text = member(name, "dump/module.hivm.opt.mlir")
        sizes = {m: int(b) // 8 for m, b in re.findall(r'"(UB|L1|L0C)_SIZE", (\d+)', text)}
        for plan in jobs[name].trace.memory:
            assert plan.capacity_bytes == sizes[plan.memory]
    assert jobs["vadd"].trace.plan("UB").capacity_bytes == UB
    assert jobs["vadd_950"].trace.plan("UB").capacity_bytes == 253_952
    assert jobs["triton_matmul"].trace.plan("L1").capacity_bytes == L1


def test_capacities_of_a_log_are_those_that_it_prints(logs):
    assert logs["vadd"].trace.plan("UB").capacity_bytes == UB
    assert logs["overflow_950"].trace.plan("UB").capacity_bytes == 253_952
    assert logs["overflow_950"].trace.target == "Ascend950PR_9579"


def test_buffers_at_one_address_are_never_alive_together(logs, jobs):
    """An operation may write where an operand was: that one line may be common."""
    shared = 0
    for opened in (*logs.values(), *jobs.values()):
        if not opened.trace.status.compiles:
            continue
        for plan in opened.trace.memory:
            for one, other in combinations(plan.buffers, 2):
                if one.name.rpartition(" ")[0] != other.name.rpartition(" ")[0]:
                    continue  # of two functions
                if (
                    one.offset_bytes < other.offset_bytes + other.bytes
                    and other.offset_bytes < one.offset_bytes + one.bytes
                ):
                    shared += 1
                    first = max(one.first_use, other.first_use)
                    assert min(one.last_use, other.last_use) <= first, (one, other)
    assert shared > 30


def test_buffers_of_several_functions_are_named_by_function(logs):
    (plan,) = logs["mix"].trace.memory
    functions = {b.name.partition(" %")[0] for b in plan.buffers}
    assert len(functions) == 2
    assert len({b.name for b in plan.buffers}) == len(plan.buffers)


def test_halves_of_double_buffers_know_each_other(jobs):
    plan = jobs["triton_matmul"].trace.plan("L1")
    display = json.loads(member("triton_matmul", "dump/memory_info_aic.json"))
    (record,) = (r for r in display["Record"] if r["scope"] == "cbuf")
    pairs = {tuple(m["offset"]) for m in record["memory_info_array"]}
    assert len(pairs) == 2 and all(len(pair) == 2 for pair in pairs)
    offsets = {b.name: b.offset_bytes for b in plan.buffers}
    found = {frozenset((offsets[b.copy_of], b.offset_bytes)) for b in plan.buffers if b.copy_of}
    assert found == {frozenset(pair) for pair in pairs}
    assert [share.copies for share in shares(plan)] == [2, 2]


def test_buffer_from_outside_a_loop_is_held_to_its_end(jobs):
    opened = jobs["triton_matmul"]
    lines = opened.texts.get(opened.trace.code).splitlines()
    plan = opened.trace.plan("L1")
    assert all(lines[b.last_use - 1].strip().startswith("}") for b in plan.buffers)
    for buffer in plan.buffers:
        declared = next(
            n for n, x in enumerate(lines, 1) if x.strip().startswith(f"{buffer.name} =")
        )
        assert declared < buffer.first_use < buffer.last_use


def test_fast_compile_has_the_same_memory_as_a_traced_one(jobs):
    traced, fast = jobs["vadd"].trace, jobs["vadd_fast"].trace
    assert fast.passes == ()
    places = [(b.name, b.bytes, b.offset_bytes) for b in traced.plan("UB").buffers]
    assert [(b.name, b.bytes, b.offset_bytes) for b in fast.plan("UB").buffers] == places
    for buffer in fast.plan("UB").buffers:  # the display leaves out what shares a place
        known = next(b for b in traced.plan("UB").buffers if b.name == buffer.name)
        assert buffer.source in (known.source, "")


def test_damaged_memory_display_is_passed_over(jobs, tmp_path):
    with zipfile.ZipFile(JOBS / "vadd_fast.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["dump/memory_info_aiv.json"] = b'{"Header": {"KernelName": "vadd"}, "Record": [{"scope"'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    path = tmp_path / "damaged.zip"
    path.write_bytes(buffer.getvalue())
    plan = open_trace(path).trace.plan("UB")
    assert plan.peak_bytes == jobs["vadd_fast"].trace.plan("UB").peak_bytes
    assert {b.source for b in plan.buffers} == {""}


# Tiling, kernel, cores


def test_tiling_of_hfusion_is_what_its_tiling_function_returns(jobs):
    opened = jobs["rms_norm"]
    step = next(p for p in opened.trace.passes if p.argument == "hfusion-auto-schedule")
    text = opened.texts.get(step.text)
    body = text[text.index("_tiling_function(") :]
    values = dict(re.findall(r"(%\S+) = arith.constant (\d+) : i64", body))
    returned = [int(values[v]) for v in re.search(r"return (.*) :", body)[1].split(", ")]
    key, *tiles, parallel, reduction, size = returned
    assert opened.trace.tiling.note == (
        f"HFusion tiled rms_norm by {' × '.join(f'{t:,}' for t in tiles)} over "
        f"{parallel * reduction} cores, buffers of {size:,} B (tiling key {key})."
    )
    assert opened.trace.block_dim == parallel * reduction


def test_kernel_is_the_function_called_from_outside(logs):
    names = {name: opened.trace.kernel for name, opened in logs.items()}
    assert (names["vadd"], names["mix"], names["host"]) == ("vadd", "matmul_add_mul", "add_exp")
    assert (names["upstream"], names["dynamic"]) == ("f0", "dynamic")


def test_job_whose_end_is_not_recorded_is_said_to_run_still(tmp_path):
    with zipfile.ZipFile(JOBS / "vadd.zip") as archive:
        archive.extractall(tmp_path)
    (tmp_path / "ended.json").unlink()
    trace = open_trace(tmp_path).trace
    assert trace.status is Status.FAILED
    assert any("not recorded" in note for note in trace.notes)


def test_stopped_compile_names_the_pass_that_it_was_in(tmp_path):
    with zipfile.ZipFile(JOBS / "vadd.zip") as archive:
        archive.extractall(tmp_path)
    whole = raw("vadd_both")
    headers = list(HEADER.finditer(whole))
    begun = next(h for h in headers if h[2] == "PlanMemory" and h[1] == "Before")
    end = headers[headers.index(begun) + 1].start()
    (tmp_path / "printed.log").write_text(whole[:end])
    ended = {"status": "timed_out", "signal": "SIGKILL", "exit_code": None, "seconds": 2.0}
    (tmp_path / "ended.json").write_text(json.dumps(ended))
    trace = open_trace(tmp_path).trace
    assert trace.failure.message == "Stopped by the time limit after 2.0 s in PlanMemory."
    assert (trace.passes[-1].name, trace.passes[-1].status) == ("PlanMemory", "timed_out")
