"""Graphs of MLIR: what is a node, which lines lead where, how data flows, what is folded."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from core.ir import mlir
from core.views import regions
from core.views.graph import Graph
from core.views.window import START, Wish, view
from tests.dumped import DUMPS
from tests.test_graphs import MEMORIES, a_pass, check, edges_of, graph_of, nodes_of

MLIR = DUMPS / "mlir"
UB, GM = "#hivm.address_space<ub>", "#hivm.address_space<gm>"


def text_of(name: str) -> str:
    return (MLIR / f"{name}.mlir").read_text()


def graph(text: str) -> Graph:
    found = regions.of_module(mlir.parse(text))
    assert found is not None
    return found


def drawn(name: str) -> Graph:
    return graph(text_of(name))


def line_of(text: str, part: str) -> int:
    """The only line that holds this."""
    found = [n for n, line in enumerate(text.split("\n"), 1) if part in line]
    assert len(found) == 1, (part, found)
    return found[0]


def in_function(body: str, arguments: str = "") -> str:
    lines = "".join(f"  {line}\n" for line in body.strip().split("\n"))
    return f"func.func @f({arguments}) {{\n{lines}}}\n"


@pytest.mark.parametrize(
    "path", sorted(MLIR.rglob("*.mlir")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_recorded_text_has_a_graph(path: Path):
    text = path.read_text()
    found = graph_of(a_pass("mlir"), text)
    assert found is not None
    check(found, text)
    assert set(found.lines) <= set(nodes_of(found))
    for line in found.links:
        assert found.node_at(line) is not None


@pytest.mark.parametrize("form", ["pretty", "generic", "located", "function"])
def test_data_flows_through_the_buffers_of_a_placed_kernel(form):
    text = text_of(f"vadd/PlanMemory.{form}")
    found = graph(text)
    nodes = nodes_of(found)
    buffers = {name: classes for name, classes in nodes.items() if name.startswith("buffer.")}
    memories = sorted(next(iter(MEMORIES & set(classes))) for classes in buffers.values())
    assert memories == ["GM"] * 3 + ["UB"] * 3
    lines = text.split("\n")
    steps = {
        name: lines[found.lines[name][0] - 1].split()[0].strip('"')
        for name in nodes
        if name.startswith("op.")
    }
    assert sorted(name.partition("(")[0].strip('"') for name in steps.values()) == [
        "hivm.hir.load",
        "hivm.hir.load",
        "hivm.hir.store",
        "hivm.hir.vadd",
    ]
    edges = edges_of(found)
    into = {head: sorted(t for t, h in edges if h == head) for _, head in edges}
    add = next(name for name, step in steps.items() if "vadd" in step)
    (out,) = [head for tail, head in edges if tail == add]
    assert len(into[add]) == 2
    assert {"UB"} == {c for name in (*into[add], out) for c in buffers[name]} & MEMORIES
    (store,) = [head for tail, head in edges if tail == out]
    assert "store" in steps[store]
    assert {"buffer.%arg2"} == {head for tail, head in edges if tail == store}
    loads = [tail for name in into[add] for tail, head in edges if head == name]
    assert {tail for load in loads for tail in into[load]} == {"buffer.%arg0", "buffer.%arg1"}


def test_buffers_say_how_large_they_are_and_where():
    dot = drawn("vadd/PlanMemory.pretty").dot
    assert r"%1\nf32 [1,024] 4 KiB\nat 4,096 B" in dot
    assert r"%arg0\nf32 [1,048,576] 4 MiB" in dot
    assert "at 4,096 B of UB" in dot
    doubled = drawn("mix/PlanMemory.pretty").dot
    assert "at 0 and " in doubled


def test_a_matrix_product_has_the_memories_of_the_cube():
    found = drawn("matmul/PlanMemory.job")
    memories = {c for classes in nodes_of(found).values() for c in classes} & MEMORIES
    assert memories == {"GM", "L1", "L0C"}
    assert "triton_matmul.py:" in found.dot


def test_functions_loops_and_branches_are_frames():
    found = drawn("mix/PlanMemory.pretty")
    assert "function matmul_add_mul_mix_aic · AIC" in found.dot
    assert "function matmul_add_mul_mix_aiv · AIV" in found.dot
    text = text_of("vadd/PlanMemory.pretty")
    vadd = graph(text)
    frames = {name for name in nodes_of(vadd) if name.startswith("cluster")}
    loop, function = line_of(text, "scf.for"), line_of(text, "func.func @vadd")
    assert frames == {f"cluster.{loop}", f"cluster.{function}"}
    assert vadd.lines[f"cluster.{loop}"] == (loop, line_of(text, "hivm.hir.store") + 1)
    assert "for %arg3 · 1,024×" in vadd.dot
    branches = graph(
        in_function(
            f"""
