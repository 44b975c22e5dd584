"""Time until Chromium has painted a pass: of 20,000 lines against 200, and of long traces."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from benchmarks.bench import CASES, PROJECT, Bench
from benchmarks.figures import Figure, mebibytes, median, milliseconds
from benchmarks.long_passes import Stretched, lengthened, stretched
from benchmarks.server import Server, serving
from core.kernel import Kernel, load_kernel
from core.library import Library
from core.readers import open_trace
from core.trace import Texts, Trace

SHORT, LONG = 200, 20_000  #: lines
#: Kernels of ours whose compile has passes of about SHORT lines. A text is drawn and compared once
#: in the life of a server, so that each measurement needs texts that were not seen before.
KERNELS = ("layer_norm.json", "matmul_cube.json", "batch_matmul.json")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
_PATIENCE_MS = 120_000
_STUDY_S = 120.0

PASSES = 1000
MANY = PROJECT / "data" / "traces" / "triton_flash_attention-fp16.zip"
#: The cases of AKG with most passes, a parallel fusion of many sub-kernels, and with most text.
LARGEST = ("Fused_Transpose_split_*_8ee80c.info", "Fused_LambUpdateWithLR_16084*.info")
OPENINGS, STEPS = 3, 8  #: browsers, and steps in each
OPEN_AIM_S, STEP_AIM_S, RSS_AIM = 2.0, 0.3, 300e6

#: Milliseconds since the navigation, or since `from`, when a viewer had painted its text: it says
#: so in the frame in which it did, and the picture is there with the next one.
_PAINTED = """
([url, from]) => new Promise((resolve) => {
  const viewers = () => [...document.querySelectorAll("*")]
    .flatMap((e) => e.shadowRoot ? [...e.shadowRoot.querySelectorAll(".tilescope-root")] : [])
    .concat(...document.querySelectorAll(".tilescope-root"));
  const look = () => {
    const painted = viewers().some((v) => v.dataset.painted === url && v.querySelector(".cm-line"));
    if (painted) requestAnimationFrame(() => resolve(performance.now() - from));
    else requestAnimationFrame(look);
  };
  look();
})
"""
_CLICK = """
(label) => {
  const button = [...document.querySelectorAll("button")].find((b) => b.innerText.includes(label));
  const now = performance.now();
  button.click();
  return now;
}
"""


@dataclass(frozen=True, slots=True)
class _Seen:
    opened_s: float  #: from the navigation to the diff painted
    stepped_s: float  #: from the click on "Next" to the next diff painted


def measure(bench: Bench) -> list[Figure]:
    program = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if program is None:
        bench.remark("painting: not measured, for there is no Chromium (on Debian: chromium).")
        return []
    traces = [bench.trace(name) for name in KERNELS]
    home = bench.home("painting")
    library = Library(home)
    ids: dict[tuple[int, int], tuple[str, Stretched]] = {}
    for number, (kernel, opened) in enumerate(traces):
        for lines in (SHORT, LONG):
            made = stretched(opened, SHORT, 0 if lines == SHORT else LONG)
            ids[number, lines] = library.add(made.trace, made.texts, kernel), made
    library.close()
    seen: dict[int, list[_Seen]] = {SHORT: [], LONG: []}
    with (
        serving(PROJECT / "app.py", home / "server.log") as server,
        sync_playwright() as playwright,
    ):

        def launch() -> Browser:
            return playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))

        with _page(launch) as page:  # what the first page of all imports is not measured
            page.goto(f"{server.address}/passes")
            _wait_until_still(page)
        for number in range(len(KERNELS)):
            for lines in (SHORT, LONG):
                with _page(launch) as page:
                    seen[lines].append(_see(page, server, *ids[number, lines]))
    bench.remark(_said(ids))
    return [
        _figure("diff painted, page opened", seen, lambda each: each.opened_s),
        _figure("diff painted, next pass", seen, lambda each: each.stepped_s),
        *_long_traces(bench, program),
    ]


# Traces of many passes


def _long_traces(bench: Bench, program: str) -> list[Figure]:
    bench.remark(
        f"painting: {PASSES:,} passes are those of {MANY.stem} after one another, each told "
        f"apart by a line at its end; {OPENINGS} fresh browsers, {STEPS} steps in each, medians. "
        "The graph is on, and the trace studied before. Memory is the server's, without its "
        "workers. Other work on the machine counts fully: a step keeps both cores busy."
    )
    figures = _walk(bench, program, "many", None, *lengthened(open_trace(MANY), PASSES))
    found = [path for pattern in LARGEST for path in sorted(CASES.glob(pattern))[:1]]
    if not found:
        bench.remark("painting: without the measured cases beside the project, no largest dumps.")
    for number, path in enumerate(found):
        kernel = load_kernel(path)
        (folder,) = bench.compile(kernel)
        opened = open_trace(folder)
        figures += _walk(bench, program, str(number), kernel, opened.trace, opened.texts)
    return figures


def _walk(
    bench: Bench, program: str, name: str, kernel: Kernel | None, trace: Trace, texts: Texts
) -> list[Figure]:
    """Open a trace at several passes, and step on from each, in a server that has seen no other."""
    home = bench.home(f"painting-{name}")
    library = Library(home)
    id = library.add(trace, texts, kernel)
    library.close()
    changed = [step for step in trace.changed if step.text]
    starts = [len(changed) * n // (OPENINGS + 1) for n in range(1, OPENINGS + 1)]
    opened: list[float] = []
    stepped: list[float] = []
    with (
        serving(PROJECT / "app.py", home / "server.log") as server,
        sync_playwright() as playwright,
    ):

        def launch() -> Browser:
            return playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))

        with _page(launch) as page:
            page.goto(server.address)
            _wait_until_still(page)
        _wait_until_studied(home, id)
        idle = server.rss_bytes()
        for start in starts:
            with _page(launch) as page:
                first = changed[start]
                address = f"{server.address}/passes?trace={id}&pass={first.index}"
                page.goto(address, wait_until="commit")
                opened.append(page.evaluate(_PAINTED, [f"blob/{first.text}", 0]) / 1000)
                for step in changed[start + 1 : start + 1 + STEPS]:
                    _wait_until_still(page)
                    page.wait_for_timeout(600)
                    began = page.evaluate(_CLICK, "Next")
                    stepped.append(page.evaluate(_PAINTED, [f"blob/{step.text}", began]) / 1000)
        rss = server.rss_bytes()
    size = mebibytes(sum(step.bytes for step in trace.passes))
    what = f"{len(trace.passes):,} passes, {size}"
    worst = f"worst of {len(stepped)}: {milliseconds(max(stepped))}"
    first_s, step_s = median(opened), median(stepped)
    return [
        _aimed(f"{what}: opened", "", milliseconds(first_s), first_s, OPEN_AIM_S, "under 2 s"),
        _aimed(f"{what}: next changed", worst, milliseconds(step_s), step_s, STEP_AIM_S,
               "under 300 ms"),
        _aimed(f"{what}: server's memory", f"{mebibytes(idle)}, no trace open", mebibytes(rss),
               rss, RSS_AIM, "under 300 MB"),
    ]  # fmt: skip


def _wait_until_studied(home: Path, id: str) -> None:
    """Wait for the process that reads all passes: it takes a core, and is done once a trace."""
    library = Library(home)
    try:
        deadline = time.monotonic() + _STUDY_S
        while library.study(id) is None and not library.study_problem(id):
            if time.monotonic() > deadline:
                raise RuntimeError("The trace was not studied in time.")
            time.sleep(0.5)
    finally:
        library.close()


def _aimed(what: str, beside: str, said: str, value: float, below: float, aim: str) -> Figure:
    return Figure(what, beside, said, None, aim, value < below)


@contextmanager
def _page(launch: Callable[[], Browser]) -> Iterator[Page]:
    """A page in a browser of its own, which has nothing cached."""
    browser = launch()
    try:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(_PATIENCE_MS)
        yield page
    finally:
        browser.close()


def _see(page: Page, server: Server, id: str, made: Stretched) -> _Seen:
    page.goto(f"{server.address}/passes?trace={id}&pass={made.first.index}", wait_until="commit")
    try:
        opened = page.evaluate(_PAINTED, [f"blob/{made.first.text}", 0])
        _wait_until_still(page)
        page.wait_for_timeout(1000)  # the neighbours' texts are fetched when it is idle
        began = page.evaluate(_CLICK, "Next")
        stepped = page.evaluate(_PAINTED, [f"blob/{made.second.text}", began])
    except Error as wrong:
        raise RuntimeError(f"The page did not paint the pass: {wrong}") from wrong
    return _Seen(opened / 1000, stepped / 1000)


def _wait_until_still(page: Page) -> None:
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')


def _figure(what: str, seen: dict[int, list[_Seen]], taken: Callable[[_Seen], float]) -> Figure:
    short, long = (median([taken(each) for each in seen[lines]]) for lines in (SHORT, LONG))
    return Figure(
        f"{what}, {LONG:,} lines",
        f"{milliseconds(short)}, {SHORT} lines",
        milliseconds(long),
        long / short,
    )


def _said(ids: dict[tuple[int, int], tuple[str, Stretched]]) -> str:
    short = [made.first.lines for (_, lines), (_, made) in ids.items() if lines == SHORT]
    long = [made.first.lines for (_, lines), (_, made) in ids.items() if lines == LONG]
    return (
        f"painting: passes of {min(short)} to {max(short)} lines as {len(short)} compiles left "
        f"them, against the same repeated to {min(long):,} to {max(long):,} lines, which no "
        "compiler wrote: it measures size alone. A fresh Chromium and texts new to the server "
        "each time; medians. Opened: from the navigation, with Streamlit's own start. Graph and "
        "diff on."
    )
