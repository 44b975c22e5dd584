"""The components: the bundles are current, and do in a real browser what Python relies on."""

from __future__ import annotations

import hashlib
import json
import os
import re
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

from core.components import BUNDLES
from tests.components_app import samples

PROJECT = Path(__file__).resolve().parents[1]
SOURCES = PROJECT / "core" / "components"
TEXTS = PROJECT / "tests" / "components_app" / "texts"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NPM = shutil.which("npm")


# The bundles


def test_bundles_are_built_from_these_sources() -> None:
    digest = hashlib.sha256()
    top = ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"]
    inner = [p.relative_to(SOURCES).as_posix() for p in (SOURCES / "src").rglob("*") if p.is_file()]
    for name in sorted([*top, *inner]):
        digest.update(f"{name}\0".encode() + (SOURCES / name).read_bytes() + b"\0")
    built = json.loads((BUNDLES / "sources.json").read_text())["sha256"]
    assert built == digest.hexdigest(), (
        "core/components/dist is older than its sources: run `npm ci && npm run build` there"
    )


@pytest.fixture(scope="module")
def packages() -> None:
    """The npm packages, fetched where they are absent."""
    if NPM is None:
        pytest.skip("npm is not installed; the hash of the sources is checked all the same")
    if (SOURCES / "node_modules").is_dir():
        return
    done = subprocess.run(
        [NPM, "ci", "--no-audit", "--no-fund"], cwd=SOURCES, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"npm could not fetch the packages: {done.stderr.strip()[-300:]}")


@pytest.mark.usefixtures("packages")
def test_a_rebuild_gives_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=SOURCES, check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in BUNDLES.iterdir()}


@pytest.mark.usefixtures("packages")
def test_the_sources_are_typed() -> None:
    assert NPM is not None
    done = subprocess.run([NPM, "run", "check"], cwd=SOURCES, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_bundles_are_small_and_bring_their_licences() -> None:
    for name in ("irview.js", "graphview.js"):
        assert (BUNDLES / name).stat().st_size < 500_000
    licences = (BUNDLES / "LICENSES.txt").read_text()
    wanted = json.loads((SOURCES / "package.json").read_text())["dependencies"]
    for package, version in wanted.items():
        assert f"{package} {version}\n" in licences


# The browser


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a running dashboard with nothing but the components."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = PROJECT / "tests" / "components_app" / "app.py"
    flags = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(app)]
        + [f"--{name}={value}" for name, value in flags.items()],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
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
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


#: The texts in view whose contrast with the colours behind them is below what WCAG asks for.
CONTRAST = """() => {
  const root = document.querySelector("[data-testid=stBidiComponentIsolated]").shadowRoot;
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb
    .map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const poor = new Map();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const node = walker.currentNode.parentElement;
    if (!text || !node.checkVisibility() || node.closest("style, .icon, :disabled")) continue;
    const behind = [];
    for (let each = node; each; each = each.parentElement) {
      behind.unshift(getComputedStyle(each).backgroundColor);
    }
    const [page, ink] = [behind, [...behind, getComputedStyle(node).color]].map(over).map(light);
    const ratio = (Math.max(page, ink) + 0.05) / (Math.min(page, ink) + 0.05);
    const where = `${node.className} in ${node.parentElement.className}`;
    if (ratio < 4.5) poor.set(where, `${ratio.toFixed(2)} ${text.slice(0, 30)}`);
  }
  return [...poor].map((each) => each.join(": "));
}"""


