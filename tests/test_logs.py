"""Logs as people paste them: every failure once, its cause, where it is, and what it means."""

from __future__ import annotations

import gzip
import json
import random
import time
from pathlib import Path

import pytest

from core.analysis.explained_log import explain_log
from core.readers import ReadError, open_trace
from core.readers.logs import LoggedFailure, ReadLog, read_log, read_log_file

LOGS = Path(__file__).parent / "logs"
DUMPS = Path(__file__).parent / "dumps" / "mlir_logs"


def read(name: str) -> ReadLog:
    return read_log_file(next(LOGS.glob(f"{name}.log*")))


def only(name: str) -> LoggedFailure:
    failures = read(name).failures
    assert len(failures) == 1
    return failures[0]


#: Log, compiler, pass, the beginning of the message, who says so in the order of the log.
ONE = [
    (
        "mindspore_shapes",
        "mindspore",
        "",
        "For 'MatMulExt' op, shape1[-1] must be",
        ["MindSpore", "RuntimeError"],
    ),
    ("mindspore_name", "mindspore", "", "The name 'undefined_function' is not", ["NameError"]),
    ("mindspore_branches", "mindspore", "", "Cannot join the return values", ["TypeError"]),
    (
        "mindspore_akg",
        "akg",
        "",
        "Failed to vectorize loop with extent",
        ["AKG", "TVMError", "ValueError", "ValueError", "MindSpore", "RuntimeError"],
    ),
    (
        "mindspore_akg_v2",
        "mindspore",
        "",
        "No module named 'akg_v2'",
        ["ModuleNotFoundError", "MindSpore", "RuntimeError"],
    ),
    (
        "akg_aborted",
        "akg",
        "StorageRewriteCCE",
        "Allocation exceed bound of memory tag local.UB: need 2097152",
        ["C++", "the process"],
    ),
    ("akg_segfault", "", "", "run.sh: line 1: ", ["the process"]),
    (
        "triton_overflow",
        "ascendnpu-ir",
        "",
        "ub overflow, requires 6291456 bits while",
        ["CalledProcessError", "MLIRCompilationError", "bishengir-compile"],
    ),
    ("triton_misspelt", "ascendnpu-ir", "", "module 'triton.language' has no", ["AttributeError"]),
    (
        "triton_open_ended",
        "ascendnpu-ir",
        "front end",
        "arange's arguments must be of type",
        ["ValueError", "CompilationError"],
    ),
    (
        "bishengir_overflow",
        "ascendnpu-ir",
        "",
        "ub overflow, requires 2097152 bits while 1572864",
        ["bishengir-compile"],
    ),
    (
        "bishengir_chip",
        "ascendnpu-ir",
        "command line",
        "for the --target option: Cannot find option named 'Ascend310P1'",
        ["bishengir-compile"],
    ),
    ("bishengir_crashed", "ascendnpu-ir", "", "PLEASE submit a bug report", ["bishengir-compile"]),
    (
        "bishengir_to_the_last_tool",
        "ascendnpu-ir",
        "",
        "Cannot find hivmc",
        ["bishengir-compile"],
    ),
]


@pytest.mark.parametrize(("name", "compiler", "pass_name", "message", "layers"), ONE)
def test_a_failure_that_several_layers_repeat_is_one(
    name: str, compiler: str, pass_name: str, message: str, layers: list[str]
) -> None:
    failure = only(name)
    assert (failure.compiler, failure.pass_name) == (compiler, pass_name)
    assert failure.message.startswith(message)
    assert [layer.by for layer in failure.layers] == layers


def test_the_lines_of_a_failure_are_where_it_is_told() -> None:
    failure = only("mindspore_akg")
    text = (LOGS / "mindspore_akg.log").read_text().splitlines()
    said = {layer.by: text[layer.first - 1] for layer in failure.layers}
    assert "vectorize_loop.cc:575" in said["AKG"]
    assert said["RuntimeError"].startswith("Traceback")
    assert text[failure.layers[-1].last - 1].endswith("kernel_build_client.h:100 Response")
    assert (failure.first, failure.last) == (failure.layers[0].first, failure.layers[-1].last)


def test_the_line_of_the_network_is_named() -> None:
    failure = only("mindspore_shapes")
    assert (failure.line, failure.code) == ("nets.py:13", "return ops.matmul(y, self.weight)")
    failure = only("triton_open_ended")
    assert (failure.line, failure.code) == ("open_ended:2", "where = tl.arange(0, n)")


def test_the_kernel_that_failed_is_in_the_log_itself() -> None:
    failure = only("mindspore_akg")
    assert failure.kernel.startswith("Fused_LayerNorm_Transpose_Mul_Add_Softmax_fusion_")
    described = json.loads(failure.description)
    assert described["op"] == failure.kernel
    operators = {each["name"] for each in described["op_desc"]}
    assert {"Transpose", "ReduceMax", "Exp"} <= operators
    assert only("bishengir_overflow").kernel == "hivm_vadd"


