"""Pictures of the real dashboard for the README: `python -m tests.screenshots docs/images`."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from core.home import home
from tests.test_browser import _ALL_RUN, _QUIET, CHROMIUM, served

#: Hints that the sweep of the picture tries besides none.
_SETS = {
    "large tile": 'dim="0 0 131072 1"',
    "tile of 8,192": 'dim="0 0 8192 1"',
    "one core": "enable_multicore=0",
}


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
        why(page, address, into)
        sweep(page, address, into)
        capture(page, address, into)
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


def why(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/why?trace=elementwise_chain-tile_131072")
    page.get_by_role("button", name="Try all").click()
    page.get_by_text(re.compile(r"tried compiles?\.")).wait_for(timeout=600_000)
    _settle(page)
    _take(page, into / "why.png")


def capture(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/capture")
    page.get_by_role("button", name="Capture", exact=True).click()
    page.get_by_role("button", name="Compile all for Ascend").click(timeout=120_000)
    page.get_by_text("8 of 9 kernels compile").wait_for(timeout=120_000)
    _settle(page)
    _take(page, into / "capture.png")


def sweep(page: Page, address: str, into: Path) -> None:
    _open(page, f"{address}/sweep")
    page.get_by_label("d0", exact=True).fill("64, 500, 512, 4096")
    page.get_by_label("d1", exact=True).fill("63, 1024, 1025")
    fields = page.locator("[class*=st-key-sweep-set]")
    for at, (name, hints) in enumerate(_SETS.items(), 1):
        page.get_by_role("button", name="Add a set").click()
        _settle(page)
        fields.get_by_label("Name", exact=True).nth(at).fill(name)
        fields.get_by_label("Hints", exact=True).nth(at).fill(hints)
        fields.get_by_label("Hints", exact=True).nth(at).press("Enter")
    _settle(page)
    page.get_by_role("button", name=re.compile(r"Run \d+")).click()
    page.get_by_role("button", name="Stop").wait_for(timeout=60_000)
    page.get_by_role("button", name="Stop").wait_for(state="hidden", timeout=600_000)
    _settle(page)
    _take(page, into / "sweep.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
