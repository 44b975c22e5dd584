"""Following through recorded traces, checked against what the texts say to regular expressions.

What is expected is written from reading the traces: under which name a buffer, a value or a loop
stands in which stage. Where it stands there is found by `re`, not by what is tested.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.analysis.follow import Stop, Trail, follow
from core.kernel import load_kernel
from core.readers import Opened, open_trace
from core.trace import Pass
from tests.conftest import PROJECT

TRACES = PROJECT / "data" / "traces"


@cache
def trace(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def text_of(opened: Opened, index: int) -> str:
    passes = opened.trace.passes
    digest = passes[index].text if index < len(passes) else opened.trace.code
    assert digest is not None
    return opened.texts.get(digest)


def asked(opened: Opened, stage: str, name: str, line: int, word: str) -> Trail:
    """Follow from the first pass of this stage and name."""
    step = next(p for p in opened.trace.passes if (p.stage, p.name) == (stage, name))
    return follow(opened.trace, opened.texts, step.index, line, word)


def numbered(text: str, pattern: str) -> list[int]:
    """Lines where it is found."""
    found = re.compile(pattern)
    return [number for number, line in enumerate(text.split("\n"), 1) if found.search(line)]


def lines(stop: Stop, role: str) -> list[int]:
    return sorted({place.line for place in stop.places if place.role == role})


def notes(opened: Opened, trail: Trail) -> dict[str, str]:
    """What is said of the passes that something happened in, by their names."""
    passes = opened.trace.passes
    return {passes[s.index].name: s.note for s in trail.stops if s.note and s.index < len(passes)}


# Buffers of AKG


@dataclass(frozen=True)
class Named:
    """A buffer by its names: in the composite, before AutoPoly, after it, in the code."""

    composite: str
    lowering: str
    local: str
    code: Sequence[str]


#: Of softmax, tiled by 4, which is double-buffered: every local buffer is there twice.
SOFTMAX = [
    Named("input_0", "input_0", "input_0_local_UB", ["input_0_local_UB", "input_0_local_UB1"]),
    Named(
        "output_0_0",
        "input_0_red",
        "input_0_red_local_UB",
        ["input_0_red_local_UB", "input_0_red_local_UB1"],
    ),
    Named("output_0_2", "T_exp", "T_exp_local_UB", ["T_exp_local_UB", "T_exp_local_UB1"]),
    Named(
        "output_0_3",
        "T_exp_red",
        "T_exp_red_local_UB",
        ["T_exp_red_local_UB", "T_exp_red_local_UB1"],
    ),
    Named(
        "output_0_4",
        "T_divide_T_exp_T_exp_red",
        "T_divide_T_exp_T_exp_red_local_UB",
        ["T_divide_T_exp_T_exp_red_local_UB", "T_divide_T_exp_T_exp_red_local_UB1"],
    ),
]


def expected_name(buffer: Named, step: Pass, poly: int) -> str:
    if step.stage == "composite":
        return buffer.composite
    return buffer.lowering if step.index < poly else buffer.local


@pytest.mark.parametrize("buffer", SOFTMAX, ids=lambda buffer: buffer.lowering)
@pytest.mark.parametrize("start", ["composite", "lowering", "local", "code"])
def test_a_buffer_from_its_first_line_to_its_instruction(buffer: Named, start: str) -> None:
    opened = trace("softmax_fp16-tile_4")
    passes = opened.trace.passes
    poly = next(p.index for p in passes if p.name == "AutoPoly")
    trail = {
        "composite": lambda: asked(opened, "composite", "Origin", 0, buffer.composite),
        "lowering": lambda: asked(opened, "lowering", "ToThreeAddress", 0, buffer.lowering),
        "local": lambda: asked(opened, "lowering", "StorageFlatten", 0, buffer.local),
        "code": lambda: follow(opened.trace, opened.texts, len(passes), 0, buffer.code[0]),
    }[start]()
    stops = {stop.index: stop for stop in trail.stops}
    for step in passes:
        if step.text is None or step.language == "schedule":
            continue
        name = expected_name(buffer, step, poly)
        text = text_of(opened, step.index)
        if not re.search(rf"(?<![\w.]){name}(?![\w.])", text):
            assert step.index not in stops, step.name
            continue
        assert name in stops[step.index].names, step.name
        by_line = {p.line: p.role for p in stops[step.index].places if p.name == name}
        assert set(by_line) == set(numbered(text, rf"(?<![\w.]){name}(?![\w.])")), step.name
        written = numbered(
            text,
            rf"^\s*{name}[\[(].*[\])] = |^\s*(?!tvm_)\w+\("
            rf"tvm_(?:access_ptr\([^,]*, {name},|address_of\({name}\[)",
        )
        assert {line for line, role in by_line.items() if role == "written"} == set(written)
    code = text_of(opened, len(passes))
    last = stops[len(passes)]
    wanted = buffer.code if start != "code" else buffer.code[:1]
    assert set(wanted) <= set(last.names)
    for name in wanted:
        offset = re.search(rf"\b{name} = \(__ubuf__  half \*\)\((\d+)\)", code)
        assert offset is not None
        assert f"{name} at byte {int(offset[1]):,} of UB" in trail.ends
    names = "|".join(wanted)
    written = numbered(code, rf"^\s*\w+\(\(\(__ubuf__ \w+ \*\)(?:{names}) \+")
    assert [p.line for p in last.places if p.role == "written" and p.name in wanted] == written
    for line in written:
        assert str(line) in trail.ends
        instruction = code.split("\n")[line - 1].strip().partition("(")[0]
        assert instruction in trail.ends


def test_what_happened_is_said_where_it_happened() -> None:
    opened = trace("softmax_fp16-tile_4")
    said = notes(opened, asked(opened, "composite", "Origin", 0, "output_0_2"))
    assert said == {
        "ScheduleOps": "renamed from output_0_2",
        "AutoPoly": "renamed from T_exp, in UB",
        "AutoDoubleBuffer": "two copies",
    }


def test_a_schedule_names_the_statements_that_write_a_buffer() -> None:
    opened = trace("softmax_fp16-tile_4")
    trail = asked(opened, "composite", "Origin", 0, "output_0_2")
    trees = {p.index for p in opened.trace.passes if p.language == "schedule"}
    schedules = [s for s in trail.stops if s.index in trees]
    assert schedules
    for stop in schedules:
        text = text_of(opened, stop.index)
        # S_4: the fifth statement of the text that is scheduled, the exponential.
        named = [p.line for p in stop.places if p.name == "S_4"]
        assert named and set(named) <= set(numbered(text, r"\bS_4\["))
        assert all(p.role == "written" for p in stop.places if p.name == "S_4")
    from_schedule = asked(opened, "poly", "InitSchedule", 1, "S_4")
    assert "vexp" in from_schedule.ends


# Loops, variables, operations


def test_a_loop_is_tiled_shared_among_cores_and_doubled() -> None:
    opened = trace("elementwise_chain-tile_8192")
    step = next(p for p in opened.trace.passes if p.name == "ScheduleOps")
    line = numbered(text_of(opened, step.index), r"for \(ax0, 0, 4194304\)")[0]
    trail = asked(opened, "lowering", "ScheduleOps", line, "ax0")
    said = notes(opened, trail)
    assert said["ElementwiseFlatten"] == "renamed from ax0"
    assert said["AutoPoly"] == "split into cc0 (512) and cc1 (8,192)"
    assert said["InjectMultiCore"] == (
        "shared among 32 cores (blockIdx.x), cc0 (16) and cc1 (8,192) on each"
    )
    assert said["EmitInsn"] == "cc1 is gone"
    assert said["AutoDoubleBuffer"] == "renamed from cc0"
    code = text_of(opened, len(opened.trace.passes))
    (loop,) = numbered(code, r"for \(int32_t cc0_db = 0; cc0_db < 8;")
    assert f"the loop cc0_db in line {loop} (8 times)" in trail.ends
    assert lines(trail.stops[-1], "defined") == [loop]


def test_a_loop_that_an_instruction_does_by_itself_is_gone() -> None:
    opened = trace("elementwise_chain")
    step = next(p for p in opened.trace.passes if p.name == "StorageFlatten")
    text = text_of(opened, step.index)
    (line,) = numbered(text, r"^\s*T_add_input_0_input_1_local_UB\[cc1\] = ")
    trail = follow(opened.trace, opened.texts, step.index, line, "cc1")
    last = opened.trace.passes[trail.stops[-1].index]
    gone = next(p for p in opened.trace.passes if p.name == "EmitInsn")
    assert last.index < gone.index
    (became,) = numbered(text_of(opened, gone.index), r"^\s*vadd\(")
    assert trail.ends.startswith(f"cc1 is gone in EmitInsn (pass {gone.index + 1})")
    assert f"line {became} there, vadd(" in trail.ends


def test_loops_that_are_fused() -> None:
    opened = trace("softmax_fp16")
    step = next(p for p in opened.trace.passes if p.name == "AutoPragma")
    (line,) = numbered(text_of(opened, step.index), r"^\s*T_exp_local_UB\[.* = exp")
    inner = follow(opened.trace, opened.texts, step.index, line, "cc3")
    outer = follow(opened.trace, opened.texts, step.index, line, "cc2")
    merged = next(p.index for p in opened.trace.passes if p.name == "MergeLoops")
    for trail in (inner, outer):
        stop = next(s for s in trail.stops if s.index == merged)
        (loop,) = lines(stop, "defined")
        assert "for (cc3, 0, 16384)" in text_of(opened, merged).split("\n")[loop - 1]


@pytest.mark.parametrize(
    ("name", "composite", "instruction"),
    [
        ("elementwise_chain", 1, "vadd"),
        ("elementwise_chain", 2, "vmul"),
        ("elementwise_chain", 3, "vrelu"),
        ("softmax_fp16", 4, "vexp"),
        ("matmul_cube", 2, "mad"),
    ],
)
def test_an_operation_becomes_its_instruction(name: str, composite: int, instruction: str) -> None:
    opened = trace(name)
    line = text_of(opened, 0).split("\n")[composite - 1]
    called = re.search(r" = (\w+)\(", line)
    assert called is not None
    trail = follow(opened.trace, opened.texts, 0, composite, called[1])
    code = text_of(opened, len(opened.trace.passes))
    written = numbered(code, rf"^\s*{instruction}\(")
    assert trail.stops[-1].index == len(opened.trace.passes)
    assert {p.line for p in trail.stops[-1].places} <= set(written)
    assert f"It becomes {instruction} in line" in trail.ends
    back = follow(opened.trace, opened.texts, len(opened.trace.passes), written[0], instruction)
    assert (back.stops[0].index, back.stops[0].places[0].line) == (0, composite)


def test_a_let_variable() -> None:
    opened = trace("elementwise_chain")
    trail = asked(opened, "device", "MakeAPI", 0, "arg0.code")
    for stop in trail.stops:
        text = text_of(opened, stop.index)
        assert lines(stop, "defined") == numbered(text, r"^\s*let arg0\.code = ")
    names = {opened.trace.passes[stop.index].name for stop in trail.stops}
    assert {"MakeAPI", "SplitHostDevice", "BindDeviceType", "LowerTVMBuiltin"} <= names


def test_a_buffer_that_is_propagated_away() -> None:
    opened = trace("matmul_cube")
    trail = asked(opened, "lowering", "AutoPoly", 0, "T_cast_local_UB")
    gone = next(p for p in opened.trace.passes if p.name == "CastFilter")
    assert trail.stops[-1].index == gone.index - 1
    assert trail.ends.startswith(f"T_cast_local_UB is gone in CastFilter (pass {gone.index + 1})")
    assert "reads T_batchmatmul_input_0_input_1_local_UB there" in trail.ends


# Values of MLIR


@dataclass(frozen=True)
class Made:
    """A value by what makes it: its place in the kernel's source, and the operations by stage."""

    trace: str
    place: str
    operations: str  #: one pattern; each stage has one of them
    call: str  #: that writes it in the end
    argument: int  #: of the call, where it writes
    at: int  #: byte of UB
    start: tuple[int, str]  #: a pass, and the value's name there


