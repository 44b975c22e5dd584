"""Pictures of the real dashboard for the README: `python -m tests.screenshots docs/images`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from core.home import home
from tests.test_browser import _ALL_RUN, _QUIET, CHROMIUM, served


def main(into: Path) -> None:
    """Start a dashboard on a fresh home, use it as a person would, take the pictures."""
    into.mkdir(parents=True, exist_ok=True)
    toolchains = home() / "toolchains"
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), toolchains) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_QUIET)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        library(page, address, into)
        passes(page, address, into)
        checks(page, address, into)
        tiling(page, address, into)
        rerun(page, address, into)
        browser.close()


def _open(page: Page, address: str) -> None:
    page.goto(address)
    _settle(page)


def _settle(page: Page) -> None:
    page.wait_for_selector(_ALL_RUN, timeout=60_000)
    page.wait_for_timeout(2_500)  # components fetch their texts after the page has run


def _take(page: Page, file: Path) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    page.screenshot(path=file)
    print(file)


def library(page: Page, address: str, into: Path) -> None:
    _open(page, address)
    _take(page, into / "library.png")


def passes(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/passes?trace=softmax_fp16&pass=79")
    _take(page, into / "passes.png")


def checks(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/passes?trace=voxel_gather-512x64_rows128")
    page.get_by_role("button", name="Go there").click(timeout=60_000)
    _settle(page)
    _take(page, into / "checks.png")


def tiling(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/tiling?trace=broadcast_exp_sum")
    page.get_by_role("button", name="Sweep").click()
    page.get_by_text("Cancel").wait_for(timeout=60_000)
    page.get_by_text("Cancel").wait_for(state="hidden", timeout=600_000)
    _settle(page)
    _take(page, into / "tiling.png")


def rerun(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/compare?trace=elementwise_chain-tile_8192&against=elementwise_chain")
    _take(page, into / "rerun.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
