"""A trace as one file: what it holds, how large it is, and that a browser reads it alone."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.analysis.study import study
from core.readers import Opened, open_trace
from core.views.handout import Handout, handout
from tests.chromium import chromium
from tests.conftest import PROJECT

RECORDED = PROJECT / "data" / "traces"
_LIMIT = 5_000_000  # bytes


def _made(opened: Opened) -> Handout:
    return handout(
        opened.trace, opened.texts, opened.kernel, study(opened.trace, opened.texts), seconds=5
    )


def _content(made: Handout) -> dict[str, Any]:
    found = re.search(r'id="trace">([^<]*)<', made.page)
    assert found
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[1])))
    return content


def _text(content: dict[str, Any], place: int) -> str:
    """A text put together again, in another way than the page does it."""
    packed = content["texts"][place]
    before = [] if packed["base"] is None else _text(content, packed["base"]).split("\n")
    runs, lines = list(packed["runs"]), []
    while runs:
        start, length, own, *runs = runs
        lines += before[start : start + length]
        lines += [content["lines"][number] for number in runs[:own]]
        runs = runs[own:]
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["voxel_gather-512x64_rows128", "maxpool-k3_s2_pad1", "hivm_vadd"])
def test_every_text_is_in_the_file_to_the_letter(name: str) -> None:
    opened = open_trace(RECORDED / f"{name}.zip")
    made = _made(opened)
    content = _content(made)
    steps = content["passes"]
    assert len(steps) == len(opened.trace.passes)
    for step, shown in zip(opened.trace.passes, steps, strict=True):
        if step.text is not None:
            kept = opened.texts.get(step.text).removesuffix("\n").splitlines()
            assert _text(content, shown["text"]).split("\n") == (kept or [""])
    assert [each["title"] for each in content["documents"]][-1] == "the kernel"
    assert len(made.data) < _LIMIT
    assert content["graphs"]


def test_files_of_all_recorded_traces_stay_small() -> None:
    # Without graphs here, which take a second a trace; their share is looked at below.
    largest = 0
    for file in sorted(RECORDED.glob("*.zip")):
        opened = open_trace(file)
        made = handout(opened.trace, opened.texts, opened.kernel, None, seconds=0)
        largest = max(largest, len(made.data))
        drawable = [s for s in opened.trace.changed if s.text]
        assert made.left_out or not drawable, file.name
    assert largest < _LIMIT
    print(f"largest without graphs: {largest:,} B")


def test_nothing_in_a_trace_ends_the_script_it_stands_in() -> None:
    opened = open_trace(RECORDED / "hivm_vadd.zip")
    page = _made(opened).page
    assert page.count("</script>") == 2
    assert "http" not in page.split('id="trace"')[0].replace("http-equiv", "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    yield context.new_page()
    context.close()


def test_a_browser_reads_it_without_a_server(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "gather.html"
    file.write_bytes(_made(open_trace(RECORDED / "voxel_gather-512x64_rows128.zip")).data)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.goto(file.as_uri())
    expect(page.locator("h1")).to_have_text("voxel_gather")
    expect(page.locator(".report.wrong")).to_contain_text("input_1_local_UB")

    page.locator(".report.wrong button").click()  # to the pass and the line
    expect(page.locator(".heading strong")).to_have_text("21_AutoPoly")
    expect(page.locator(".text .cm-content").last).to_contain_text("input_1_local_UB")
    expect(page.locator(".work > .graph svg").first).to_be_visible()

    page.get_by_role("button", name="Next pass that changed something").click()
    expect(page.locator(".heading strong")).to_have_text("22_AtomicAddClean")
    assert "pass=" in page.url

    page.get_by_label("Find in all texts").fill("copy_gm_to_ubuf")
    expect(page.locator("aside .tools")).to_contain_text("first 68_EmitInsn")
    expect(page.locator(".bar.hit").first).to_be_visible()
    assert problems == []


def test_a_link_into_the_file_opens_the_line(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "gather.html"
    opened = open_trace(RECORDED / "voxel_gather-512x64_rows128.zip")
    file.write_bytes(_made(opened).data)
    at = next(s.index for s in opened.trace.passes if s.name == "EmitInsn")
    page.goto(f"{file.as_uri()}#pass={at}&line=4")
    expect(page.locator(".heading strong")).to_have_text("68_EmitInsn")


def test_a_damaged_file_says_so(page: Page, tmp_path: Path) -> None:
    whole = _made(open_trace(RECORDED / "hivm_vadd.zip")).page
    found = re.search(r'id="trace">([^<]*)<', whole)
    assert found
    file = tmp_path / "cut.html"
    file.write_text(whole.replace(found[1], found[1][: len(found[1]) // 2]))
    page.goto(file.as_uri())
    expect(page.locator("main")).to_contain_text("damaged or cut short")
