"""Bundles: they stand alone, name nobody, come back as traces, and their script judges rightly."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import app
import core.request
from core.analysis.explained import Remedy
from core.analysis.fingerprint import fingerprint
from core.analysis.shrinking import Shrunk, Step
from core.analysis.trying import Outcome, Tried
from core.bundle import anonymous
from core.bundle.anonymous import Names, scrubber
from core.bundle.needed import needed_files
from core.bundle.write import Change, bundle
from core.cli import main
from core.hints import Hints
from core.jobs.inquiries import write_result
from core.jobs.queue import Queue
from core.kernel import Kernel, load_kernel
from core.library import Library
from core.readers import Opened, open_trace
from core.trace import Status
from tests.conftest import KERNELS, PROJECT

TRACES = PROJECT / "data" / "traces"
FAILED = ("maxpool-k3_s2_pad1", "softmax_fp32", "triton_softmax-long_rows", "host_elementwise")
ALICE = Names(("/home/alice", "/scratch/alice jobs"), ("alice", "gpu7box"))


def recorded(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def bundled(name: str, **options: object) -> bytes:
    opened = recorded(name)
    return bundle(opened.trace, opened.texts, opened.kernel, **options)


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def opened_again(data: bytes, folder: Path) -> Opened:
    path = folder / "bundle.zip"
    path.write_bytes(data)
    return open_trace(path)


@pytest.mark.parametrize("name", FAILED)
def test_what_is_in_a_bundle(name, tmp_path):
    opened = recorded(name)
    data = bundled(name)
    files = members(data)
    assert data == bundled(name), "equal input, other bytes"
    listed = json.loads(files["MANIFEST.json"])["files"]
    assert listed.keys() | {"MANIFEST.json"} == files.keys()
    assert all(hashlib.sha256(files[each]).hexdigest() == sha for each, sha in listed.items())
    facts = json.loads(files["bundle.json"])
    assert facts["fingerprint"] == fingerprint(opened.trace)
    assert facts["signature"] and facts["command"] and facts["packages"]
    assert opened.kernel is not None and opened.trace.failure is not None
    assert files[facts["given"]["file"]].decode() == opened.kernel.source
    assert files["ir/last_good.txt"]
    words = files["README.md"].decode()
    assert opened.trace.failure.message.splitlines()[0] in words
    assert f"Signature: `{facts['signature']}`" in words and "What to try" in words
    assert opened.trace.compiler.version in words and "python3 reproduce.py" in words
    # It comes back as the trace that it is of, with its kernel.
    back = opened_again(data, tmp_path)
    assert back.kernel == opened.kernel
    assert fingerprint(back.trace) == fingerprint(opened.trace)
    assert [p.name for p in back.trace.passes] == [p.name for p in opened.trace.passes]
    assert len(data) < 600_000


def test_nobody_is_named(tmp_path):
    opened = recorded("softmax_fp32")
    assert opened.trace.failure and opened.kernel
    step = opened.trace.passes[0]
    assert step.text
    # As if it had been compiled on a machine of somebody's, by whom every text was signed.
    said = "by alice@gpu7box.example.org on gpu7box in /scratch/alice jobs/x and /home/alice/w/k.py"
    said += ' see loc("/home/bob/k.mlir":3:5) ~carol/x.py C:\\Users\\dave\\k.py /root/.cache/a/b.py'
    named = {each: f"{opened.texts.get(each)}\n// {said}" for each in (step.text,)}

    class Signed:
        def get(self, digest: str) -> str:
            return named.get(digest) or opened.texts.get(digest)

    failure = replace(opened.trace.failure, message=said, stack=("f (/home/alice/libx.so+0x1)",))
    trace = replace(opened.trace, failure=failure, notes=(said,))
    kernel = replace(opened.kernel, about=said)
    tried = [Change("tiles in /home/alice/x", "compiles on gpu7box")]
    files = members(bundle(trace, Signed(), kernel, names=ALICE, tried=tried))
    # What is of the project itself, and lists of its files.
    ours = ("tilescope/", "reproduce.py", "MANIFEST.json")
    rest = b"\n".join(files[name] for name in files if not name.startswith(ours)).decode()
    for word in ("alice", "bob", "carol", "dave", "gpu7box", "/home", "/scratch", "Users", "/root"):
        assert word not in rest, word
    assert "jenkins" not in rest  # nor who built the compiler
    assert "k.mlir" in rest and "b.py" in rest  # what is no folder stays
    back = json.loads(files["trace.json"])["trace"]
    assert back["passes"][0]["text"] in {n[6:-4] for n in files if n.startswith("texts/")}
    assert "| tiles in x | compiles on someone |" in rest


def test_names_of_this_machine_are_looked_for(monkeypatch, tmp_path):
    monkeypatch.setattr(socket, "gethostname", lambda: "lab-17.example")
    monkeypatch.setattr("getpass.getuser", lambda: "mallory")
    names = anonymous.of_this_machine()
    assert {"lab-17", "lab-17.example", "mallory"} <= set(names.words)
    assert str(PROJECT) in names.folders and os.environ["TILESCOPE_HOME"] in names.folders
    assert scrubber(names)(f"{PROJECT}/core/x.py of mallory") == "x.py of someone"
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    assert "root" not in anonymous.of_this_machine().words


def test_code_is_left_as_it_is():
    scrub = scrubber(Names(("/home/max",), ()))
    for text in (
        "a = (b)/c/d; // a comment/with/slashes",
        "#!/usr/bin/env python",
        "hivm.hir.vadd ins(%a, %b : memref<4xf32>) outs(%c : memref<4xf32>)",
        "x / y / z",
        "call @f() : () -> ()",
        "for (i, 0, (n/(4*m)/2)) {",
    ):
        assert scrub(text) == text


def test_a_name_that_is_a_word_of_the_kernel_stays_in_the_kernel():
    opened = recorded("hivm_vadd-tile_24577")
    assert opened.kernel is not None
    files = members(
        bundle(opened.trace, opened.texts, opened.kernel, names=Names((), ("sum", "adds")))
    )
    source = files["kernel/hivm_vadd.mlir"].decode()
    assert "%sum" in source and "someone two vectors" in source


def shrunk_form(kernel: Kernel) -> Shrunk:
    return Shrunk(
        kernel=kernel,
        hints=Hints(attributes={"enable_multicore": 0}),
        fingerprint="x",
        reproduced=True,
        operators_before=5,
        operators=1,
        elements_before=900,
        elements=30,
        hints_before=0,
        compiles=7,
        complete=True,
        steps=(Step("operators", 1, 30, 1, 7),),
    )


def test_a_shrunk_form_goes_along():
    small = load_kernel(KERNELS / "softmax_fp32.json")
    files = members(bundled("softmax_fp32", shrunk=shrunk_form(small)))
    assert files["shrunk/softmax_fp32.json"].decode() == small.source
    assert json.loads(files["bundle.json"])["shrunk"]["hints"] == {"enable_multicore": 0}
    assert "5 operators became 1, 900 elements in and out became 30" in files["README.md"].decode()


def test_without_a_kernel_there_is_no_script(tmp_path):
    opened = recorded("softmax_fp32")
    files = members(bundle(opened.trace, opened.texts, None))
    assert "reproduce.py" not in files and "kernel.json" not in files
    assert "no script" in files["README.md"].decode()
    ended_well = members(bundled("elementwise_chain"))
    assert json.loads(ended_well["bundle.json"])["fingerprint"] == ""


def test_what_is_carried_along_is_all_that_is_imported():
    carried = needed_files("core.bundle.again")
    assert "core/compilers/warm_server.py" in carried and "core/compilers/akg/child.py" in carried
    assert not [path for path in carried if re.match("pages|app|core/(views|library|jobs)", path)]
    pinned = _pinned((PROJECT / "core" / "bundle" / "requirements.txt").read_text())
    ours = _pinned((PROJECT / "requirements.txt").read_text())
    assert pinned.items() <= ours.items(), "other versions than those that are tested"
    known = {"msgspec", "islpy", "yaml", "typing_extensions", "numpy"} | {"core"}
    # Found only where the compiler itself brings it.
    known |= {"akg", "tvm", "triton"}
    for path in carried:
        if path.endswith(".py"):
            for name in _imported(PROJECT / path):
                assert name in known or name in sys.stdlib_module_names, f"{path}: {name}"


def _pinned(text: str) -> dict[str, str]:
    lines = (line.partition("#")[0].rstrip(" \\\n") for line in text.splitlines())
    found = [Requirement(line) for line in lines if "==" in line and "--hash" not in line]
    return {each.name: str(each.specifier) for each in found}


def _imported(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def test_the_script_is_read_by_old_pythons():
    text = (PROJECT / "core" / "bundle" / "reproduce.py").read_text()
    tree = ast.parse(text, feature_version=(3, 9))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= set(sys.stdlib_module_names)


def rerun(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The script of an unpacked bundle, as on another machine but for the unpacked compilers."""
    home = folder / "nobody"
    home.mkdir(exist_ok=True)
    toolchains = Path(os.environ["TILESCOPE_HOME"]) / "toolchains"
    return subprocess.run(
        [
            *(sys.executable, "-I", "reproduce.py", "--toolchain", str(toolchains)),
            *arguments,
        ],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("name", ("maxpool-k3_s2_pad1", "triton_softmax-long_rows"))
def test_the_script_finds_the_same_failure(akg, ascendnpu_ir, tmp_path, name):
    with zipfile.ZipFile(io.BytesIO(bundled(name))) as archive:
        archive.extractall(tmp_path)
    ended = rerun(tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    facts = json.loads((tmp_path / "bundle.json").read_text())
    recorded_as = facts["fingerprint"]
    assert (
        facts["signature"] in ended.stdout
        and ended.stdout.count(recorded_as) == 2
        and "Same failure." in ended.stdout
    )
    assert not any((tmp_path / "nobody").iterdir()) and not ended.stderr
    assert not (tmp_path / "work" / "venv").exists()  # this Python has all that is pinned


def test_the_script_says_where_the_outcome_is_another(ascendnpu_ir, tmp_path):
    with zipfile.ZipFile(io.BytesIO(bundled("hivm_vadd-tile_24577"))) as archive:
        archive.extractall(tmp_path)
    facts = json.loads((tmp_path / "bundle.json").read_text())
    (tmp_path / "bundle.json").write_text(json.dumps({**facts, "fingerprint": "another"}))
    ended = rerun(tmp_path)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "Another outcome" in ended.stdout and "Changed: bundle.json" in ended.stderr
    none = rerun(tmp_path, "--shrunk")
    assert none.returncode == 2 and "no smaller form" in none.stderr


def test_on_the_command_line(ascendnpu_ir, tmp_path, capsys):
    output = tmp_path / "out.zip"
    trace = str(TRACES / "hivm_vadd-tile_24577.zip")
    assert main(["bundle", trace, "-o", str(output), "--shrink", "--budget", "12"]) == 0
    assert str(output) in capsys.readouterr().out
    facts = json.loads(members(output.read_bytes())["bundle.json"])
    assert facts["shrunk"]["file"] == "shrunk/hivm_vadd.mlir"
    assert main(["bundle", str(output), "-o", str(tmp_path / "no" / "out.zip")]) == 2
    assert main(["bundle", str(TRACES / "hivm_vadd.zip"), "--shrink"]) == 2
    assert "did not fail" in capsys.readouterr().err


def test_from_the_server(tmp_path, monkeypatch):
    from starlette.requests import Request

    library = Library(tmp_path)
    opened = recorded("softmax_fp32")
    assert opened.kernel is not None
    id = library.add(opened.trace, opened.texts, opened.kernel, origin="imported")
    queue = Queue(library)
    monkeypatch.setattr("pages._rooms.queue", lambda: queue)

    def got(name: str):
        return app.reproducer(Request({"type": "http", "path_params": {"trace": name}}))

    answer = got(id)
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
    back = opened_again(answer.body, tmp_path)
    assert back.trace.status is Status.FAILED and isinstance(back.kernel, Kernel)
    assert got("absent").status_code == 404
    # What inquiries have found since goes along.
    small = shrunk_form(opened.kernel)
    remedy = Remedy("hint", "another tile", "", core.request.Request(opened.kernel), "rounds anew")
    outcomes = (
        Outcome(remedy, "ok", True, 0.5, "UB", 32, 1200),
        Outcome(replace(remedy, title="more cores"), "failed", False, message="no room"),
    )
    for kind, result in (("shrink", small), ("remedies", Tried(outcomes, (), "x"))):
        queue.end_inquiry(queue.inquire(kind, id), write_result(result))
    files = members(got(id).body)
    words = files["README.md"].decode()
    assert "| another tile | compiles (UB 50% full, 32 cores, 1,200 instructions a core) |" in words
    assert "| rounds anew |" in words and "| more cores | failed: no room |" in words
    assert "shrunk/softmax_fp32.json" in files
    library.close()
