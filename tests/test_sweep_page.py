"""The Sweep page: what a new sweep asks for, what its matrix says, and where a cell leads."""

from __future__ import annotations

import csv
import html
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.testing.v1 import AppTest

from core.analysis.matrix import laid_out
from core.analysis.matrix.cases import cases
from core.hints import Hints
from core.jobs.queue import QueueError
from core.kernel import load_kernel
from core.library import Library
from core.readers import open_trace
from core.trace import Status
from pages import _rooms as rooms
from tests.conftest import KERNELS, PROJECT
from tests.test_browser import address, browser, page, query, settled
from tests.test_jobs import claims_of, finish

__all__ = ["address", "browser", "page"]  # fixtures

_COMPILE = 60_000  # ms: on a busy machine, the worker still warming up
CHAIN = load_kernel(KERNELS / "elementwise_chain.json")
ROW = 30  # pixels


def opened(**values: str) -> AppTest:
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=30)
    for name, value in values.items():
        app.query_params[name] = value
    return app.switch_page("sweep.py").run()


def words(app: AppTest) -> str:
    said = [*app.markdown, *app.caption, *app.error, *app.warning]
    found = [*(str(e.value) for e in said), *(str(e.proto.body) for e in app.get("html"))]
    return html.unescape("\n".join(found).replace("\\", ""))


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button]


def sweep(*shapes: str, sets: tuple[tuple[str, Hints], ...] = (("no hints", Hints()),)) -> str:
    layout, requests = laid_out(cases(["\n".join(shapes)], CHAIN), sets, called=CHAIN.name)
    return rooms.queue().submit_requests(requests, axes=layout.as_axes())


def done(*statuses: Status) -> None:
    """End what waits, in its order; these tests are of the page, not of a compiler."""
    claims = claims_of(rooms.queue())
    for claim, status in zip(claims.claim(len(statuses)), statuses, strict=True):
        finish(claims, claim, status)


def test_without_a_sweep_the_page_says_what_to_do(library: Library) -> None:
    app = opened()
    assert not app.exception
    assert "No sweep has been run." in words(app)
    app = opened(sweep="nowhere")
    assert not app.exception
    assert "There is no sweep nowhere; it may have been deleted." in words(app)


def test_a_sweep_of_tiles_is_not_shown_here(library: Library) -> None:
    id = rooms.queue().submit_sweep(CHAIN, [Hints()], axes={"axes": []})
    assert "No sweep has been run." in words(opened())
    assert "no cases and hints to lay out" in words(opened(sweep=id))


def test_the_form_asks_for_every_shape_with_every_set(library: Library) -> None:
    app = opened()
    app.text_input(key=f"sweep:shapes:{CHAIN.digest}:d0").set_value("64, 128").run()
    app.button(key="sweep:add").click().run()
    _, second = [t for t in app.text_input if t.label == "Hints"]
    second.set_value("enable_multicore").run()
    assert "'enable_multicore' is no hint" in words(app)
    assert app.button(key="sweep:start").disabled
    second = [t for t in app.text_input if t.label == "Hints"][1]
    second.set_value('dim="0 0 64 1" enable_multicore=0').run()
    assert "2 shapes × 2 hint sets = 4 compiles" in words(app)
    app.button(key="sweep:start").click().run()
    assert not app.exception
    (row,) = rooms.queue().sweeps()
    points = rooms.queue().sweep(row.id).points
    assert [p.hints.as_dict() for p in points[:2]] == [
        {},
        {"dim": "0 0 64 1", "enable_multicore": 0},
    ]
    assert app.query_params["sweep"] == row.id
    assert [case["name"] for case in row.axes["cases"]] == ["64x1024", "128x1024"]
    assert row.axes["kernel"] == "elementwise_chain"
    # What is known is not asked for again.
    done(Status.OK, Status.FAILED, Status.OK, Status.OK)
    app = opened()
    app.text_input(key=f"sweep:shapes:{CHAIN.digest}:d0").set_value("64, 128, 256").run()
    assert "3 shapes × 1 hint set = 3 compiles, 2 known already" in words(app)
    assert "Run 1" in labels(app)


def test_shapes_are_listed_or_pasted_as_a_table(library: Library) -> None:
    app = opened()
    key = f"sweep:shapes:{CHAIN.digest}"
    app.button_group(key=f"{key}:way").set_value("List").run()
    app.text_area(key=f"{key}:list").set_value("d0,d1\n64,32\n64,33\n128,32").run()
    assert "3 shapes × 1 hint set = 3 compiles" in words(app)
    app.text_area(key=f"{key}:list").set_value("64x32x2").run()
    assert "64x32x2 has 3 axes" in words(app)
    assert app.button(key="sweep:start").disabled