def test_several_failures_of_one_log_stay_apart() -> None:
    failures = read("akg_several").failures
    assert [f.pass_name for f in failures] == ["EmitInsn", "StorageFlatten", "TileOuterBand"]
    assert [f.component for f in failures] == ["emit_insn", "pass", "schedule_pass"]
    assert all([each.by for each in f.layers] == ["AKG", "TVMError"] for f in failures)
    assert all(f.times == 1 and f.stack and f.line == "run.py:6" for f in failures)


def test_what_akg_prints_late_belongs_to_what_it_threw() -> None:
    """Into a pipe AKG's own lines come when it ends, behind all exceptions."""
    text = (LOGS / "akg_several.log").read_text()
    blocks = text.split("[ERROR] AKG:")
    printed, thrown = [], [blocks[0]]
    for block in blocks[1:]:
        own, mark, rest = block.partition("\nTraceback")
        printed.append("[ERROR] AKG:" + own)
        thrown.append((mark + rest).lstrip("\n"))
    failures = read_log("".join(thrown) + "\n".join(printed)).failures
    assert [[each.by for each in f.layers] for f in failures] == [["TVMError", "AKG"]] * 3
    assert [f.component for f in failures] == ["emit_insn", "pass", "schedule_pass"]


def test_attempts_of_one_compile_are_one_failure() -> None:
    failure = only("triton_overflow")
    assert failure.attempts == 3
    said = (LOGS / "akg_several.log").read_text()
    one = next(line for line in said.splitlines() if "storage_flatten.cc:213]" in line)
    attempts = "\n".join([one] * 4)
    found = read_log(attempts).failures
    assert len(found) == 1
    assert found[0].attempts == 4
    assert not found[0].certain  # nothing says that the last attempt failed


def test_an_attempt_that_was_saved_is_no_failure() -> None:
    said = (
        "[NOTE] Ub overflow detected; automatically set enable-code-motion to false and retrying "
        "compilation.\n[NOTE] Due to Ub overflow, automatically set enable-code-motion to false; "
        "compilation then succeeded.\n"
    )
    log = read_log(said)
    assert not log.failures
    assert [each.note for each in log.recovered] == [
        "Due to Ub overflow, automatically set enable-code-motion to false; compilation then "
        "succeeded."
    ]
    assert not explain_log(said)


def dirty(rank: int, lines: list[str]) -> list[str]:
    """Lines as a container's log of a coloured terminal has them."""
    return [
        f"2026-12-01T02:21:{n % 60:02}.{n:06}Z rank {rank}: \x1b[31m{line}\x1b[0m"
        for n, line in enumerate(lines)
    ]


def test_ranks_that_print_into_each_other_are_told_apart() -> None:
    one = dirty(0, (LOGS / "akg_several.log").read_text().split("\n"))
    other = dirty(1, (LOGS / "mindspore_shapes.log").read_text().split("\n"))
    dice = random.Random(1)
    mixed = []
    while one or other:
        take = one if one and (not other or dice.random() < 0.6) else other
        mixed.append(take.pop(0))
    found = read_log("\r\n".join(mixed)).failures
    clean = (*read("akg_several").failures, *read("mindspore_shapes").failures)
    assert {f.message for f in found} == {f.message for f in clean}
    assert {f.streams for f in found if f.compiler == "akg"} == {("rank 0",)}
    assert next(f for f in found if f.compiler == "mindspore").line == "nets.py:13"


def test_the_same_failure_of_eight_ranks_is_one() -> None:
    lines = (LOGS / "mindspore_shapes.log").read_text().split("\n")
    log = "\n".join(line for rank in range(8) for line in dirty(rank, lines))
    (failure,) = read_log(log).failures
    assert failure.times == 8
    assert len(failure.streams) == 8


@pytest.mark.parametrize("name", [p.name for p in sorted(LOGS.glob("*.log"))])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gzip", "cr"])
def test_how_a_log_is_written_does_not_matter(name: str, encoding: str) -> None:
    text = (LOGS / name).read_text()
    if encoding == "gzip":
        data = gzip.compress(text.encode())
    elif encoding == "cr":
        data = text.replace("\n", "\r\n").encode()
    else:
        data = text.encode(encoding)
    found = read_log(data).failures
    expected = read_log(text).failures
    assert [(f.message, f.first, f.last) for f in found] == [
        (f.message, f.first, f.last) for f in expected
    ]


def test_which_functions_were_compiled_again_and_why() -> None:
    found = {each.name: each for each in read("mindspore_recompiles").recompiled}
    gated, scaled, doubled = found["Gated.construct"], found["scaled"], found["doubled"]
    assert (gated.count, gated.objects, gated.dtypes) == (7, 4, ("float32",))
    assert gated.shapes == {((4, 16),): 4, ((5, 16),): 1, ((6, 16),): 1, ((7, 16),): 1}
    assert (scaled.count, scaled.objects) == (3, 1)
    assert scaled.shapes == {((3, 8), (8,)): 1, ((4, 8), (8,)): 1, ((4, 9), (9,)): 1}
    assert (doubled.count, doubled.objects) == (3, 3)  # decorated anew each time
    assert 0.05 < gated.seconds < 10 and 0.001 < scaled.seconds < 10


