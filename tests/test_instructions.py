"""Instruction counts: against running the loops one by one, and against measured sweeps."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from core.hints import Hints, parse_dim
from core.ir import statement as s
from core.ir.instructions import SCALAR_STORE, Instructions, count_instructions, kind
from core.kernel import load_kernel
from core.readers import Opened
from tests.dumped import recorded

#: What only the emitted text has around a kernel.
AROUND = {"set_atomic_none", "set_padding", "get_status", "overflow check"}
NAMES = {
    "cce.coproc_dep_push": "set_flag",
    "cce.coproc_dep_pop": "wait_flag",
    "cce.coproc_sync": "pipe_barrier",
}
RECORDED = [
    ("elementwise", "DecorateDeviceScope.cc", 32),
    ("elementwise_129", "DecorateDeviceScope.cc", 32),
    ("softmax", "DecorateDeviceScope.cc", 32),
    ("matmul", "DecorateDeviceScope.cc", 32),
]
#: Points of the measured sweeps: aligned, unaligned, on few cores, in part, with scalar stores.
POINTS = {
    "addmul_4096x1024": ("", *(f"0 0 {t} 1" for t in (17, 31, 129, 4097, 57344))),
    "softmax_1024x512_fp16": ("", *(f"0 0 {t} 1 0 1 1536 1" for t in (1, 15, 33))),
}


def run(body: Iterable[s.Statement], values: dict[str, int], counts: Counter[str]) -> None:
    """Run the loops of one core one by one, conditions by Python."""
    for node in body:
        match node:
            case s.For():
                start, extent = value(node.minimum, values), value(node.extent, values)
                for turn in range(start, start + extent):
                    run(node.body, {**values, node.variable: turn}, counts)
            case s.If():
                run(node.then if value(node.condition, values) else node.otherwise, values, counts)
            case s.Produce():
                run(node.body, values, counts)
            case s.Store():
                counts[SCALAR_STORE] += 1
            case s.Evaluate() if node.callee:
                counts[NAMES.get(node.callee, node.callee)] += 1
            case _:
                assert not s.blocks(node)


def value(text: str, values: dict[str, int]) -> int:
    if text.isdigit():
        return int(text)
    python = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    for name, number in values.items():
        python = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", str(number), python)
    return int(eval(python, {"__builtins__": {}}))


def both_branches(body: Iterable[s.Statement], times: int, counts: Counter[str]) -> None:
    """Count every branch as if it always ran, as the sweeps were measured."""
    for node in body:
        match node:
            case s.For():
                assert node.trips is not None
                both_branches(node.body, times * node.trips, counts)
            case s.Store():
                counts[SCALAR_STORE] += times
            case s.Evaluate() if node.callee:
                counts[NAMES.get(node.callee, node.callee)] += times
            case _:
                for block in s.blocks(node):
                    both_branches(block, times, counts)


@pytest.mark.parametrize(("folder", "name", "cores"), RECORDED)
def test_counts_are_what_runs(folder, name, cores):
    text = recorded(f"{folder}/{name}")
    module = s.parse(text)
    busiest: Counter[str] = Counter()
    for core in range(cores):
        counts: Counter[str] = Counter()
        run(module.body, {"blockIdx.x": core}, counts)
        busiest = max(busiest, counts, key=Counter.total)
    counted = count_instructions(text)
    assert counted.exact
    assert counted.counts == dict(busiest)


@pytest.mark.parametrize(("folder", "name", "cores"), RECORDED)
def test_both_texts_of_a_kernel_agree(folder, name, cores):
    passed = count_instructions(recorded(f"{folder}/{name}"))
    emitted = count_instructions(recorded(f"{folder}/.cce"), block_dim=cores)
    assert emitted.exact
    assert emitted.core == passed.core
    assert {n: c for n, c in emitted.counts.items() if n not in AROUND} == passed.counts


def test_cores_differ_where_a_tile_does_not_divide():
    counted = count_instructions(recorded("elementwise_129/DecorateDeviceScope.cc"))
    assert counted.core is not None
    # 4,194,304 elements in tiles of 129 on 32 cores, two inputs each: 1,017 tiles at most
    assert 2 * 1016 <= counted.counts["copy_gm_to_ubuf"] <= 2 * 1018


def test_the_emitted_text_alone_does_not_tell_the_cores():
    text = recorded("elementwise_129/.cce")
    assert not count_instructions(text).exact


def test_a_branch_on_data_is_an_estimate():
    text = "for (i, 0, 8) {\n  if ((a[i] < 3)) {\n    vadd():handle:EX\n  } else {\n    0\n  }\n}\n"
    assert count_instructions(text) == Instructions({"vadd": 8}, False, None)


def test_an_extent_may_depend_on_an_outer_loop():
    text = "for (i, 0, 5) {\n  for (j, i, min(3, (5 - i))) {\n    vadd():handle:EX\n  }\n}\n"
    assert count_instructions(text) == Instructions({"vadd": 3 + 3 + 3 + 2 + 1}, True, None)


def test_division_is_that_of_c():
    # (i - 4)/2 is 0 for -1, 0 and 1; the remainder of a negative number is negative
    text = (
        "for (i, 0, 8) {\n  if ((((i - 4)/2) == 0)) {\n    vadd():handle:EX\n  }\n"
        "  if ((((i - 4) % 3) < 0)) {\n    vmul():handle:EX\n  }\n"
        "  if ((floordiv((i - 4), 2) == 0)) {\n    vsub():handle:EX\n  }\n}\n"
    )
    assert count_instructions(text).counts == {"vadd": 3, "vmul": 3, "vsub": 2}


def test_too_many_values_are_an_estimate():
    text = "for (i, 0, 9999999) {\n  if ((i == 7)) {\n    vadd():handle:EX\n  }\n}\n"
    counted = count_instructions(text)
    assert not counted.exact
    assert counted.counts == {"vadd": 9_999_999}


def test_a_chain_of_branches_too_long_is_refused():
    arms = "".join(f"}} else if ((i < {n})) {{\n  vadd():handle:EX\n" for n in range(2, 2000))
    with pytest.raises(s.StatementError, match="too many arms"):
        count_instructions("if ((i < 1)) {\n  vadd():handle:EX\n" + arms + "}\n")


def test_calls_of_the_host_do_not_count():
    host_and_device = recorded("elementwise/SplitHostDevice.cc")
    device = recorded("elementwise/DecorateDeviceScope.cc")
    assert count_instructions(host_and_device).counts == count_instructions(device).counts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("copy_gm_to_ubuf", "transfer"),
        ("load_cbuf_to_ca", "transfer"),
        ("img2col_cbuf_to_ca", "transfer"),
        ("vadd", "vector"),
        ("vector_dup", "vector"),
        ("vconv_f162f32", "vector"),
        ("mad", "cube"),
        ("scalar store", "scalar"),
        ("reg_mov", "scalar"),
        ("set_flag", "sync"),
        ("wait_flag", "sync"),
        ("pipe_barrier", "sync"),
        ("set_vector_mask", "control"),
        ("overflow check", "control"),
    ],
)
def test_kinds(name, expected):
    assert kind(name) == expected


def test_kinds_add_up():
    counted = count_instructions(recorded("softmax/.cce"), block_dim=32)
    sums = counted.by_kind()
    assert set(sums) == {"transfer", "vector", "sync", "control"}
    assert sum(sums.values()) == sum(counted.counts.values())


def columns(counts: Counter[str] | dict[str, int]) -> dict[str, int]:
    """As the sweeps name them; their total leaves out what only orders the pipes."""
    sums: Counter[str] = Counter()
    for name, count in counts.items():
        sums[kind(name)] += count
    return {
        "dma_in": sum(c for n, c in counts.items() if n.startswith("copy_gm_")),
        "dma_out": sum(c for n, c in counts.items() if n.endswith("_to_gm")),
        "vec_insn": sums["vector"],
        "scalar_stores": counts.get(SCALAR_STORE, 0),
        "sync": sums["sync"],
        "insn_total_per_core": sum(counts.values()) - sums["sync"],
    }


def last_pass(opened: Opened) -> str:
    steps = [step for step in opened.trace.passes if step.name == "DecorateDeviceScope"]
    return opened.texts.get(steps[-1].text or "")


@pytest.mark.parametrize("name", POINTS)
def test_measured_sweep(name, cases, compile_all):
    kernel = load_kernel(cases / "akg_sweep" / f"{name}.json")
    with (cases / "akg_sweep" / f"{name}.csv").open() as file:
        rows = {row["dim"]: row for row in csv.DictReader(file)}
    jobs = [(kernel, Hints(parse_dim(dim))) for dim in POINTS[name]]
    branching = 0
    for dim, opened in zip(POINTS[name], compile_all(jobs), strict=True):
        text = last_pass(opened)
        module = s.parse(text)
        everything: Counter[str] = Counter()
        both_branches(module.body, 1, everything)
        measured = {n: int(rows[dim][n] or 0) for n in columns({})}
        assert columns(everything) == measured, dim
        counted = count_instructions(text)
        assert counted.exact
        # The sweeps counted both branches of every condition; where there is none, all agree.
        if any(isinstance(node, s.If) for node in s.walk(module.body)):
            branching += 1
            assert all(n <= measured[c] for c, n in columns(dict(counted.counts)).items())
        else:
            assert columns(dict(counted.counts)) == measured, dim
    assert 0 < branching < len(jobs)