def test_a_trace_gives_its_kernel_and_its_hints(library: Library) -> None:
    trace = open_trace(PROJECT / "data" / "traces" / "elementwise_chain-tile_8192.zip")
    id = library.add(trace.trace, trace.texts, trace.kernel)
    app = opened(trace=id)
    assert not app.exception
    assert app.selectbox(key=f"sweep:kernel:{id}").options[0].endswith("of the open trace")
    names = [t.value for t in app.text_input if t.label == "Name"]
    assert names == ["as the open trace", "no hints"]
    assert next(t.value for t in app.text_input if t.label == "Hints") == 'dim="0 0 8192 1"'


def test_a_matrix_says_rates_and_ways_to_fail_and_is_compared(library: Library) -> None:
    small = Hints(attributes={"enable_multicore": 0})
    sets = (("plain", Hints()), ("one core", small))
    first = sweep("64x32", "64x64", sets=(("plain", Hints()),))
    done(Status.FAILED, Status.OK)
    id = sweep("64x32", "64x64", "64x96", sets=sets)
    done(Status.OK, Status.OK)
    app = opened(sweep=id)
    assert not app.exception
    assert "3 shapes × 2 hint sets, 4 of 6 over" in words(app)
    assert "<b>50 %</b>" in words(app) and "<b>50 % → 100 %</b>" in words(app)
    assert "Stop" in labels(app)
    app.button(key="sweep:stop").click().run()
    assert "Go on with 2" in labels(app)
    app.button(key="sweep:resume").click().run()
    done(Status.CRASHED, Status.OK)
    app = opened(sweep=id)
    assert "<b>33 % → 100 %</b>" in words(app) and "3 of 3 · 2 more" in words(app)
    assert not app.get("progress")
    app.selectbox(key=f"sweep:against:{id}").set_value(first).run()
    assert not app.exception
    assert "50 % → 50 % of 2 that both have, 2 the same, 4 only in the later" in words(app)
    app.button(key="sweep:delete:yes").click().run()
    assert not app.exception
    with pytest.raises(QueueError):
        rooms.queue().sweep(id)
    assert "Earlier sweeps" in words(app) and "sweep" not in app.query_params


def click(matrix: Locator, column: int, row: int) -> None:
    """Click a cell as a hand does: the grid misses a click that it did not see coming."""
    matrix.hover(position={"x": 150, "y": 1.5 * ROW})
    at = {"x": 200 + 140 * column + 70, "y": (row + 1.5) * ROW}
    matrix.hover(position=at)
    matrix.page.wait_for_timeout(300)
    matrix.click(position=at)


def test_a_sweep_runs_and_a_failing_cell_leads_to_why(page: Page, tmp_path: Path) -> None:
    page.goto("/sweep")
    settled(page)
    page.get_by_label("d0", exact=True).fill("64, 4096")
    page.get_by_role("button", name="Add a set").click()
    settled(page)
    fields = page.locator("[class*=st-key-sweep-set]")
    fields.get_by_label("Name", exact=True).nth(1).fill("large")
    hints = fields.get_by_label("Hints", exact=True).nth(1)
    hints.fill('dim="0 0 262144 1"')
    hints.press("Enter")
    page.get_by_role("button", name="Run 4").click()
    rates = page.locator(".ts-rates").first
    expect(rates).to_contain_text("100 % → 50 %", timeout=_COMPILE)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=_COMPILE)
    assert re.fullmatch(r"[0-9a-f]{12}", query(page, "sweep"))
    with page.expect_download() as taken:
        page.get_by_role("button", name="CSV", exact=True).click()
    taken.value.save_as(tmp_path / "sweep.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "sweep.csv").read_text())))
    assert [(r["case"], r["hints"], r["state"]) for r in rows] == [
        ("64x1024", "no hints", "compiles"),
        ("64x1024", "large", "compiles"),
        ("4096x1024", "no hints", "compiles"),
        ("4096x1024", "large", "fails"),
    ]
    matrix = page.locator("[class*=st-key-sweep-matrix] .stDataFrameGlideDataEditor").first
    cell = page.locator(".st-key-sweep-cell")
    click(matrix, column=0, row=0)
    expect(cell).to_contain_text("64x1024 · no hints: ok to the last step, UB")
    expect(cell.get_by_role("button", name="Open")).to_be_visible()
    click(matrix, column=1, row=1)
    expect(cell).to_contain_text("4096x1024 · large")
    cell.get_by_role("button", name="Why, and what to try").click()
    page.wait_for_url(lambda url: "/why" in url, timeout=_COMPILE)
    settled(page)
    assert query(page, "trace")
    expect(page.get_by_text("One buffer alone is larger than its memory").first).to_be_visible()
