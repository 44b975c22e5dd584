"""The memory viewer on its page: from a box, or a row, to the line of the code and to its trail."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from core.library import Library
from tests.conftest import PROJECT
from tests.test_browser import address, browser, page, query, settled
from tests.test_memory_viewer import recorded

__all__ = ["address", "browser", "page"]  # fixtures

_LOADS = 60_000  # ms: the first look at a page, on a busy machine
CHAIN = "elementwise_chain-tile_8192"


def keep(library: Library, name: str) -> str:
    opened = recorded(name)
    return library.add(opened.trace, opened.texts, opened.kernel)


def tiling(**values: str) -> AppTest:
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=30)
    for name, value in values.items():
        app.query_params[name] = value
    return app.switch_page("tiling.py").run()


def words(app: AppTest) -> str:
    said = [*app.markdown, *app.caption, *app.error]
    found = [*(str(e.value) for e in said), *(str(e.proto.body) for e in app.get("html"))]
    return "\n".join(found).replace("\\", "")


def asked(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def line_of(name: str, text: str) -> int:
    opened = recorded(name)
    lines = opened.texts.get(opened.trace.code or "").split("\n")
    return next(at for at, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("name", "buffer", "declared"),
    [
        (CHAIN, "input_0_local_UB1", "half* input_0_local_UB1 = "),
        ("triton_softmax-fp32", "%19", "%19 = hivm.hir.pointer_cast("),
    ],
)
def test_a_chosen_buffer_leads_to_its_line_of_the_code(
    library: Library, name: str, buffer: str, declared: str
) -> None:
    id = keep(library, name)
    app = tiling(trace=id, buffer=buffer)
    assert not app.exception
    app.button(key="memory:code").click().run()
    assert not app.exception
    wanted = line_of(name, declared)
    assert asked(app, "pass") == str(len(recorded(name).trace.passes))
    assert asked(app, "line") == str(wanted)


def test_a_chosen_buffer_is_followed(library: Library) -> None:
    id = keep(library, CHAIN)
    app = tiling(trace=id, buffer="input_0_local_UB1")
    app.button(key="memory:follow").click().run()
    assert not app.exception
    at = len(recorded(CHAIN).trace.passes)
    line = line_of(CHAIN, "half* input_0_local_UB1 = ")
    assert asked(app, "follow") == f"input_0_local_UB1@{at}:{line}"
    assert asked(app, "panel") == "follow"
    assert "In the emitted code it is input_0_local_UB1" in words(app)


def test_a_plan_that_failed_leads_to_the_text_that_its_planner_was_given(library: Library) -> None:
    name = "elementwise_chain-tile_131072"
    id = keep(library, name)
    app = tiling(trace=id, buffer="input_0_local_UB")
    assert not app.exception
    assert "Fits if 3 buffers shrink" in words(app)
    app.button(key="memory:code").click().run()
    assert not app.exception
    opened = recorded(name)
    step = opened.trace.passes[int(asked(app, "pass"))]
    assert step.name == "LoopPartitionCCE"
    line = int(asked(app, "line"))
    assert opened.texts.get(step.text or "").split("\n")[line - 1].strip() == (
        "allocate input_0_local_UB[float16 * 131072]"
    )


def test_memories_functions_and_attempts_are_chosen_by_the_address(library: Library) -> None:
    app = tiling(trace=keep(library, "matmul_cube"), memory="L0B")
    assert not app.exception
    assert "64 KiB of 64 KiB, 100 %" in words(app)
    flash = keep(library, "triton_flash_attention-fp16-950")
    app = tiling(trace=flash, memory="UB", function="attention_mix_aic")
    assert not app.exception
    assert "73.2 KiB of 248 KiB" in words(app)
    app = tiling(trace=keep(library, "conv3d_padded-8x8x8_c4_k3"), plan="attempt 1")
    assert not app.exception
    assert "Fits if 5 buffers shrink: conv_3_local_UB from 884,736 to 87,360 B" in words(app)
    app = tiling(trace=flash, memory="nonsense", function="none", plan="x", buffer="%404", zoom="7")
    assert not app.exception


def test_a_click_on_a_box_leads_to_its_line_of_the_code(page: Page) -> None:
    page.set_default_timeout(_LOADS)
    page.goto(f"/tiling?trace={CHAIN}")
    settled(page)
    expect(page.get_by_text("UB over the run of the kernel")).to_be_visible(timeout=_LOADS)
    box = page.get_by_test_id("stPlotlyChart").last.locator("g.barlayer g.trace").nth(1)
    point = box.locator("g.point").nth(4)  # in the order of first uses
    point.scroll_into_view_if_needed()
    place = point.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] * 0.4, place["y"] + place["height"] * 0.3)
    expect(page.locator(".hoverlayer").last).to_contain_text("16,384 B (16 KiB)", timeout=_LOADS)
    page.mouse.click(place["x"] + place["width"] * 0.4, place["y"] + place["height"] * 0.3)
    expect(page.get_by_role("button", name="Show in the code")).to_be_visible(timeout=_LOADS)
    chosen = query(page, "buffer")
    assert chosen == "T_maximum_T_multiply_T_add_input_0_input_1_input_1_local_UB"
    page.get_by_role("button", name="Show in the code").click()
    page.wait_for_url(lambda url: "/passes" in url)
    settled(page)
    line = line_of(CHAIN, f"half* {chosen} = ")
    assert query(page, "line") == str(line)
    expect(page.get_by_text(f"half* {chosen} = ").first).to_be_visible(timeout=_LOADS)
