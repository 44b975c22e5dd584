"""The dashboard in a real browser with the real compiler: the daily walk, a compile that dies."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from core.compilers.akg import Akg
from core.compilers.ascendnpu_ir import AscendNpuIr
from tests.conftest import PROJECT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_COMPILE = 60_000  # ms: a compile on a busy machine, the worker still warming up
_ALL_RUN = "[data-testid=stApp][data-test-script-state=notRunning]"


@contextmanager
def served(folder: Path, toolchains: Path) -> Iterator[str]:
    """The dashboard on a free port over a home of its own; its address."""
    if toolchains.exists() and not (folder / "toolchains").exists():
        (folder / "toolchains").symlink_to(toolchains.resolve())
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    log = (folder / "server.log").open("wb")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env={**os.environ, "TILESCOPE_HOME": str(folder)},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    address = f"http://localhost:{port}"
    try:
        deadline = time.monotonic() + 60
        while not _healthy(address):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail((folder / "server.log").read_text()[-3000:])
            time.sleep(0.1)
        yield address
        assert process.poll() is None, "the server died"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        reason = "Chromium is not installed; on Debian: apt install chromium"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=_QUIET)
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(
    tmp_path_factory: pytest.TempPathFactory, home: Path, akg: Akg, browser: Browser
) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("browser"), home / "toolchains") as where:
        yield where


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that must neither throw nor ask anybody but the server."""
    opened = browser.new_page(viewport={"width": 1440, "height": 900}, base_url=address)
    opened.set_default_timeout(20_000)
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "request",
        lambda r: None if r.url.startswith((address, "data:", "blob:")) else wrong.append(r.url),
    )
    yield opened
    opened.close()
    assert wrong == []


def settled(page: Page) -> None:
    page.wait_for_selector(_ALL_RUN)


def query(page: Page, name: str) -> str:
    return parse_qs(urlparse(page.url).query).get(name, [""])[0]


