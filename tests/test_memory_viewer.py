"""The memory viewer against the code read by another way, and what must shrink by brute force."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import prod
from pathlib import Path

import pytest

from core.analysis.memory import (
    Held,
    chains,
    curve,
    fragmentation,
    functions,
    pairs,
    peak,
    turns,
    waste,
)
from core.analysis.order import previous_text
from core.analysis.overflow import overflows, unplaced
from core.analysis.placed import asked, definition
from core.analysis.shrink import Remedy, need, shrink
from core.hints import Hints, parse_dim
from core.kernel import load_kernel
from core.readers import Opened, open_trace
from core.target import recorded_targets
from core.trace import Buffer, MemoryPlan, Trace
from core.views.exhibits import Exhibit, exhibits
from core.views.memory_facts import buffer_facts, peak_table, plan_facts, remedy_sentences
from core.views.memory_map import Drawn, memory_map, stacked
from tests.conftest import KERNELS, PROJECT, Dump

RECORDED = sorted((PROJECT / "data" / "traces").glob("*.zip"))
CHIP = recorded_targets()["Ascend910"].memories


@cache
def recorded(name: str) -> Opened:
    return open_trace(PROJECT / "data" / "traces" / f"{name}.zip")


@cache
def shown(name: str) -> tuple[Exhibit, ...]:
    return exhibits_of(recorded(name))


def exhibits_of(opened: Opened) -> tuple[Exhibit, ...]:
    chip = recorded_targets().get(opened.trace.target)
    return exhibits(opened.trace, opened.texts, chip.memories if chip else (), None)


def plan_of(*buffers: Buffer, capacity: int | None = 262144) -> MemoryPlan:
    top = max(((b.offset_bytes or 0) + b.bytes for b in buffers), default=0)
    return MemoryPlan("UB", top, capacity, buffers)


def buffer(name: str, size: int, at: int | None, first: int, last: int, copy: str = "") -> Buffer:
    return Buffer(name, size, at, "float16", first, last, copy)


# The code, read by regular expressions alone

_POINTER = re.compile(r"__(ubuf|cbuf|ca|cb|cc)__\s+\w+\s*\*\s*(\w+) = \(.*?\)\((\d+)\);")
_SCOPE = re.compile(r'attr \[([^\]]+)\] storage_scope = "local\.(UB|L1|L0A|L0B|L0C)"')
_ALLOCATE = re.compile(r"allocate ([^\[\s]+)\[[a-z]+(\d+)((?: \* \d+)+)\]")
_CAST = re.compile(
    r'%\S+ = "?hivm\.hir\.pointer_cast"?\(([^)]*)\).*memref<([^>]*?)([a-z]+)(\d+)[,>]'
)
_SPACE = re.compile(r"address_space<(ub|cbuf|cc|ca|cb)>")
_CONSTANT = re.compile(r"(%\S+) = (?:arith|llvm\.mlir)\.constant\(? ?(-?\d+) : i64")
_MEMORIES = {"ubuf": "UB", "cbuf": "L1", "ca": "L0A", "cb": "L0B", "cc": "L0C", "ub": "UB"}

#: memory, first byte, bytes
Box = tuple[str, int, int]


def cce_boxes(opened: Opened) -> Counter[Box]:
    """Pointer declarations of the emitted code with sizes of the last pass that allocates."""
    trace, texts = opened.trace, opened.texts
    sizes: list[tuple[str, str, int]] = []
    for step in reversed(trace.passes):
        text = texts.get(step.text) if step.text and step.language == "statement" else ""
        scopes = dict(_SCOPE.findall(text))
        if scopes and "device_scope" not in text:
            sizes = [
                (scopes[n], n, max(1, int(bits) // 8) * prod(map(int, by.split("*")[1:])))
                for n, bits, by in _ALLOCATE.findall(text)
                if n in scopes
            ]
            break
    found: Counter[Box] = Counter()
    names: Counter[str] = Counter()
    by_name: dict[str, int] = {}
    taken = {re.sub(r"\W", "_", name) for _, name, _ in sizes}
    for _, name, size in sizes:  # a name that repeats is numbered, past names that there are
        base = re.sub(r"\W", "_", name)
        spelled = base
        while spelled in by_name or (spelled != base and spelled in taken):
            names[base] += 1
            spelled = f"{base}{names[base]}"
        by_name[spelled] = size
    for space, name, at in _POINTER.findall(texts.get(trace.code or "")):
        found[_MEMORIES[space], int(at), by_name[name]] += 1
    return found


def mlir_boxes(text: str) -> Counter[Box]:
    """Pointer casts of constant addresses; one box a copy."""
    found: Counter[Box] = Counter()
    constants: dict[str, int] = {}
    for line in text.split("\n"):
        if re.match(r"\s*(?:func|llvm)\.func", line):
            constants = {}
        if constant := _CONSTANT.search(line):
            constants[constant[1]] = int(constant[2])
        cast, space = _CAST.search(line), _SPACE.search(line)
        if not (cast and space) or "?" in cast[2]:
            continue
        size = prod(map(int, filter(None, cast[2].split("x")))) * int(cast[4]) // 8
        for name in cast[1].split(","):
            if size:
                found[_MEMORIES[space[1]], constants[name.strip()], size] += 1
    return found


def drawn_boxes(found: tuple[Exhibit, ...]) -> Counter[Box]:
    """What the map draws of all memories of the last attempt."""
    boxes: Counter[Box] = Counter()
    for exhibit in found:
        if exhibit.failed:
            continue
        bars = memory_map(exhibit.drawn).data[2]
        assert bars.name == "buffers"
        for base, height in zip(bars.base or (), bars.y or (), strict=True):
            boxes[exhibit.memory, base, height] += 1
    return boxes


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_boxes_are_the_emitted_addresses(file: Path) -> None:
    opened = recorded(file.stem)
    trace = opened.trace
    if trace.code is None:
        assert not any(e.drawn.placed and not _displayed(trace) for e in shown(file.stem))
        return
    mlir = any(step.language == "mlir" for step in trace.passes)
    wanted = mlir_boxes(opened.texts.get(trace.code)) if mlir else cce_boxes(opened)
    assert drawn_boxes(shown(file.stem)) == wanted
    assert sum(wanted.values()) == sum(len(plan.buffers) for plan in trace.memory)


def _displayed(trace: Trace) -> bool:
    """Whether a plan that failed has addresses: then the compiler wrote them beside its text."""
    return all(b.offset_bytes is not None for p in trace.memory for b in p.buffers)


def test_boxes_of_every_measured_case_are_the_emitted_addresses(
    akg_cases: dict[str, Dump], mlir_cases: dict[str, Dump]
) -> None:
    boxes = 0
    for dump in akg_cases.values():
        if dump.opened.trace.code is None:
            continue
        drawn = drawn_boxes(exhibits_of(dump.opened))
        if _fused(dump.opened.trace):  # without their sizes
            code = dump.opened.texts.get(dump.opened.trace.code)
            places = Counter((_MEMORIES[m], int(at)) for m, _, at in _POINTER.findall(code))
            assert Counter((m, at) for m, at, _ in drawn.elements()) == places
        else:
            assert drawn == cce_boxes(dump.opened)
        boxes += sum(drawn.values())
    for dump in mlir_cases.values():
        if dump.opened.trace.code is not None:
            wanted = mlir_boxes(dump.opened.texts.get(dump.opened.trace.code))
            assert drawn_boxes(exhibits_of(dump.opened)) == wanted
            boxes += sum(wanted.values())
    assert boxes > 150


def _fused(trace: Trace) -> bool:
    """Kernels that the compiler puts together of parts number their copies part by part."""
    return any(step.unit for step in trace.passes)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_every_buffer_is_shown_where_the_text_makes_it(file: Path) -> None:
    texts = recorded(file.stem).texts
    for exhibit in shown(file.stem):
        assert exhibit.digest is not None
        assert exhibit.index is not None
        lines = texts.get(exhibit.digest).split("\n")
        for b in exhibit.drawn.plan.buffers:
            place = definition(texts, exhibit.digest, exhibit.index, b)
            line = lines[place.line - 1].strip()
            assert place.name in line
            assert re.search(r"pointer_cast|memref\.alloc|^allocate |^realize |^__\w+__ ", line)


# What has to be there


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_no_plan_is_below_what_its_text_asks_for_and_all_that_failed_ask_for_too_much(
    file: Path,
) -> None:
    opened = recorded(file.stem)
    trace, texts = opened.trace, opened.texts
    for step in trace.passes:
        before = previous_text(trace, step)
        if step.name != "StorageRewriteCCE" or before is None or before.text is None:
            continue
        chip = {m.name: m for m in CHIP}
        wanted = unplaced(texts.get(before.text))
        if step.status == "ok":
            for memory, each in wanted.items():
                plan = trace.plan(memory)
                assert plan is not None
                assert each.need_bytes(chip[memory].alignment_bytes) <= plan.peak_bytes
                assert sorted(b.bytes for b in each.plan.buffers) == sorted(
                    b.bytes for b in plan.buffers
                )
        else:
            assert any(
                each.need_bytes(chip[memory].alignment_bytes) > chip[memory].capacity_bytes
                for memory, each in wanted.items()
            )


def test_what_is_asked_for_equals_what_simple_kernels_take() -> None:
    for name in ("elementwise_chain", "elementwise_chain-tile_8192", "matmul_cube", "batch_matmul"):
        opened = recorded(name)
        step = next(s for s in opened.trace.passes if s.name == "StorageRewriteCCE")
        before = previous_text(opened.trace, step)
        assert before is not None
        for memory, each in unplaced(opened.texts.get(before.text or "")).items():
            plan = opened.trace.plan(memory)
            assert plan is not None
            assert each.need_bytes(32) == plan.peak_bytes  # double buffers and places in turn


def test_attempts_that_were_given_up_are_shown_beside_the_plan() -> None:
    found = shown("scatter_add-points256_voxels64")
    assert [(e.title, e.failed) for e in found] == [("emitted code", False), ("attempt 1", True)]
    (over,) = overflows(recorded("scatter_add-points256_voxels64").trace,
                        recorded("scatter_add-points256_voxels64").texts, CHIP)  # fmt: skip
    assert (over.attempt, over.last, over.placed) == (1, False, False)
    assert [e.title for e in shown("conv3d_padded-8x8x8_c4_k3")] == [
        "attempt 3", "attempt 2", "attempt 1",
    ]  # fmt: skip


# What must shrink

#: By trace and attempt: the buffers, with the bytes that each may keep.
SMALLEST: dict[tuple[str, str], dict[str, int]] = {
    ("hivm_vadd-tile_24577", "attempt 1"): {"%alloc": 98272},
    ("triton_matmul-l0c_overflow", "attempt 3"): {"%alloc": 131072},
    ("triton_matmul-l1_overflow", "attempt 3"): {"%alloc_6": 262144},
    ("triton_softmax-long_rows", "attempt 3"): {
        "%alloc": 131040,
        "%alloc_2": 65504,
        "%alloc_9": 65504,
    },
    ("scatter_add-points256_voxels64", "attempt 1"): {"y_1_local_UB": 129536},
    ("elementwise_chain-tile_131072", "attempt 1"): {
        "input_1_local_UB": 131072,
        "input_0_local_UB": 131072,
        "T_add_input_0_input_1_local_UB": 131072,
    },
    ("conv3d_padded-8x8x8_c4_k3", "attempt 3"): {"padded_local_UB": 114688},
}
_ALIGNMENT = 32


@pytest.mark.parametrize(("name", "title"), SMALLEST, ids=lambda value: value)
def test_the_smallest_set_that_must_shrink(name: str, title: str) -> None:
    exhibit = next(e for e in shown(name) if e.title == title and e.failed)
    remedy = exhibit.remedy
    assert remedy is not None
    assert {cut.name: cut.to_bytes for cut in remedy.cuts} == SMALLEST[name, title]
    assert remedy.proven
    sizes = {b.name: b.bytes for b in exhibit.drawn.plan.buffers}
    lives = _lives(name, exhibit)
    families = _families(lives, exhibit)
    assert _most(lives, families, {}) == remedy.need_bytes > remedy.capacity_bytes
    to = {n: cut.to_bytes for cut in remedy.cuts for n in families[cut.name]}
    assert _most(lives, families, to) <= remedy.capacity_bytes
    if len(remedy.cuts) == 1:  # and not a unit less would do
        more = {n: size + _ALIGNMENT for n, size in to.items()}
        assert _most(lives, families, more) > remedy.capacity_bytes
    names = {frozenset(family) for family in families.values()}
    for size in range(len(remedy.cuts)):
        for chosen in combinations(names, size):
            least = {n: min(sizes[n], 1) for family in chosen for n in family}
            assert _most(lives, families, least) > remedy.capacity_bytes


_Lives = list[tuple[Buffer, int, int]]


def _lives(name: str, exhibit: Exhibit) -> _Lives:
    if exhibit.drawn.placed:
        return [(b, b.first_use or 0, b.last_use or 0) for b in exhibit.drawn.plan.buffers]
    over = next(
        o
        for o in overflows(recorded(name).trace, recorded(name).texts, CHIP)
        if f"attempt {o.attempt}" == exhibit.title
    )
    assert over.wanted is not None
    by_name = {b.name: b for b in over.wanted.counted.buffers}
    lives = [(b, b.first_use or 0, b.last_use or 0) for b in by_name.values()]
    return lives + [(by_name[h.name], h.first, h.last) for h in over.wanted.held]


def _families(lives: _Lives, exhibit: Exhibit) -> dict[str, set[str]]:
    """Who shrinks together: copies, and what lies at one place at one time."""
    family = {b.name: {b.name} for b, _, _ in lives}
    for one, first, last in lives:
        for other, begin, end in lives:
            beside = first <= end and begin <= last
            shares = (
                exhibit.drawn.placed
                and beside
                and one.offset_bytes is not None
                and one.offset_bytes < (other.offset_bytes or 0) + other.bytes
                and (other.offset_bytes or 0) < one.offset_bytes + one.bytes
            )
            if shares or other.copy_of == one.name:
                joined = family[one.name] | family[other.name]
                for each in joined:
                    family[each] = joined
    return family


def _most(lives: _Lives, families: Mapping[str, set[str]], to: Mapping[str, int]) -> int:
    """Bytes at the worst line, counted place by place."""
    worst = 0
    for at in sorted({first for _, first, _ in lives}):
        for ends in (True, False):
            alive: dict[object, int] = {}
            for b, first, last in lives:
                if b.offset_bytes is None:
                    there = first <= at <= last and (
                        first == last or (first < at if ends else last > at)
                    )
                else:
                    there = first <= at <= last
                size = min(b.bytes, to.get(b.name, b.bytes))
                place = b.name if b.offset_bytes is None else b.offset_bytes
                if there:
                    alive[place] = max(alive.get(place, 0), -(-size // _ALIGNMENT) * _ALIGNMENT)
            worst = max(worst, sum(alive.values()))
    del families
    return worst


def test_brute_force_agrees_on_plans_without_places() -> None:
    draw = random.Random(5)
    checked = 0
    for _ in range(60):
        buffers = []
        for number in range(7):
            first = draw.randrange(12)
            size = draw.choice((32, 64, 96, 160, 256))
            buffers.append(buffer(f"b{number}", size, None, first, first + draw.randrange(1, 6)))
        plan = plan_of(*buffers)
        least = need(plan, alignment=32)
        capacity = draw.randrange(64, max(least, 65)) // 32 * 32
        remedy = shrink(plan, capacity, alignment=32)
        if remedy is None:
            assert least <= capacity
            continue
        checked += 1
        lives = [(b, b.first_use or 0, b.last_use or 0) for b in buffers]

        def fits(to: Mapping[str, int], lives: _Lives = lives, capacity: int = capacity) -> bool:
            return _most(lives, {}, to) <= capacity

        smallest = next(
            (
                size
                for size in range(1, 8)
                if any(fits({b.name: 32 for b in chosen}) for chosen in combinations(buffers, size))
            ),
            0,
        )
        assert len(remedy.cuts) == smallest
        if smallest:
            assert fits({cut.name: cut.to_bytes for cut in remedy.cuts})
            assert len(remedy.others) + 1 == sum(
                fits({b.name: 32 for b in chosen}) for chosen in combinations(buffers, smallest)
            )
    assert checked > 40


def test_a_double_buffer_that_is_too_much_may_go() -> None:
    plan = plan_of(
        buffer("a", 4096, 0, 1, 9),
        buffer("a1", 4096, 4096, 1, 9, "a"),
        buffer("b", 1024, 8192, 2, 3),
        capacity=6000,
    )
    remedy = shrink(plan, 6000, alignment=32)
    assert isinstance(remedy, Remedy)
    assert [(c.name, c.copies, c.with_it, c.to_bytes) for c in remedy.cuts] == [
        ("a", 2, ("a1",), 2464)
    ]
    assert remedy.cuts[0].less_bytes == 2 * (4096 - 2464)
    assert remedy.single == ("a",)
    assert shrink(plan, 9216, alignment=32) is None


def test_too_many_buffers_to_try_all_are_said_to_be() -> None:
    plan = plan_of(*(buffer(f"b{n}", 64, n * 64, 1, 2) for n in range(60)))
    remedy = shrink(plan, 2200, alignment=32)
    assert remedy is not None
    assert not remedy.proven
    kept = {cut.name: cut.to_bytes for cut in remedy.cuts}
    assert sum(kept.get(b.name, b.bytes) for b in plan.buffers) <= 2200


def test_words_name_buffers_bytes_and_the_kernels_line() -> None:
    exhibit = shown("hivm_vadd-tile_24577")[0]
    words = " ".join(remedy_sentences(exhibit))
    assert "%alloc from 98,308 to 98,272 B (36 B less, hivm_vadd.mlir:16:15)" in words
    assert "Instead as well: %alloc_2." in words
    assert "196,672 B" in plan_facts(exhibit)[0].value
    assert "The compiler says 196,672 B" in plan_facts(exhibit)[0].source


# Losses


def test_the_curve_and_the_holes_are_those_of_counting_bytes() -> None:
    draw = random.Random(3)
    for _ in range(40):
        buffers = []
        for number in range(9):
            first = draw.randrange(15)
            buffers.append(
                buffer(f"b{number}", draw.randrange(1, 40), draw.randrange(60), first, first + 4)
            )
        held = (Held("b0", 10, 30, 2, 12, True),)
        plan = plan_of(*buffers)
        taken = {
            at: {
                byte
                for start, size, first, last in [
                    *((b.offset_bytes or 0, b.bytes, b.first_use or 0, b.last_use or 0)
                      for b in buffers),
                    *((h.start, h.stop - h.start, h.first, h.last) for h in held),
                ]
                if first <= at <= last
                for byte in range(start, start + size)
            }
            for at in range(25)
        }  # fmt: skip
        levels = curve(plan, held)
        for at in range(25):
            told = [level.live_bytes for level in levels if level.at <= at]
            assert (told[-1] if told else 0) == len(taken[at])
        idle = fragmentation(plan, held)
        assert idle.at is not None
        worst = max(len(t) for t in taken.values())
        assert peak(plan, held).live_bytes == worst == len(taken[idle.at])
        free = {byte for hole in idle.holes for byte in range(hole.start, hole.stop)}
        assert free == set(range(plan.peak_bytes)) - taken[idle.at]
        assert idle.bytes == len(free)


def test_rounding_is_counted_with_what_the_compiler_rounded_before() -> None:
    plan = plan_of(buffer("a", 30, 0, 1, 2), buffer("b", 64, 32, 1, 2), buffer("c", 32, 96, 1, 2))
    lost = waste(plan, 32, {"b": 50})
    assert [(x.name, x.asked_bytes, x.rounded_bytes) for x in lost.losses] == [
        ("b", 50, 64), ("a", 30, 32),
    ]  # fmt: skip
    assert (lost.bytes, lost.peak_bytes) == (16, 16)


def test_what_was_asked_for_is_read_from_the_first_pass_that_allocates() -> None:
    opened = recorded("transpose")
    sizes = asked(opened.trace, opened.texts)
    plan = opened.trace.plan("UB")
    assert plan is not None
    (drawn,) = (e.drawn for e in shown("transpose"))
    lost = {x.name: (x.asked_bytes, x.rounded_bytes) for x in waste(plan, 32, sizes).losses}
    assert lost["T_transpose_local_UB"] == (1024, 16384)  # 32 x 16 halves, each row 512 B apart
    assert drawn.asked == sizes
    tail = recorded("elementwise_shapes-1x511x65")
    assert asked(tail.trace, tail.texts)["input_1_local_UB1"] == 447 * 2


# Who belongs to whom


def test_halves_of_a_double_buffer_hold_their_places_for_the_whole_loop() -> None:
    (exhibit,) = shown("elementwise_chain-tile_8192")
    drawn = exhibit.drawn
    lines = recorded("elementwise_chain-tile_8192").texts.get(exhibit.digest or "").split("\n")
    loops = {(h.first, h.last) for h in drawn.held}
    assert len(loops) == 1
    first, last = loops.pop()
    assert lines[first - 1].strip().startswith("for (int32_t cc0_db")
    assert lines[last - 1] == "  }"
    assert len(pairs(drawn.plan, drawn.held)) == 5
    assert peak(drawn.plan, drawn.held).live_bytes == drawn.plan.peak_bytes == 65536
    assert fragmentation(drawn.plan, drawn.held).bytes == 0
    assert sum(b.bytes for b in peak(drawn.plan, drawn.held).culprits) == 65536


def test_a_tail_is_no_double_buffer() -> None:
    (exhibit,) = shown("elementwise_shapes-1x511x65")
    assert any(b.copy_of for b in exhibit.drawn.plan.buffers)
    assert pairs(exhibit.drawn.plan, exhibit.drawn.held) == ()


def test_buffers_take_turns_in_a_place() -> None:
    plan = plan_of(
        buffer("a", 64, 0, 1, 4), buffer("b", 64, 0, 4, 6), buffer("c", 32, 32, 8, 9),
        buffer("d", 64, 64, 1, 9),
    )  # fmt: skip
    known = turns(plan)
    assert known["b"].after == known["b"].in_place == ("a",)
    assert (known["a"].before, known["c"].after, known["c"].in_place) == (("b",), ("b",), ())
    assert known["d"].after == known["d"].before == ()
    assert chains(plan) == (("a", "b", "c"),)


def test_functions_are_kept_apart() -> None:
    found = shown("triton_flash_attention-fp16-950")
    assert [(e.memory, e.function) for e in found if e.memory == "UB"] == [
        ("UB", "attention_mix_aic"), ("UB", "attention_mix_aiv"),
    ]  # fmt: skip
    plan = recorded("triton_flash_attention-fp16-950").trace.plan("UB")
    assert plan is not None
    parts = functions(plan)
    assert sum(len(part.buffers) for part in parts.values()) == len(plan.buffers)
    assert max(part.peak_bytes for part in parts.values()) == plan.peak_bytes


# The picture


def test_what_is_drawn_without_places_never_overlaps() -> None:
    for exhibit in (e for file in RECORDED for e in shown(file.stem) if not e.drawn.placed):
        assert exhibit.remedy is not None
        told = peak(exhibit.drawn.plan, exhibit.drawn.held).live_bytes
        assert told == exhibit.remedy.need_bytes  # the sizes here need no rounding
    plan = plan_of(
        buffer("a", 64, None, 1, 5), buffer("b", 64, None, 3, 8), buffer("c", 64, None, 6, 9)
    )
    placed, _ = stacked(plan)
    assert [b.offset_bytes for b in placed.buffers] == [0, 64, 0]


def test_what_lies_beyond_the_capacity_is_hatched() -> None:
    exhibit = next(e for e in shown("triton_matmul-l1_overflow") if e.failed)
    figure = memory_map(exhibit.drawn)
    beyond = next(trace for trace in figure.data if trace.name == "beyond")
    assert (list(beyond.base), list(beyond.y)) == ([524288], [262144])
    assert beyond.marker.pattern.shape == "/"
    whole = memory_map(shown("hivm_vadd-tile_24576")[0].drawn)
    assert "beyond" not in [trace.name for trace in whole.data]


def test_the_chosen_box_its_copies_and_its_turns_stand_out() -> None:
    (exhibit,) = shown("elementwise_chain-tile_8192")
    bars = memory_map(exhibit.drawn, selected="input_0_local_UB").data[2]
    widths = dict(zip(bars.customdata, bars.marker.line.width, strict=True))
    assert widths["input_0_local_UB"] == 3
    assert {n for n, width in widths.items() if width == 2} == {
        "input_0_local_UB1", "T_add_input_0_input_1_local_UB",
    }  # fmt: skip
    hover = dict(zip(bars.customdata, bars.hovertext, strict=True))["input_0_local_UB"]
    for said in (
        "16,384 B (16 KiB)", "addresses 16,384 to 32,767 B", "lines 25 to 28 of the emitted code",
        "then T_add_input_0_input_1_local_UB", "double-buffered with input_0_local_UB1",
        "addresses from the emitted code, sizes from the last pass that allocates",
    ):  # fmt: skip
        assert said in hover


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_every_figure_says_where_it_is_from(file: Path) -> None:
    for exhibit in shown(file.stem):
        facts = plan_facts(exhibit)
        for b in exhibit.drawn.plan.buffers:
            facts += buffer_facts(exhibit, b)
        assert all(fact.source for fact in facts)
        assert not any("None" in fact.value + fact.source for fact in facts)
        frame = peak_table(exhibit)
        assert list(frame["bytes"]) == sorted(frame["bytes"], reverse=True)
        if exhibit.drawn.placed:
            covered = peak(exhibit.drawn.plan, exhibit.drawn.held).live_bytes
            assert sum(frame["bytes"]) >= covered


def test_thousands_of_buffers_are_drawn_at_once() -> None:
    draw = random.Random(1)
    buffers = []
    for number in range(2000):
        first = draw.randrange(20_000)
        size = draw.choice((32, 64, 2048, 8192))
        at = draw.randrange(0, 262144 - 8192, 32)
        buffers.append(buffer(f"b{number}", size, at, first, first + draw.randrange(1, 200)))
    plan = plan_of(*buffers)
    taken = []
    for _ in range(4):
        fresh = Drawn(replace(plan, memory="UB"))
        begun = time.perf_counter()
        figure = memory_map(fresh)
        taken.append(time.perf_counter() - begun)
    assert len(figure.data[2].x) == 2000
    assert min(taken) < 1.0


def test_a_plan_that_failed_in_a_fresh_compile_is_shown(
    compile_kernel: Callable[..., Opened],
) -> None:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    opened = compile_kernel(kernel, Hints(parse_dim("0 0 131072 1")))
    (exhibit,) = exhibits_of(opened)
    assert exhibit.required_bytes == exhibit.remedy.need_bytes == 524288  # type: ignore[union-attr]


def test_the_measured_mlir_case_that_overflows_names_its_smallest_set(
    mlir_cases: dict[str, Dump],
) -> None:
    (exhibit,) = (e for e in exhibits_of(mlir_cases["v32768"].opened) if e.failed)
    remedy = exhibit.remedy
    assert remedy is not None
    assert (remedy.need_bytes, remedy.capacity_bytes) == (262144, 196608)
    assert [(c.copies, c.bytes, c.to_bytes) for c in remedy.cuts] == [(1, 131072, 65536)]
    assert (remedy.of, remedy.proven, len(remedy.others)) == (2, True, 1)
