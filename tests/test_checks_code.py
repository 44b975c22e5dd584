"""Alignment, overlaps and scalar loops: in the statement language and in the code that AKG emits.

Defects are those of recorded compiles, and those put into them by moving an address or an operand.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from core.analysis.checks import Finding, check
from core.ir import cce
from core.readers import Opened, open_trace
from core.target import recorded_targets
from tests.conftest import PROJECT, Dump

TRACES = PROJECT / "data" / "traces"
LISTED = Path(__file__).resolve().parent / "findings.tsv"
MEMORIES = {memory.name: memory for memory in recorded_targets()["Ascend910"].memories}
OURS = ("alignment", "overlap", "scalar")


@cache
def opened(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def text_of(trace: str, name: str, number: int = 0) -> str:
    """The text that a pass left; of several of its name the one counted from 0."""
    one = opened(trace)
    found = [p for p in one.trace.passes if p.name == name and p.text]
    assert found[number].text
    return one.texts.get(found[number].text)


def code_of(trace: str) -> str:
    one = opened(trace)
    assert one.trace.code
    return one.texts.get(one.trace.code)


def found(text: str, language: str = "cce", kind: str = "") -> list[Finding]:
    findings = check(text, "statement" if language == "statement" else "cce", MEMORIES)
    return [f for f in findings if f.check == kind or (not kind and f.check in OURS)]


def moved(code: str, name: str, place: int) -> str:
    """The code with a buffer declared at another byte."""
    changed, times = re.subn(rf"(\* ?{name} = \([^()]*\))\(\d+\)", rf"\1({place})", code)
    assert times == 1
    return changed


def place_of(code: str, name: str) -> int:
    return next(p.offset_bytes for p in cce.parse(code).pointers if p.name == name)


def listed(*names: str) -> set[tuple[str, str, str, str]]:
    """What tests/findings.tsv gives a reason for: trace, check, pass, subject."""
    with LISTED.open(newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    return {(row[0], row[1], row[2], row[3]) for row in rows if row[0] in names}


def introduced(name: str, one: Opened) -> set[tuple[str, str, str, str]]:
    """Each finding of this file's checks with the first pass that has it."""
    read: dict[str, list[Finding]] = {}
    first: dict[tuple[str, str], tuple[str, str, str, str]] = {}
    for step in one.trace.passes:
        if step.text and step.language == "statement":
            if step.text not in read:
                text = one.texts.get(step.text)
                # texts without instructions are another test's matter, and most of them all
                read[step.text] = found(text, "statement") if "tvm_a" in text else []
            for each in read[step.text]:
                row = (name, each.check, f"{step.index}_{step.name}", each.subject)
                first.setdefault(each.identity, row)
    return set(first.values())


def akg_traces() -> list[str]:
    names = sorted(path.stem for path in TRACES.glob("*.zip"))
    return [name for name in names if opened(name).trace.compiler.name == "akg"]


# --- loops of scalar stores -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trace", "buffer", "stores", "loops"),
    [
        ("transpose", "T_transpose_local_UB", "32,768 times", "cc0 × cc2"),
        ("voxel_gather-512x64_rows128", "y_local_UB", "8,192 times", "cc2 × cc3"),
    ],
)
def test_a_loop_of_scalar_stores_is_there_from_the_pass_that_emits_instructions(
    trace: str, buffer: str, stores: str, loops: str
) -> None:
    before = [p for p in opened(trace).trace.passes if p.text and p.stage == "lowering"]
    names = [p.name for p in before]
    for step in before[: names.index("EmitInsn")]:
        assert step.text
        assert not found(opened(trace).texts.get(step.text), "statement", "scalar")
    (finding,) = found(text_of(trace, "EmitInsn"), "statement", "scalar")
    assert (finding.harm, finding.subject) == ("slow", buffer)
    assert stores in finding.message and loops in finding.message and "UB" in finding.message
    (emitted,) = found(code_of(trace), kind="scalar")
    assert emitted.identity == finding.identity


