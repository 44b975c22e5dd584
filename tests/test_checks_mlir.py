"""Checks of MLIR, on what the compilers printed and on such text with a defect put into it."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from core.analysis.checks import Finding, check
from core.ir import mlir
from core.ir.mlir_memory import allocations
from core.readers import Opened, open_trace
from core.target import Memory
from tests.conftest import CASES, PROJECT, Dump

TRACES = PROJECT / "data" / "traces"
LISTED = Path(__file__).resolve().parent / "findings.tsv"
DUMPS = Path(__file__).parent / "dumps"
#: What names of recorded MLIR begin with.
OURS = ("hfusion_", "hivm_", "host_", "triton_")
MEMORIES = {
    "UB": Memory("UB", 196_608, 32),
    "L1": Memory("L1", 524_288, 32),
    "L0C": Memory("L0C", 131_072, 512),
}


@cache
def opened(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def text_of(trace: str, name: str, unit: str = "") -> str:
    """What the last pass of a name left, of one function where its unit is given."""
    one = opened(trace)
    passes = [p for p in one.trace.passes if p.name == name and p.text and unit in ("", p.unit)]
    assert passes[-1].text
    return one.texts.get(passes[-1].text)


def dump(name: str) -> str:
    return (DUMPS / name).read_text()


def found(text: str, kind: str = "") -> list[Finding]:
    findings = check(text, "mlir", MEMORIES)
    return [f for f in findings if kind in ("", f.check)]


def without_line(text: str, part: str) -> str:
    """The text without the one line that has a part."""
    kept = [line for line in text.split("\n") if part not in line]
    assert len(kept) == text.count("\n")
    return "\n".join(kept)


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, text.count(old)
    return text.replace(old, new)


# --- undefined ------------------------------------------------------------------------------------


def test_a_value_whose_definition_is_gone() -> None:
    text = dump("checks/multiply.PlanMemory.mlir")
    assert not found(text)
    (finding,) = found(without_line(text, "%1 = hivm.hir.pointer_cast"), "undefined")
    assert (finding.harm, finding.subject, finding.times) == ("wrong", "%1", 2)
    assert "hivm.hir.load uses %1, which is defined nowhere" in finding.message


def test_a_value_that_is_defined_further_down() -> None:
    lines = dump("checks/multiply.PlanMemory.mlir").split("\n")
    (made,) = (at for at, line in enumerate(lines) if "%1 = hivm.hir.pointer_cast" in line)
    lines[made], lines[made + 1] = lines[made + 1], lines[made]
    (finding,) = found("\n".join(lines), "undefined")
    assert (finding.line, finding.subject) == (made + 1, "%1")
    assert f"is defined only in line {made + 2}" in finding.message


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not beside the project")
def test_a_kernel_that_uses_what_it_never_defines() -> None:
    (finding,) = found((CASES / "mlir" / "f1.mlir").read_text())
    assert (finding.check, finding.line) == ("undefined", 3)


# --- bounds ---------------------------------------------------------------------------------------


def test_a_tile_that_does_not_divide_reaches_beyond_the_tensor_in_every_pass() -> None:
    one = opened("hivm_vadd-tile_24576")
    for step in one.trace.passes:
        assert step.text
        (finding,) = found(one.texts.get(step.text))
        assert (finding.check, finding.harm, finding.subject) == ("bounds", "wrong", "%arg0")
        assert finding.times == 3  # two operands and the result
        assert "takes 1,032,192 to 1,056,767 of axis 0, which has 1,048,576" in finding.message
    whole = opened("hivm_vadd")
    assert not any(found(whole.texts.get(p.text)) for p in whole.trace.passes if p.text)


def test_an_element_beyond_the_last_is_found_in_the_last_iteration() -> None:
    text = dump("checks/multiply.HIVMLowerToLoops.mlir")
    assert not found(text, "bounds")
    longer = replaced(text, "arith.constant 1024 : index", "arith.constant 1025 : index")
    findings = found(longer, "bounds")
    assert {f.subject for f in findings} == {"%0", "%1", "%2"}
    assert all("is at 1,024 of axis 0, which has 1,024" in f.message for f in findings)
    below = replaced(text, "arith.constant 0 : index", "arith.constant -1 : index")
    assert all("is at -1 of axis 0" in f.message for f in found(below, "bounds"))
    assert len(found(below, "bounds")) == 3


def test_an_element_behind_a_condition_is_found_only_where_the_condition_holds() -> None:
    text = dump("checks/multiply.HIVMLowerToLoops.mlir")
    longer = replaced(text, "arith.constant 1024 : index", "arith.constant 1025 : index")
    store = next(line for line in longer.split("\n") if "memref.store" in line)
    for limit, findings in (("%c0", 1), ("%c8192_index", 0)):
        guard = (
            "    %c8192_index = arith.constant 8192 : index\n"
            f"    %over = arith.cmpi sgt, %arg3, {limit} : index\n"
            "    scf.if %over {\n" + store + "\n    }"
        )
        guarded = longer.replace(store, guard)
        assert len([f for f in found(guarded, "bounds") if "store" in f.root]) == findings


def test_a_buffer_that_ends_beyond_its_memory() -> None:
    text = dump("checks/multiply.PlanMemory.mlir")
    beyond = replaced(text, "arith.constant 8192 : i64", "arith.constant 188448 : i64")
    (finding,) = found(beyond, "bounds")
    assert finding.subject == "%1"
    assert "ends at byte 196,640, and UB at 196,608" in finding.message
    # where the text itself says what its chip has, that counts
    module = text_of("hfusion_elementwise", "EnableHIVMCCompatiblePrint")
    assert '"UB_SIZE", 1572864' in module and not check(module, "mlir", {})
    small = module.replace('"UB_SIZE", 1572864', '"UB_SIZE", 8192')
    assert {f.check for f in check(small, "mlir", {})} == {"bounds"}


# --- unwritten ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trace", "name", "reader"),
    [
        ("triton_add-fp32", "InferHIVMMemScope", "hivm.hir.vadd"),
        ("hivm_vadd", "PlanMemory", "hivm.hir.vadd"),
    ],
)
def test_a_buffer_that_is_read_and_that_nothing_fills(trace: str, name: str, reader: str) -> None:
    text = text_of(trace, name)
    assert not found(text)
    load = next(line for line in text.split("\n") if "hivm.hir.load" in line)
    findings = found(without_line(text, load.strip()[:70]), "unwritten")
    assert findings[0].harm == "wrong"
    assert f"{reader} reads" in findings[0].message and "in UB)" in findings[0].message
    assert all("nothing has written" in finding.message for finding in findings)


def test_what_is_written_behind_a_condition_is_not_called_unwritten() -> None:
    text = text_of("triton_add-fp32", "PlanMemory")
    load = next(line for line in text.split("\n") if "hivm.hir.load" in line)
    assert "hivm.hir.vbrc" in text  # fills the buffer where the rest of it is not loaded
    assert not found(without_line(text, load.strip()[:70]))


def test_buffers_that_the_other_kind_of_core_fills_are_left_out() -> None:
    one = opened("triton_flash_attention-fp16-950")
    marked = [
        text
        for text in (one.texts.get(p.text) for p in one.trace.passes if p.text)
        if "hivm.tightly_coupled_buffer" in text
    ]
    assert len(marked) > 30
    assert not any(found(text, "unwritten") for text in marked[::6])


# --- alignment ------------------------------------------------------------------------------------


def test_an_address_off_its_alignment_is_found_in_every_copy() -> None:
    text = dump("checks/multiply.PlanMemory.mlir")
    (finding,) = found(replaced(text, "constant 8192 : i64", "constant 8196 : i64"), "alignment")
    assert (finding.harm, finding.subject) == ("wrong", "%1")
    assert "begins at byte 8,196 of UB, which is no multiple of 32" in finding.message
    doubled = text_of("triton_matmul-fp16", "PlanMemory")
    (second,) = re.findall(r"pointer_cast\(%\w+, (%c\d+_i64)\) : memref<8x4x16x16", doubled)
    number = int(second[2:-4])
    old, new = f"{second} = arith.constant {number} :", f"{second} = arith.constant {number + 4} :"
    (finding,) = found(replaced(doubled, old, new), "alignment")
    assert f"byte {number + 4:,} of L1" in finding.message


# --- overlap --------------------------------------------------------------------------------------


def onto(text: str, moved: str, other: str) -> str:
    """The text with the address of one buffer handed to another one."""
    address = re.search(rf"{other} = hivm\.hir\.pointer_cast\((%\w+)", text)
    assert address
    changed, times = re.subn(
        rf"({moved} = hivm\.hir\.pointer_cast)\(%\w+", rf"\1({address[1]}", text
    )
    assert times == 1
    return changed


def test_two_buffers_moved_onto_one_place_overwrite_each_other() -> None:
    text = text_of("hivm_vadd", "PlanMemory")
    made = [each.name for each in allocations(mlir.parse(text))]
    assert len(made) == 3 and not found(text)
    (finding,) = found(onto(text, made[1], made[0]), "overlap")
    assert (finding.harm, finding.subject) == ("wrong", made[0])
    assert "hivm.hir.vadd reads" in finding.message
    assert f"after {made[1]} (8192xf32 in UB)" in finding.message
    # the sum may lie where an operand lay
    assert not found(onto(text, made[2], made[1]), "overlap")


def test_the_second_copy_of_a_double_buffer_is_overwritten() -> None:
    text = text_of("triton_matmul-fp16", "PlanMemory")
    copies = {e.name: e.offsets for e in allocations(mlir.parse(text)) if len(e.offsets) == 2}
    (left, left_places), (right, _) = list(copies.items())[:2]
    assert not found(text)
    second = f"%c{left_places[1]}_i64"
    shared, times = re.subn(
        rf"({right} = hivm\.hir\.pointer_cast\(%\w+), %\w+\)", rf"\1, {second})", text
    )
    assert times == 1
    (finding,) = found(shared, "overlap")
    assert {finding.subject} <= {left, right}


def test_a_value_carried_around_a_loop_is_overwritten_in_the_next_iteration() -> None:
    text = text_of("triton_flash_attention-fp16", "PlanMemory", "attention_mix_aiv")
    assert not found(text)
    made = [e for e in allocations(mlir.parse(text)) if e.memory == "UB" and e.offsets]
    carried = {
        value.name
        for operation in mlir.parse(text).walk()
        if operation.name == "scf.for"
        for value in operation.operands
    }
    outer = [each.name for each in made if each.name in carried]
    inner = [each.name for each in made if each.name not in carried]
    texts = (onto(text, moved, kept) for kept in outer for moved in inner)
    assert any(found(each, "overlap") for each in texts)


def test_places_that_operations_take_in_turns_are_meant() -> None:
    for trace in ("triton_softmax-fp32", "hfusion_rms_norm", "triton_flash_attention-fp16"):
        text = text_of(trace, "PlanMemory")
        starts = [(e.function, e.memory, e.offsets) for e in allocations(mlir.parse(text))]
        assert len(set(starts)) < len(starts)
        assert not found(text, "overlap")


# --- scalar ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "stores"),
    [
        ("multiply.PlanMemory", "multiply.HIVMLowerToLoops", "1,024 times"),
        ("gather.CloneTensorEmpty", "gather.OneShotBufferize", "64 times"),
    ],
)
def test_a_loop_of_scalar_stores_is_found_at_the_pass_that_makes_it(
    before: str, after: str, stores: str
) -> None:
    assert not found(dump(f"checks/{before}.mlir"))
    (finding,) = found(dump(f"checks/{after}.mlir"))
    assert (finding.check, finding.harm) == ("scalar", "slow")
    assert stores in finding.message and "GM" not in finding.message


def test_the_host_may_store_as_it_likes() -> None:
    text = text_of("hfusion_matmul", "ConvertHIVMToStandard")
    assert text.count("memref.store") == 12
    assert not found(text)


# --- nowhere else ---------------------------------------------------------------------------------


def introduced(name: str, one: Opened) -> set[tuple[str, str, str, str]]:
    """Each finding with the first pass that has it."""
    first: dict[tuple[str, str], tuple[str, str, str, str]] = {}
    read: dict[str, list[Finding]] = {}
    steps = [(f"{p.index}_{p.name}", p.text) for p in one.trace.passes]
    for where, digest in (*steps, ("code", one.trace.code)):
        if digest is None:
            continue
        if digest not in read:
            read[digest] = found(one.texts.get(digest))
        for each in read[digest]:
            first.setdefault(each.identity, (name, each.check, where, each.subject))
    return set(first.values())


def test_recorded_passes_have_the_findings_that_are_listed() -> None:
    names = [path.stem for path in sorted(TRACES.glob("*.zip")) if path.stem.startswith(OURS)]
    assert len(names) > 15
    with LISTED.open(newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row[0].startswith(OURS)]
    listed = {(row[0], row[1], row[2], row[3]) for row in rows}
    assert {row for name in names for row in introduced(name, opened(name))} == listed


def test_measured_cases_have_none(mlir_cases: dict[str, Dump]) -> None:
    for name, dump in mlir_cases.items():
        assert introduced(name, dump.opened) == set(), name


def test_text_of_another_kind_has_none() -> None:
    assert check("", "mlir", {}) == ()
    assert check("for (cc0, 0, 4) {", "mlir", {}) == ()