VALUES = [
    Made("triton_add-fp16", "17:19", r"tt\.load|memref\.copy|hivm\.hir\.load|(?:func\.)?call",
         "load_gm_to_ubuf_1d_half", 1, 0, (1, "%9")),
    Made("triton_add-fp16", "18:20", r"tt\.load|memref\.copy|hivm\.hir\.load|(?:func\.)?call",
         "load_gm_to_ubuf_1d_half", 1, 2048, (1, "%12")),
    Made("triton_add-fp16", "19:33",
         r"arith\.addf|linalg\.elemwise_binary|hivm\.hir\.vadd|(?:func\.)?call",
         "vadd_1d_half", 2, 2048, (1, "%15")),
    Made("hfusion_elementwise", "8:12", r"linalg\.elemwise_binary|hivm\.hir\.vadd|(?:func\.)?call",
         "vadd_1d_float", 2, 65504, (0, "%1")),
    Made("hfusion_elementwise", "9:16", r"linalg\.elemwise_binary|hivm\.hir\.vmul|(?:func\.)?call",
         "vmul_1d_float", 2, 131008, (0, "%2")),
]  # fmt: skip
_VALUE = r"%[\w$.-]+"


def located(text: str, place: str) -> Iterator[tuple[int, str]]:
    """The lines from a place of the kernel's source, its aliases (#loc5) looked up."""
    aliases = {
        name for name, where in re.findall(r'^(#loc\d*) = loc\("[^"]*":([\d:]+)\)', text, re.M)
        if where == place
    }  # fmt: skip
    for number, line in enumerate(text.split("\n"), 1):
        found = re.search(r'loc\((?:"[^"]*":([\d:]+)|(#loc\d*))\)$', line)
        if found and (found[1] == place or found[2] in aliases):
            yield number, line