class View:
    """One page of the test dashboard, in one browser."""

    def __init__(self, page: Any, server: str) -> None:
        self.page = page
        self.server = server
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.set_default_timeout(20_000)

    def open(self, query: str, *, painted: bool = True) -> View:
        self.page.goto(f"{self.server}/?{query}")
        if painted:
            self.page.wait_for_selector(".tilescope-root[data-painted]")
        return self

    def all(self, selector: str, **kind: Any) -> Any:
        return self.page.locator(".tilescope-root").locator(selector, **kind)

    def events(self, count: int) -> str:
        """What Python was told last, once it was told `count` things."""
        text = self.page.locator("[data-testid=stCaptionContainer]", has_text=f"events {count}:")
        return str(text.inner_text())

    def fetched(self, name: str) -> None:
        """Wait until the browser has a text, wanted or ahead."""
        self.page.wait_for_function(
            "(name) => performance.getEntriesByType('resource')"
            ".some((each) => each.name.endsWith(`/blob/${name}`) && each.responseEnd)",
            arg=name,
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def point(self, word: str, line: str) -> None:
        """Click on a word of the first line of the newer text that has this piece."""
        found = self.all(".side.after .cm-line", has_text=line).first
        at = found.evaluate(
            """(node, word) => {
              const range = document.createRange();
              const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
              const nodes = [];
              while (walker.nextNode()) nodes.push(walker.currentNode);
              const start = node.textContent.indexOf(word);
              const find = (offset) => {
                for (const each of nodes) {
                  if (offset < each.length) return [each, offset];
                  offset -= each.length;
                }
              };
              range.setStart(...find(start));
              range.setEnd(...find(start + word.length - 1));
              const box = range.getBoundingClientRect();
              return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            }""",
            word,
        )
        self.page.mouse.click(*at)

    def lines(self, side: str = "after") -> Any:
        return self.all(f".side.{side} .cm-line")

    def misplaced(self) -> list[Any]:
        """Unchanged lines in view that do not stand beside the same line on the other side."""
        return list(
            self.page.evaluate(
                """() => {
                const root = document.querySelector("[data-testid=stBidiComponentIsolated]");
                const area = root.shadowRoot.querySelector(".sides").getBoundingClientRect();
                const [a, b] = ["before", "after"].map((side) =>
                  [...root.shadowRoot.querySelectorAll(`.side.${side} .cm-line`)]
                    .filter((line) => !/added|removed|changed/.test(line.className))
                    .map((line) => [line.getBoundingClientRect(), line.textContent]));
                const inView = ([box]) => box.top > area.top && box.bottom < area.bottom;
                return b.filter(inView).filter(([box, text]) =>
                  !a.some(([other, own]) => own === text && Math.abs(other.top - box.top) < 1.5)
                ).map(([box, text]) => [box.top, text]);
                }"""
            )
        )

    def aligned(self) -> None:
        deadline = time.monotonic() + 3
        while found := self.misplaced():
            assert time.monotonic() < deadline, found[:5]
            self.page.wait_for_timeout(100)
        assert self.lines().count() > 5


@pytest.fixture
def view(browser: Any, server: str) -> Iterator[View]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    opened = View(context.new_page(), server)
    yield opened
    assert opened.problems == []
    context.close()


def test_a_diff_shows_what_changed_and_how_much(view: View) -> None:
    view.open("case=stmt")
    assert view.all(".headers .title").all_inner_texts() == ["68_SplitTail", "69_EmitInsn"]
    assert view.all(".headers .lines").all_inner_texts() == ["89 lines", "113 lines"]
    assert view.all(".toolbar .count").all_inner_texts() == ["+32", "−8", "~44"]
    assert view.all(".toolbar .position").inner_text() == "1 / 15"
    view.aligned()
    assert view.all(".memory.UB").count() > 10
    # The words of a line that stands for another are marked on both sides.
    view.open("case=poly")
    assert "floor" in view.all(".side.after .word-added").first.inner_text()
    view.all(".side.before .word-removed").first.wait_for()


def test_a_click_on_a_line_reaches_python_once(view: View) -> None:
    view.open("case=stmt")
    view.lines().nth(4).click(position={"x": 60, "y": 8})
    told = view.events(1)
    assert re.search(r"LineClick\(id=\d+, line=5, side='after', text=' *allocate input", told)
    # The page put the line into the address, and gives it back as the selection.
    assert "line=5" in view.page.url
    assert (
        view.all(".side.after .cm-line.selected").inner_text().startswith("  allocate input_0_red")
    )
    view.all(".side.before .numbers .cm-gutterElement:visible", has_text="7").first.click()
    assert "line=7, side='before'" in view.events(2)


def test_a_line_of_the_address_is_shown(view: View) -> None:
    view.open("case=small&line=118&side=before")
    chosen = view.all(".side.before .cm-line.selected")
    assert chosen.inner_text().startswith("  // attr [input_0_red_local_UB] storage")
    box, area = chosen.bounding_box(), view.all(".sides").bounding_box()
    assert area["y"] < box["y"] < area["y"] + area["height"] - 18
    assert view.page.locator("text=events 0").count()


def test_selecting_text_is_no_click(view: View) -> None:
    view.open("case=stmt")
    box = view.lines().nth(4).bounding_box()
    view.page.mouse.move(box["x"] + 40, box["y"] + 8)
    view.page.mouse.down()
    view.page.mouse.move(box["x"] + 220, box["y"] + 8, steps=5)
    view.page.mouse.up()
    view.page.wait_for_timeout(500)
    assert view.events(0)


def test_stepping_by_keys_loses_no_step_and_does_not_flash(view: View) -> None:
    view.open("case=step")
    view.fetched("80_AutoDoubleBuffer.cc")  # the neighbour, ahead of any step
    view.page.evaluate(
        """() => {
        const root = document.querySelector("[data-testid=stBidiComponentIsolated]").shadowRoot;
        const box = root.querySelector(".tilescope-root");
        window.bare = 0;
        window.heights = new Set();
        const look = () => {
          window.heights.add(box.offsetHeight);
          if (!root.querySelector(".stage:not(.arriving) .cm-line")) window.bare += 1;
          requestAnimationFrame(look);
        };
        look();
        }"""
    )
    asked: list[str] = []
    view.page.on("request", lambda request: asked.append(request.url))
    view.press("]", "]")
    assert "Step(id=" in view.events(2)
    view.page.wait_for_selector('.tilescope-root[data-painted$="84_LoopPartitionCCE.cc"]')
    assert view.all(".headers .title").all_inner_texts() == [
        "80_AutoDoubleBuffer",
        "84_LoopPartitionCCE",
    ]
    view.press("]")  # there is no further pass
    view.press("[")
    assert "by=-1" in view.events(3)
    view.page.wait_for_selector('.tilescope-root[data-painted$="80_AutoDoubleBuffer.cc"]')
    assert view.page.evaluate("window.bare") == 0, "the viewer was empty for a frame"
    assert len(view.page.evaluate("[...window.heights]")) == 1, "the viewer changed its height"
    # The neighbours had been fetched ahead, and nothing is fetched twice.
    blobs = [url for url in asked if "/blob/" in url]
    assert len(blobs) == len(set(blobs)) <= 1


def test_layouts_and_settings(view: View) -> None:
    view.open("case=stmt")
    view.all("button", has_text="Unified").click()
    assert "Setting(id=" in view.events(1) and "value='unified'" in view.events(1)
    view.all(".stage.unified:not(.arriving)").wait_for()
    numbers = [view.all(f".column-{i} .cm-gutterElement").all_inner_texts() for i in (0, 1)]
    removed = view.all(".stage.unified .cm-line.removed")
    assert removed.first.inner_text().strip() == '// attr [0] pragma_emit_insn = "vector_dup"'
    assert "7" in numbers[0] and "7" in numbers[1]
    # A removed line is a line like any other: it can be chosen, on its own side.
    removed.first.click(position={"x": 60, "y": 8})
    assert "line=7, side='before'" in view.events(2)
    view.press("d")
    view.all(".stage.after:not(.arriving)").wait_for()
    assert view.all(".cm-line.removed, .cm-line.added").count() == 0
    view.press("d")
    view.all(".stage.split:not(.arriving)").wait_for()
    # The browser remembers, also for another pass.
    view.press("w")
    assert "name='wrap', value=True" in view.events(5)
    view.open("case=small")
    assert view.all("[title^='Wrap']").get_attribute("aria-pressed") == "true"
    view.aligned()
    view.press("w")


def test_unchanged_lines_fold_and_come_back(view: View) -> None:
    view.open("case=long")
    folds = view.all(".side.after .fold")
    some = folds.filter(has=view.page.locator("[title$='from the start']")).first
    before = some.locator(".all").inner_text()
    some.locator("[title$='from the start']").click()
    view.all(f".side.after .fold .all:text-is('{before}')").first.wait_for(state="hidden")
    view.aligned()
    view.press("u")
    view.all(".fold").first.wait_for(state="detached")
    view.aligned()
    # Far down, and with lines of many rows, both sides still stand beside each other.
    view.press("w")
    view.page.mouse.move(1000, 500)
    for far in (4000, 30_000, -7000):
        view.page.mouse.wheel(0, far)
        view.page.wait_for_timeout(150)
        view.aligned()
    view.press("w", "u")


def test_differences_are_walked(view: View) -> None:
    view.open("case=small")
    position = view.all(".toolbar .position")
    assert position.inner_text() == "1 / 25"
    view.press("n", "n")
    assert position.inner_text() == "3 / 25"
    assert view.all(".cm-line.here").count() > 0
    view.press("p", "p", "p")
    assert position.inner_text() == "25 / 25"


def test_search_finds_folded_lines_on_both_sides(view: View) -> None:
    view.open("case=long")
    view.press("/")
    view.page.keyboard.type("vdiv(")
    state = view.all(".searchbar .state")
    view.page.wait_for_function(
        """() => / of /.test(document.querySelector("[data-testid=stBidiComponentIsolated]")
        .shadowRoot.querySelector(".state").textContent)"""
    )
    first = state.inner_text()
    assert re.fullmatch(r"\d+ of \d+", first)
    view.press("Enter")
    assert state.inner_text() != first
    view.all(".match.current").wait_for()
    view.page.keyboard.type("$$$")
    assert state.inner_text() == "Not found"
    view.press("Escape")
    assert view.all(".match").count() == 0


def test_a_missing_text_is_said_and_can_be_tried_again(view: View) -> None:
    view.open("case=missing", painted=False)
    problem = view.all(".problem")
    assert problem.locator("p").inner_text() == "This text is no longer in the library."
    view.page.route(
        "**/blob/none", lambda route: route.fulfill(body="for (i, 0, 2) {\n}\n", status=200)
    )
    problem.locator("button").click()
    view.page.wait_for_selector(".tilescope-root[data-painted]")


def test_an_unchanged_pass_says_so(view: View) -> None:
    view.open("case=same")
    assert view.all(".toolbar .summary").inner_text() == "No line differs"
    assert view.all(".cm-line").count() > 20


def test_a_name_can_be_followed_found_and_copied(view: View) -> None:
    view.open("case=stmt&words=1")
    menu = view.all(".wordmenu")
    assert not menu.is_visible()
    view.point("input_0_red_local_UB", "allocate input_0_red_local_UB[")
    # The click is one on the line as before, and offers what can be asked about the name.
    assert "LineClick(id=" in view.events(1) and "line=5," in view.events(1)
    assert menu.locator(".name").inner_text() == "input_0_red_local_UB"
    text = (TEXTS / "69_EmitInsn.cc").read_text()
    places = len(re.findall(r"\binput_0_red_local_UB\b", text))
    assert menu.locator(".here").inner_text() == f"{places} places here"
    assert view.all(".side.before .likeword").count() >= 5
    menu.locator("button", has_text="Follow").click()
    told = view.events(2)
    assert re.search(r"WordChosen\(id=\d+, line=5, side='after', word='input_0_red_local_UB'", told)
    assert "action='follow'" in told
    assert not menu.is_visible()
    # Elsewhere on the line, and on words of the language, there is nothing to ask.
    view.point("allocate", "allocate input_0_red_local_UB[")
    view.events(3)
    assert not menu.is_visible()
    # By keys: the next name, and what to do with it. Escape closes.
    view.press("ArrowRight")
    assert menu.is_visible()
    first = menu.locator(".name").inner_text()
    view.press("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft")
    assert menu.locator(".name").inner_text() == first
    view.press("Escape")
    assert not menu.is_visible()
    view.press("a")
    assert f"word='{first}', action='find'" in view.events(4)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("%arg9", "%0 = arith.muli %arg9"),
        ("arith.muli", "%0 = arith.muli %arg9"),
        ("@softmax", "func.func @softmax"),
        ("%0", "%1 = arith.index_cast %0"),
    ],
)
def test_names_of_mlir_are_whole(view: View, word: str, line: str) -> None:
    view.open("case=mlir&words=1")
    view.point(word, line)
    assert view.all(".wordmenu .name").inner_text() == word
    view.press("f")
    view.page.locator(f"text=word='{word}', action='follow'").wait_for()


