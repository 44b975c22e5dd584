"""What is done to graphs: folding, rows, neighbourhoods, windows, changes; all on plain values."""

from __future__ import annotations

import pytest

from core.analysis.diff import diff
from core.ir import cce, statement
from core.views import emitted, nests
from core.views.drawing import Drawing
from core.views.folding import fold
from core.views.gathering import ROW, RUN, gather
from core.views.graph import Frame, Graph, Node
from core.views.graph_changes import Changes, compared
from core.views.graphs import graph_of_text
from core.views.neighbourhood import STUB, cut, near
from core.views.window import LIMIT, MOST, START, Wish, view
from tests.dumped import recorded, recorded_files
from tests.test_graphs import edges_of, nodes_of


def names(graph: Graph) -> set[str]:
    return {node.name for node in graph.nodes()}


def arrows(graph: Graph) -> set[tuple[str, str]]:
    return {(edge.tail, edge.head) for edge in graph.edges if edge.seen}


def chain(length: int, *, frames: int = 0) -> Graph:
    """Nodes one after the other, each a line of its own; in frames of so many nodes each."""
    drawing = Drawing()

    def draw(number: int) -> None:
        line = (number + 1, number + 1)
        drawing.node(f"n{number}", [f"n{number}"], lines=line, word="step", bytes=number)

    if not frames:
        for number in range(length):
            draw(number)
    for first in range(0, length, frames) if frames else ():
        lines = (first + 1, first + frames)
        with drawing.cluster(f"cluster.{first}", [f"part {first}"], lines=lines):
            for number in range(first, first + frames):
                draw(number)
    for number in range(length - 1):
        drawing.edge(f"n{number}", f"n{number + 1}", memory="UB", tooltip=f"v{number}")
    return drawing.graph()


# Folding


def test_a_folded_frame_is_one_node_that_keeps_its_arrows():
    folded = fold(chain(6, frames=2), {"cluster.2"})
    assert names(folded) == {"n0", "n1", "cluster.2", "n4", "n5"}
    assert arrows(folded) == {("n0", "n1"), ("n1", "cluster.2"), ("cluster.2", "n4"), ("n4", "n5")}
    node = folded.parts["cluster.2"]
    assert isinstance(node, Node)
    assert node.label == ("part 2", "2 statements", "step ×2")
    assert (node.lines, node.times) == ((3, 4), 2)
    assert folded.node_at(4) == "cluster.2"
    assert set(nodes_of(folded)) == {*names(folded), "cluster.0", "cluster.4"}


def test_arrows_that_come_to_share_both_ends_are_one():
    drawing = Drawing()
    drawing.node("a", ["a"])
    drawing.node("b", ["b"])
    with drawing.cluster("cluster.1", ["loop"]):
        drawing.node("x", ["x"], word="x")
        drawing.node("y", ["y"], word="y")
    drawing.edge("a", "x", memory="UB", tooltip="one")
    drawing.edge("a", "y", memory="L1", tooltip="two")
    drawing.edge("x", "b")
    drawing.edge("b", "y", orders=False)
    drawing.edge("x", "y")
    folded = fold(drawing.graph(), {"cluster.1"})
    into, back = folded.edges
    assert (into.tail, into.head, into.memory, into.tooltip) == ("a", "cluster.1", "", "one\ntwo")
    assert {back.tail, back.head} == {"b", "cluster.1"}
    assert back.both


def test_only_the_outermost_of_folded_frames_is_left_and_opens_again():
    drawing = Drawing()
    with drawing.cluster("cluster.1", ["outer"]), drawing.cluster("cluster.2", ["inner"]):
        drawing.node("x", ["x"], word="x")
    graph = drawing.graph()
    assert names(fold(graph, {"cluster.1", "cluster.2"})) == {"cluster.1"}
    inner = fold(graph, {"cluster.2"})
    assert names(inner) == {"cluster.2"}
    assert inner.parts["cluster.2"].within == "cluster.1"
    assert fold(graph, ()) is graph
    assert fold(graph, {"no such frame"}) is graph