def held(text: str, value: str) -> str:
    """The buffer that a value is a view of."""
    while True:
        view = re.search(
            rf"^\s*{re.escape(value)} = memref\.(?:subview|cast|view|collapse_shape|"
            rf"expand_shape|reinterpret_cast) ({_VALUE})", text, re.M,
        )  # fmt: skip
        if view is None:
            return value
        value = view[1]


def made_in(text: str, value: Made) -> tuple[int, str] | None:
    """The line that makes it, and the value, or the buffer, that it is then."""
    for number, line in located(text, value.place):
        operation = re.search(rf"^\s*(?:({_VALUE}) = )?(?:{value.operations})\b", line)
        if operation is None or "set_flag" in line:
            continue
        if operation[1]:
            return number, operation[1]
        call = re.search(rf"call @{value.call}\(([^)]*)\)", line)
        if call:
            return number, held(text, call[1].split(", ")[value.argument])
        outs = re.search(rf"outs\(({_VALUE})", line)
        copied = re.search(rf"memref\.copy {_VALUE}, ({_VALUE})", line)
        target = outs or copied
        if target:
            return number, held(text, target[1])
    return None


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{value.trace} {value.place}")
def test_a_value_from_what_first_makes_it_to_the_call_that_writes_it(value: Made) -> None:
    opened = trace(value.trace)
    passes = opened.trace.passes
    index, name = value.start
    line, found = made_in(text_of(opened, index), value) or (0, "")
    assert found == name  # what is written above is what the text says
    trail = follow(opened.trace, opened.texts, index, line, name)
    stops = {stop.index: stop for stop in trail.stops}
    compared = 0
    for step in passes:
        if step.text is None:
            continue
        text = text_of(opened, step.index)
        made = made_in(text, value)
        if made is None:
            continue
        number, called = made
        assert called in stops[step.index].names, (step.index, step.name)
        assert number in {p.line for p in stops[step.index].places}, (step.index, step.name)
        compared += 1
    assert compared == sum(p.text is not None for p in passes)
    code = text_of(opened, len(passes))
    calls = [
        (number, held(code, call[1].split(", ")[value.argument]))
        for number, line_ in enumerate(code.split("\n"), 1)
        if (call := re.search(rf"call @{value.call}\(([^)]*)\)", line_))
    ]
    last = stops[len(passes)]
    buffer = last.names[0]
    number = next(n for n, held_by in calls if held_by == buffer)
    assert number in {p.line for p in last.places}
    address = re.search(rf"{re.escape(buffer)} = hivm\.hir\.pointer_cast\(%c(\d+)_i64\)", code)
    assert address is not None and int(address[1]) == value.at
    assert f"{buffer} at byte {value.at:,} of UB" in trail.ends
    assert f"{value.call} in line" in trail.ends
    assert str(number) in trail.ends