def test_what_is_followed_and_found_is_marked_counted_and_walked(view: View) -> None:
    view.open("case=stmt&name=cc2&name=input_0_red_local_UB&find=VMAX")
    counted = view.all(".hits .hitplace")
    text = (TEXTS / "69_EmitInsn.cc").read_text()
    assert view.all(".side.after .named").count() > 3
    view.all(".side.after .hit").first.wait_for()
    assert {each.lower() for each in view.all(".hit").all_inner_texts()} == {"vmax"}
    # Whole names: cc2 is not in cc20, nor the buffer in one that is named after it.
    names = re.findall(r"(?<![\w.])(?:cc2|input_0_red_local_UB)(?![\w]|\.\w)", text)
    assert {*view.all(".side.after .named").all_inner_texts()} <= {*names}
    view.page.wait_for_function("() => true")
    total = int(counted.inner_text())
    assert total > len(names)
    view.press("F3", "F3")
    assert counted.inner_text() == f"2 / {total}"
    view.press("Shift+F3")
    assert counted.inner_text() == f"1 / {total}"
    assert view.all(":is(.named, .hit).current").count() == 1
    # A pattern as the server writes it, and one that a browser has no form of.
    view.open("case=stmt&find=(%3FP<n>cc)2%5Cb&findas=pc")
    view.all(".hit").first.wait_for()
    assert {*view.all(".hit").all_inner_texts()} == {"cc2"}
    view.open("case=stmt&find=%5B%5B:alpha:%5D%5D%5CQ(&findas=p")
    assert view.all(".hits .hitplace").inner_text() == "not marked"