def go(page: Page, title: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
    page.wait_for_url(lambda url: f"/{title.lower().replace('-', '')}" in url)
    settled(page)


def compile_example(page: Page, name: str = "") -> None:
    """From the Library, compile an example, the first if none is named; open what came of it."""
    page.goto("/")
    settled(page)
    example = page.get_by_role("combobox", name="Example kernel")
    expect(example).to_have_value("elementwise_chain")
    if name:
        example.fill(name)
        page.get_by_role("option", name=name, exact=True).click()
        settled(page)
    page.get_by_role("button", name="Compile").click()
    told = page.locator("[class*=st-key-told]")
    told.get_by_role("button", name="Open").first.click(timeout=_COMPILE)
    page.wait_for_url("**/passes?**")
    settled(page)


def list_values(page: Page) -> None:
    """Have the map show listed values instead of the whole space."""
    page.get_by_role("combobox", name="Values").click()
    page.get_by_role("option", name="listed").click()
    page.wait_for_url(lambda url: "view=listed" in url)
    settled(page)


def click_column(page: Page, column: int, row: int = 0) -> None:
    """Click a cell of the heatmap where Plotly has drawn it."""
    place = page.evaluate(
        """([column, row]) => {
          const plots = [...document.querySelectorAll('.js-plotly-plot')];
          const plot = plots.find((p) => p.data.some((d) => d.type === 'heatmap'));
          plot.scrollIntoView({block: 'center'});
          const box = plot.getBoundingClientRect();
          const {xaxis, yaxis} = plot._fullLayout;
          return [box.left + xaxis._offset + xaxis.d2p(column),
                  box.top + yaxis._offset + yaxis.d2p(row)];
        }""",
        [column, row],
    )
    page.mouse.move(*place)
    page.wait_for_timeout(150)
    page.mouse.click(*place)


def heat_signs(page: Page) -> list[str]:
    """What stands on the cells of the heatmap."""
    signs: list[str] = page.evaluate(
        """() => {
          const plots = [...document.querySelectorAll('.js-plotly-plot')];
          const plot = plots.find((p) => p.data.some((d) => d.type === 'heatmap'));
          return plot.layout.annotations.map((a) => a.text);
        }"""
    )
    return signs


def test_the_daily_walk(page: Page) -> None:
    """Library, compile, Passes, Tiling with a live sweep and a click, Re-run."""
    compile_example(page)
    trace = query(page, "trace")
    assert trace

    # Passes: the next pass that changed something, by key
    expect(page.get_by_text("pass 1 of 139")).to_be_visible()
    expect(page.locator(".bar.current")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "pass=8" in url)
    expect(page.get_by_text("08_FoldDimension composite")).to_be_visible()
    expect(page.get_by_text("output_0_0(4194304)").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "pass=18" in url)

    # Tiling: a live sweep
    go(page, "Tiling")
    assert query(page, "trace") == trace
    list_values(page)
    tiles = page.get_by_role("textbox", name="Tiles of axis 0")
    tiles.fill("4096, 8192, 65536, 131072")
    tiles.press("Enter")
    # Two of the recorded traces have these tiles, and are on the map without being compiled.
    page.get_by_role("button", name="Sweep 2 more").click()
    expect(page.get_by_text("points measured")).to_be_visible()
    expect(page.get_by_role("button", name="All measured")).to_be_visible(timeout=_COMPILE)
    settled(page)
    assert heat_signs(page).count("✕") == 1  # 131,072 does not fit

    # A click on a cell compiles it in full, as a child of this trace
    click_column(page, 1)
    page.get_by_role("button", name="Compare in full").wait_for(timeout=_COMPILE)
    expect(page.get_by_text("The emitted code changed, first in")).to_be_visible()
    page.get_by_role("button", name="Compare in full").click()
    page.wait_for_url("**/compare?**")
    settled(page)
    assert query(page, "against") == trace
    expect(page.get_by_text("dim=0 0 8192 1").first).to_be_visible()

    # Re-run: one more tile, and what it changed
    go(page, "Re-run")
    field = page.locator('input[aria-label^="axis 0 of 4,194,304"]')
    field.fill("32768")
    field.press("Enter")
    expect(page.get_by_role("textbox", name="dim text")).to_have_value("0 0 32768 1")
    page.get_by_role("button", name="Run", exact=False).first.click()
    page.get_by_role("button", name="Compare in full").wait_for(timeout=_COMPILE)
    expect(page.get_by_text("The emitted code changed, first in")).to_be_visible()
    expect(page.get_by_text("Honoured: dim")).to_be_visible()


def test_a_compiler_that_aborts_is_told_and_the_pages_go_on(page: Page) -> None:
    compile_example(page)
    go(page, "Re-run")
    text = page.get_by_role("textbox", name="dim text")
    text.fill("0 0 131072 1")
    text.press("Enter")
    settled(page)
    page.get_by_role("button", name="Run", exact=False).first.click()
    said = page.get_by_text("It no longer compiles: it crashed, SIGABRT in StorageRewriteCCE.")
    said.wait_for(timeout=_COMPILE)
    page.get_by_test_id("stBaseButton-secondary").filter(has_text="Open").click()
    page.wait_for_url("**/passes?**")
    expect(page.get_by_text("Crashed, SIGABRT in StorageRewriteCCE.")).to_be_visible()
    expect(page.get_by_text("StorageRewriteCCE left no text.")).to_be_visible()
    # The same server compiles the next one.
    go(page, "Re-run")
    page.get_by_role("button", name="No hints").click()
    settled(page)
    page.get_by_role("button", name="Run", exact=False).first.click()
    expect(page.get_by_text("It compiles now")).to_be_visible(timeout=_COMPILE)


def test_an_overflow_is_traced_to_its_buffers_and_tiled_away(
    page: Page, ascendnpu_ir: AscendNpuIr
) -> None:
    """MLIR: a parameter too large fails, its culprits are named, a cell that fits compiles."""
    compile_example(page, "hivm_vadd")
    go(page, "Re-run")
    tile = page.get_by_role("combobox", name="TILE")
    tile.fill("32768")
    page.get_by_role("option", name="32768").first.click()
    settled(page)
    page.get_by_role("button", name="Run", exact=False).first.click()
    page.get_by_text("It no longer compiles: it failed in PlanMemory").wait_for(timeout=_COMPILE)
    page.get_by_test_id("stBaseButton-secondary").filter(has_text="Open").click()
    page.wait_for_url("**/passes?**")
    settled(page)
    failed = query(page, "trace")
    expect(page.get_by_text("262,144 bytes have to be there at one time")).to_be_visible()
    culprits = page.locator(".st-key-header\\:culprits, [class*='st-key-header-culprits']")
    expect(culprits.get_by_text("131,072 B (128 KiB)")).to_have_count(2)
    expect(culprits.get_by_text("hivm_vadd.mlir:16:15")).to_be_visible()

    go(page, "Tiling")
    expect(page.get_by_text("256 KiB of 192 KiB · 133 %")).to_be_visible()
    list_values(page)
    values = page.get_by_role("textbox", name="Values of TILE")
    values.fill("4096, 24576, 24577, 32768")
    values.press("Enter")
    page.get_by_role("button", name="Sweep 1 more").click()
    expect(page.get_by_role("button", name="All measured")).to_be_visible(timeout=_COMPILE)
    settled(page)
    assert heat_signs(page).count("✕") == 2  # a float more than 24,576 does not fit

    click_column(page, 1)
    page.get_by_role("button", name="Compare in full").wait_for(timeout=_COMPILE)
    expect(page.get_by_text("It compiles now; before, it failed in PlanMemory.")).to_be_visible()
    page.get_by_role("button", name="Compare in full").click()
    page.wait_for_url("**/compare?**")
    settled(page)
    assert query(page, "against") == failed
    expect(page.get_by_text("TILE=24576").first).to_be_visible()


def test_a_deep_link_is_right_as_the_first_request(
    browser: Browser, tmp_path: Path, home: Path
) -> None:
    with served(tmp_path, home / "toolchains") as where:
        page = browser.new_page(base_url=where)
        page.goto("/tiling?trace=gone")
        settled(page)
        expect(page.get_by_text("There is no trace gone in the library")).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        page.get_by_role("link", name="Open the Library").click()
        expect(page.get_by_role("button", name="Compile")).to_be_visible()
        page.close()


def test_quick_key_presses_are_not_lost(page: Page) -> None:
    compile_example(page)
    expect(page.locator(".bar.current")).to_have_count(1)
    seen = [query(page, "pass")]
    for pause in (250, 60, 0, 0, 30, 0):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(pause)
    page.wait_for_timeout(1500)
    seen.append(query(page, "pass"))
    marked = page.locator(".row.current .name")
    expect(marked).to_have_count(1)
    changed = page.locator(".row:not([hidden]) .name").all_inner_texts()
    assert changed.index(marked.inner_text()) == 6, seen


# Find the pass that did it: on recorded traces, studied by the worker while the page is open


def open_recorded(page: Page, trace: str, **query: object) -> None:
    said = "&".join(f"{name}={value}" for name, value in {"trace": trace, **query}.items())
    page.goto(f"/passes?{said}")
    settled(page)


def shown_pass(page: Page) -> str:
    """The name of the pass that is marked in the list."""
    marked = page.locator(".row.current .name")
    expect(marked).to_have_count(1)
    return marked.inner_text()


def test_a_defect_is_marked_at_its_pass_and_said_at_the_top(page: Page) -> None:
    open_recorded(page, "voxel_gather-512x64_rows128", panel="figures")
    banner = page.get_by_text("It compiles, but input_1_local_UB is read at any row")
    banner.wait_for(timeout=_COMPILE)  # the study comes by itself
    expect(page.get_by_text("Working out figures")).to_have_count(0)
    row = page.locator(".row", has=page.locator(".sign.wrong"))
    expect(row).to_have_count(1)
    expect(row.locator(".name")).to_have_text("21_AutoPoly")
    expect(page.locator(".bar .sign.wrong")).to_have_text("!")  # not by its colour alone
    page.get_by_role("button", name="Go there").click()
    page.wait_for_url(lambda url: "pass=40" in url and "line=" in url)
    assert shown_pass(page) == "21_AutoPoly"

    # Figures: sorted by the bytes in UB, by a click on their name
    page.locator(".figure .title", has_text="UB bytes").click()
    expect(page.locator(".group").first).to_have_text("UB bytes, largest first")
    expect(page.locator(".row .name").first).to_have_text("21_AutoPoly")
    assert query(page, "sort") == "UB bytes"
    # A click on the course of a figure goes to the pass where it changes
    course = page.locator(".figure", has_text="Syncs").locator("svg")
    box = course.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 106.5 / 121, box["y"] + box["height"] / 2)
    page.wait_for_url(lambda url: "pass=106" in url)
    expect(page.locator(".figure", has_text="Syncs").locator(".change")).not_to_have_text("")