def test_the_argument_of_a_function_keeps_its_meaning_not_its_number() -> None:
    opened = trace("triton_add-fp16")
    trail = follow(opened.trace, opened.texts, 1, 2, "%arg0")
    for stop in trail.stops:
        text = text_of(opened, stop.index)
        head = next(line for line in text.split("\n") if re.search(r"func.* @add\(", line))
        place = head.split(f"{stop.names[0]}: ")[0].count("%arg")
        # Pointers come after what later stages put in front of them.
        before = len(re.findall(r"hacc\.arg_type = #hacc\.arg_type<(?:ffts|sync|work)", head))
        if stop.index >= 11 and not before:
            before = 2
        assert place == before, (stop.index, opened.trace.passes[min(stop.index, 38)].name)


def test_an_operation_of_mlir_changes_its_dialect() -> None:
    opened = trace("hfusion_elementwise")
    trail = follow(opened.trace, opened.texts, 0, 4, "linalg.elemwise_binary")
    assert notes(opened, trail) == {
        "ConvertHFusionToHIVM": "linalg.elemwise_binary is hivm.hir.vadd from here",
        "ConvertHIVMToStandard": "hivm.hir.vadd is func.call from here",
    }
    code = text_of(opened, len(opened.trace.passes))
    (line,) = numbered(code, r"call @vadd_1d_float\(")
    assert trail.ends == f"It becomes vadd_1d_float in line {line} of the emitted code."


