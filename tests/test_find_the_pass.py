"""The Passes page without a browser: search, follow, figures, reports, any two passes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.study import study
from core.library import Library
from core.readers import Opened, open_trace
from core.views.marks import pass_title
from pages import _rooms as rooms
from pages._rail import ranges
from tests.conftest import PROJECT
from tests.test_pages import _open, _words

GATHER = "voxel_gather-512x64_rows128"
MAXPOOL = "maxpool-k3_s2_pad1"
SOFTMAX = "triton_softmax-fp32"


@cache
def recorded(name: str) -> Opened:
    return open_trace(PROJECT / "data" / "traces" / f"{name}.zip")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TILESCOPE_HOME", str(tmp_path))
    yield rooms.library()
    rooms.forget(tmp_path)


def keep(library: Library, name: str, *, studied: bool = False) -> str:
    opened = recorded(name)
    id = library.add(opened.trace, opened.texts, opened.kernel, id=name)
    if studied:
        library.keep_study(id, study(opened.trace, opened.texts))
    return id


def at(name: str, title: str, stage: str = "") -> int:
    """Index of a pass by its name."""
    steps = recorded(name).trace.passes
    return next(s.index for s in steps if s.name == title and (not stage or s.stage == stage))


def part(app: AppTest, key: str) -> dict[str, Any]:
    """What a list or strip of passes was given, its documents fetched."""
    found = [e.proto for e in app.get("bidi_component") if e.proto.id.endswith(key)]
    assert len(found) == 1, key
    data: dict[str, Any] = json.loads(found[0].json)
    for name in ("document", "marks"):
        digest = data[name].removeprefix("page/")
        data[name] = json.loads(rooms.kept_page(digest) or "null") if digest else None
    return data


def listed(app: AppTest) -> list[int]:
    """The passes in the list, from above."""
    data = part(app, "passes:list")
    shown = set()
    for run in data["shown"].split():
        first, _, last = run.partition("-")
        shown |= set(range(int(first), int(last or first) + 1))
    rows = [row[0] for _, _, rows in data["document"] for row in rows]
    return [index for index in rows if index in shown]


# Find


def test_a_name_is_looked_for_in_all_passes(library: Library) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, find="input_1_local_UB", findas="cw")
    assert not app.exception
    said = _words(app)
    assert "of 120 passes, first 14_MemoryManager, last 04_LowerIntrin" in said
    assert "in the emitted code" in said
    app.button(key="find:first").click().run()
    first = at(GATHER, "MemoryManager")
    assert app.query_params["pass"] == str(first)
    text = recorded(GATHER).texts.get(recorded(GATHER).trace.passes[first].text or "")
    line = text.splitlines()[int(app.query_params["line"]) - 1]
    assert "input_1_local_UB" in line
    assert app.button(key="find:first").proto.disabled is False
    assert app.button(key="find:previous").disabled
    app.button(key="find:last").click().run()
    assert int(app.query_params["pass"]) >= 120  # the code, or a log
    assert app.button(key="find:next").disabled


def test_the_strip_shows_where_a_name_is(library: Library) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, find="input_1_local_UB", findas="cw")
    ((kind, title, counts, appears, _),) = part(app, "passes:strip")["marks"]["rows"]
    assert (kind, title) == ("found", "input_1_local_UB")
    assert counts[0] == [at(GATHER, "MemoryManager"), 3]
    assert appears[0] == at(GATHER, "MemoryManager")
    assert part(app, "passes:list")["marks"]["rows"][0][2] == counts


def test_the_list_is_limited_to_the_passes_that_have_it(library: Library) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, find="copy_gm_to_ubuf", only="true")
    hits = {index for index, _ in part(app, "passes:strip")["marks"]["rows"][0][2]}
    assert set(listed(app)) == hits  # those that changed nothing too
    app.text_input(key="find").set_value("nothing_of_this_name").run()
    assert listed(app) == []
    assert "in no pass" in _words(app)


def test_a_pattern_that_cannot_be_read_is_told(library: Library) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, find="cc[", findas="p")
    assert not app.exception
    assert "The pattern cannot be read" in _words(app)
    app.text_input(key="find").set_value(r"cc\d+, 0, 128").run()
    assert "first 21_AutoPoly" in _words(app)
    app.button_group(key="passes:as").set_value(["c"]).run()
    assert "in no pass" in _words(app)
    assert app.query_params["findas"] == "c"


# Follow


def test_a_buffer_is_followed_to_the_emitted_code(library: Library) -> None:
    id = keep(library, GATHER)
    begin = at(GATHER, "AutoPoly")
    app = _open(
        "passes.py",
        trace=id,
        follow=f"input_1_local_UB@{begin}:6",
        panel="follow",
        **{"pass": "60"},
    )
    assert not app.exception
    while "Following…" in _words(app):  # a page waits for it beside its text
        app.run()
    said = _words(app).replace("\\", "")
    assert "copy_gm_to_ubuf" in said  # what it ends as
    ((_, spots),) = part(app, "passes:trail")["document"]
    assert spots[-1][3] == "the emitted code"
    assert spots[0][0] == 0  # as the kernel's own input, before it had its name
    kinds = [row[0] for row in part(app, "passes:strip")["marks"]["rows"]]
    assert kinds == ["followed"]
    app.text_input(key=f"passes:follow:{id}").set_value("").run()
    assert "follow" not in app.query_params or not app.query_params["follow"]
    app.text_input(key=f"passes:follow:{id}").set_value("y_local_UB").run()
    assert app.query_params["follow"].startswith("y_local_UB@60:")


@pytest.mark.parametrize("follow", ["x", "x@", "x@999:1", "@1:1", "x@1:99999999999999", "%@0:0"])
def test_what_cannot_be_followed_breaks_nothing(library: Library, follow: str) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, follow=follow, panel="follow")
    assert not app.exception


# Figures and reports


def test_figures_arrive_when_they_are_worked_out(library: Library) -> None:
    id = keep(library, GATHER)
    app = _open("passes.py", trace=id, panel="figures")
    assert "Working out figures" in _words(app)
    assert library.unstudied() == id  # it was asked for
    opened = recorded(GATHER)
    library.keep_study(id, study(opened.trace, opened.texts))
    app.run()
    assert "Working out figures" not in _words(app)
    titles = [figure[0] for figure in part(app, "passes:figures")["document"]["figures"]]
    assert {"Lines", "Loops", "UB bytes", "UB: buffers"} <= set(titles)


def test_a_study_that_cannot_be_had_is_told(library: Library) -> None:
    id = keep(library, GATHER)
    library.keep_study_problem(id, "Its texts took too long to read.")
    app = _open("passes.py", trace=id, panel="checks")
    assert "Its texts took too long to read." in _words(app)


def test_passes_are_sorted_by_the_bytes_of_a_memory(library: Library) -> None:
    id = keep(library, GATHER, studied=True)
    app = _open("passes.py", trace=id, sort="UB bytes")
    assert listed(app)[0] == at(GATHER, "AutoPoly")  # the first of those that hold most
    row = part(app, "passes:list")["document"][0][2][0]
    assert row[2] == "17,024"
    app.selectbox(key="sort").set_value("Syncs, change").run()
    first = recorded(GATHER).trace.passes[listed(app)[0]]
    assert first.name == "InjectSync"


def test_code_that_compiles_and_is_wrong_says_so_first(library: Library) -> None:
    id = keep(library, GATHER, studied=True)
    app = _open("passes.py", trace=id, panel="checks")
    said = app.error[0].value.replace("\\", "")
    assert said.startswith("**It compiles, but input_1_local_UB")
    assert "21_AutoPoly, line " in said
    index = at(GATHER, "AutoPoly")
    for key in ("passes:strip", "passes:list"):
        signs = part(app, key)["marks"]["signs"]
        assert [s[0] for s in signs if s[1] == "wrong"] == [index]
    app.button(key="passes:wrong:go").click().run()
    assert app.query_params["pass"] == str(index)
    text = recorded(GATHER).texts.get(recorded(GATHER).trace.passes[index].text or "")
    assert "input_1_local_UB" in text.splitlines()[int(app.query_params["line"]) - 1]
    (_, spots), *_ = part(app, "passes:checks")["document"]
    assert spots[0][:3] == [index, index, "wrong"]


def test_a_crash_is_led_back_to_the_pass_that_lost_the_loops(library: Library) -> None:
    id = keep(library, MAXPOOL, studied=True)
    app = _open("passes.py", trace=id)
    assert "Crashed, SIGSEGV in LoopPartitionCCE" in app.error[0].value
    said = app.warning[0].value.replace("\\", "")
    assert said.startswith("**Wrong before it stopped: ")
    assert "43_MultiCoreLoopSwitchHoist, line 10" in said
    signs = part(app, "passes:strip")["marks"]["signs"]
    assert {s[0] for s in signs} == {at(MAXPOOL, "MultiCoreLoopSwitchHoist")}


def test_a_pass_says_what_it_is_for_and_what_it_did(library: Library) -> None:
    id = keep(library, GATHER, studied=True)
    app = _open("passes.py", trace=id, **{"pass": str(at(GATHER, "AutoPoly"))})
    said = _words(app)
    assert "polyhedral" in said
    assert "4 loops added; 3 buffers in UB" in said
    assert ".cc" in said  # the compiler's file, on hover


# Any two


def test_a_pass_is_compared_with_any_other(library: Library) -> None:
    id = keep(library, GATHER)
    one, other = at(GATHER, "StorageFlatten"), at(GATHER, "AutoPoly")
    app = _open("passes.py", trace=id, against=str(other), **{"pass": str(one)})
    assert not app.exception
    (view,) = [e.proto for e in app.get("bidi_component") if e.proto.id.endswith("passes:text")]
    data = json.loads(view.json)
    assert (data["before"]["title"], data["after"]["title"]) == ("21_AutoPoly", "41_StorageFlatten")
    assert app.query_params["against"] == str(other)
    gone = _open("passes.py", trace=id, against="99999", **{"pass": str(one)})
    assert not gone.exception
    (view,) = [e.proto for e in gone.get("bidi_component") if e.proto.id.endswith("passes:text")]
    before = recorded(GATHER).trace.passes[one - 1]
    assert json.loads(view.json)["before"]["title"] == pass_title(before)


def test_numbering_is_no_change_unless_it_is_asked_for(library: Library) -> None:
    id = keep(library, SOFTMAX)
    step = at(SOFTMAX, "AddFFTSAddr")  # which adds one argument

    def changed(**query: str) -> tuple[int, str]:
        app = _open("passes.py", trace=id, **{"pass": str(step)}, **query)
        protos = [e.proto for e in app.get("bidi_component") if e.proto.id.endswith("passes:text")]
        data = json.loads(protos[0].json)
        return sum(data["counts"]), data["masked"]

    assert changed() == (1, "5 lines differ only by SSA numbers")
    assert changed(exact="1") == (6, "")


def test_a_pass_is_found_in_a_comparison(library: Library) -> None:
    before, after = keep(library, "hivm_vadd"), keep(library, "hivm_vadd-tile_24576")
    step = at("hivm_vadd-tile_24576", "PlanMemory")
    app = _open("compare.py", trace=after, against=before, **{"pass": str(step)})
    assert not app.exception
    assert "PlanMemory" in _words(app)
    first = _open("compare.py", trace=after, against=before)
    assert "the first that differs" in _words(first)


# The rest


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([3], "3"), ([1, 2, 3, 7], "1-3 7"), ([9, 8, 8, 1], "1 8-9")],
)
def test_ranges(numbers: list[int], text: str) -> None:
    assert ranges(numbers) == text


def test_every_panel_opens_on_every_recorded_trace(library: Library) -> None:
    names = ("scatter_add-points256_voxels64", "conv3d_padded-8x8x8_c4_k3", "host_elementwise")
    for name in (*names, "triton_matmul-saved_by_a_retry"):
        id = keep(library, name, studied=True)
        for panel in ("graph", "figures", "follow", "checks"):
            app = _open("passes.py", trace=id, panel=panel, find="UB")
            assert not app.exception, (name, panel)


def test_the_library_and_every_page_say_that_code_is_wrong(library: Library) -> None:
    keep(library, SOFTMAX)
    id = keep(library, GATHER, studied=True)
    table = _open("library.py").dataframe[0].value
    assert list(table["checks"]) == ["1 wrong, 1 slow", ""]
    for name in ("tiling.py", "rerun.py"):
        app = _open(name, trace=id)
        assert not app.exception
        assert any("1 wrong" in str(m.value) for m in app.markdown)