%c = arith.cmpi slt, %n, %n : i32
%r = scf.if %c -> (tensor<4xf32>) {{
  %a = math.exp %t : tensor<4xf32>
  scf.yield %a : tensor<4xf32>
}} else {{
  scf.yield %t : tensor<4xf32>
}}
scf.while : () -> () {{
  memref.store %x, %m[%n] : memref<4xf32, {GM}>
  scf.condition(%c)
}} do {{
  memref.store %x, %m[%n] : memref<4xf32, {GM}>
  memref.copy %m, %m : memref<4xf32, {GM}> to memref<4xf32, {GM}>
}}
return %r : tensor<4xf32>
""",
            f"%n: i32, %x: f32, %t: tensor<4xf32>, %m: memref<4xf32, {GM}>",
        )
    )
    for label in ("if %c = cmpi slt, %n, %n", "while", "do"):
        assert label in branches.dot
    assert {("op.4", "op.16"), ("buffer.%t", "op.4"), ("buffer.%t", "op.16")} <= edges_of(branches)


def test_a_step_alone_in_its_loop_names_it():
    found = graph(
        in_function(
            f"""
%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
scf.for %i = %c0 to %c8 step %c8 {{
  memref.copy %a, %b : memref<4xf32, {GM}> to memref<4xf32, {GM}>
}}
""",
            f"%a: memref<4xf32, {GM}>, %b: memref<4xf32, {GM}>",
        )
    )
    assert r"memref.copy\n%i · 1×" in found.dot
    assert found.lines["op.5"] == (4, 6)


def test_what_a_loop_carries_flows_on():
    found = graph(
        in_function(
            """
%r = scf.for %i = %n to %n step %n iter_args(%x = %t) -> (tensor<4xf32>) {
  %y = math.exp %x : tensor<4xf32>
  %z = math.absf %y : tensor<4xf32>
  scf.yield %z : tensor<4xf32>
}
return %r : tensor<4xf32>
""",
            "%n: index, %t: tensor<4xf32>",
        )
    )
    assert edges_of(found) == {
        ("buffer.%t", "op.3"),
        ("op.3", "op.4"),
        ("op.4", "op.3"),
        ("op.4", "op.7"),
    }


def test_threads_hand_their_parts_to_the_result_of_their_loop():
    found = graph(
        in_function(
            """
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
  %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %y = math.exp %s : tensor<1xf32>
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %y into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
  }
}
%q = math.absf %r : tensor<4xf32>
return %q : tensor<4xf32>
""",
            "%t: tensor<4xf32>",
        )
    )
    assert {("buffer.%t", "op.3"), ("op.3", "op.4"), ("op.4", "op.9"), ("op.9", "op.10")} <= (
        edges_of(found)
    )


def test_views_are_other_names_of_their_buffer():
    text = in_function(
        f"""