def test_a_crash_is_led_back_to_the_pass_that_lost_the_loops(page: Page) -> None:
    open_recorded(page, "maxpool-k3_s2_pad1")
    page.get_by_text("Wrong before it stopped: cc2 is used in line 10").wait_for(timeout=_COMPILE)
    row = page.locator(".row", has=page.locator(".sign.wrong"))
    expect(row.locator(".name")).to_have_text("43_MultiCoreLoopSwitchHoist")
    page.get_by_role("button", name="Go there").click()
    page.wait_for_url(lambda url: "pass=63" in url and "line=10" in url)
    page.get_by_text("checks", exact=True).click()
    page.wait_for_url(lambda url: "panel=checks" in url)
    expect(page.locator(".place").first).to_contain_text("43_MultiCoreLoopSwitchHoist")


def test_something_is_looked_for_in_all_passes(page: Page) -> None:
    open_recorded(page, "softmax_fp16")
    page.get_by_role("searchbox", name="Find in all passes").fill("vexp")
    expect(page.get_by_text("in 30 of 140 passes, first 69_EmitInsn")).to_be_visible()
    assert query(page, "find") == "vexp"
    expect(page.locator(".cell.found.there")).to_have_count(31)  # the emitted code has it too
    expect(page.locator(".row", has_text="69_EmitInsn").locator(".hits")).not_to_have_text("")
    page.locator(".st-key-find-first button").first.click()
    page.wait_for_url(lambda url: "pass=106" in url and "line=" in url)
    assert shown_pass(page) == "69_EmitInsn"
    page.locator(".st-key-find-next button").first.click()
    page.wait_for_url(lambda url: "pass=107" in url)
    page.locator(".st-key-find-last button").first.click()
    page.wait_for_url(lambda url: "pass=140" in url)
    expect(page.locator(".row.current .name")).to_have_text("emitted code")
    page.wait_for_timeout(1100)  # what comes sooner is taken for an answer to our own change
    page.go_back()
    page.wait_for_url(lambda url: "pass=107" in url)
    expect(page.locator(".row.current")).to_have_attribute("data-pass", "107")


