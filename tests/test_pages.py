"""The pages without a browser: empty states, bad addresses, failed traces, and no stack trace."""

from __future__ import annotations

import ast
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.compilers.ascendnpu_ir import AscendNpuIr
from core.compilers.registry import COMPILERS
from core.hints import HintError, Hints, parse_dim
from core.kernel import load_kernel
from core.library import Library
from core.readers import Opened
from pages import _rooms as rooms
from pages._form import read_attributes
from tests.conftest import KERNELS, PROJECT

PAGES = ("library.py", "passes.py", "tiling.py", "rerun.py", "why.py", "compare.py")


@pytest.fixture(scope="module")
def compiled(compile_kernel: Callable[..., Opened]) -> dict[str, Opened]:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    dims = {"auto": "", "half": "0 0 8192 1", "over": "0 0 131072 1"}
    return {
        name: compile_kernel(kernel, Hints(parse_dim(dim)) if dim else Hints())
        for name, dim in dims.items()
    }


def _keep(library: Library, opened: Opened, parent: str | None = None) -> str:
    return library.add(opened.trace, opened.texts, opened.kernel, parent=parent)


def _open(page: str, **query: str) -> AppTest:
    """A page as a person opens it by its address."""
    app = AppTest.from_file(str(PROJECT / "pages" / "_shell.py"), default_timeout=20)
    for name, value in query.items():
        app.query_params[name] = value
    if page != "library.py":
        app.switch_page(page)
    return app.run()


def _words(app: AppTest) -> str:
    """Everything that the page says in words."""
    said = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info, *app.success]
    return "\n".join([*(str(e.value) for e in said), *(str(e.proto.body) for e in app.get("html"))])


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_library_has_pages_that_say_what_to_do(library: Library, page: str) -> None:
    app = _open(page)
    assert not app.exception
    if page == "library.py":
        assert "The library is empty." in _words(app)
        assert "Compile an example" in _words(app)
    else:
        assert "No trace is open." in _words(app)


@pytest.mark.parametrize("page", PAGES[1:])
def test_an_unknown_trace_gets_one_sentence(library: Library, page: str) -> None:
    app = _open(page, trace="nobody_knows_it")
    assert not app.exception
    assert "There is no trace nobody_knows_it in the library" in _words(app)
    assert "trace" not in app.session_state  # other pages must not run into it again


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_a_trace(
    library: Library, compiled: dict[str, Opened], page: str
) -> None:
    parent = _keep(library, compiled["auto"])
    id = _keep(library, compiled["half"], parent)
    app = _open(page, trace=id)
    assert not app.exception
    assert not app.error
    if page != "library.py":
        assert "elementwise_chain" in _words(app)
        assert "32 cores" in _words(app)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_a_crashed_trace(
    library: Library, compiled: dict[str, Opened], page: str
) -> None:
    id = _keep(library, compiled["over"])
    app = _open(page, trace=id)
    assert not app.exception
    if page not in ("library.py", "why.py", "compare.py"):
        assert "Crashed, SIGABRT in StorageRewriteCCE" in app.error[0].value
        assert "524,288 B (512 KiB) needed, 262,144 B (256 KiB) there" in app.error[0].value


