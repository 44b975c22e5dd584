"""Graphs in a real browser: folded, found, chosen, compared, widened, kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.library import Library
from core.readers import open_trace
from core.trace import Compiler, Pass, Status, Trace
from tests.test_graphs import large_pass

PROJECT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
RECORDED = PROJECT / "data" / "traces" / "softmax_fp16.zip"


class Kept:
    """Texts by their hash."""

    def __init__(self, *texts: str) -> None:
        self.texts = {
            hashlib.blake2b(text.encode(), digest_size=16).hexdigest(): text for text in texts
        }

    def get(self, digest: str) -> str:
        return self.texts[digest]


def add_traces(home: Path) -> None:
    library = Library(home)
    opened = open_trace(RECORDED)
    library.add(opened.trace, opened.texts, id="softmax")
    text = large_pass()
    kept = Kept(text)
    (digest,) = kept.texts
    lines = text.count("\n")
    long = Pass(
        0, "lowering", "", 1, "Long", 0, digest, lines, len(text), True, "statement", None, "ok"
    )
    trace = Trace("long", "", Compiler("akg", "1"), "Ascend910A", Status.OK, passes=(long,))
    library.add(trace, kept, id="long")
    library.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("graphs")
    add_traces(home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flags = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "tests/graph_app/server.py"]
        + [f"--{name}={value}" for name, value in flags.items()],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "TILESCOPE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).read()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


class View:
    """A page with one graph."""

    def __init__(self, page: Any, server: str) -> None:
        self.page = page
        self.server = server
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.set_default_timeout(20_000)

    def open(self, query: str) -> None:
        self.page.goto(f"{self.server}/?{query}")
        self.page.wait_for_selector(".tilescope-root[data-painted]")

    def all(self, selector: str, **kind: Any) -> Any:
        return self.page.locator(".tilescope-root").locator(selector, **kind)

    def node(self, name: str, kind: str = "") -> Any:
        return self.all(f"g{kind}[data-node='{name}']")

    def seen(self, locator: Any, count: int = 1) -> Any:
        """Wait until there are so many."""
        self.page.wait_for_timeout(0)
        deadline = time.monotonic() + 20
        while locator.count() != count:
            assert time.monotonic() < deadline, f"{locator.count()} instead of {count}"
            self.page.wait_for_timeout(50)
        return locator

    def told(self, words: str) -> None:
        self.page.locator("[data-testid=stCaptionContainer]", has_text=words).wait_for()

    def middle(self, locator: Any) -> tuple[float, float]:
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def press(self, key: str) -> None:
        self.all(".canvas").focus()
        self.page.keyboard.press(key)


@pytest.fixture
def view(chromium: Any, server: str) -> Iterator[View]:
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, accept_downloads=True)
    shown = View(context.new_page(), server)
    yield shown
    context.close()
    assert not shown.problems


EMITTED = 106  # EmitInsn, whose statements all become instructions


def test_a_frame_folds_and_opens_where_it_stands(view: View) -> None:
    view.open(f"trace=softmax&pass={EMITTED}&marks=0")
    frame = view.all("g.cluster").first
    name = frame.get_attribute("data-node")
    nodes = view.all("g.node").count()
    x, _ = view.middle(frame)
    y = frame.bounding_box()["y"]
    view.all(f"g.fold[data-fold='{name}']").click()
    folded = view.seen(view.node(name, ".node.folded"))
    assert view.all("g.node").count() < nodes
    box = folded.bounding_box()
    assert (box["x"] + box["width"] / 2, box["y"]) == pytest.approx((x, y), abs=6)
    assert "statements" in folded.text_content()
    view.page.mouse.dblclick(*view.middle(folded))
    view.seen(view.node(name, ".cluster"))
    assert view.all("g.node").count() == nodes
    # the keyboard does the same with what is chosen
    view.seen(view.all("g.cluster.chosen"))
    view.press("Enter")
    view.seen(view.node(name, ".node.folded"))
    view.all("button", has_text="Start again").click()
    view.seen(view.node(name, ".cluster"))


def test_branches_of_a_tree_fold(view: View) -> None:
    view.open("trace=softmax&pass=54&marks=0")
    nodes = view.all("g.node").count()
    view.all("g.fold").first.click()
    rest = view.seen(view.all("g.node.folded"))
    assert view.all("g.node").count() < nodes
    assert "nodes" in rest.text_content()
    view.page.mouse.dblclick(*view.middle(rest))
    view.seen(view.all("g.node"), nodes)


def test_the_chosen_node_is_told_of_and_can_be_followed(view: View) -> None:
    view.open(f"trace=softmax&pass={EMITTED}&marks=0")
    node = view.all("g.node.op", has_text="vexp").first
    line = int(node.get_attribute("data-node").rpartition(".")[2])
    view.press("0")
    view.page.mouse.click(*view.middle(node))
    view.told(f"line {line};")
    about = view.all(".about")
    assert f"line {line:,}" in about.inner_text()
    assert "vexp · T_exp_local_UB" in about.inner_text()
    view.all("button", has_text="Find in all passes").click()
    view.told("find T_exp_local_UB")
    view.all("button", has_text="Follow").click()
    view.told(f"follow T_exp_local_UB from {line}")
    buffer = view.all("g.node.tensor.UB", has_text="T_exp_local_UB").first
    view.page.mouse.click(*view.middle(buffer))
    about.locator("text=32,768 B (32 KiB)").wait_for()
    assert "UB" in about.inner_text()
    # what the kernel is handed has no line, and is chosen all the same
    view.page.mouse.click(*view.middle(view.node("buffer.input_0")))
    about.locator("strong", has_text="input_0").wait_for()
    view.told("line 0;")
    view.press("Escape")
    about.wait_for(state="hidden")


def test_changes_are_marked_until_they_are_not_wanted(view: View) -> None:
    view.open(f"trace=softmax&pass={EMITTED}")
    assert view.all("g.node.added").count() == 21
    ghosts = view.all("g.node.removed")
    assert ghosts.count() == 9
    key = view.all(".key").inner_text()
    assert "21 added" in key and "9 removed" in key and "UB" in key
    toggle = view.all("button[title='Mark what changed']")
    assert toggle.get_attribute("aria-pressed") == "true"
    toggle.click()
    view.seen(ghosts, 0)
    assert "marks=0" in view.page.url
    toggle.click()
    view.seen(ghosts, 9)
    view.press("0")
    view.page.mouse.click(*view.middle(ghosts.first))
    view.all(".about", has_text="of the text before").wait_for()


def test_nodes_are_found_by_name(view: View) -> None:
    view.open(f"trace=softmax&pass={EMITTED}&marks=0")
    view.press("/")
    view.page.keyboard.type("vcgmax")
    counter = view.all(".counter")
    view.seen(view.all("g.node.match"), view.all("g.node", has_text="vcgmax").count())
    first = view.all("g.node.match.at").get_attribute("data-node")
    assert counter.inner_text().startswith("1 /")
    view.page.keyboard.press("Enter")
    assert counter.inner_text().startswith("2 /")
    assert view.all("g.node.match.at").get_attribute("data-node") != first
    view.page.keyboard.press("Escape")
    view.seen(view.all("g.match"), 0)
    # what is folded away is looked for by the page
    view.all("g.fold").first.click()
    view.seen(view.all("g.node.folded"))
    view.press("/")
    view.page.keyboard.type("vmax")
    view.page.keyboard.press("Enter")
    view.seen(view.all("g.node.op.chosen", has_text="vmax"))


def test_both_files_are_the_graph_that_is_shown(view: View, tmp_path: Path) -> None:
    view.open(f"trace=softmax&pass={EMITTED}")
    with view.page.expect_download() as download:
        view.all("button", has_text="SVG").click()
    assert download.value.suggested_filename.endswith(".svg")
    download.value.save_as(tmp_path / "graph.svg")
    svg = (tmp_path / "graph.svg").read_text()
    assert svg.startswith("<svg") and "T_exp_local_UB" in svg and "line-through" in svg
    assert 'class="fold"' not in svg and "var(" not in svg
    with view.page.expect_download() as download:
        view.all("button", has_text="DOT").click()
    download.value.save_as(tmp_path / "graph.dot")
    dot = (tmp_path / "graph.dot").read_text()
    assert dot.startswith("digraph")
    names = {each.get_attribute("data-node") for each in view.all("g.node").all()}
    assert all(name in dot for name in names)


def test_emitted_code_has_a_graph(view: View) -> None:
    view.open("trace=softmax&pass=140")
    assert view.all("g.node.op", has_text="vexp").count()
    assert view.all("g.node.tensor.UB").count()
    assert view.all("button[title='Mark what changed']").is_hidden()


def test_a_long_text_starts_small_and_is_widened(view: View) -> None:
    view.open("trace=long&pass=0&line=10000")
    nodes = view.all("g.node")
    start = nodes.count()
    assert start <= 120
    said = view.all(".said")
    assert "folded into" in said.inner_text() and "line 10,000" in said.inner_text()
    assert view.all("button", has_text="Show all anyway").count() == 0  # which would take too long
    view.all("button", has_text="Widen").click()
    view.all("button", has_text="Start again").wait_for()
    view.page.wait_for_function(
        """(start) => [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
        .some((each) => each.shadowRoot?.querySelectorAll("g.node").length > start * 1.5)""",
        arg=start,
    )
    view.all("button", has_text="Start again").click()
    view.seen(nodes, start)
