"""The checks of the statement language: true where a defect is, silent where none is."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from core.analysis.checks import Finding, check
from core.ir import statement
from core.ir.access import GLOBAL, declared
from core.ir.statement import Allocate, For, walk
from core.kernel import parse_kernel
from core.readers import Opened, open_trace
from core.target import recorded_targets
from tests.conftest import KERNELS, PROJECT

TRACES = PROJECT / "data" / "traces"
LISTED = Path(__file__).resolve().parent / "findings.tsv"
MEMORIES = {memory.name: memory for memory in recorded_targets()["Ascend910"].memories}

#: The checks that this file is about.
CHECKS = frozenset(("undefined", "bounds", "unwritten"))


def findings(text: str) -> list[Finding]:
    return [found for found in check(text, "statement", MEMORIES) if found.check in CHECKS]


@cache
def recorded(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def text_of(trace: str, name: str) -> str:
    opened = recorded(trace)
    step = next(step for step in opened.trace.passes if step.name == name)
    assert step.text
    return opened.texts.get(step.text)


def introduced(opened: Opened) -> Iterator[tuple[str, Finding]]:
    """Each finding with the first pass that has it."""
    read: dict[str, list[Finding]] = {}
    seen = set()
    for step in opened.trace.passes:
        if step.text is None or step.language != "statement":
            continue
        if step.text not in read:
            read[step.text] = findings(opened.texts.get(step.text))
        for found in read[step.text]:
            if found.identity not in seen:
                seen.add(found.identity)
                yield f"{step.index}_{step.name}", found


def listed() -> dict[tuple[str, str, str, str], str]:
    """What findings.tsv holds of these checks: (trace, check, pass, subject) to the reason."""
    with LISTED.open(newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    return {(row[0], row[1], row[2], row[3]): row[4] for row in rows if row[1] in CHECKS}


def compare(name: str, opened: Opened) -> None:
    expected = {row for row in listed() if row[0] == name}
    found = {(name, one.check, where, one.subject) for where, one in introduced(opened)}
    assert found == expected


def test_every_finding_of_a_recorded_trace_is_listed():
    read = 0
    for file in sorted(TRACES.glob("*.zip")):
        opened = recorded(file.stem)
        if opened.trace.compiler.name == "akg":
            compare(file.stem, opened)
            read += 1
    assert read > 20


def test_every_finding_of_a_measured_case_is_listed(akg_cases):
    for name, dump in akg_cases.items():
        compare(name, dump.opened)


def test_sweeps_have_no_findings(akg_sweeps):
    for rows in akg_sweeps.values():
        for row, dump in rows[::4]:
            assert list(introduced(dump.opened)) == [], row["dim"]


def test_each_listed_finding_has_a_reason():
    assert listed()
    assert all(len(reason) > 5 for reason in listed().values())


# --- the two that started it ----------------------------------------------------------------------


def test_lost_loops_of_the_pooling():
    found = dict.fromkeys(one.subject for _, one in introduced(recorded("maxpool-k3_s2_pad1")))
    assert list(found) == ["cc2", "cc3", "cc4"]
    first, _, third = findings(text_of("maxpool-k3_s2_pad1", "MultiCoreLoopSwitchHoist"))
    assert (first.line, first.times, first.harm) == (10, 2, "wrong")
    assert first.message == (
        "cc2 is used in line 10 (the extent of loop cc5) and in line 11 (the index of "
        "input_1_local_UB), where no loop around defines it (those of lines 13 and 50 do not)."
    )
    assert (third.line, third.times) == (11, 1)


def test_lost_loops_stay_the_same_defect_in_the_pass_after():
    before = findings(text_of("maxpool-k3_s2_pad1", "MultiCoreLoopSwitchHoist"))
    after = findings(text_of("maxpool-k3_s2_pad1", "LoopSwitchHoist"))
    assert {one.identity for one in before} == {one.identity for one in after}


def test_rows_that_the_gather_does_not_have():
    where, found = next(introduced(recorded("voxel_gather-512x64_rows128")))
    assert where.endswith("_AutoPoly")
    assert found.message == (
        "input_1_local_UB is read at any row that input_2_local_UB(cc2) holds, while UB keeps "
        "row 0 only: 64 elements (128 B)."
    )
    assert found.identity == ("bounds", "input_1")


def test_the_gather_stays_wrong_to_the_last_pass_of_the_kernel():
    opened = recorded("voxel_gather-512x64_rows128")
    expected: list[tuple[str, str]] = []
    for step in opened.trace.passes:
        if step.language != "statement" or step.stage != "lowering":
            continue
        if step.name == "AutoPoly":
            expected = [("bounds", "input_1")]
        assert [one.identity for one in findings(opened.texts.get(step.text))] == expected
    assert expected


def test_a_softmax_that_keeps_one_step_of_thirty_two():
    found = {one.root: one for _, one in introduced(recorded("softmax_fp32"))}
    assert found["T_exp_red"].message == (
        "T_exp_red_local_UB is written at indices 0 to 255 of dimension 0 (the last at cc0 = 31, "
        "cc2 = 7), while UB holds 8 elements (32 B) of it, 0 to 7 of dimension 0."
    )


POOLING = re.sub(
    r"CASES = \{.*?\n\}\n",
    'CASES = {"same": {"shapes": [[1, 2, 28, 28, 16]], "dtypes": ["float16"], '
    '"attributes": [[3, 3], [2, 2], "SAME"]}}\n',
    (KERNELS / "maxpool.py").read_text(),
    count=1,
    flags=re.DOTALL,
)


def test_a_pooling_that_compiles_and_is_wrong(compile_kernel: Callable[..., Opened]):
    """Two blocks of channels share a buffer that was sized for one."""
    opened = compile_kernel(parse_kernel(POOLING, "maxpool.py"))
    assert opened.trace.status.compiles
    [(where, found)] = introduced(opened)
    assert where.endswith("_AutoPoly")
    assert found.subject == "static_max_pool_hybrid_0_local_UB"
    assert "2,912 elements (5,824 B)" in found.message


# --- each check can fire: real texts with one thing taken away ------------------------------------

GOOD = ("softmax_fp16", "layer_norm", "matmul_cube", "broadcast_exp_sum", "column_sum")


@pytest.mark.parametrize("trace", GOOD)
@pytest.mark.parametrize("name", ["StorageFlatten", "AutoPoly"])
def test_without_a_loop_its_variable_is_undefined(trace, name):
    text = text_of(trace, name)
    lines = text.split("\n")
    removed = 0
    assert findings(text) == []
    for node in walk(statement.parse(text).body):
        inside = lines[node.first : node.last - 1]
        if not isinstance(node, For) or not any(_uses(line, node.variable) for line in inside):
            continue
        less = lines.copy()
        less[node.last - 1] = ""
        # what a text in brackets opens with belongs to no loop
        less[node.first - 1] = "[" if less[node.first - 1].startswith("[") else ""
        lost = [one for one in findings("\n".join(less)) if one.check == "undefined"]
        assert [one.subject for one in lost] == [node.variable]
        assert f"line {lost[0].line:,}" in lost[0].message
        removed += 1
    assert removed > 3


def _uses(line: str, name: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", line))


@pytest.mark.parametrize("trace", GOOD)
@pytest.mark.parametrize("name", ["StorageFlatten", "EmitInsn"])
def test_a_smaller_allocation_is_overrun(trace, name):
    text = text_of(trace, name)
    lines = text.split("\n")
    shrunk = 0
    for node in walk(statement.parse(text).body):
        if not isinstance(node, Allocate) or (node.elements or 0) < 2:
            continue
        # a name that is declared again may have the room of the other
        if sum(line.strip().startswith(f"allocate {node.name}[") for line in lines) > 1:
            continue
        less = lines.copy()
        less[node.first - 1] = f"allocate {node.name}[{node.dtype} * 1]"
        over = [one for one in findings("\n".join(less)) if one.check == "bounds"]
        if not over and name == "EmitInsn":  # what one block holds, one block may hold
            continue
        assert [one.subject for one in over] == [node.name]
        assert "holds 1 element (" in over[0].message
        shrunk += 1
    assert shrunk > 1


def test_an_allocation_of_one_element_less_is_overrun():
    text = text_of("elementwise_chain-tile_8192", "StorageFlatten")
    assert findings(text) == []
    less = text.replace("input_0_local_UB[float16 * 8192]", "input_0_local_UB[float16 * 8191]")
    [found] = findings(less)
    assert found.message == (
        "input_0_local_UB is written at indices 0 to 8,191 (the last at cc1 = 8191), while UB "
        "holds 8,191 elements (16,382 B) of it, 0 to 8,190."
    )


@pytest.mark.parametrize("trace", GOOD)
@pytest.mark.parametrize("name", ["StorageFlatten", "AutoPoly", "EmitInsn"])
def test_without_its_first_write_a_buffer_is_read_unwritten(trace, name):
    text = text_of(trace, name)
    lines = text.split("\n")
    module = statement.parse(text)
    taken = 0
    for buffer in declared(module).values():
        if buffer.memory == GLOBAL:
            continue
        first = _first_write(lines, buffer.name)
        less = lines.copy()
        less[first] = "0"
        found = [one for one in findings("\n".join(less)) if one.check == "unwritten"]
        later = [line for line in lines[first + 1 :] if _writes(line, buffer.name)]
        if found:
            assert [one.subject for one in found] == [buffer.name]
            assert _uses(lines[found[0].line - 1], buffer.name)
            taken += 1
        else:
            assert later, f"{buffer.name} is written once alone"
    assert taken > 1


def _writes(line: str, buffer: str) -> bool:
    bare = line.strip()
    target = bare.startswith((f"{buffer}[", f"{buffer}(")) and " = " in bare
    first = re.match(
        r"\w+\((?:tvm_access_ptr\(type_annotation\(\):\w+:PI, |tvm_address_of\()", bare
    )
    return target or bool(first and bare[first.end() :].startswith((f"{buffer},", f"{buffer}[")))


def _first_write(lines: list[str], buffer: str) -> int:
    return next(number for number, line in enumerate(lines) if _writes(line, buffer))


# --- what must not be reported --------------------------------------------------------------------


def allocated(body: str, elements: int = 64) -> str:
    return (
        '// attr [a_local_UB] storage_scope = "local.UB"\n'
        f"allocate a_local_UB[float16 * {elements}]\n{body}"
    )


@pytest.mark.parametrize(
    "body",
    [
        "for (cc0, 0, 10) {\n  if (((cc0*8) < 64)) {\n    a_local_UB[(cc0*8)] = 0h\n  }\n}",
        "for (cc0, 0, 65) {\n  if (likely((cc0 < 64))) {\n    a_local_UB[cc0] = 0h\n  }\n}",
        "for (cc0, 0, 65) {\n  if ((cc0 == 64)) {\n    0\n  } else {\n"
        "    a_local_UB[cc0] = 0h\n  }\n}",
        "for (cc0, 0, 8) {\n  for (cc1, 0, (64 - (cc0*8))) {\n"
        "    a_local_UB[((cc0*8) + cc1)] = 0h\n  }\n}",
        "for (cc0, 0, n) {\n  a_local_UB[cc0] = 0h\n}",
        "for (cc0, 0, 100) {\n  a_local_UB[min(cc0, 63)] = 0h\n}",
        "for (cc0, 0, 100) {\n  a_local_UB[(cc0 % 64)] = 0h\n}",
        "a_local_UB[0] = 0h\n"
        "for (cc0, 0, 100) {\n  y[cc0] = select((cc0 < 64), a_local_UB[cc0], 0h)\n}",
        "for (cc0, 0, 0) {\n  a_local_UB[99] = 0h\n}",
    ],
)
def test_an_index_that_stays_inside_is_no_finding(body):
    assert findings(allocated(body)) == []


@pytest.mark.parametrize(
    ("body", "index"),
    [
        ("for (cc0, 0, 10) {\n  if (((cc0*8) < 65)) {\n    a_local_UB[(cc0*8)] = 0h\n  }\n}", 64),
        ("for (cc0, 0, 64) {\n  a_local_UB[(cc0 - 1)] = 0h\n}", -1),
        (
            "for (cc0, 0, 8) {\n  for (cc1, 0, (65 - (cc0*8))) {\n"
            "    a_local_UB[((cc0*8) + cc1)] = 0h\n  }\n}",
            64,
        ),
        (
            "// attr [iter_var(blockIdx.x, , blockIdx.x)] thread_extent = 9\n"
            "for (cc0, 0, 8) {\n  a_local_UB[((blockIdx.x*8) + cc0)] = 0h\n}",
            71,
        ),
        ("let k = 64\na_local_UB[k] = 0h", 64),
    ],
)
def test_an_index_outside_is_found_where_it_is_met(body, index):
    [found] = findings(allocated(body))
    assert found.check == "bounds"
    assert re.search(rf"(?:index|to) {index}\b", found.message)


@pytest.mark.parametrize(
    ("call", "beyond"),
    [
        ("copy_gm_to_ubuf(A, X, 0, 1, 4, 0, 0)", False),
        ("copy_gm_to_ubuf(A, X, 0, 1, 5, 0, 0)", True),
        ("copy_gm_to_ubuf(A, X, 0, 2, 1, 0, 2)", False),
        ("copy_gm_to_ubuf(A, X, 0, 2, 1, 0, 3)", True),
        ("vector_dup(A, 0h, 1, 1, 1, 8, 8)", False),
        ("vector_dup(A, 0h, 2, 1, 1, 8, 8)", True),
        ("vadds(X, A, 0h, 1, 1, 1, 8, 8)", False),
        ("vadds(X, A, 0h, 2, 1, 1, 8, 8)", True),
        ("vadds(X, A, 0h, 2, 1, 1, 8, 0)", False),
    ],
)
def test_what_an_instruction_touches_beyond_its_pointer(call, beyond):
    call = call.replace("A", "tvm_address_of(a_local_UB[0]):handle:PI")
    call = call.replace("X", "tvm_address_of(x[0]):handle:PI") + ":handle:EX"
    found = [one for one in findings(allocated(call)) if one.check == "bounds"]
    assert bool(found) == beyond


@pytest.mark.parametrize(
    ("condition", "reported"),
    [("(i[cc0] >= 0)", True), ("(i[cc0] == 0)", False), ("(i[cc0] < n[0])", False)],
)
def test_a_condition_on_data_may_keep_an_index_inside(condition, reported):
    body = f"for (cc0, 0, 8) {{\n  if ({condition}) {{\n    a_local_UB[(i[cc0]*64)] = 0h\n  }}\n}}"
    assert bool(findings(allocated(body))) == reported


def test_a_read_in_a_later_round_only_is_no_finding():
    body = (
        "for (cc0, 0, 4) {\n  if ((1 <= cc0)) {\n    y[cc0] = a_local_UB[0]\n  }\n"
        "  a_local_UB[0] = x[cc0]\n}"
    )
    assert findings(allocated(body)) == []
    [found] = findings(allocated(body.replace("(1 <= cc0)", "(0 <= cc0)")))
    assert (found.check, found.line) == ("unwritten", 5)


def test_names_from_outside_a_text_are_defined():
    text = (
        "for (n, 0, n) {\n  y[n] = x[((n*w) + h)]\n}\n"
        "let k = tvm_struct_get(args, 0, 12):handle:PI\n"
    )
    assert findings(text) == []


def test_hundreds_of_blocks_in_each_other():
    depth = 400
    text = "\n".join(
        [f"for (cc{level}, 0, 2) {{" for level in range(depth)]
        + [f"y[cc{depth}] = 0h"]
        + ["}"] * depth
    )
    [found] = findings(text)
    assert found.subject == f"cc{depth}"


@pytest.mark.parametrize(
    "text", ["", "}", "for (", "\x00", "a" * 100_000, "x(" * 5000, "[", "é = 1"]
)
def test_odd_texts_give_nothing(text):
    assert findings(text) == []
