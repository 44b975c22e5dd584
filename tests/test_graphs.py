"""Graphs of passes: what is in them, that nodes and lines lead to each other, that they lay out."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ElementTree

import pytest

from core.ir import schedule, statement
from core.kernel import example_kernels
from core.trace import Language, Pass
from core.views import layout, nests, trees
from core.views.folding import fold
from core.views.gathering import RUN
from core.views.graph import Graph
from core.views.graphs import graph_of, operator_graph
from core.views.layout import LayoutError, render_svg
from core.views.window import LIMIT, START, Wish, view
from tests.conftest import KERNELS
from tests.dumped import dump_folders, files_of, is_schedule, recorded, recorded_files

MEMORIES = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "REG"}
SVG = "{http://www.w3.org/2000/svg}"


def a_pass(language: Language, stage: str = "lowering") -> Pass:
    return Pass(0, stage, "", 1, "name", 0, None, 0, 0, True, language, None, "ok")


def graph(path: str, language: Language = "statement") -> Graph:
    found = graph_of(a_pass(language), recorded(path))
    assert found is not None
    return found


def nodes_of(graph: Graph) -> dict[str, list[str]]:
    """Names of nodes and clusters in the picture that Graphviz makes, and their classes."""
    svg = ElementTree.fromstring(render_svg(graph.dot))
    found: dict[str, list[str]] = {}
    for group in svg.iter(f"{SVG}g"):
        classes = group.get("class", "").split()
        title = group.findtext(f"{SVG}title")
        if title and classes and classes[0] in ("node", "cluster"):
            found[title] = classes
    return found


def edges_of(graph: Graph) -> set[tuple[str, str]]:
    """The arrows, by the names of their nodes."""
    svg = ElementTree.fromstring(render_svg(graph.dot))
    titles = (
        group.findtext(f"{SVG}title") or ""
        for group in svg.iter(f"{SVG}g")
        if group.get("class", "").startswith("edge")
    )
    pairs = [tuple(title.split("->")) for title in titles]
    return {(tail, head) for tail, head in pairs}


def check(graph: Graph, text: str) -> None:
    """Lines are in the text; every linked name is in the source."""
    count = text.count("\n") + 1
    for name, (first, last) in graph.lines.items():
        assert 1 <= first <= last <= count
        assert name in graph.dot
        assert graph.node_at(first) is not None


@pytest.mark.parametrize(
    "path", recorded_files(".cc"), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_every_recorded_pass_has_a_graph(path):
    text = path.read_text()
    graph = graph_of(a_pass("schedule" if is_schedule(path) else "statement"), text)
    assert graph is not None
    check(graph, text)
    drawn = nodes_of(graph)
    assert set(graph.lines) <= set(drawn)
    memories = {c for classes in drawn.values() for c in classes} & MEMORIES
    assert memories or is_schedule(path)


def test_every_pass_of_the_users_dumps_has_a_graph():
    files = list(files_of(dump_folders(), ".cc"))
    assert files
    for path in files:
        text = path.read_text(errors="replace")
        graph = graph_of(a_pass("schedule" if is_schedule(path) else "statement"), text)
        assert graph is not None, path
        check(graph, text)


def test_operators_of_the_composite_stage():
    found = graph("elementwise/00_Origin.cc")
    text = recorded("elementwise/00_Origin.cc").split("\n")
    assert "Add(" in text[found.lines["op.output_0_0"][1] - 1]
    assert {
        ("input.input_0", "op.output_0_0"),
        ("op.output_0_0", "op.output_0_1"),
        ("input.input_1", "op.output_0_1"),
        ("op.output_0_1", "op.output_0_2"),
        ("op.output_0_2", "output.output_0_2"),
    } <= edges_of(found)
    assert "output.output_0_0" not in nodes_of(found)


def test_operators_of_a_kernel_are_those_of_its_first_pass():
    kernel = next(k for k in example_kernels(KERNELS) if k.name == "elementwise_chain")
    assert edges_of(operator_graph(kernel.source)) == edges_of(graph("elementwise/00_Origin.cc"))


@pytest.mark.parametrize("source", ["", "[]", "{}", '{"op_desc": 3}'])
def test_what_is_no_kernel_has_no_operators(source):
    with pytest.raises(ValueError, match="kernel"):
        operator_graph(source)


def test_the_loop_nest_of_an_elementwise_kernel():
    found = graph("elementwise/AutoPoly.cc")
    drawn = nodes_of(found)
    frame = next(name for name in drawn if name.startswith("cluster"))
    assert "loop" in drawn[frame]
    assert found.lines[frame] == (2, 36)
    on_chip = {n for n in drawn if n.startswith("buffer.") and "UB" in drawn[n]}
    assert len(on_chip) == 5
    assert {n for n in drawn if "GM" in drawn[n]} == {
        "buffer.input_0",
        "buffer.input_1",
        "buffer.T_maximum_T_multiply_T_add_input_0_input_1_input_1",
    }
    lines = recorded("elementwise/AutoPoly.cc").split("\n")
    add = found.node_at(next(n for n, line in enumerate(lines, 1) if " + input_1_local" in line))
    assert add is not None
    assert {
        ("buffer.input_0_local_UB", add),
        ("buffer.input_1_local_UB", add),
        (add, "buffer.T_add_input_0_input_1_local_UB"),
    } <= edges_of(found)


def test_lines_lead_to_nodes_and_back():
    text = recorded("softmax/DecorateDeviceScope.cc")
    found = graph("softmax/DecorateDeviceScope.cc")
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip().startswith(("vexp(", "vdiv(", "vsub(", "copy_")):
            name = found.node_at(number)
            assert name is not None
            assert name.startswith("step.")
            assert found.lines[name][0] <= number <= found.lines[name][1]
    assert found.node_at(len(lines) + 5) is None


def test_a_matrix_product_has_every_memory():
    drawn = nodes_of(graph("matmul/DecorateDeviceScope.cc"))
    memories = {c for classes in drawn.values() for c in classes} & MEMORIES
    assert memories == {"GM", "UB", "L1", "L0A", "L0B", "L0C"}
    labels = graph("matmul/DecorateDeviceScope.cc").dot
    assert "blockIdx.x · 32 cores" in labels
    assert '"else"' in labels or "label=else" in labels


def test_a_buffer_filled_anew_is_a_new_node():
    text = '// attr [a] storage_scope = "local.UB"\nallocate a[float16 * 128]\n' + "".join(
        f"copy_gm_to_ubuf(tvm_address_of(a[0]):handle:PI, tvm_address_of(x[{n}]):handle:PI)"
        ":handle:EX\n"
        "copy_ubuf_to_gm(tvm_address_of(y[0]):handle:PI, tvm_address_of(a[0]):handle:PI)"
        ":handle:EX\n"
        for n in range(2)
    )
    found = graph_of(a_pass("statement"), text)
    assert found is not None
    assert {"buffer.a", "buffer.a.2"} <= set(nodes_of(found))
    assert ("step.5", "buffer.a.2") in edges_of(found)
    assert ("buffer.a.2", "step.6") in edges_of(found)


def test_what_a_folded_block_keeps_to_itself_is_not_drawn():
    def pointer(name: str) -> str:
        return f"tvm_address_of({name}[0]):handle:PI"

    def loop(first: str, last: str) -> str:
        return (
            "for (i, 0, 4) {\n"
            f"  copy_gm_to_ubuf({pointer('a')}, {pointer(first)}):handle:EX\n"
            f"  vadd({pointer('b')}, {pointer('a')}, {pointer('a')}):handle:EX\n"
            f"  copy_ubuf_to_gm({pointer(last)}, {pointer('b')}):handle:EX\n}}\n"
        )

    declared = "".join(
        f'// attr [{name}] storage_scope = "local.UB"\nallocate {name}[float16 * 128]\n'
        for name in "ab"
    )
    whole = nests.of_module(statement.parse(declared + loop("x", "y") + loop("y", "z")))
    folded = fold(whole, {"cluster.5", "cluster.10"})
    assert set(nodes_of(folded)) == {"cluster.5", "cluster.10", *(f"buffer.{n}" for n in "xyz")}
    assert edges_of(folded) == {
        ("buffer.x", "cluster.5"),
        ("cluster.5", "buffer.y"),
        ("buffer.y", "cluster.10"),
        ("cluster.10", "buffer.z"),
    }
    assert {"buffer.a", "buffer.b", "buffer.a.2"} <= set(nodes_of(whole))


def large_pass() -> str:
    """20,000 lines: a recorded kernel body, over and over."""
    text = recorded("elementwise_129/DecorateDeviceScope.cc")
    head, cores, body = text.partition("thread_extent = 32\n")
    return head + cores + body * (20_000 // body.count("\n") + 1)


@pytest.fixture(scope="module")
def large() -> tuple[str, Graph]:
    text = large_pass()
    started = time.process_time()
    found = nests.of_module(statement.parse(text))
    assert time.process_time() - started < 5
    return text, found


@pytest.mark.parametrize("line", [0, 1, 10_000, 19_000])
def test_a_large_pass_is_folded_around_the_chosen_line(large, line):
    text, whole = large
    assert text.count("\n") > 20_000
    shown = view(whole, Wish(line=line))
    started = time.monotonic()
    drawn = nodes_of(shown.graph)
    assert time.monotonic() - started < 5
    assert START // 2 < shown.shown <= START < LIMIT < shown.total == whole.size
    assert all(name in whole.parts or name.startswith(RUN) for name in drawn)
    assert re.search(r"[\d,]+ statements .*folded into", shown.note)
    assert not line or f"line {line:,}" in shown.note
    steps = [lines for name, lines in shown.graph.lines.items() if name.startswith("step.")]
    assert min(abs(first - (line or 1)) for first, _ in steps) < 100
    # every statement is in some node
    for name, (first, _) in whole.lines.items():
        if name.startswith("step."):
            assert shown.graph.node_at(first) is not None
    assert shown.widens
    assert not shown.whole, "Graphviz would take too long for all of it"


def test_the_schedule_tree_of_softmax():
    text = recorded("softmax/MarkOuterMost.cc")
    found = graph("softmax/MarkOuterMost.cc", "schedule")
    check(found, text)
    drawn = nodes_of(found)
    kinds = {name.split(".")[0] for name in drawn}
    assert {"domain", "band", "mark", "sequence", "filter", "extension"} <= kinds
    marks = [name for name, classes in drawn.items() if name.startswith("mark") and "UB" in classes]
    assert len(marks) == 1
    assert found.lines[marks[0]][0] == found.lines[marks[0]][1]
    assert 'mark: "realize_UB"' in text.split("\n")[found.lines[marks[0]][0] - 1]
    tree = schedule.parse(text)
    assert len(drawn) == sum(1 for _ in schedule.walk(tree))
    assert len(edges_of(found)) == len(drawn) - 1


def test_a_large_schedule_tree_is_folded_around_the_chosen_line():
    tree = schedule.parse(recorded("softmax/MarkOuterMost.cc"))
    last = max(node.first for node in schedule.walk(tree))
    whole = trees.of_tree(tree)
    shown = view(whole, Wish(line=last), limit=20, start=16)
    node = shown.graph.node_at(last)
    assert node is not None and node.startswith("band")
    assert node in nodes_of(shown.graph)
    assert shown.shown == 16
    assert shown.note == "16 of 40 nodes are shown: those near line 128."
    without = view(whole, limit=39, start=30)
    folded = [n for n in without.graph.nodes() if "folded" in n.classes]
    assert folded
    assert "nodes are folded into" in without.note
    drawn = {n.name for n in without.graph.nodes()}
    assert sum(n.times for n in folded) + len(drawn) - len(folded) == whole.size
    assert len(edges_of(without.graph)) == len(drawn) - 1  # it still is a tree


def test_only_known_languages_have_graphs():
    assert graph_of(a_pass("text"), "anything") is None
    assert graph_of(a_pass("statement"), "while (1) {\n}\n") is None
    assert graph_of(a_pass("schedule"), "7") is None


def test_names_of_the_users_are_safe():
    source = (
        '{"op_desc": [{"name": "Add", "input_desc": [[{"tensor_name": "a:b", "shape": [4]}]],'
        ' "output_desc": [{"tensor_name": "c\\\\d\\"e", "shape": [4]}]}]}'
    )
    assert len(nodes_of(operator_graph(source))) == 3
    assert edges_of(operator_graph(source)) == {
        ("input.a_b", "op.c_d_e"),
        ("op.c_d_e", "output.c_d_e"),
    }


def test_a_source_that_is_none_is_refused():
    with pytest.raises(LayoutError, match="Graphviz"):
        render_svg("digraph {")


def test_a_layout_that_takes_too_long_is_stopped():
    found = graph("softmax/DecorateDeviceScope.cc")
    started = time.monotonic()
    with pytest.raises(LayoutError, match="longer than"):
        render_svg(found.dot, timeout_s=0.0001)
    assert time.monotonic() - started < 2


def test_without_graphviz_the_error_says_what_to_do(monkeypatch, tmp_path):
    layout.dot_program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(layout.sysconfig, "get_path", lambda name: str(tmp_path))
    try:
        with pytest.raises(LayoutError, match="make run"):
            render_svg("digraph {}")
    finally:
        layout.dot_program.cache_clear()