def test_a_buffer_of_the_final_module_goes_back_to_the_values_that_it_holds() -> None:
    opened = trace("triton_add-fp16")
    last = len(opened.trace.passes)
    code = text_of(opened, last)
    (line,) = numbered(code, r"call @vadd_1d_half\(")
    call = re.search(r"@vadd_1d_half\(([^)]*)\)", code.split("\n")[line - 1])
    assert call is not None
    buffer = held(code, call[1].split(", ")[2])
    (made,) = numbered(code, rf"^\s*{re.escape(buffer)} = ")
    trail = follow(opened.trace, opened.texts, last, made, buffer)
    first = trail.stops[0]
    assert first.index == 0
    added = made_in(text_of(opened, 0), VALUES[2])
    assert added is not None and added[1] in first.names


# Traces of all kinds


def test_sub_kernels_are_kept_apart(cases: Path, compile_kernel: Callable[..., Opened]) -> None:
    (file,) = (cases / "akg").glob("Fused_Transpose_split_*_parall_*.info")
    opened = compile_kernel(load_kernel(file))
    passes = opened.trace.passes
    units = list(dict.fromkeys(p.unit for p in passes if p.unit))
    assert len(units) > 1
    for number, unit in enumerate(units[:2]):
        step = next(p for p in passes if p.unit == unit and p.name == "StorageFlatten")
        text = text_of(opened, step.index)
        name = re.findall(r"allocate (\w+)\[", text)[0]
        trail = follow(opened.trace, opened.texts, step.index, 0, name)
        through = {passes[s.index].unit for s in trail.stops if s.index < len(passes)}
        assert through <= {unit, ""}
        assert trail.stops[-1].index == len(passes)
        merged = next(s for s in trail.stops if passes[s.index].stage == "merge")
        section = text_of(opened, merged.index).split("---------[")
        first = section[0].count("\n") + sum(section[i].count("\n") for i in range(1, number + 1))
        end = first + section[number + 1].count("\n")
        assert all(first < p.line <= end + 1 for p in merged.places)