%a = memref.alloc() : memref<8xf32, {UB}>
%v = memref.subview %a[0] [4] [1] : memref<8xf32, {UB}> to memref<4xf32, {UB}>
%w = memref.cast %v : memref<4xf32, {UB}> to memref<?xf32, {UB}>
hivm.hir.load ins(%g : memref<4xf32, {GM}>) outs(%w : memref<?xf32, {UB}>)
%p = arith.select %q, %a, %b : memref<8xf32, {UB}>
hivm.hir.vexp ins(%p : memref<8xf32, {UB}>) outs(%b : memref<8xf32, {UB}>)
""",
        f"%g: memref<4xf32, {GM}>, %q: i1, %b: memref<8xf32, {UB}>",
    )
    found = graph(text)
    assert edges_of(found) >= {
        ("buffer.%g", "op.5"),
        ("op.5", "buffer.%a"),
        ("buffer.%a", "op.7"),
    }
    assert [found.node_at(line) for line in (3, 4, 5, 6, 7)] == ["op.5"] * 3 + ["op.7"] * 2
    assert found.node_at(2) == "buffer.%a"
    assert "3 views are not drawn." in found.note


def test_lines_without_a_node_lead_to_what_uses_them():
    text = text_of("vadd/PlanMemory.pretty")
    found = graph(text)
    load = found.node_at(line_of(text, "ins(%subview :"))
    assert load is not None
    assert load.startswith("op.")
    assert found.node_at(line_of(text, "%subview = ")) == load
    frame = found.node_at(line_of(text, "scf.for"))
    assert found.node_at(line_of(text, "%c1048576 = ")) == frame
    assert found.node_at(line_of(text, "func.func @vadd")) == "cluster.2"
    assert found.node_at(line_of(text, "set_mask_norm")) == "cluster.2"


def test_what_touches_one_element_is_about_its_buffer():
    text = text_of("reduce/OneShotBufferize.pretty")
    found = graph(text)
    for number, line in enumerate(text.split("\n"), 1):
        if "annotation.mark" in line:
            name = found.node_at(number)
            assert name is not None
            assert name.startswith(("buffer.", "op."))


def test_bodies_of_linalg_are_one_node():
    found = graph(
        in_function(
            """
