"""The Why page: what a failure means, what is tried on it, and what a pasted log says."""

from __future__ import annotations

import gzip
import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from core.analysis.explained import Remedy
from core.analysis.trying import proposed
from core.compilers.ascendnpu_ir import AscendNpuIr
from core.ir.work import count_work
from core.library import Library
from core.readers import ReadError
from core.request import Request
from core.trace import Failure
from core.views.remedies import Trial, advice, result_text, tally, trials_table, working_first
from pages import _failures as failures
from pages._logbox import unpacked
from tests.conftest import PROJECT
from tests.test_browser import address, browser, go, page, query, settled
from tests.test_memory_page import keep
from tests.test_memory_viewer import recorded

__all__ = ["address", "browser", "page"]  # fixtures

LOGS = Path(__file__).parent / "logs"
_COMPILE = 90_000  # ms: a dozen compiles on a busy machine, the worker still warming up
_SOME_COMPILE = re.compile(r"[1-9]\d* of \d+ tried compiles?\.")
_UNDER_WAY = re.compile(r"[1-9]\d* of \d+ tried compiles?:")
#: Failed traces as recorded, and what their failure is called.
FAILED = {
    "maxpool-k3_s2_pad1": "Loops were lost while they were spread over cores",
    "elementwise_chain-tile_131072": "The tiles together do not fit",
    "softmax_fp32": "A maximum or minimum over the last axis in float32",
    "triton_softmax-long_rows": "UB is too small for what is alive at one time",
    "host_elementwise": "",
}


def opened(page: str = "why.py", **values: str) -> AppTest:
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=30)
    for name, value in values.items():
        app.query_params[name] = value
    if page != "library.py":
        app.switch_page(page)
    return app.run()


def words(app: AppTest) -> str:
    said = [*app.markdown, *app.caption, *app.error, *app.info, *app.success, *app.warning]
    found = [*(str(e.value) for e in said), *(str(e.proto.body) for e in app.get("html"))]
    found += [str(e.proto.label) for e in app.get("page_link")]
    found += [each.label for each in app.expander]
    return html.unescape("\n".join(found).replace("\\", ""))


@pytest.mark.parametrize("name", FAILED)
def test_a_failure_is_named_placed_and_can_be_acted_on(library: Library, name: str) -> None:
    app = opened(trace=keep(library, name))
    trace = recorded(name).trace
    assert not app.exception
    assert FAILED[name] in app.error[0].value
    said = words(app)
    assert trace.failure is not None and trace.failure.pass_name is not None
    assert f"Failed in: **{trace.failure.pass_name}**" in said
    assert "Last good IR" in said
    assert "The compiler's own words" in said
    labels = [each.label for each in app.button]
    assert "Try all" in labels and "Make it small" in labels
    kernel = recorded(name).kernel
    assert kernel is not None
    titles = [remedy.title for remedy in proposed(trace, kernel)]
    assert list(app.dataframe[-1].value["change"]) == titles


def test_an_overflow_names_its_buffers_and_what_must_shrink(library: Library) -> None:
    app = opened(trace=keep(library, "triton_softmax-long_rows"))
    frame = app.dataframe[0].value
    assert list(frame["bytes"][:2]) == [524_288, 262_144]
    assert list(frame["from"][:2]) == ["25:21", "26:36"]
    assert "Fits if 3 buffers shrink" in words(app)
    assert "786,464 B" in app.error[0].value


def test_an_unknown_failure_says_what_is_known_and_who_fails_alike(library: Library) -> None:
    known = recorded("softmax_fp32")
    message = "a pass that nobody has heard of stumbled"
    failure = Failure("error", "EmitInsn", "68_SplitTail", "unheard_of.cc:7", "new", message)
    trace = replace(known.trace, failure=failure)
    first = library.add(trace, known.texts, known.kernel)
    app = opened(trace=first)
    assert not app.exception
    said = words(app)
    assert "for a reason not known" in app.error[0].value
    assert "a kind not described yet" in said
    assert "unheard_of.cc:7" in said
    assert "No other trace of the library fails alike." in said
    other = replace(trace, failure=replace(failure, message=message.upper()))
    library.add(other, known.texts, known.kernel)  # of another kind
    second = library.add(trace, known.texts, known.kernel)
    assert [row.id for row in failures.alike(first)] == [second]
    app = opened(trace=first)
    app.button(key=f"why:turn:{second}").click().run()
    assert app.query_params["trace"] in (second, [second])