def test_defects_are_marked_at_their_line(view: View) -> None:
    sentence = "input_0_red_local_UB is read at 0..511, but 256 elements are allocated."
    view.open(f"case=stmt&mark=5:wrong:{sentence}&mark=9:slow:A loop of scalar stores.")
    notes = view.all(".linenote")
    said = view.all(".linenote span:not(.icon)")
    assert said.first.inner_text() == f"Wrong: {sentence}"
    assert view.all(".toolbar .defects").inner_text().endswith("1 wrong, 1 slow")
    assert view.all(".side.after .defect").count() == 2
    assert view.all(".flaw.wrong").first.get_attribute("title") == sentence
    icons = view.all(".side.after .defect .icon").evaluate_all("all => all.map((n) => n.innerHTML)")
    assert all(icons) and len({*icons}) == 2, "only the colour tells them apart"
    view.aligned()  # what stands below a line on one side has its room on the other
    notes.first.locator("button").click()
    notes.nth(1).wait_for(state="detached")
    view.aligned()
    view.all(".side.after .defect").first.click()
    notes.nth(1).wait_for()
    # In one that is folded, the lines with a defect stay in view.
    view.open("case=long&mark=3000:wrong:Here.")
    view.press("e")
    assert said.inner_text() == "Wrong: Here."
    assert view.all(".side.after .fold").count() > 0
    view.aligned()
    view.press("w")
    view.aligned()
    view.press("w")