def test_at_the_usual_level_only_functions_made_anew_are_seen() -> None:
    (doubled,) = read("mindspore_recompiles_quiet").recompiled
    assert (doubled.name, doubled.count, doubled.shapes) == ("doubled", 3, {})


#: What each of the recorded logs is explained as.
NAMED = {
    "mindspore_shapes": ["mindspore-matmul-shapes"],
    "mindspore_name": ["mindspore-name"],
    "mindspore_branches": ["mindspore-branches"],
    "mindspore_akg": ["akg-host-vectorise-extent"],
    "mindspore_akg_v2": ["mindspore-akg-v2"],
    "akg_several": [
        "akg-fp32-max-over-last-axis",
        "akg-buffer-larger-than-memory",
        "akg-dim-not-in-groups-of-four",
    ],
    "triton_overflow": ["bishengir-ub-overflow"],
    "triton_misspelt": ["triton-no-such-function"],
    "triton_open_ended": ["triton-argument-not-constant"],
    "bishengir_overflow": ["bishengir-ub-overflow"],
    "bishengir_chip": ["bishengir-unknown-target"],
    "bishengir_to_the_last_tool": ["bishengir-last-tool-absent"],
    "bishengir_crashed": ["bishengir-crash-without-a-word"],
}


@pytest.mark.parametrize("name", NAMED)
def test_what_failed_in_a_log_is_explained(name: str) -> None:
    explained = explain_log(read(name))
    assert [e.signature and e.signature.id for _, e in explained] == NAMED[name]


@pytest.mark.parametrize(
    ("said", "signature"),
    [
        ("Pattern match failed in rewrite pass", "pattern-match-failed"),
        (
            "something began\nfatal: Pattern match failed in rewrite pass\nand went on\n" * 3,
            "pattern-match-failed",
        ),
        ("RuntimeError: Response is empty.", "mindspore-akg-said-nothing"),
        (
            "cbuf overflow, requires 6291456 bits while 4194304 bits available!",
            "bishengir-l1-overflow",
        ),
    ],
)
def test_one_pasted_line_is_enough(said: str, signature: str) -> None:
    assert signature in [e.signature and e.signature.id for _, e in explain_log(said)]


@pytest.mark.parametrize("said", ["", "\n\n", "epoch 1, loss 0.3\n" * 1000, "\0" * 5000])
def test_a_log_of_nothing_has_no_failures(said: str) -> None:
    assert not read_log(said).failures


def test_a_log_with_ir_is_a_trace_and_says_so() -> None:
    log = read_log_file(DUMPS / "vadd.log.gz")
    assert log.dumps > 20
    assert not log.failures
    assert "open it as a trace" in log.notes[0]
    crashed = read_log_file(DUMPS / "upstream_failed.log.gz")
    assert crashed.dumps and len(crashed.failures) == 1


def test_a_log_without_ir_says_where_it_is_explained() -> None:
    with pytest.raises(ReadError, match=r"a failure, in line 2: .*Why explains it"):
        open_trace(LOGS / "mindspore_shapes.log")
    assert open_trace(LOGS / "bishengir_overflow.log").trace.failure  # an MLIR tool's is a trace
    with pytest.raises(ReadError, match=r"3 failures, first in line 2.*core explain akg_several"):
        open_trace(LOGS / "akg_several.log")


def test_time_grows_with_the_length_and_no_more() -> None:
    bulk = gzip.decompress((LOGS / "mindspore_recompiles.log.gz").read_bytes())
    failure = (LOGS / "mindspore_akg.log").read_bytes()
    began = time.perf_counter()
    log = read_log(bulk * 30 + failure)
    seconds = time.perf_counter() - began
    assert log.bytes > 11_000_000
    assert len(log.failures) == 1 and log.failures[0].compiler == "akg"
    assert seconds < 10  # some 10 MB a second where nothing else runs


@pytest.mark.parametrize(
    "line",
    [
        "(" * 50_000,
        "loc(" * 20_000,
        "1 " * 50_000,
        "a." * 40_000 + "Error",
        "[ERROR] " * 10_000,
        "x" * 3_000_000,
        "Traceback (most recent call last):\n" * 20_000,
        "Segmentation fault\n" * 20_000,
        "[ERROR] AKG:2026-12-01-02:31:51.254.641 [a.cc:1] [pass] Check failed\n" * 20_000,
    ],
    ids=["brackets", "places", "numbers", "dots", "tags", "long", "torn", "signals", "errors"],
)
def test_no_text_takes_long(line: str) -> None:
    began = time.perf_counter()
    log = read_log(line)
    assert time.perf_counter() - began < 6
    assert len(log.failures) <= 500