def test_a_compile_that_ended_well_offers_the_box_for_logs(library: Library) -> None:
    app = opened(trace=keep(library, "softmax_fp16"))
    assert not app.exception and not app.error
    assert "nothing failed" in app.success[0].value
    assert app.text_area(key="why:log:text").value == ""


def test_a_pasted_log_is_explained_and_never_lost(library: Library) -> None:
    text = (LOGS / "bishengir_overflow.log").read_text()
    app = opened()
    assert "No trace is open." in words(app)
    app.text_area(key="why:log:text").set_value(text).run()
    assert not app.exception
    assert "UB is too small for what is alive at one time" in words(app)
    assert "262,144 B" in words(app)
    digest = app.query_params["log"]
    again = opened(
        log=digest if isinstance(digest, str) else digest[0]
    )  # by its address, in another tab
    assert "UB is too small for what is alive at one time" in words(again)
    again.button(key="why:log:other").click().run()
    assert again.text_area(key="why:log:text").value == text
    assert "no longer at hand" in words(opened(log="0123456789abcdef"))


def test_a_log_beside_a_failed_trace(library: Library) -> None:
    app = opened(trace=keep(library, "softmax_fp32"), of="log")
    app.text_area(key="why:log:text").set_value((LOGS / "akg_several.log").read_text()).run()
    assert not app.exception
    said = words(app)
    assert "The dim text is not made of groups of four numbers" in said
    assert "One buffer alone is larger than its memory" in said


def test_a_message_that_names_nothing_is_answered_honestly(library: Library) -> None:
    keep(library, "softmax_fp16")
    app = opened()
    app.text_area(key="why:log:text").set_value("Pattern match failed in rewrite pass").run()
    assert not app.exception
    said = words(app)
    assert "No compiler that can be read here says this" in said
    assert "Which pass was it?" in said
    assert "softmax_fp16" in app.selectbox(key="why:log:kernel").options
    assert app.button(key="why:log:compile").disabled


def test_the_kernel_that_a_log_describes_can_be_compiled(library: Library) -> None:
    app = opened()
    app.text_area(key="why:log:text").set_value((LOGS / "mindspore_akg.log").read_text()).run()
    assert not app.exception
    (button,) = [b for b in app.button if b.label.endswith("for Ascend, with dumps")]
    assert button.label.startswith("Compile Fused_LayerNorm")


def test_a_file_that_is_no_log_is_refused_in_a_sentence() -> None:
    assert unpacked(gzip.compress(b"[ERROR] AKG: x")) == "[ERROR] AKG: x"
    with pytest.raises(ReadError, match="no text"):
        unpacked(b"\x7fELF\0\0")
    with pytest.raises(ReadError, match="cannot be unpacked"):
        unpacked(b"\x1f\x8bnonsense")


@pytest.mark.parametrize("page", ["passes.py", "tiling.py", "rerun.py"])
def test_the_failure_on_every_page_leads_here(library: Library, page: str) -> None:
    app = opened(page, trace=keep(library, "softmax_fp32"))
    (link,) = [e for e in app.get("page_link") if e.proto.label == "Why, and what to try"]
    assert link.proto.query_string.startswith("trace=")


def test_the_library_says_in_a_few_words_why_a_trace_failed(library: Library) -> None:
    keep(library, "softmax_fp32")
    table = opened("library.py").dataframe[0].value
    assert table["failure"][0] == FAILED["softmax_fp32"]


# Remedies as a table


def trial(title: str, name: str | None, *, numerics: str = "") -> Trial:
    kernel = recorded("maxpool-k3_s2_pad1").kernel
    assert kernel is not None
    remedy = Remedy("hint", title, "It may help.", Request(kernel), numerics)
    return Trial(remedy, "done" if name else None, recorded(name).trace if name else None)


def counted(each: Trial) -> Trial:
    """With what its emitted code does, as a compile of now has it."""
    name = {"two": "softmax_fp16-tile_4", "three": "softmax_fp16"}[each.remedy.title]
    kept = recorded(name)
    work = count_work(kept.texts.get(kept.trace.code or ""))
    return replace(each, trace=replace(kept.trace, work=work))