def test_a_folded_frame_says_what_changed_in_it():
    drawing = Drawing()
    with drawing.cluster("cluster.1", ["loop"]):
        drawing.node("x", ["x"], classes=("op", "added"), word="x")
        drawing.node("y", ["y"], classes=("op",), word="y")
    with drawing.cluster("cluster.2", ["loop"]):
        drawing.node("z", ["z"], classes=("op", "removed"), word="z")
    folded = fold(drawing.graph(), {"cluster.1", "cluster.2"})
    first, second = folded.nodes()
    assert "changed" in first.classes and first.label[-1] == "1 added"
    assert "removed" in second.classes


def test_rows_of_folded_frames_are_one_frame_more():
    graph = chain(40, frames=2)
    closed = {frame.name for frame in graph.frames()} - {"cluster.0", "cluster.20"}
    gathered, rows = gather(graph, closed)
    assert rows == {f"{RUN}2", f"{RUN}22"}
    frame = gathered.parts[f"{RUN}2"]
    assert isinstance(frame, Frame)
    assert frame.lines == (3, 20)
    assert frame.label == ("… lines 3 to 20",)
    assert names(fold(gathered, closed | rows)) == {"n0", "n1", *rows, "n20", "n21"}
    # a short row stays as it is
    few = {f"cluster.{first}" for first in range(0, 2 * ROW, 2)}
    assert gather(graph, few) == (graph, set())


# Neighbourhoods


def test_what_is_near_comes_by_hops_then_by_lines():
    graph = chain(10)
    assert near(graph, ["n5"], room=5, hops=1) == ["n5", "n4", "n6"]
    assert set(near(graph, ["n5"], room=10, hops=2)) == {"n3", "n4", "n5", "n6", "n7"}
    assert near(graph, ["n5"], room=4, line=9) == ["n5", "n6", "n4", "n7"]
    assert near(graph, ["no such node"], room=3, line=8) == ["n7", "n6", "n8"]


def test_what_is_cut_off_hangs_on_as_a_stub():
    part = cut(chain(10, frames=5), ["n3", "n4", "n5"])
    stubs = {node.name: node for node in part.nodes() if "stub" in node.classes}
    assert set(stubs) == {f"{STUB}n3", f"{STUB}n5"}
    assert stubs[f"{STUB}n3"].label == ("+1 more",)
    assert stubs[f"{STUB}n3"].within == "cluster.0"
    assert {(f"{STUB}n3", "n3"), ("n5", f"{STUB}n5"), ("n3", "n4")} <= arrows(part)
    assert {frame.name for frame in part.frames()} == {"cluster.0", "cluster.5"}
    assert edges_of(part) == arrows(part)


# Windows


def test_up_to_the_limit_all_is_shown():
    shown = view(chain(LIMIT, frames=10))
    assert (shown.shown, shown.note, shown.widens, shown.whole) == (LIMIT, "", False, False)
    by_hand = view(chain(LIMIT, frames=10), Wish(folded=frozenset({"cluster.10"})))
    assert by_hand.shown == LIMIT - 9
    assert by_hand.note == ""


def test_beyond_it_frames_are_folded_but_for_those_near_the_line():
    graph = chain(600, frames=20)
    shown = view(graph, Wish(line=301))
    assert START // 2 < shown.shown <= START
    assert {f"n{n}" for n in range(300, 320)} <= names(shown.graph)
    assert "away from line 301 are folded into" in shown.note
    wider = view(graph, Wish(line=301, widened=1))
    assert names(shown.graph) & set(graph.parts) < names(wider.graph) | {"cluster.0"}
    assert shown.shown < wider.shown <= 2 * START
    assert view(graph, Wish(whole=True)).shown == 600
    assert shown.whole