def test_lines_that_differ_only_by_what_is_masked_are_faintly_marked(view: View) -> None:
    view.open("case=mlir&masked=5 lines are alike but for SSA numbers")
    assert view.all(".toolbar .remarks").inner_text() == "5 lines are alike but for SSA numbers"
    alike = view.all(".side.after .cm-line.alike")
    assert "%0 = arith.muli %arg9, %c4_i32" in alike.first.inner_text()
    assert view.all(".side.after .word-alike").first.inner_text() == "arg9"
    assert "%arg7" in view.all(".side.after .word-alike").first.get_attribute("title")
    # Words that differ are marked in changed lines of MLIR too, in both layouts.
    assert view.all(".side.before .word-removed").all_inner_texts().count("unknown") > 2
    view.press("d")
    view.all(".stage.unified:not(.arriving) .cm-line.alike").first.wait_for()
    assert view.all(".word-removed").all_inner_texts().count("unknown") > 2
    view.press("d", "d")


def test_a_run_of_lines_is_chosen_and_has_an_address(view: View) -> None:
    view.open("case=stmt")
    link = view.all("[title^='Copy a link']")
    assert not link.is_visible()
    number = view.all(".side.after .column-0 .cm-gutterElement:visible")
    number.filter(has_text=re.compile("^3$")).click()
    assert "line=3," in view.events(1) and "last=None" in view.events(1)
    number.filter(has_text=re.compile("^6$")).click(modifiers=["Shift"])
    assert "line=3," in view.events(2) and "last=6" in view.events(2)
    assert view.all(".side.after .cm-line.selected").count() == 4
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link.click()
    view.all("[title='Copied']").wait_for()
    copied = view.page.evaluate("navigator.clipboard.readText()")
    assert "line=3-6" in copied and "case=stmt" in copied
    view.open(copied.split("?")[1])
    assert view.all(".side.after .cm-line.selected").count() == 4