%r = linalg.generic {iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%t : f32) {
^bb0(%in: f32, %out: f32):
  %x = math.exp %in : f32
  %y = arith.addf %x, %in : f32
  linalg.yield %y : f32
} -> tensor<4xf32>
%s = linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%r : tensor<4xf32>) -> tensor<4xf32>
return %s : tensor<4xf32>
""",
            "%t: tensor<4xf32>",
        )
    )
    assert {name for name in nodes_of(found) if name.startswith("op.")} == {"op.2", "op.8", "op.9"}
    assert r"linalg.generic\nexp, addf\nf32 [4]" in found.dot
    assert r"linalg.elemwise_unary\nabs\nf32 [4]" in found.dot
    assert found.lines["op.2"] == (2, 7)
    assert found.node_at(4) == "op.2"


def test_a_function_of_numbers_shows_them():
    found = drawn("reduce/AutoSchedule.pretty")
    assert "tiling_function · HOST" in found.dot
    text = text_of("reduce/AutoSchedule.pretty")
    returned = next(line for line in text.split("\n") if line.strip().startswith("return"))
    constants = [name.strip() for name in returned.partition(":")[0].split("return")[1].split(",")]
    values = [
        f"{int(line.partition('constant ')[2].partition(' :')[0]):,}"
        for name in constants
        for line in text.split("\n")
        if line.strip().startswith(f"{name} = ")
    ]
    assert f"{', '.join(values[:2])}" in found.dot
    assert "scalar operations" in found.note


def test_arithmetic_on_addresses_is_left_out():
    text = text_of("attention/ttir")
    found = graph(text)
    loads = [n for n, line in enumerate(text.split("\n"), 1) if "= tt.load" in line]
    assert len(loads) == 3
    assert {f"op.{line}" for line in loads} <= set(nodes_of(found))
    assert "address operations" in found.note
    assert "tt.make_range" not in found.dot
    range_node = found.node_at(line_of(text, "tt.make_range"))
    assert range_node is not None
    assert found.lines[range_node][0] in loads
    heads = {head for tail, head in edges_of(found) if tail.startswith("buffer.")}
    assert {f"op.{line}" for line in loads} <= heads


def test_calls_say_which_way_where_their_name_does():
    text = text_of("vadd/ConvertHIVMToStandard.pretty")
    found = graph(text)
    edges = edges_of(found)
    lines = text.split("\n")
    calls = {
        name: lines[found.lines[name][0] - 1] for name in nodes_of(found) if name.startswith("op.")
    }
    for name, line in calls.items():
        into = {tail for tail, head in edges if head == name}
        out = {head for tail, head in edges if tail == name}
        assert not into & out
        if "@load_gm" in line:
            assert into <= {"buffer.%arg0", "buffer.%arg1"}
        elif "@store" in line:
            assert out == {"buffer.%arg2"}
        else:
            assert (len(into), len(out)) == (2, 1)
    assert len(calls) == 4
    assert "declarations" in found.note
    assert "memref<0x" in text
    assert "[0]" not in found.dot  # what stands for no buffer


def test_declarations_alone_have_no_graph():
    assert graph_of(a_pass("mlir"), "func.func private @f(memref<4xf32>)\n") is None
    assert graph_of(a_pass("mlir"), "module {\n}\n") is None
    assert graph_of(a_pass("mlir"), "not MLIR at all\n") is None


def test_what_cannot_be_read_is_named():
    text = text_of("vadd/PlanMemory.pretty").replace(
        "    hivm.hir.set_mask_norm\n", "    [NOTE] something else\n"
    )
    found = graph_of(a_pass("mlir"), text)
    assert found is not None
    assert f"Line {line_of(text, '[NOTE]')} could not be read." in found.note
    cut = text[: text.index("hivm.hir.store")]
    found = graph_of(a_pass("mlir"), cut)
    assert found is not None
    assert "hivm.hir.vadd" in found.dot


def test_damaged_text_is_drawn_or_refused_but_never_breaks():
    chance = random.Random(1)
    texts = [path.read_text() for path in sorted(MLIR.rglob("PlanMemory.*.mlir"))]
    outcomes: Counter[bool] = Counter()
    for _ in range(150):
        text = chance.choice(texts)[:8000]
        for _ in range(chance.choice((1, 3, 30))):
            at, length = chance.randrange(len(text)), chance.randrange(40)
            kept = text[at + length :] if chance.random() < 0.5 else text[at:]
            text = text[:at] + chance.choice('{}()[]<>%"^#@=,:\n ') + kept
        found = graph_of(a_pass("mlir"), text)
        outcomes[found is not None] += 1
        if found is not None:
            check(found, text)
    assert outcomes[True] > 50


def large_module() -> str:
    """20,000 lines: the functions of a recorded module, over and over."""
    head, _, body = text_of("mix/PlanMemory.pretty").partition("{\n  func.func")
    functions = f"  func.func{body.rstrip().removesuffix('}')}"
    return head + "{\n" + functions * (20_000 // functions.count("\n") + 1) + "}\n"


@pytest.fixture(scope="module")
def large() -> tuple[str, Graph]:
    text = large_module()
    started = time.process_time()
    found = graph(text)
    assert time.process_time() - started < 8
    return text, found


@pytest.mark.parametrize("line", [1, 10_000, 19_500])
def test_a_large_module_is_folded_around_the_chosen_line(large, line):
    text, whole = large
    assert text.count("\n") > 20_000
    shown = view(whole, Wish(line=line))
    started = time.monotonic()
    nodes = nodes_of(shown.graph)
    assert time.monotonic() - started < 5
    assert START // 2 < shown.shown <= START
    assert f"operations away from line {line:,} are folded into" in shown.note
    steps = [lines[0] for name, lines in shown.graph.lines.items() if name.startswith("op.")]
    assert min(abs(first - line) for first in steps) < 100
    assert set(shown.graph.lines) <= set(nodes)
    for number, said in enumerate(text.split("\n"), 1):
        if "hivm.hir.v" in said:
            assert shown.graph.node_at(number) is not None


def test_a_limit_folds_functions_and_says_so():
    whole = drawn("mix/PlanMemory.pretty")
    assert view(whole).note == whole.note
    cut = view(whole, limit=8, start=8)
    assert re.search(r"operations are folded into \d nodes?", cut.note)
    names = set(nodes_of(cut.graph))
    assert cut.shown == len(list(cut.graph.nodes())) <= 8
    assert set(cut.graph.lines) <= names