def test_frames_are_opened_and_folded_by_hand():
    graph = chain(600, frames=20)
    opened = view(graph, Wish(line=1, opened=frozenset({"cluster.580"})))
    assert "n590" in names(opened.graph)
    folded = view(graph, Wish(line=1, folded=frozenset({"cluster.0"})))
    assert "n0" not in names(folded.graph)
    assert "cluster.0" in names(folded.graph)
    row = next(name for name in names(view(graph, Wish(line=1)).graph) if name.startswith(RUN))
    spread = view(graph, Wish(line=1, opened=frozenset({row})))
    assert isinstance(spread.graph.parts[row], Frame)


def test_without_frames_the_neighbourhood_is_shown_and_widened_where_asked():
    graph = chain(2 * MOST)
    shown = view(graph, Wish(line=1000))
    assert shown.shown == START
    assert "n999" in names(shown.graph)
    assert shown.note == f"{START} of {2 * MOST:,} nodes are shown: those near line 1,000."
    assert not shown.whole and shown.widens
    rim = max(name for name in names(shown.graph) if name.startswith(STUB))
    more = view(graph, Wish(line=1000, around=frozenset({rim.removeprefix(STUB)})))
    assert more.shown == START + 1
    assert rim not in names(more.graph)


def test_at_first_what_changed_is_looked_at_else_the_largest_buffer():
    assert "n499" in names(view(chain(500)).graph)
    assert "the largest buffer" in view(chain(500)).note
    drawing = Drawing()
    for number in range(500):
        changed = ("changed",) if number == 20 else ()
        drawing.node(f"n{number}", ["n"], lines=(number + 1, number + 1), classes=changed)
    shown = view(drawing.graph())
    assert "n20" in names(shown.graph)
    assert "what changed" in shown.note


# Changes

BEFORE = """for (i, 0, 4) {
  a_local(i) = a(i)
  b(i) = (a_local(i) + 1.0f)
}
for (j, 0, 8) {
  c(j) = exp(b(j)):float32:PI
  d(j) = sqrt(c(j)):float32:PI
  e(j) = (d(j)*c(j))
}
"""


def change(after: str, before: str = BEFORE) -> Changes:
    one, other = (nests.of_module(statement.parse(text)) for text in (before, after))
    return compared(one, other, diff(before, after))


def marked(changes: Changes, name: str) -> set[str]:
    return {part.name for part in changes.graph.parts.values() if name in part.classes}


def test_a_pass_that_changes_nothing_marks_nothing():
    same = change(BEFORE)
    assert (same.added, same.removed, same.changed) == (0, 0, 0)
    assert not any(marked(same, name) for name in ("added", "removed", "changed"))
    assert not any(edge.classes for edge in same.graph.edges)
    moved = change("produce d {\n" + BEFORE + "}\n")
    assert (moved.added, moved.removed, moved.changed) == (0, 0, 0)


def test_a_statement_that_is_new_gone_or_another_is_marked():
    changes = change(
        BEFORE.replace("+ 1.0f", "+ 2.0f").replace(
            "  e(j) = (d(j)*c(j))\n", "  e(j) = (d(j)*c(j))\n  f(j) = (e(j)-c(j))\n"
        )
    )
    assert marked(changes, "changed") == {"step.3"}
    assert marked(changes, "added") == {"step.9", "buffer.f"}
    gone = change(BEFORE.replace("  c(j) = exp(b(j)):float32:PI\n", ""))
    assert marked(gone, "removed") == {"gone.step.6"}
    ghost = gone.graph.parts["gone.step.6"]
    assert isinstance(ghost, Node)
    assert (ghost.lines, ghost.before) == (None, (6, 6))
    ends = {(e.tail, e.head) for e in gone.graph.edges if "removed" in e.classes}
    assert ends == {("buffer.b", "gone.step.6"), ("gone.step.6", "buffer.c")}
    assert set(nodes_of(gone.graph)) >= marked(gone, "removed")