def test_copying_gives_the_text_and_nothing_else(view: View) -> None:
    view.open("case=stmt&mark=2:wrong:Not of the text.")
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lines = (TEXTS / "69_EmitInsn.cc").read_text().splitlines()
    box = view.lines().nth(0).bounding_box()
    view.page.mouse.move(box["x"] + 7, box["y"] + 8)
    view.page.mouse.down()
    end = view.lines().nth(8).bounding_box()
    view.page.mouse.move(end["x"] + 7, end["y"] + 8, steps=4)
    view.page.mouse.up()
    view.press("Control+c")
    assert view.page.evaluate("navigator.clipboard.readText()") == "\n".join([*lines[:8], ""])
    view.all("[title='Copy the whole text']").click()
    view.all("[title='Copied']").wait_for()
    assert view.page.evaluate("navigator.clipboard.readText()").splitlines() == lines


def test_the_ruler_shows_the_whole_text_and_leads_there(view: View) -> None:
    view.open("case=long")
    ruler = view.all(".ruler")
    view.page.wait_for_timeout(400)
    inked = """node => {
      const {width, height} = node;
      const data = node.getContext("2d").getImageData(0, 0, width, height).data;
      return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    }"""
    assert view.all(".ruler canvas").evaluate(inked) > 200
    box = ruler.bounding_box()
    scroller = view.all(".sides")
    before = scroller.evaluate("node => node.scrollTop")
    view.page.mouse.click(box["x"] + 7, box["y"] + box["height"] * 0.8)
    assert scroller.evaluate("node => node.scrollTop") > before + 1000
    view.aligned()


def test_lines_of_megabytes_are_cut_and_copied_whole(view: View) -> None:
    view.open("case=vast&find=last")
    took = view.page.evaluate("performance.getEntriesByName('tilescope-ir-painted').pop().duration")
    assert took < 2000
    assert "1 line cut after 50,000 characters" in view.all(".toolbar .remarks").inner_text()
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    view.all("[title='Copy the whole text']").click()
    view.all("[title='Copied']").wait_for()
    length = view.page.evaluate("navigator.clipboard.readText().then((text) => text.length)")
    assert length == len(samples.text("vast")) > 4_000_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_themes(view: View, scheme: str) -> None:
    """Every text in view has a contrast of 4.5 to 1 at least with what is behind it (WCAG AA)."""
    view.page.emulate_media(color_scheme=scheme)
    view.open("case=stmt&name=cc2&find=vmax&words=1&mark=5:wrong:Here.&mark=9:slow:There.")
    view.page.wait_for_selector(f'.tilescope-root[data-scheme="{scheme}"]')
    view.point("input_0_local_UB", "allocate input_0_local_UB[")
    poor = view.page.evaluate(CONTRAST)
    assert poor == []


def test_every_control_has_a_name_and_is_reached_in_order(view: View) -> None:
    view.open("case=stmt&words=1&mark=5:wrong:Here.")
    for button in view.all("button:visible").all():
        assert button.get_attribute("aria-label") or button.inner_text().strip()
    labels = view.page.evaluate(
        """() => [...document.querySelector("[data-testid=stBidiComponentIsolated]").shadowRoot
          .querySelectorAll("button, input, [contenteditable], [tabindex]")]
          .filter((each) => each.offsetParent && each.tabIndex >= 0 && !each.closest(".cm-gutters"))
          .map((each) => each.closest(".toolbar, .body")?.className)"""
    )
    assert labels == sorted(labels, key=["toolbar", "body"].index)