def test_nests_of_one_buffer_are_one_finding() -> None:
    text = text_of("conv3d_padded-8x8x8_c4_k3", "EmitInsn")
    findings = {f.subject: f for f in found(text, "statement", "scalar")}
    assert set(findings) == {"conv_2_local_UB", "padded_local_UB", "conv_0_local_UB"}
    assert findings["conv_2_local_UB"].times == 5
    total = 2048 + 4096 + 12288 + 36864 + 165888  # of the five nests
    assert f"{total:,} times" in findings["conv_2_local_UB"].message


def test_the_end_of_a_row_is_moved_by_scalars_for_want_of_a_vector() -> None:
    text = text_of("elementwise_shapes-1x511x65", "EmitInsn")
    assert "tail_tensor_local_UB[tail_index] =" in text
    assert not found(text, "statement", "scalar")
    assert "tail_tensor_local_UB[tail_index] =" in code_of("elementwise_shapes-1x511x65")
    assert not found(code_of("elementwise_shapes-1x511x65"), kind="scalar")
    # sixteen of them are a block of UB; of more of them a vector instruction would be the faster
    longer = text.replace("(tail_index, 0, 16)", "(tail_index, 0, 17)")
    assert [f.subject for f in found(longer, "statement", "scalar")] == ["tail_tensor_local_UB"]


# --- alignment ------------------------------------------------------------------------------------


def test_an_operand_shifted_by_an_element_is_found_in_pass_and_code() -> None:
    (finding,) = found(text_of("conv3d_direct-8x16x16_k3", "EmitInsn"), "statement", "alignment")
    assert (finding.harm, finding.subject) == ("wrong", "input_1_local_UB")
    assert "vadds" in finding.message and "cc9 = 1" in finding.message
    assert "byte 2 " in finding.message and "multiple of 32" in finding.message
    (emitted,) = found(code_of("conv3d_direct-8x16x16_k3"), kind="alignment")
    assert emitted.identity == finding.identity
    assert emitted.times > finding.times  # tiles of the convolution stand apart in the code


def test_a_buffer_four_bytes_off_is_found() -> None:
    code = code_of("softmax_fp16")
    assert not found(code, kind="alignment")
    name = "T_exp_local_UB"
    place = place_of(code, name)
    (finding,) = found(moved(code, name, place + 4), kind="alignment")
    assert (finding.harm, finding.subject) == ("wrong", name)
    assert f"byte {place + 4:,} of UB" in finding.message
    assert not found(moved(code, name, place + 32), kind="alignment")


def test_what_l1_and_l0_ask_for_is_512_bytes() -> None:
    code = code_of("matmul_cube")
    assert not found(code, kind="alignment")
    for name in ("input_0_local_L1", "input_0_local_L1_local_L0A"):
        (finding,) = found(moved(code, name, place_of(code, name) + 32), kind="alignment")
        assert finding.subject == name and "multiple of 512" in finding.message


def test_an_operand_off_its_block_is_found_where_its_loop_runs() -> None:
    text = text_of("elementwise_shapes-1x511x65", "EmitInsn")
    assert not found(text, "statement", "alignment")
    operand = "T_multiply_T_add_input_1_input_2_input_2_0_local_UB, 384, 63, 2)"
    assert text.count(operand) == 1
    (finding,) = found(text.replace(operand, operand.replace("384", "385")), "statement")
    assert (finding.check, finding.line) == (
        "alignment",
        text[: text.find(operand)].count("\n") + 1,
    )
    assert "byte 770" in finding.message
    # nothing runs where a condition never holds
    never = text.replace("if ((((blockIdx.x*2) + cc0) < 33)) {", "if ((cc0 > 33)) {")
    assert never != text
    assert not found(never.replace(operand, operand.replace("384", "385")), "statement")


def test_a_reduction_may_write_single_elements() -> None:
    code = code_of("softmax_fp16")
    assert re.search(r"vcadd\(\(\(__ubuf__ float \*\)\w+ \+ ii\d+\)", code)
    assert not found(code, kind="alignment")