def test_remedies_are_told_with_what_they_cost() -> None:
    fails = trial("one", "maxpool-k3_s2_pad1")
    slow = trial("two", "softmax_fp16-tile_4")
    quick = trial("three", "softmax_fp16")
    other = trial("four", "softmax_fp16", numerics="Rounded.")
    trials = [trial("none", None), fails, slow, quick, other]
    frame = trials_table(trials)
    assert list(frame["result"]) == [
        "",
        "crashed in LoopPartitionCCE",
        *["compiles"] * 3,
    ]
    assert list(frame["fullest"])[3] == "UB 38 %"
    assert list(frame["cores"])[1:4] == ["", "32", "16"]
    assert list(frame["numerics"]) == ["", "", "", "", "Rounded."]
    assert tally(trials) == "3 of 4 tried compile"
    assert [each.remedy.title for each in working_first(trials)][:3] == ["two", "three", "four"]
    assert advice(trials) == "two: the most promising, UB 13 % full, 32 cores."
    timed = [fails, counted(slow), counted(quick)]
    best = min(timed[1:], key=lambda each: (each.cost and each.cost.time) or 0)
    assert advice(timed).startswith(f"{best.remedy.title}: least time by estimate, UB ")
    assert advice([fails]) == ""
    wrong = replace(slow, wrong=2)
    assert result_text(wrong) == "compiles, 2 wrong"
    assert advice([wrong, quick]).startswith("three:")
    assert working_first([wrong, fails, quick]) == [quick, wrong, fails]
    assert advice([fails, other]).endswith("results may differ.")


def test_a_remedy_that_waits_or_never_compiles_says_so() -> None:
    waiting = replace(trial("a", None), state="queued")
    refused = replace(trial("b", None), state="lost", error="The compiler is not installed.")
    assert result_text(waiting) == "waits"
    assert result_text(refused) == "The compiler is not installed."
    assert tally([waiting]) == ""


# In the browser: compiles for real


def try_all(page: Page, trace: str) -> None:
    page.goto(f"/why?trace={trace}")
    settled(page)
    page.get_by_role("button", name="Try all").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def open_first(page: Page) -> None:
    """Open the remedy of the first row, which is drawn on a canvas."""
    box = page.get_by_test_id("stDataFrame").last.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 270 + 205 + 29, box["y"] + 29 + 14)


def test_try_all_finds_the_switch_that_saves_a_crashing_kernel(page: Page) -> None:
    try_all(page, "maxpool-k3_s2_pad1")
    page.get_by_text(_UNDER_WAY).wait_for(timeout=_COMPILE)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(_SOME_COMPILE)).to_be_visible()  # what is known by then stays
    expect(page.get_by_text("Stopped after")).to_be_visible()
    open_first(page)
    page.wait_for_url("**/passes?**", timeout=_COMPILE)  # compiled in full for that
    settled(page)
    expect(page.get_by_text("ok to the last step").first).to_be_visible()
    assert query(page, "trace") != "maxpool-k3_s2_pad1"
    go(page, "Why")
    page.get_by_role("button", name="Made from one that failed").click()
    expect(page.get_by_text(_SOME_COMPILE)).to_be_visible()
    page.get_by_role("button", name="Which switch flips it?").click()
    expect(
        page.get_by_text("One switch makes it compile: multicore_loop_switch_hoist")
    ).to_be_visible(timeout=_COMPILE)


def test_try_all_finds_parameters_that_fit(page: Page, ascendnpu_ir: AscendNpuIr) -> None:
    try_all(page, "hivm_vadd-tile_24577")
    expect(page.get_by_text(_SOME_COMPILE)).to_be_visible(timeout=_COMPILE)
    page.get_by_role("button", name="Reproducer").click()
    link = page.get_by_role("link", name="Download")
    answer = page.request.get(link.get_attribute("href") or "")
    assert answer.headers["content-type"] == "application/zip"


def test_a_log_is_marked_where_it_fails(page: Page) -> None:
    page.goto("/why")
    settled(page)
    box = page.get_by_role("textbox", name="Log")
    box.fill((LOGS / "akg_several.log").read_text())
    page.get_by_role("button", name="Explain").click()
    expect(
        page.get_by_text("A maximum or minimum over the last axis in float32").first
    ).to_be_visible()
    expect(page.locator(".cm-line").get_by_text("reduce_last_axis").first).to_be_visible()
    page.get_by_text("One buffer alone is larger than its memory · ").click()
    page.get_by_role("button", name="Show lines 37 to 71").click()
    page.wait_for_url(lambda url: "line=37-71" in url)
    expect(page.locator(".cm-line").get_by_text("storage_flatten.cc").first).to_be_visible()
    page.reload()
    settled(page)
    expect(page.get_by_text("One buffer alone is larger than its memory").first).to_be_visible()