def test_long_texts_open_at_once(view: View) -> None:
    took = "performance.getEntriesByName('tilescope-ir-painted').pop().duration"
    for query, what in (
        ("case=long", "20,000 lines side by side"),
        ("case=long&layout=unified", "20,000 lines in one column"),
        ("case=huge", "100,000 lines"),
        ("case=wide", "a line of a megabyte"),
    ):
        view.open(query)
        seconds = view.page.evaluate(took) / 1000
        print(f"\n{what}: {seconds:.2f} s from texts to painted")
        assert seconds < 5
        assert view.all("*").count() < 3000, "the text is not virtualised"


def test_the_theme_is_followed_live(view: View) -> None:
    view.page.emulate_media(color_scheme="light")
    view.open("case=stmt")
    root = view.page.locator(".tilescope-root")
    look = "node => [node.dataset.scheme, getComputedStyle(node).backgroundColor]"
    light = root.evaluate(look)
    view.page.emulate_media(color_scheme="dark")
    view.page.wait_for_selector('.tilescope-root[data-scheme="dark"]')
    dark = root.evaluate(look)
    assert light[0] == "light" and dark[0] == "dark" and light[1] != dark[1]


# The graph


def centre(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_click_on_a_node_reaches_python_and_a_drag_does_not(view: View) -> None:
    view.open("case=tree")
    node = view.all("g.node", has_text="realize_UB")
    name = node.get_attribute("data-node")
    x, y = centre(node.bounding_box())
    view.page.mouse.move(x - 300, y + 40)
    view.page.mouse.down()
    view.page.mouse.move(x, y, steps=6)
    view.page.mouse.up()
    x, y = centre(node.bounding_box())
    view.page.mouse.move(x, y)
    view.page.mouse.down()
    view.page.mouse.move(x + 60, y, steps=6)  # the node moves along: the drag ends on it
    view.page.mouse.up()
    view.page.wait_for_timeout(500)
    assert view.events(0)
    view.page.mouse.click(*centre(node.bounding_box()))
    assert "NodeClick(id=" in view.events(1) and f"node='{name}'" in view.events(1)
    assert "chosen" in node.get_attribute("class")
    view.press("Escape")
    assert "node=None" in view.events(2)


def test_the_graph_zooms_fits_and_can_be_kept(view: View, tmp_path: Path) -> None:
    view.open("case=tree")
    node = view.all("g.node").first
    width = node.bounding_box()["width"]
    view.page.mouse.move(*centre(node.bounding_box()))
    view.page.mouse.wheel(0, -300)
    assert node.bounding_box()["width"] > width * 1.1
    view.all("[title^='Fit']").click()
    assert node.bounding_box()["width"] == pytest.approx(width, rel=0.02)
    with view.page.expect_download() as download:
        view.all("[title^='Download']").click()
    download.value.save_as(tmp_path / "graph.svg")
    text = (tmp_path / "graph.svg").read_text()
    assert text.startswith("<svg") and "realize_UB" in text
    assert "color-mix" not in text and "var(" not in text


def test_a_chosen_node_out_of_view_is_brought_there(view: View) -> None:
    view.open("case=graph")
    last = view.all("g.node").last
    name = last.get_attribute("data-node")
    view.open(f"case=graph&node={name}")
    chosen = view.all("g.node.chosen")
    x, y = centre(chosen.bounding_box())
    area = view.all(".canvas").bounding_box()
    assert area["x"] < x < area["x"] + area["width"]
    assert area["y"] < y < area["y"] + area["height"]


def test_scripts_in_a_drawing_do_nothing(view: View) -> None:
    view.open("case=hostile")
    view.page.wait_for_timeout(300)
    assert view.page.evaluate("window.hostile") is None
    assert view.all("script, foreignObject, image, [onclick], [href]").count() == 0
    assert view.all("g.node").count() == 1