# --- overlap --------------------------------------------------------------------------------------


def test_two_buffers_moved_onto_one_place_overwrite_each_other() -> None:
    code = code_of("elementwise_chain")
    pointers = {p.name: p.offset_bytes for p in cce.parse(code).pointers}
    left, right = "input_0_local_UB", "input_1_local_UB"
    assert pointers[left] != pointers[right]
    assert not found(code, kind="overlap")
    (finding,) = found(moved(code, right, pointers[left]), kind="overlap")
    assert (finding.harm, {left, right} >= {finding.subject}) == ("wrong", True)
    assert left in finding.message and right in finding.message and "UB" in finding.message
    line = code.split("\n")[finding.line - 1]
    assert line.lstrip().startswith("vadd(") and finding.subject in line
    # half of it is as bad
    assert found(moved(code, right, pointers[left] + 16384), kind="overlap")


def test_results_in_the_place_of_operands_and_buffers_that_take_turns_are_meant() -> None:
    code = code_of("elementwise_shapes-1x511x65")
    kernel = cce.parse(code)
    places = [(p.memory, p.offset_bytes) for p in kernel.pointers]
    assert len(set(places)) < len(places)
    assert not found(code, kind="overlap")


def test_what_an_unknown_instruction_does_is_not_guessed() -> None:
    code = code_of("elementwise_chain")
    code = moved(code, "input_1_local_UB", place_of(code, "input_0_local_UB"))
    assert found(code, kind="overlap")
    assert not found(code.replace("vadd(", "shuffle("), kind="overlap")


@pytest.mark.parametrize("trace", [n for n in akg_traces() if opened(n).trace.code])
def test_every_recorded_code_is_followed(trace: str) -> None:
    """Nothing overlaps in it, and something does once buffers that live together are moved."""
    code = code_of(trace)
    assert not found(code, kind="overlap")
    kernel = cce.parse(code)
    used = [p for p in kernel.pointers if p.name in kernel.uses]
    together = [
        (left, right)
        for left in used
        for right in used
        if left.memory == right.memory
        and left.offset_bytes != right.offset_bytes
        and kernel.uses[left.name].first
        < kernel.uses[right.name].first
        < kernel.uses[left.name].last
    ]
    tries = (moved(code, right.name, left.offset_bytes) for left, right in together[:12])
    named = {"transpose"}  # its only such pair takes turns even on one place
    assert trace in named or any(found(each, kind="overlap") for each in tries)


# --- nowhere else ---------------------------------------------------------------------------------


def test_emitted_code_has_no_other_finding() -> None:
    seen = {
        (trace, finding.check, finding.root)
        for trace in akg_traces()
        if opened(trace).trace.code
        for finding in found(code_of(trace))
    }
    assert seen == {
        ("conv3d_direct-8x16x16_k3", "alignment", "input_1_local_UB vadds"),
        ("scatter_add-points256_voxels64", "scalar", "y_2_local_UB"),
        ("transpose", "scalar", "T_transpose_local_UB"),
        ("voxel_gather-512x64_rows128", "scalar", "y_local_UB"),
    }


def test_recorded_passes_have_the_findings_that_are_listed() -> None:
    names = akg_traces()
    assert len(names) > 25
    ours = {row for row in listed(*names) if row[1] in OURS}
    assert {row for name in names for row in introduced(name, opened(name))} == ours


def test_measured_cases_have_none(akg_cases: dict[str, Dump]) -> None:
    for name, dump in akg_cases.items():
        assert introduced(name, dump.opened) == set(), name
        if dump.opened.trace.code:
            assert not found(dump.opened.texts.get(dump.opened.trace.code)), name


def test_text_of_another_kind_has_none() -> None:
    assert check("", "cce", MEMORIES) == ()
    assert check("no kernel at all", "cce", MEMORIES) == ()
    assert check(Path(__file__).read_text(), "statement", {}) == ()