def test_a_buffer_is_followed_from_the_text_to_the_emitted_code(
    page: Page, browser: Browser
) -> None:
    open_recorded(page, "voxel_gather-512x64_rows128", **{"pass": 60})
    name = page.locator(".cm-line").get_by_text("y_local_UB").first
    name.click()
    menu = page.locator(".wordmenu")
    expect(menu).to_be_visible()
    menu.get_by_text("Follow").click()
    page.wait_for_url(lambda url: "follow=y_local_UB" in url and "panel=follow" in url)
    settled(page)
    stops = page.locator(".place")
    expect(stops.last).to_contain_text("the emitted code")
    assert page.locator(".cell.followed.there").count() > 50
    stops.last.click()
    page.wait_for_url(lambda url: "pass=120" in url and "line=" in url)
    expect(page.locator(".cm-line").get_by_text("y_local_UB").first).to_be_visible()
    # Another tab that is sent the address shows the same.
    other = browser.new_page(viewport={"width": 1280, "height": 800})
    other.goto(page.url)
    settled(other)
    expect(other.locator(".place").last).to_contain_text("the emitted code")
    other.close()
    # From there, the name is looked for by its letters.
    page.locator(".cm-line").get_by_text("y_local_UB").first.click()
    page.locator(".wordmenu").get_by_text("Find").click()
    page.wait_for_url(lambda url: "find=y_local_UB" in url and "findas=cw" in url)
    expect(page.get_by_text("of 120 passes, first 14_MemoryManager")).to_be_visible()


def test_two_passes_are_compared_by_their_address(page: Page) -> None:
    open_recorded(page, "softmax_fp16", **{"pass": 60, "against": 40})
    expect(page.get_by_role("button", name="with ")).to_be_visible()
    titles = page.locator(".headers .title")
    expect(titles).to_have_count(2)
    before, after = titles.all_inner_texts()
    assert before != after
    expect(page.locator(".bar.current")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "pass=60" not in url)
    settled(page)
    assert query(page, "against") == "40"
    expect(titles.first).to_have_text(before)


def test_a_trace_that_is_opened_is_one_step_back(page: Page) -> None:
    page.goto("/")
    settled(page)
    page.get_by_test_id("stDataFrame").wait_for()
    open_first(page)
    page.wait_for_url(lambda url: "pass=" in url)
    settled(page)
    page.wait_for_timeout(500)  # nothing may be added to the address afterwards
    page.go_back()
    expect(page.get_by_role("button", name="Compile")).to_be_visible()


def open_first(page: Page) -> None:
    """Open the trace in the first row of the Library's table, which is drawn on a canvas."""
    table = page.get_by_test_id("stDataFrame")
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 90, box["y"] + 36 + 16)