@pytest.mark.parametrize("value", ["99999", "-3", "x", "1e9", "", "²"])
def test_a_pass_number_that_is_none_opens_the_nearest(
    library: Library, compiled: dict[str, Opened], value: str
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("passes.py", trace=id, **{"pass": value})
    assert not app.exception
    assert app.query_params["pass"].isdigit()


@pytest.mark.parametrize("name", ["nonsense", "x@1", "x@²:1", f"x@{'9' * 5000}:1", "x@99999:99999"])
def test_a_link_that_follows_nothing_opens(
    library: Library, compiled: dict[str, Opened], name: str
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("passes.py", trace=id, follow=name, panel="follow", **{"pass": "3"})
    assert not app.exception
    assert "pass 4 of" in _words(app)


def test_a_link_to_a_pass_opens_it(library: Library, compiled: dict[str, Opened]) -> None:
    trace = compiled["auto"].trace
    wanted = next(p for p in trace.passes if p.name == "StorageFlatten")
    id = _keep(library, compiled["auto"])
    app = _open("passes.py", trace=id, **{"pass": str(wanted.index)})
    assert "42_StorageFlatten" in _words(app)
    assert f"pass {wanted.index + 1} of {len(trace.passes)}" in _words(app)


def test_next_goes_to_the_next_pass_that_changed_something(
    library: Library, compiled: dict[str, Opened]
) -> None:
    changed = [p.index for p in compiled["auto"].trace.changed]
    id = _keep(library, compiled["auto"])
    app = _open("passes.py", trace=id, **{"pass": str(changed[1])})
    app.button(key="passes:next").click().run()
    assert app.query_params["pass"] == str(changed[2])
    app.button(key="passes:previous").click().run()
    app.button(key="passes:previous").click().run()
    assert app.query_params["pass"] == str(changed[0])
    assert app.button(key="passes:previous").disabled


def test_a_failed_trace_opens_where_it_failed(
    library: Library, compiled: dict[str, Opened]
) -> None:
    id = _keep(library, compiled["over"])
    app = _open("passes.py", trace=id)
    last = len(compiled["over"].trace.passes) - 1
    assert app.query_params["pass"] == str(last)
    assert "StorageRewriteCCE left no text" in _words(app).replace("\\", "")


def test_the_library_lists_what_there_is(library: Library, compiled: dict[str, Opened]) -> None:
    _keep(library, compiled["auto"])
    _keep(library, compiled["over"])
    app = _open("library.py")
    table = app.dataframe[0].value
    assert list(table["status"]) == [["crashed"], ["ok to the last step"]]
    assert list(table["memory"]) == ["", "UB"]
    app.text_input(key="find").set_value("131072").run()
    assert len(app.dataframe[0].value) == 1
    app.text_input(key="find").set_value("no such trace").run()
    assert not app.exception
    assert "No trace matches" in _words(app)


def test_an_exported_trace_comes_in_again(
    library: Library, compiled: dict[str, Opened], tmp_path: Path
) -> None:
    id = _keep(library, compiled["half"])
    file = tmp_path / "trace.zip"
    file.write_bytes(library.export(id))
    app = _open("library.py")
    app.segmented_control(key="library:way").set_value("Import a dump").run()
    assert app.button(key="library:import").disabled
    app.text_input(key="library:path").set_value(str(tmp_path / "nothing")).run()
    app.button(key="library:import").click().run()
    assert "is not there" in app.error[0].value
    app.text_input(key="library:path").set_value(str(file)).run()
    app.button(key="library:import").click().run()
    assert not app.exception
    rows = library.rows()
    assert [r.origin for r in rows] == ["imported", "compiled"]
    assert library.trace(rows[0].id).passes == library.trace(id).passes


def test_a_trace_is_deleted_only_after_a_second_word(
    library: Library, compiled: dict[str, Opened]
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("library.py")
    selected = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app.session_state[f"library:table:{hash((id,))}"] = selected
    app.run()
    remove = next(b for b in app.button if b.label == "Delete")
    assert not remove.disabled
    remove.click().run()
    assert [r.id for r in library.rows()] == [id]
    app.button(key="library:delete").click().run()
    assert not app.exception
    assert library.rows() == []


def test_without_a_compiler_the_pages_say_which_command_installs_it(
    library: Library, compiled: dict[str, Opened], tmp_path: Path
) -> None:
    (tmp_path / "toolchains").unlink(missing_ok=True)
    id = _keep(library, compiled["auto"])
    app = _open("library.py")
    assert ".venv/bin/python -m core toolchain install akg" in [c.value for c in app.code]
    assert app.button(key="library:compile").disabled
    again = _open("rerun.py", trace=id)
    assert not again.exception
    assert "toolchain install akg" in _words(again)
    assert again.button(key="rerun:run").disabled
    tiling = _open("tiling.py", trace=id)
    assert tiling.button(key="tiling:sweep").disabled
    assert "toolchain install akg" in _words(tiling)  # without hovering over the button


def test_a_kernel_that_no_compiler_should_see_is_refused(library: Library) -> None:
    app = _open("library.py")
    app.button_group(key="library:way").set_value("My kernel").run()
    app.text_area(key="library:text").set_value('{"composite": true}').run()
    assert not app.exception
    assert len(app.error) == 1
    assert app.error[0].value.endswith(".")


def test_python_of_ones_own_is_off_unless_the_server_allows_it(
    library: Library, compiled: dict[str, Opened], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TILESCOPE_ALLOW_PYTHON", raising=False)
    ours = next(k for k in rooms.examples() if k.kind == "python")
    assert rooms.why_no_compile(ours, "akg") is None
    theirs = type(ours)("python", ours.name, f"{ours.source}\n", ours.tensors, ours.case)
    assert "TILESCOPE_ALLOW_PYTHON=1" in (rooms.why_no_compile(theirs, "akg") or "")
    monkeypatch.setenv("TILESCOPE_ALLOW_PYTHON", "1")
    assert rooms.why_no_compile(theirs, "akg") is None


def test_a_trace_without_its_kernel_can_be_read_but_not_compiled(
    library: Library, compiled: dict[str, Opened]
) -> None:
    opened = compiled["auto"]
    id = library.add(opened.trace, opened.texts)
    app = _open("rerun.py", trace=id)
    assert not app.exception
    assert "came without its kernel" in _words(app)
    assert app.button(key="rerun:run").disabled


def test_tile_fields_and_dim_text_are_one_value(
    library: Library, compiled: dict[str, Opened]
) -> None:
    id = _keep(library, compiled["half"])
    app = _open("rerun.py", trace=id)
    field, text = f"rerun:{id}:tile:0:0:outer", f"rerun:{id}:dim"
    assert app.number_input(key=field).value == 8192
    assert app.text_input(key=text).value == "0 0 8192 1"
    app.number_input(key=field).set_value(4096).run()
    assert app.text_input(key=text).value == "0 0 4096 1"
    app.text_input(key=text).set_value("0 0 512 1").run()
    assert app.number_input(key=field).value == 512
    app.text_input(key=text).set_value("0 0 512").run()
    assert app.button(key="rerun:run").disabled
    assert "four for each axis" in app.error[0].value
    app.button(key="rerun:clear").click().run()
    assert app.text_input(key=text).value == ""
    assert app.number_input(key=field).value is None


def test_attributes_as_fields_and_as_text_are_one_value(
    library: Library, compiled: dict[str, Opened]
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("rerun.py", trace=id)
    raw = f"rerun:{id}:raw"
    app.text_area(key=raw).set_value('{"enable_multicore": 0}').run()
    assert not app.error
    assert app.session_state[f"rerun:{id}:asked"]["attributes"] == {"enable_multicore": 0}
    app.text_area(key=raw).set_value('{"enable_multicore": [0]}').run()
    assert "enable_multicore" in app.error[0].value.replace("\\", "")
    assert app.button(key="rerun:run").disabled
    app.text_area(key=raw).set_value('{"dim": "0 0 64 1"}').run()
    assert app.text_input(key=f"rerun:{id}:dim").value == "0 0 64 1"


def test_the_map_takes_an_edited_list_of_tiles(
    library: Library, compiled: dict[str, Opened]
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("tiling.py", trace=id, view="listed")
    name = f"tiling:list:{id}:0.0:1"
    suggested = app.text_input(key=name).value
    assert "16384" in suggested
    app.text_input(key=name).set_value("16, 32-34").run()
    assert app.button(key="tiling:sweep").label == "Sweep 4 points"
    app.text_input(key=name).set_value("16, none").run()
    assert not app.exception
    assert "'none' is not a tile" in app.error[0].value
    app.text_input(key=name).set_value("").run()
    assert app.text_input(key=name).value == suggested


def test_a_comparison_can_be_linked_to(library: Library, compiled: dict[str, Opened]) -> None:
    before = _keep(library, compiled["auto"])
    after = _keep(library, compiled["over"], before)
    app = _open("compare.py", trace=after)  # against its parent, without being told
    assert app.query_params["against"] == before
    assert "It no longer compiles" in _words(app)
    gone = _open("compare.py", trace=after, against="gone")
    assert not gone.exception
    assert "There is no other trace gone" in gone.warning[0].value


def test_no_page_ever_shows_a_stack_trace() -> None:
    config = (PROJECT / ".streamlit" / "config.toml").read_text()
    assert 'showErrorDetails = "none"' in config
    assert 'address = "localhost"' in config
    assert "gatherUsageStats = false" in config


def test_no_page_imports_mindspore() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from streamlit.testing.v1 import AppTest;"
        "AppTest.from_file('pages/_shell.py').run(); import app;"
        "sys.exit('mindspore' in sys.modules or 'akg' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, env={**os.environ}, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "an object"),
        ('{"": 1}', "without a name"),
        ('{"dim": 3}', "must be a text"),
        ('{"enable_multicore": {}}', "must be a number"),
    ],
)
def test_a_list_of_attributes_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(HintError, match=said):
        read_attributes(text)


@pytest.mark.parametrize("number", ["Infinity", "NaN", "1e999"])
@pytest.mark.parametrize("name", ["enable_multicore", "unheard_of"])
def test_a_number_that_is_not_finite_is_refused_where_it_is_written(
    library: Library, compiled: dict[str, Opened], name: str, number: str
) -> None:
    id = _keep(library, compiled["auto"])
    app = _open("rerun.py", trace=id)
    app.text_area(key=f"rerun:{id}:raw").set_value(f'{{"{name}": {number}}}').run()
    assert not app.exception
    assert any("finite" in error.value for error in app.error)
    assert app.button(key="rerun:run").disabled


# Any compiler


def test_no_page_and_no_view_knows_a_compiler_by_its_name() -> None:
    """What differs between compilers is data: their catalogue, their chips, their traces."""
    names = set(COMPILERS) | {"akg", "bishengir", "ascendnpu"}
    files = [*(PROJECT / "pages").glob("*.py"), *(PROJECT / "core" / "views").glob("*.py")]
    assert len(files) > 20
    found = []
    for file in files:
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            documents = (ast.Module, ast.FunctionDef, ast.ClassDef)
            if isinstance(node, documents) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        words = {
            text.lower()
            for node in ast.walk(tree)
            for text in (
                [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str)
                else [node.module or ""] if isinstance(node, ast.ImportFrom)
                else [alias.name for alias in node.names] if isinstance(node, ast.Import)
                else []
            )
        }  # fmt: skip
        found += [(file.name, word) for word in words if any(name in word for name in names)]
    assert found == []


@pytest.fixture(scope="module")
def vadd(compile_mlir: Callable[..., Opened]) -> dict[str, Opened]:
    """A kernel whose tile is a parameter: one that fits and one that is too large."""
    kernel = load_kernel(KERNELS / "hivm_vadd.mlir")
    hints = {"default": Hints(), "over": Hints(attributes={"TILE": 32768})}
    return {name: compile_mlir(kernel, each) for name, each in hints.items()}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_a_kernel_with_parameters(
    library: Library, vadd: dict[str, Opened], page: str
) -> None:
    parent = _keep(library, vadd["default"])
    app = _open(page, trace=parent)
    assert not app.exception
    assert not app.error
    failed = _keep(library, vadd["over"], parent)
    app = _open(page, trace=failed)
    assert not app.exception
    if page in ("passes.py", "tiling.py"):
        assert "262,144 bytes have to be there at one time" in app.error[0].value
    if page in ("passes.py", "tiling.py", "compare.py"):
        words = _words(app)
        assert words.count("131,072 B (128 KiB)") >= 2
        assert "hivm_vadd.mlir:16:15" in words


def test_a_parameter_is_swept_where_there_are_no_axes(
    library: Library, vadd: dict[str, Opened]
) -> None:
    id = _keep(library, vadd["default"])
    app = _open("tiling.py", trace=id, view="listed")
    words = _words(app)
    assert "Parameters" in words
    assert "the kernel&#x27;s default" in words
    assert "24,577" in words
    assert "Dashed" not in words  # this compiler holds nothing back
    values = app.text_input(key=f"tiling:list:{id}:TILE:1")
    assert values.value.startswith("1024, 2048, 4096")
    values.set_value("1024, 24577").run()
    assert app.button(key="tiling:sweep").label == "Sweep 2 points"
    app.button(key="tiling:sweep").click().run()
    assert not app.exception
    (row,) = rooms.queue().sweeps()
    assert (row.compiler, row.points) == ("ascendnpu-ir", 2)
    points = rooms.queue().sweep(row.id).points
    assert [p.hints.as_dict() for p in points] == [{"TILE": 24577}, {"TILE": 1024}]


def test_a_form_has_parameters_first_and_choices_as_lists(
    library: Library, vadd: dict[str, Opened]
) -> None:
    id = _keep(library, vadd["default"])
    app = _open("rerun.py", trace=id)
    headings = [m.value for m in app.markdown if m.value.startswith("#####")]
    assert headings[0] == "##### Parameters"
    assert "##### Tiles" not in headings
    tile = app.selectbox(key=f"rerun:{id}:parameter:TILE")
    assert tile.options[:2] == ["8192", "1024"]
    tile.set_value("4096").run()
    assert app.session_state[f"rerun:{id}:asked"]["attributes"] == {"TILE": 4096}
    app.text_area(key=f"rerun:{id}:raw").set_value('{"TILE": "wide"}').run()
    assert "TILE must be a whole number" in app.error[0].value.replace("\\", "")
    assert app.button(key="rerun:run").disabled
    app.text_area(key=f"rerun:{id}:raw").set_value("").run()
    app.text_input(key="rerun:find").set_value("target chip").run()
    chip = app.selectbox(key=f"rerun:{id}:hint:target")
    assert "Ascend950PR_9579" in chip.options
    chip.set_value("Ascend950PR_9579").run()
    assert app.session_state[f"rerun:{id}:asked"]["attributes"] == {"target": "Ascend950PR_9579"}


def test_a_pasted_kernel_of_any_kind_is_told_by_its_text(
    library: Library, ascendnpu_ir: AscendNpuIr
) -> None:
    app = _open("library.py")
    app.button_group(key="library:way").set_value("My kernel").run()
    text = (KERNELS / "hivm_vadd.mlir").read_text()
    app.text_area(key="library:text").set_value(text).run()
    assert not app.exception
    assert not app.error
    assert "Parameters: TILE 8,192." in _words(app)
    app.selectbox(key="library:target:ascendnpu-ir").set_value("Ascend910B4").run()
    app.button(key="library:compile").click().run()
    (job,) = rooms.queue().jobs()
    assert (job.compiler, job.hints.as_dict()) == ("ascendnpu-ir", {"target": "Ascend910B4"})
    app.text_area(key="library:text").set_value("import triton\n").run()
    assert "Python kernels are off on this server." in app.error[0].value


def test_a_hint_that_changes_nothing_is_told_so(
    library: Library, vadd: dict[str, Opened], compile_mlir: Callable[..., Opened]
) -> None:
    assert vadd["default"].kernel is not None
    hints = Hints(attributes={"tile-mix-cube-loop": 4})
    before = _keep(library, vadd["default"])
    after = _keep(library, compile_mlir(vadd["default"].kernel, hints), before)
    app = _open("compare.py", trace=after)
    said = _words(app).replace("\\", "")
    assert "This hint changed nothing: the final IR is identical." in said


def test_a_log_of_an_mlir_tool_is_imported(
    library: Library, vadd: dict[str, Opened], tmp_path: Path
) -> None:
    passes = [step for step in vadd["default"].trace.passes if step.text]
    log = "".join(
        f"// -----// IR Dump After {step.name} ({step.argument}) //----- //\n"
        f"{vadd['default'].texts.get(step.text or '').rstrip()}\n\n"
        for step in passes
    )
    for name, data in (("vadd.log", log.encode()), ("vadd.log.gz", gzip.compress(log.encode()))):
        (tmp_path / name).write_bytes(data)
        app = _open("library.py")
        app.segmented_control(key="library:way").set_value("Import a dump").run()
        app.text_input(key="library:path").set_value(str(tmp_path / name)).run()
        app.button(key="library:import").click().run()
        assert not app.exception
        assert not app.error
        trace = library.trace(library.rows()[0].id)
        assert [step.argument for step in trace.passes] == [step.argument for step in passes]
        assert {step.language for step in trace.passes} == {"mlir"}
    for page in PAGES[1:]:
        assert not _open(page, trace=library.rows()[0].id).exception


def test_a_sweep_that_was_stored_before_axes_had_names_still_opens(
    library: Library, compiled: dict[str, Opened]
) -> None:
    opened = compiled["half"]
    assert opened.kernel is not None
    id = _keep(library, opened)
    points = [Hints(parse_dim(f"0 0 {tile} 1")) for tile in (4096, 8192)]
    old = {"axes": [{"band": 0, "axis": 0, "tiles": [4096, 8192]}]}
    rooms.queue().submit_sweep(opened.kernel, points, axes=old)
    app = _open("tiling.py", trace=id, view="listed")
    assert not app.exception
    name = f"tiling:list:{id}:0.0:1"
    app.text_input(key=name).set_value("4096, 8192").run()
    assert not app.exception
    assert app.button(key="tiling:busy")  # its points are the ones that the map shows


def test_a_reload_amid_a_sweep_keeps_the_tiles_that_are_still_waited_for(
    library: Library, compiled: dict[str, Opened]
) -> None:
    opened = compiled["half"]
    assert opened.kernel is not None
    id = _keep(library, opened)
    points = [Hints(parse_dim(f"0 0 {tile} 1")) for tile in (5001, 7003)]  # of no suggestion
    rooms.queue().submit_sweep(opened.kernel, points, axes={"axes": []})
    app = _open("tiling.py", trace=id, view="listed")
    listed = app.text_input(key=f"tiling:list:{id}:0.0:1").value
    assert {"5001", "7003"} <= set(listed.split(", "))
