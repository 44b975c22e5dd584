"""The Capture and Devices pages, and one network's way: kernels, failure, remedy, hint home."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.analysis.recompiling import set_inputs, varying, why
from core.capture import Input, capture
from core.capture.captured import CaptureError
from core.capture.kept import keep, kept, newest
from core.library import Library
from core.readers.logs import read_log_file
from core.views.captures import Compiled, kernels_table, pass_rate, short_name, summary
from core.views.devices import diagram, row_terms
from tests.conftest import KERNELS, PROJECT
from tests.test_browser import address, browser, go, page, query, settled
from tests.test_why_page import open_first

__all__ = ["address", "browser", "page"]  # fixtures

NETWORKS = PROJECT / "data" / "networks"
LOGS = PROJECT / "tests" / "logs"
_CAPTURE = 60_000  # ms: MindSpore starts twice, on a busy machine
_SOME_COMPILE = re.compile(r"[1-9]\d* of \d+ tried compiles?\.")


@pytest.fixture(scope="module")
def head(tmp_path_factory):
    folder = tmp_path_factory.mktemp("head")
    inputs = [Input((256, 1024), "float32")]
    return capture(NETWORKS / "point_cloud.py", "PointCloudHead", inputs, folder)


def test_a_capture_is_kept_and_found_again(head, tmp_path):
    id = keep(tmp_path, head, "source", "a-trace")
    again = kept(tmp_path, id)
    assert (again.source, again.trace) == ("source", "a-trace")
    assert again.capture.kernels == head.kernels
    assert newest(tmp_path) == [id]
    with pytest.raises(CaptureError, match="no capture"):
        kept(tmp_path, "../../x")
    (tmp_path / "captures" / f"{id}.json").write_text("{}")
    with pytest.raises(CaptureError, match="another version"):
        kept(tmp_path, id)


def test_kernels_and_their_pass_rate_as_a_table(head, tmp_path, compile_all):
    from core.hints import Hints

    library = Library(tmp_path)
    rows = []
    kernels = [each.kernel for each in head.kernels]
    for opened in compile_all([(kernel, Hints()) for kernel in kernels]):
        id = library.add(opened.trace, opened.texts, opened.kernel)
        rows.append(library.row(id))
    listed = [Compiled(c, row) for c, row in zip(head.kernels, rows, strict=True)]
    assert pass_rate(listed) == "1 of 2 kernels compile (50 %)"
    assert pass_rate([Compiled(each, None) for each in head.kernels]) == ""
    frame = kernels_table(listed)
    assert list(frame["status"]) == ["failed", "ok to the last step"]
    assert short_name(head.kernels[0]) == "ReduceMax_split"
    assert summary(head).startswith("2 fused kernels; captured in")
    library.close()


def test_what_would_stop_recompiles():
    found = [each for file in sorted(LOGS.glob("*recompile*")) for each in
             read_log_file(file).recompiled if each.count > 1]  # fmt: skip
    assert found
    for each in found:
        assert why(each)
        if any(None in shape for shape in varying(each)):
            assert set_inputs(each).startswith("net.set_inputs(Tensor(shape=[None")


def test_only_a_sum_over_the_last_axis_has_an_order_to_compare():
    from core.kernel import load_kernel

    assert row_terms(load_kernel(KERNELS / "broadcast_exp_sum.json")) == (768, "float32")
    assert row_terms(load_kernel(KERNELS / "column_sum.json")) is None
    assert row_terms(load_kernel(KERNELS / "transpose.json")) is None


def test_a_network_is_captured_its_failure_cured_and_a_hint_taken_home(page: Page) -> None:
    page.set_default_timeout(_CAPTURE)  # the compiles before a click keep both cores busy
    page.goto("/capture")
    page.get_by_role("combobox", name="Example network").fill("PointCloudHead")
    page.get_by_role("option", name="PointCloudHead").click()
    settled(page)
    page.get_by_role("button", name="Capture", exact=True).click()
    compile_all = page.get_by_role("button", name="Compile all for Ascend")
    compile_all.wait_for(timeout=_CAPTURE)
    assert query(page, "capture")
    settled(page)
    compile_all.click()
    expect(page.get_by_text("1 of 2 kernels compile (50 %)")).to_be_visible(timeout=_CAPTURE)
    settled(page)
    # The kernel that fails is the network's first; its line of the network is marked.
    marked = page.locator(".ts-marked")
    expect(marked).to_contain_text("ReduceMax(keep_dims=True)(features, -1)")
    page.get_by_role("button", name="Why", exact=True).click()
    page.wait_for_url("**/why?**", timeout=_CAPTURE)
    settled(page)
    page.get_by_role("button", name="Try all").click()
    expect(page.get_by_text(_SOME_COMPILE)).to_be_visible(timeout=_CAPTURE)
    settled(page)
    # A remedy that works is compiled in full; its tiles become hints, and go where it is built.
    open_first(page)
    page.wait_for_url("**/passes?**", timeout=_CAPTURE)
    go(page, "Re-run")
    page.get_by_role("button", name="This trace's tiles").click()
    settled(page)
    page.get_by_text("Take these hints to MindSpore").click()
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("Honoured through the tiling repository")).to_be_visible(
        timeout=_CAPTURE
    )
    expect(page.get_by_text("Honoured through the kernel's description")).to_be_visible()


def test_a_kernel_stands_beside_other_devices(page: Page) -> None:
    page.goto("/devices?trace=broadcast_exp_sum")
    expect(page.get_by_text("Right or wrong")).to_be_visible(timeout=_CAPTURE)
    expect(page.get_by_text("Each of", exact=False)).to_be_visible()
    expect(page.get_by_text("lanes at a time", exact=False)).to_be_visible()
    assert "the two orders differ" in page.inner_text("body")


def test_the_diagram_is_a_graph():
    from core.analysis.summation import Level, Order

    order = Order("GPU", (Level("kahan", 4, "float32", "f", 1), Level("halves", 1024, "float32",
                  "g", 2)), "", "float32")  # fmt: skip
    text = diagram(order)
    assert "4,096 values" in text and "1 value" in text and text.count("->") == 2
