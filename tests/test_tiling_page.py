"""The Tiling page: the whole space at once, sweeps that fill it, what if, best points, choices."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from core.analysis.sweep import SweepAxis, sweep_axes, values_of
from core.compilers.akg import Akg
from core.library import Library
from core.readers import Opened, open_trace
from core.trace import Trace
from core.views.colouring import COLOURINGS
from pages import _address as address
from pages import _best as best
from pages import _map as maps
from pages import _rooms as rooms
from pages import _space as space
from pages._space import Span
from tests.chromium import chromium
from tests.conftest import PROJECT
from tests.test_browser import heat_signs, served, settled

RECORDED = sorted((PROJECT / "data" / "traces").glob("*.zip"))
_COMPILE = 90_000  # ms: on a busy machine, the worker still warming up


def _keep(library: Library, opened: Opened, parent: str | None = None) -> str:
    return library.add(opened.trace, opened.texts, opened.kernel, parent=parent)


def _recorded(library: Library, name: str) -> str:
    with_texts = open_trace(PROJECT / "data" / "traces" / f"{name}.zip")
    return _keep(library, with_texts)


def _open(**query: str) -> AppTest:
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=30)
    for name, value in query.items():
        app.query_params[name] = value
    app.switch_page("tiling.py")
    return app.run()


def _words(app: AppTest) -> str:
    said = [*app.markdown, *app.caption, *app.error, *app.warning]
    return "\n".join([*(str(e.value) for e in said), *(str(e.proto.body) for e in app.get("html"))])


def _figures(app: AppTest) -> list[dict]:
    return [json.loads(each.proto.spec) for each in app.get("plotly_chart")]


def _bars(app: AppTest) -> list[dict]:
    return next(f["data"] for f in _figures(app) if f["data"][0]["type"] == "bar")


def _span(id: str, trace: Trace, axes: tuple[SweepAxis, ...], known: space.Known) -> Span:
    """The map as it opens on a trace."""
    shown = [axis for axis in axes if axis.tile][:2] or [a for a in axes if not a.about][:2]
    variables = {each.key: each for each in known.model.variables}
    most = (space.MOST_ACROSS, space.MOST_DOWN) if len(shown) > 1 else (space.MOST_LONE, 0)
    lists = {
        axis.key: space.whole_values(axis, variables.get(axis.key), (), limit)
        for axis, limit in zip(shown, most, strict=False)
    }
    kernel = rooms.library().kernel(id)
    return Span(id, trace, kernel, axes, tuple(shown), lists, {}, "UB", COLOURINGS[0], True)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_the_whole_space_is_predicted_in_under_a_second(library: Library, file: Path) -> None:
    opened = open_trace(file)
    axes = sweep_axes(opened.trace, opened.kernel, rooms.catalogue(opened.trace.compiler.name))
    if not any(not axis.about for axis in axes) or not opened.trace.memory:
        pytest.skip("nothing to tile, or no memory plan to start from")
    id = _keep(library, opened)
    measured = space.compiled(id, opened.trace, opened.kernel)
    began = time.process_time()
    known = space.model(id, opened.trace, opened.kernel, measured, live=False)
    span = _span(id, opened.trace, axes, known)
    predictions = space.predicted_over(known, span)
    assert time.process_time() - began < 1
    assert predictions is not None
    assert predictions.feasible.size == span.there.size
    assert span.size <= 20_000
    assert set(predictions.peaks) == {plan.memory for plan in opened.trace.memory}
    assert all((peaks > 0).all() for peaks in predictions.peaks.values())
    for axis in span.shown:
        if axis.extent:  # from one iteration to all of them
            assert {1, axis.extent} <= set(span.lists[axis.key])
        assert axis.held in span.lists[axis.key]


def test_the_page_opens_on_the_whole_space_and_says_how_sure_it_is(library: Library) -> None:
    id = _recorded(library, "broadcast_exp_sum")
    app = _open(trace=id)
    assert not app.exception
    assert "Predicted from the plan of this trace alone" in _words(app)
    heat = next(f for f in _figures(app) if f["data"][0]["type"] == "heatmap")
    pale = [t for t in heat["data"] if t["type"] == "heatmap" and t.get("opacity", 1) < 1]
    assert len(pale) == 1
    hovers = [t["hovertemplate"] for t in heat["data"] if t["type"] == "scatter"]
    assert any("predicted, from this trace" in hover for hover in hovers)
    assert any("predicted not to compile" in hover for hover in hovers)


def test_choices_are_in_the_address_and_come_back_with_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "_SETTLING_SECONDS", 0.0)
    id = _recorded(library, "batch_matmul")
    app = _open(trace=id)
    app.selectbox(key=f"tiling:x:{id}").set_value("0.2.l0").run()
    app.selectbox(key=f"tiling:y:{id}").set_value("0.5").run()
    app.selectbox(key=f"tiling:colour:{id}").set_value("limiter").run()
    app.selectbox(key=f"tiling:memory:{id}").set_value("all").run()
    assert not app.exception
    asked = {name: app.query_params[name] for name in ("x", "y", "colour", "memory")}
    assert asked == {"x": "0.2.l0", "y": "0.5", "colour": "limiter", "memory": "all"}
    heats = [f for f in _figures(app) if f["data"][0]["type"] == "heatmap"]
    assert len(heats) == 5  # one a memory
    again = _open(trace=id, **asked)
    assert again.selectbox(key=f"tiling:x:{id}").value == "0.2.l0"
    # The browser's Back is an address of before.
    del app.query_params["colour"]
    app.query_params["y"] = "buffers"
    app.run()
    assert app.selectbox(key=f"tiling:colour:{id}").value == "occupancy"
    assert app.selectbox(key=f"tiling:y:{id}").value == "buffers"
    assert app.selectbox(key=f"tiling:x:{id}").value == "0.2.l0"


def test_an_l0_tile_is_on_the_map_up_to_the_tile_around_it(library: Library) -> None:
    app = _open(trace=_recorded(library, "matmul_cube"), x="0.1", y="0.1.l0")
    heat = next(f for f in _figures(app) if f["data"][0]["type"] == "heatmap")
    places = {
        (x, y)
        for t in heat["data"]
        if t["type"] == "scatter"
        for x, y in zip(_listed(t["x"]), _listed(t["y"]), strict=True)
    }
    assert len(places) == 32 * 33 // 2
    assert all(31 - row <= column for column, row in places)
    assert app.button(key="tiling:sweep").label == "Sweep 24 points"


def test_buffers_are_foreseen_over_a_lone_axis(library: Library) -> None:
    id = _recorded(library, "elementwise_chain-tile_8192")
    trace = library.trace(id)
    axes = sweep_axes(trace, library.kernel(id), ())
    known = space.model(id, trace, library.kernel(id), {}, live=False)
    span = _span(id, trace, axes, known)
    found = maps._buffers(span, known, "UB")
    plan = trace.plan("UB")
    assert plan is not None and plan.capacity_bytes
    assert set(found) == {b.copy_of or b.name for b in plan.buffers}
    at = span.columns.index(8192)
    sizes = {b.name: b.bytes for b in plan.buffers if not b.copy_of}
    assert {n: round(part[at] * plan.capacity_bytes) for n, part in found.items()} == sizes


def _listed(array: list[int] | dict[str, str]) -> list[int]:
    """An array of a figure, which may be packed."""
    if isinstance(array, list):
        return array
    return np.frombuffer(base64.b64decode(array["bdata"]), dtype=array["dtype"]).tolist()


@pytest.mark.parametrize("by", [each.key for each in COLOURINGS])
@pytest.mark.parametrize("name", ["elementwise_chain", "matmul_cube"])
def test_every_colouring_draws(library: Library, name: str, by: str) -> None:
    app = _open(trace=_recorded(library, name), colour=by)
    assert not app.exception
    assert any(f["data"][0]["type"] == "heatmap" for f in _figures(app))


def test_what_is_held_can_be_changed(library: Library) -> None:
    id = _recorded(library, "batch_matmul")
    app = _open(trace=id, x="0.2", y="0.5")
    before = next(f for f in _figures(app) if f["data"][0]["type"] == "heatmap")
    held = app.selectbox(key=f"tiling:hold:{id}:0.1")
    assert held.value == 8
    held.set_value(2).run()
    assert not app.exception
    assert app.query_params["hold"] == "0.1:2"
    after = next(f for f in _figures(app) if f["data"][0]["type"] == "heatmap")
    assert after["data"][1]["z"] != before["data"][1]["z"]


def test_a_sweep_takes_the_most_telling_points_and_is_resumed(library: Library) -> None:
    id = _recorded(library, "broadcast_exp_sum")
    app = _open(trace=id)
    assert app.button(key="tiling:sweep").label == "Sweep 24 points"
    app.selectbox(key="tiling:budget:whole").set_value("12").run()
    app.button(key="tiling:sweep").click().run()
    assert not app.exception
    (row,) = rooms.queue().sweeps()
    assert row.points == 12
    points = rooms.queue().sweep(row.id).points
    assert len({p.hints.digest for p in points}) == 12
    assert len({values_of(p.hints)["0.0"] for p in points}) > 3  # spread, not a corner
    assert app.button(key="tiling:busy").disabled
    rooms.queue().cancel_sweep(row.id)
    app = _open(trace=id)
    app.button(key="tiling:resume").click().run()
    assert rooms.queue().sweep(row.id).counts["queued"] == 12


def test_sliders_move_the_predicted_bars_alone(library: Library) -> None:
    id = _recorded(library, "broadcast_exp_sum")
    app = _open(trace=id)
    assert len(_bars(app)) == 1
    app.toggle(key=f"tiling:whatif:{id}").set_value(True).run()
    real, pale = _bars(app)
    slider = app.select_slider(key=f"tiling:whatif:{id}:0.0")
    assert slider.value == 32
    slider.set_value(2).run()
    assert not app.exception
    still, moved = _bars(app)
    assert still["x"] == real["x"]
    assert moved["x"] != pale["x"]
    slider.set_value(1024).run()
    assert "It would not compile. UB would need" in app.warning[0].value


def test_another_type_and_no_double_buffering_are_foreseen(library: Library) -> None:
    id = _recorded(library, "elementwise_chain-tile_8192")
    app = _open(trace=id)
    app.toggle(key=f"tiling:whatif:{id}").set_value(True).run()
    as_is = _bars(app)[1]["x"][0]
    assert as_is == pytest.approx(_bars(app)[0]["x"][0])  # the very point that was compiled
    app.button_group(key=f"tiling:whatif:{id}:type").set_value("float32").run()
    assert not app.exception
    assert _bars(app)[1]["x"][0] == pytest.approx(2 * as_is, rel=0.02)
    assert "every buffer of float16 in float32" in _words(app)
    app.button_group(key=f"tiling:whatif:{id}:type").set_value("float16").run()
    app.checkbox(key=f"tiling:whatif:{id}:double").set_value(False).run()
    assert _bars(app)[1]["x"][0] < as_is
    assert "no buffer doubled" in _words(app)


def test_reasons_are_read_where_somebody_asks(library: Library) -> None:
    id = _recorded(library, "broadcast_exp_sum")
    app = _open(trace=id)
    assert "no smaller tile may be left" not in _words(app)
    app.session_state[f"tiling:why:{id}"] = True
    app.run()
    assert not app.exception
    words = _words(app)
    assert "The tile must divide the extent 1,024" in words
    assert "classic search" in words
    assert "Tiling repository" in words
    assert 'title="Align to in poly/tiling.log"' in words


def test_a_point_is_taken_over_as_a_hint(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    id = _recorded(library, "elementwise_chain-tile_8192")
    trace, kernel = library.trace(id), library.kernel(id)
    axes = sweep_axes(trace, kernel, ())
    state: dict[str, object] = {}
    monkeypatch.setattr(best.st, "session_state", state)
    known = space.model(id, trace, kernel, {}, live=False)
    span = _span(id, trace, axes, known)
    best.take_as_hint(span, span.hints({"0.0": 4096}))
    assert state[f"rerun:{id}:asked"] == {"dim": "0 0 4096 1", "attributes": {}}


# In a real browser, with the real compiler


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, home: Path, akg: Akg) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("tiling")
    with served(folder, home / "toolchains") as where, chromium() as browser:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=where)
        opened = context.new_page()
        opened.set_default_timeout(_COMPILE)
        wrong: list[str] = []
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        yield opened
        assert wrong == []


_DRAWN = """() => {
  const plots = [...document.querySelectorAll('.js-plotly-plot')];
  const plot = plots.find((p) => p._fullData && p._fullData.some((d) => d.type === 'heatmap'));
  if (!plot) return false;
  const failed = plot.layout.annotations.filter((a) => a.text === '✕').length;
  const heats = plot._fullData.filter((d) => d.type === 'heatmap' && d.opacity === 1);
  const figures = [...heats.at(-1).z].flatMap((row) => [...row]);
  return [failed + figures.filter((value) => Number.isFinite(value)).length];
}"""


def _measured_cells(page: Page) -> int:
    """How many cells of the map are measured, once it is drawn."""
    return int(page.wait_for_function(_DRAWN).json_value()[0])


def test_a_live_sweep_replaces_predictions_and_survives_a_reload(page: Page) -> None:
    page.goto("/tiling?trace=elementwise_chain")
    settled(page)
    before = _measured_cells(page)
    page.get_by_role("combobox", name="Points").click()
    page.get_by_role("option", name="12", exact=True).click()
    settled(page)
    page.get_by_role("button", name="Sweep 12 points").click()
    expect(page.get_by_text("points measured")).to_be_visible(timeout=_COMPILE)
    page.reload()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Sweep 24 points")).to_be_visible(timeout=_COMPILE)
    expect(page.get_by_role("button", name="Sweep 24 points")).to_be_visible(timeout=_COMPILE)
    settled(page)
    page.wait_for_timeout(500)
    assert _measured_cells(page) >= before + 10
    expect(page.get_by_text("feasibility right for")).to_be_visible()
    assert "✕" in heat_signs(page)  # some points beyond what fits are among the most telling
    other.close()

    # A row of the best points compiles; the brief comparison is beside the map.
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 130, box["y"] + 36 + 30 + 15)  # "Compile" of the second row
    page.get_by_role("button", name="Compare in full").wait_for(timeout=_COMPILE)
    expect(page.get_by_text("The emitted code changed, first in")).to_be_visible()