def test_a_compile_that_failed_ends_the_trail() -> None:
    opened = trace("maxpool-k3_s2_pad1")
    trail = asked(opened, "lowering", "ScheduleOps", 0, "input_1")
    assert trail.stops
    assert trail.stops[-1].index == max(p.index for p in opened.trace.passes if p.text)
    assert trail.ends == (
        "It is there in the last text of the compile, which ended (crashed) before any code was"
        " emitted."
    )


def test_every_attempt_is_gone_through() -> None:
    opened = trace("conv3d_padded-8x8x8_c4_k3")
    trail = asked(opened, "lowering", "ScheduleOps", 0, "conv")
    attempts = {opened.trace.passes[s.index].attempt for s in trail.stops}
    assert attempts == {p.attempt for p in opened.trace.passes}
    mlir = trace("triton_matmul-saved_by_a_retry")
    product = asked(mlir, "adapter", "TritonToLinalg", 0, "linalg.matmul")
    assert {mlir.trace.passes[s.index].attempt for s in product.stops[:-1]} == {1, 2, 3}


@pytest.mark.parametrize(
    ("index", "line", "name", "said"),
    [
        (0, 0, "nothing", "nothing names nothing in Origin (pass 1)."),
        (0, 1, "nothing", "nothing names nothing in line 1 of Origin (pass 1)."),
        (18, 4000, "vadd", "vadd names nothing in line 4000 of ScheduleOps (pass 19)."),
        (0, 0, "", " names nothing in Origin (pass 1)."),
        (-1, 0, "x", "There is no pass 0."),
        (140, 1, "x",
         "Only what passes and the emitted code name can be followed, not what logs do."),
    ],
)  # fmt: skip
def test_what_means_nothing_is_said(index: int, line: int, name: str, said: str) -> None:
    opened = trace("elementwise_chain")
    trail = follow(opened.trace, opened.texts, index, line, name)
    assert trail == Trail(name, index, (), said)


def test_a_pass_without_a_text_is_said() -> None:
    opened = trace("maxpool-k3_s2_pad1")
    without = next(p for p in opened.trace.passes if p.text is None)
    trail = follow(opened.trace, opened.texts, without.index, 0, "x")
    assert trail.ends == f"{without.name} (pass {without.index + 1}) left no text."


_NAME = re.compile(r"%[\w$.-]+|@\w+|[^\W\d][\w.]*")


@pytest.mark.parametrize("file", sorted(TRACES.glob("*.zip"))[::7], ids=lambda file: file.stem)
def test_places_are_where_the_name_stands(file: Path) -> None:
    """Names from all over a trace: whatever is found of them, its lines have the name."""
    opened = trace(file.stem)
    passes = opened.trace.passes
    indices = [p.index for p in passes if p.text] + ([len(passes)] if opened.trace.code else [])
    for index in indices[:: max(1, len(indices) // 3)]:
        content = text_of(opened, index).split("\n")
        for number in range(1, len(content) + 1, max(1, len(content) // 2)):
            for name in _NAME.findall(content[number - 1])[:2]:
                trail = follow(opened.trace, opened.texts, index, number, name)
                assert trail.ends
                for stop in trail.stops[:: max(1, len(trail.stops) // 9)]:
                    there = text_of(opened, stop.index).split("\n")
                    assert all(p.name in there[p.line - 1] for p in stop.places), stop


def test_a_usual_trace_takes_less_than_a_second() -> None:
    opened = trace("softmax_fp16")
    began = time.process_time()
    follow(opened.trace, opened.texts, 0, 0, "output_0_2")
    assert time.process_time() - began < 1
