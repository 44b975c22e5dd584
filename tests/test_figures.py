"""Figures against counts made without any parser, and what is said of passes, on real traces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from core.analysis.changes import did
from core.analysis.figures import figures
from core.analysis.order import given_text
from core.analysis.studied import Figures, Held, PassStudy, StudiedLanguage, Study
from core.analysis.study import study
from core.readers import Opened, open_trace
from core.trace import Pass
from core.views.figures import place, report_title, sentence, series
from tests.conftest import PROJECT

TRACES = PROJECT / "data" / "traces"
STATEMENTS = (
    "elementwise_chain-tile_8192",
    "softmax_fp16-tile_4",
    "matmul_cube",
    "voxel_gather-512x64_rows128",
)
MLIR = ("hfusion_elementwise", "triton_matmul-fp16", "hivm_vadd")


@cache
def opened(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


@cache
def studied(name: str) -> Study:
    return study(opened(name).trace, opened(name).texts)


def texts_of(names: tuple[str, ...], language: str) -> Iterator[tuple[str, str]]:
    """Every text of a language once, with a name for it."""
    seen: set[str] = set()
    for name in names:
        for step in opened(name).trace.passes:
            if step.language == language and step.text and step.text not in seen:
                seen.add(step.text)
                yield f"{name} {step.index} {step.name}", opened(name).texts.get(step.text)


def known(text: str, language: StudiedLanguage) -> Figures:
    found = figures(text, language)
    assert found is not None
    return found


def lines_of(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


# Counted again, line by line

SCOPE = re.compile(r"// attr \[(?:\w+\()?([\w.]+).*\] (?:realize|storage)_scope = \"([\w.]*)\"")
SIZE = {"float16": 2, "float32": 4, "int32": 4, "uint64": 8, "int8": 1}
ONE_LINE_LOOPS = ("for (", "unrolled (", "parallel (", "vectorized (")


def counted_statements(text: str) -> Figures:
    """The figures of a text of the statement language, of its lines alone."""
    count: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    held: dict[str, list[int]] = {}
    scope: dict[str, str] = {}
    depth = deepest = stores = 0
    blocks: list[bool] = []  # whether each open one is a loop
    for line in (raw.strip() for raw in text.lstrip("[").split("\n")):
        found = SCOPE.match(line)
        if found:
            scope[found[1]] = found[2]
        if line.startswith(("// attr", "---")):
            continue
        loop = line.startswith(ONE_LINE_LOOPS)
        if line.startswith("}"):
            depth -= blocks.pop()
        if line.endswith("{"):
            blocks.append(loop)
            depth += loop
            deepest = max(deepest, depth)
        count["loops"] += loop
        count["conditionals"] += line.startswith(("if (", "} else if ("))
        count["casts"] += len(re.findall(r"\b(?:float|int|uint|bfloat)\d+\(|^vconv_", line))
        if hold(line, scope, held):
            continue
        if re.match(r"[\w.]+\[.*?\] = ", line):
            count["statements"] += 1
            stores += 1
        elif re.match(r"[\w.]+\(.*?\) = ", line) and not line.startswith("let "):
            count["statements"] += 1
        elif re.match(r"[\w.]+\(", line) and not line.startswith(("for", "if", "assert", "unroll")):
            count["statements"] += 1
            name = line.partition("(")[0]
            if not name.startswith("tvm_"):
                kinds[kind_of(name)] += 1
    if stores and kinds and "pragma_emit_insn" not in text:
        kinds["scalar"] += stores
    return Figures(
        lines_of(text),
        count["statements"],
        count["loops"],
        deepest,
        count["conditionals"],
        count["casts"],
        kinds["sync"],
        {memory: Held(len(sizes), sum(sizes)) for memory, sizes in held.items()},
        dict(kinds),
    )


def hold(line: str, scope: dict[str, str], held: dict[str, list[int]]) -> bool:
    """Whether a line makes a buffer; its bytes are entered where its memory is on the chip."""
    made = re.match(r"(?:allocate ([\w.]+)\[(\w+) \* (.*)\]|realize ([\w.]+)<(\w+)>\((.*)\))", line)
    if made is None:
        return False
    memory = scope.get(made[1] or made[4], "").removeprefix("local.")
    sizes = re.findall(r"\d+", made[3] or "") or re.findall(r", (\d+)\]", made[6] or "")
    total = SIZE[made[2] or made[5]]
    for size in sizes:
        total *= int(size)
    if memory:
        held.setdefault(memory, []).append(total)
    return True


def kind_of(name: str) -> str:
    if name.startswith(("cce.coproc", "set_flag", "wait_flag", "pipe_barrier")):
        return "sync"
    if name.startswith(("copy_", "load_")):
        return "transfer"
    if name.startswith("set_"):
        return "control"
    return "cube" if name == "mad" else "vector" if name.startswith("v") else "scalar"


def test_an_assignment_is_a_scalar_instruction_only_where_instructions_are_emitted() -> None:
    name = "voxel_gather-512x64_rows128"
    steps = opened(name).trace.passes
    emitting = next(p.index for p in steps if p.name == "EmitInsn")
    found = [each.figures.instructions if each.figures else {} for each in studied(name).passes]
    assert not any(found[:emitting])
    assert found[emitting] == {"scalar": 1, "transfer": 3}
    host = next(p.index for p in steps if p.name == "LowerTVMBuiltin")  # whose text is the host's
    assert found[host] == {}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement_figures_are_those_of_the_lines(name: str) -> None:
    checked = 0
    for which, text in texts_of((name,), "statement"):
        assert known(text, "statement") == counted_statements(text), which
        checked += 1
    assert checked > 20


def test_composite_figures_are_those_of_the_lines() -> None:
    (which, text), *_ = texts_of(("layer_norm",), "statement")
    found = known(text, "statement")
    assert "Origin" in which
    assert found.statements == sum(" = " in x and "//" not in x for x in text.split("\n")) == 11
    assert (found.loops, found.depth, found.allocations, found.instructions) == (0, 0, {}, {})


def test_figures_of_schedule_trees_are_those_of_their_keys() -> None:
    key = re.compile(
        r"^\s*(?:- )*(domain|context|guard|schedule|filter|mark|extension|expansion|sequence|set):",
        re.M,
    )
    checked = 0
    for which, text in texts_of(STATEMENTS, "schedule"):
        found = known(text, "schedule")
        kinds = Counter(key.findall(text))
        assert found.statements == kinds.total(), which
        # Every member of a band is a union of its own, in braces.
        bands = re.findall(r"schedule: (\"[^\n]*(?:\n\s*\"[^\n]*)*)", text)
        assert found.loops == sum(each.count("{") for each in bands), which
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", MLIR)
def test_figures_of_mlir_are_those_of_the_names(name: str) -> None:
    operation = re.compile(
        r"^\s*(?:%[\w#:, %-]+ = )?\"?(module|func\.func|[a-z_]+(?:\.\w+)+|call|return)\b(?! =)",
        re.M,
    )
    for which, text in texts_of((name,), "mlir"):
        found = known(text, "mlir")
        names = Counter(operation.findall(re.sub(r"^#.*$", "", text, flags=re.M)))
        assert found.lines == lines_of(text)
        assert found.statements == names.total(), which
        assert found.loops == sum(names[n] for n in ("scf.for", "scf.forall", "scf.while")), which
        assert found.conditionals == names["scf.if"], which
        sync = ("hivm.hir.set_flag", "hivm.hir.wait_flag", "hivm.hir.pipe_barrier")
        assert found.syncs == sum(names[n] for n in sync), which
        assert found.instructions.get("cube", 0) == len(
            re.findall(r"hivm\.hir\.mmadL1|call @mma_tile", text)
        ), which
        made = names["memref.alloc"] + names["hivm.hir.pointer_cast"]
        assert sum(held.buffers for held in found.allocations.values()) == made, which


def test_bytes_of_mlir_count_every_copy() -> None:
    """hivm_vadd has three buffers of 24,576 floats; with two copies of two of them, UB is full."""
    trace, texts = opened("hivm_vadd-tile_24576").trace, opened("hivm_vadd-tile_24576").texts
    plan = next(step for step in trace.passes if step.name == "PlanMemory")
    found = known(texts.get(str(plan.text)), "mlir")
    text = texts.get(str(plan.text))
    sizes = [
        int(n) * 4 * casts.count("%")
        for casts, n in re.findall(r"pointer_cast\(([^)]*)\).*memref<(\d+)xf32", text)
    ]
    assert found.allocations["UB"].bytes == sum(sizes) > 0
    assert found.allocations["UB"].buffers == len(sizes)


@pytest.mark.parametrize("name", STATEMENTS)
def test_figures_of_the_emitted_code_are_those_of_its_lines(name: str) -> None:
    code = opened(name).trace.code
    assert code
    text = opened(name).texts.get(code)
    found = known(text, "cce")
    assert found.lines == lines_of(text)
    assert found.loops == text.count("for (")
    assert found.conditionals == text.count("if (")
    assert found.syncs == len(re.findall(r"^\s*(?:set_flag|wait_flag|pipe_barrier)\(", text, re.M))
    assert found.casts == len(re.findall(r"\((?:half|float)\)[A-Za-z_]|^\s*vconv_", text, re.M))
    declared = Counter(re.findall(r"^\s*__(ubuf|cbuf|ca|cb|cc)__ ", text, re.M))
    names = {"ubuf": "UB", "cbuf": "L1", "ca": "L0A", "cb": "L0B", "cc": "L0C"}
    assert {m: held.buffers for m, held in found.allocations.items()} == {
        names[each]: number for each, number in declared.items()
    }
    transfers = len(re.findall(r"^\s*(?:copy|load)_\w+\(", text, re.M))
    assert found.instructions["transfer"] == transfers


def test_what_has_no_tree_has_no_figures() -> None:
    for language in ("statement", "mlir", "schedule", "cce"):
        assert figures("  }\n", language) is None  # type: ignore[arg-type]
    assert figures("for (a, 0, 4) {\n}\n", "text") is None


# What passes did


def of_pass(name: str, title: str) -> tuple[str, ...]:
    trace = opened(name).trace
    (first, *_) = (step.index for step in trace.passes if step.name == title and step.changed)
    return studied(name).passes[first].did


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("FoldDimension", "shape folded: 4,096 × 1,024 → 4,194,304"),
        ("ElementwiseFlatten", "3 loop variables renamed: ax0 → cc0, ax0 → cc1 and 1 more"),
        ("ToThreeAddress", "max → relu"),
        ("ComputeSchedule", "3 bands fused into 1"),
        ("TileOuterBand", "tiled cc0, cc1, cc2 by 8,192"),
        ("TileOuterBand", "mark realize_UB inserted"),
        ("MarkOuterMost", "mark multicore_coincident_1 inserted"),
        ("AutoPoly", "tiled cc0, cc1, cc2 by 8,192: 4,194,304 = 512 × 8,192"),
        ("AutoPoly", "4 loops added"),
        ("AutoPoly", "5 buffers in UB, 81,920 bytes"),
        ("PromoteIfStmt", "3 assignments rewritten: 8192*cc0 → cc0*8192"),
        ("StorageFlatten", "5 tensors became flat buffers"),
        ("AnalyzeMinAlignStatic", "alignment noted on 11 accesses"),
        ("InjectMultiCore", "cc0 spread over 32 cores: 512 → 16 iterations"),
        ("EmitInsn", "6 loops removed"),
        ("AutoDoubleBuffer", "two iterations of cc0 at a time: 16 → 8 iterations"),
        ("AutoDoubleBuffer", "UB: 5 → 10 buffers, 81,920 → 163,840 bytes"),
        ("StorageRewriteCCE", "10 allocations moved out of loops"),
        ("InjectSync", "21 syncs inserted (set_flag 8, wait_flag 8, pipe_barrier 5)"),
        ("SplitHostDevice", "split into 2 functions: elementwise_chain, elementwise_chain_kernel0"),
        ("BindDeviceType", "the kernel's side left out of the text"),
    ],
)
def test_what_passes_of_akg_did(title: str, says: str) -> None:
    assert says in of_pass("elementwise_chain-tile_8192", title)


def test_loops_that_are_lost_are_named() -> None:
    """What makes the compiler crash two passes later."""
    said = of_pass("maxpool-k3_s2_pad1", "MultiCoreLoopSwitchHoist")
    assert said[0] == "2 loops removed: cc3, cc4"
    assert said[1].startswith("if (((cc3 + ") and said[1].endswith("removed")


def test_assignments_that_become_instructions_are_counted() -> None:
    said = of_pass("elementwise_chain-tile_8192", "EmitInsn")[0]
    assert said.startswith("6 assignments became 3 transfers and 3 vector instructions (copy_gm_to")


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("MergeLoops", "loops cc2 × cc3 merged into one: 4 × 1,024 = 4,096"),
        ("AutoPoly", "tiled ax0 by 4: 256 = 64 × 4"),
        ("HalfReduceSumRewrite", "1 cast to float32 added"),
        ("OptimizePragma", "pragma_emit_insn: broadcast 2 → mask_broadcast 2"),
        ("SinkAllocate", "1 allocation moved"),
    ],
)
def test_what_passes_did_to_softmax(title: str, says: str) -> None:
    assert says in of_pass("softmax_fp16-tile_4", title)


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("FoldTensorEmpty", "1 op folded away: tensor.collapse_shape"),
        ("ReorderOpsByBFS", "operations in another order"),
        ("CSE", "9 constants removed"),
        ("ConvertArithToAffine", "arith.addi → affine.apply"),
        ("ConvertHFusionToHIVM", "hfusion.load (3) → hivm.hir.load (3)"),
        ("ConvertHFusionToHIVM", "linalg.elemwise_binary 2 → hivm.hir.vadd, hivm.hir.vmul"),
        ("MarkRealCoreType", "attributes changed only, of 10 ops (hivm.tcore_type 10)"),
        ("OneShotBufferize", "bufferized: 6 tensor.empty → 6 memref.alloc"),
        ("MapForToForall", "scf.for → scf.forall"),
        ("InferHIVMMemScope", "memories chosen for 6 buffers: 6 in UB"),
        ("PlanMemory", "addresses assigned to 6 buffers"),
        ("GraphSyncSolver", "16 syncs inserted (set_flag 7, wait_flag 7, pipe_barrier 2)"),
    ],
)
def test_what_passes_of_mlir_did(title: str, says: str) -> None:
    assert says in of_pass("hfusion_elementwise", title)


@pytest.mark.parametrize("name", (*STATEMENTS, *MLIR, "maxpool-k3_s2_pad1", "triton_softmax-fp32"))
def test_what_is_said_agrees_with_the_figures(name: str) -> None:
    """Every phrase with a number in it is checked against the figures of both texts."""
    trace, found = opened(name).trace, studied(name)
    checked = 0
    for step, each in zip(trace.passes, found.passes, strict=True):
        before = given_text(trace, step) if step.changed and step.text else None
        if before is None or before == step.text:
            assert each.did == (), f"{step.index} {step.name}"
            continue
        assert 1 <= len(each.did) <= 4, f"{step.index} {step.name} says nothing"
        assert len(each.did) == len(set(each.did))
        old = figures(opened(name).texts.get(before), step.language)
        if old is None or each.figures is None or "kernel's side" in each.did[0]:
            continue
        for phrase in each.did:
            assert "0x" not in phrase
            checked += agrees(phrase, old, each.figures, step)
    assert checked >= 2


def agrees(phrase: str, old: Figures, new: Figures, step: Pass) -> bool:
    number = int(re.sub(r"\D", "", phrase.split(" ")[0]) or 0)
    where = f"{step.index} {step.name}: {phrase}"
    if re.match(r"[\d,]+ loops? (added|removed)", phrase) and step.language != "schedule":
        moved = new.loops - old.loops
        assert moved == (number if "added" in phrase else -number), where
    elif " syncs inserted" in phrase:
        assert new.syncs - old.syncs == number, where
    elif re.match(r"\w+: [\d,]+ → [\d,]+ buffers?", phrase):
        memory = phrase.partition(":")[0]
        counts = [
            int(n.replace(",", "")) for n in re.findall(r"[\d,]+(?= →)|(?<=→ )[\d,]+", phrase)
        ]
        assert counts[:2] == [old.allocations[memory].buffers, new.allocations[memory].buffers], (
            where
        )
        if len(counts) == 4:
            assert counts[2:] == [old.allocations[memory].bytes, new.allocations[memory].bytes], (
                where
            )
    elif re.match(r"text (grows|shrinks)", phrase):
        assert phrase.endswith(f"{old.lines:,} → {new.lines:,} lines"), where
    elif re.match(r"[\d,]+ assignments? became", phrase):
        emitted = ("transfer", "vector", "cube")
        assert any(new.instructions.get(k, 0) > old.instructions.get(k, 0) for k in emitted), where
    else:
        return False
    return True


def test_addresses_alone_are_no_change() -> None:
    text = '// attr [placeholder(a, 0x55de5ab7d890)] realize_scope = ""\nproduce a {\n}\n'
    assert did(text, text.replace("0x55de5ab7d890", "0x55de5b20f440"), "statement") == ()


def test_a_text_that_cannot_be_read_still_says_how_much_changed() -> None:
    assert did("} a\nb\n", "} a\nc\nd\n", "statement") == ("2 lines changed",)
    assert did("x\n", "y\n", "text") == ("1 line changed",)


def test_a_condition_and_a_buffer_that_shrinks_are_named() -> None:
    scope = '// attr [b_local_UB] storage_scope = "local.UB"\n'
    body = "allocate b_local_UB[float16 * {size}]\nfor (cc0, 0, 8) {{\n{inside}}}\n"
    store = "  b_local_UB[cc0] = a[cc0]\n"
    before = scope + body.format(size=4096, inside=f"  if ((cc0 < 3)) {{\n  {store}  }}\n")
    after = scope + body.format(size=512, inside=store)
    assert did(before, after, "statement") == (
        "b_local_UB shrinks: 8,192 → 1,024 bytes",
        "if ((cc0 < 3)) removed",
    )


# Columns, charts and words


def test_only_figures_that_differ_are_columns() -> None:
    trace, found = (
        opened("elementwise_chain-tile_8192").trace,
        studied("elementwise_chain-tile_8192"),
    )
    columns = {column.key: column for column in series(trace, found)}
    assert {"lines", "loops", "bytes UB", "buffers UB", "syncs", "kind vector"} <= columns.keys()
    assert not {"bytes L1", "kind cube"} & columns.keys()
    assert all(len(c.values) == len(c.changes) == len(trace.passes) + 1 for c in columns.values())
    (poly,) = (s.index for s in trace.passes if s.name == "AutoPoly")
    (double,) = (s.index for s in trace.passes if s.name == "AutoDoubleBuffer")
    ub = columns["bytes UB"]
    assert (ub.text(poly), ub.change_text(poly)) == ("81,920 B (80 KiB)", "+81,920")
    assert ub.changes[double] == 81_920 == 5 * 8192 * 2
    assert ub.changes[double + 1] == 0 and ub.change_text(double + 1) == ""
    assert columns["lines"].values[-1] == lines_of(
        opened("elementwise_chain-tile_8192").texts.get(str(trace.code))
    )


def _fields(step: Pass) -> dict[str, object]:
    return {field: getattr(step, field) for field in step.__dataclass_fields__}


def test_words_of_a_pass_and_of_a_report() -> None:
    assert sentence(PassStudy(None, ("tiled cc0 by 8,192", "2 loops added"))) == (
        "tiled cc0 by 8,192; 2 loops added"
    )
    assert sentence(PassStudy(None)) == ""
    trace, found = opened("maxpool-k3_s2_pad1").trace, studied("maxpool-k3_s2_pad1")
    (report, *_) = (each for each in found.reports if each.finding.check == "undefined")
    title = report_title(report, trace)
    assert title.startswith(f"{report.finding.subject} used without a definition, since ")
    assert "MultiCoreLoopSwitchHoist" in title
    assert place(trace, len(trace.passes)) == "the emitted code"