def test_a_loop_that_is_gone_is_said_where_it_was():
    changes = change(BEFORE.replace("for (i, 0, 4) {\n", "").replace("+ 1.0f)\n}", "+ 1.0f)"))
    assert marked(changes, "removed") == {"gone.cluster.1"}
    ghost = changes.graph.parts["gone.cluster.1"]
    assert ghost.label == ("for i · 4×",)
    assert changes.removed == 1
    # with all that was in it, it stays a frame
    both = change(BEFORE[BEFORE.index("for (j") :])
    assert isinstance(both.graph.parts["cluster.gone.1"], Frame)
    assert both.graph.parts["gone.step.2"].within == "cluster.gone.1"
    assert set(nodes_of(both.graph)) >= {"cluster.gone.1", "gone.step.2"}


def test_repeated_loops_are_not_taken_for_one_another():
    loop = BEFORE[: BEFORE.index("for (j")]
    declared = '// attr [a_local] storage_scope = "local.UB"\nallocate a_local[float32 * 4]\n'
    before = declared + loop * 30
    lines = (declared + loop * 30).split("\n")
    lines[2 + 4 * 14 + 1] = lines[2 + 4 * 14 + 1].replace("a(i)", "x(i)")
    changes = change("\n".join(lines), before)
    assert marked(changes, "changed") == {"step.60"}
    assert marked(changes, "added") == {"buffer.x"}
    ends = {(e.tail, e.head) for e in changes.graph.edges if {"added", "removed"} & set(e.classes)}
    assert ends == {("buffer.x", "step.60"), ("buffer.a", "step.60")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("softmax/AutoPoly.cc", "softmax/DecorateDeviceScope.cc"),
        ("softmax/poly_07_AnalyzeSchedule.cc", "softmax/poly_18_MarkOuterMost.cc"),
    ],
)
def test_recorded_passes_are_compared_whole(before, after):
    language = "schedule" if "poly_" in before else "statement"
    texts = [recorded(path) for path in (before, after)]
    one, other = (graph_of_text(language, text) for text in texts)
    assert one is not None and other is not None
    there = compared(one, other, diff(*texts))
    assert there.graph.size == other.size + there.removed
    assert set(nodes_of(there.graph)) >= names(there.graph)
    # nothing is counted twice: what is left of the one is in the other
    kept = other.size - there.added
    frames = sum(n.startswith("gone.cluster") for n in names(there.graph))
    assert kept == one.size - (there.removed - frames)
    back = compared(other, one, diff(*reversed(texts)))
    assert back.graph.size == one.size + back.removed


# Emitted code


@pytest.mark.parametrize("path", recorded_files(".cce"), ids=lambda path: path.parent.name)
def test_emitted_code_has_the_nest_of_its_last_pass(path):
    kernel = cce.parse(path.read_text())
    graph = emitted.of_kernel(kernel)
    drawn = nodes_of(graph)
    vectors = [n for n in graph.nodes() if n.label[0].startswith(("vadd", "vmul", "vexp"))]
    for vector in vectors:
        into = {tail for tail, head in arrows(graph) if head == vector.name}
        assert into
        assert all("UB" in drawn[name] for name in into)
    assert vectors or "L0C" in {c for classes in drawn.values() for c in classes}
    for pointer in kernel.pointers:
        if pointer.name in kernel.uses:
            assert graph.node_at(pointer.line) is not None


def test_a_choice_between_two_values_is_emitted_code_too():
    kernel = cce.parse(
        """extern "C" __global__ __aicore__ void k_kernel0(__gm__ half* __restrict__ a) {
  __ubuf__ half* b = (__ubuf__ half *)(0);
  for (int32_t i = 0; i < 16; ++i) {
    b[i] = ((a[i] == 3) ? a[(i + 1)] : b[i]);
  }
}
"""
    )
    assert arrows(emitted.of_kernel(kernel)) == {
        ("buffer.a", "step.4"),
        ("buffer.b", "step.4"),
    }
