"""Runs inside the warm process: one compile by `bishengir-compile`, from Triton where asked.

`command.json` of a job's folder says what to do; see `command.plan`. This file also runs under the
older Python that Triton for Ascend needs, started by its path, so it imports nothing of the project
and nothing that came after Python 3.9.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_ADDR_NO_RANDOMIZE = 0x0040000  # linux/personality.h
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_libc = ctypes.CDLL(None, use_errno=True)  # loaded before any fork

_HEADER = b"// -----// IR Dump "
_CRASH = b"PLEASE submit a bug report"
#: Where the bitcode of CANN's library lies on this machine: no part of the program.
_BITCODE = re.compile(r"hivm\.\w+_bitcode = #hivm\.\w+_bitcode<\"[^\"]*\">(?:, )?")


def prepare(arguments: Sequence[str]) -> None:
    """Load Triton from the folder given, where one is."""
    if arguments:
        sys.path.insert(0, arguments[0])
        for name in ("triton", "triton.backends.ascend.compiler"):
            importlib.import_module(name)


def compile_job(folder: Path) -> int:
    """Do what `folder/command.json` says in `folder/dump`; the exit code of the compiler.

    Dies of the signal that the compiler died of.
    """
    command = json.loads((folder / "command.json").read_text())
    os.chdir(folder / "dump")
    if command["triton"]:
        _lower_triton(command["triton"])
    ended = _run(command["program"], folder, command["arguments"], None)
    traces = command["traces"]
    if command["printer"] and (traces or ended > 0) and not _print_passes(folder, command, ended):
        traces = False
    if ended < 0 and -ended != signal.SIGKILL:  # which is somebody's from outside
        _name_the_pass(folder, command)
        signal.signal(-ended, signal.SIG_DFL)
    _without_places(folder, command)
    if ended < 0:
        os.kill(os.getpid(), -ended)
    if ended == 0 and traces:
        _check_traced(folder / "printed.log")
    return ended


def _run(program: str, folder: Path, arguments: Sequence[str], log: Any) -> int:
    """Run the compiler to its end; its exit code, or the number of its signal, negative."""
    pid = os.fork()
    if pid == 0:
        try:
            _die_with_parent()
            if log is not None:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
            # With random addresses one kernel in seven compiled to two different programs.
            current = _libc.personality(0xFFFFFFFF)
            if current < 0 or _libc.personality(current | _ADDR_NO_RANDOMIZE) < 0:
                (folder / "random_addresses").touch()  # a container may forbid it
            os.execv(program, [Path(program).name, *arguments])
        except OSError as error:
            print(f"{program} cannot be started: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(127)
    status = os.waitpid(pid, 0)[1]
    # os.waitstatus_to_exitcode, without what it does to a stopped process.
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _die_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _name_the_pass(folder: Path, command: Mapping[str, Any]) -> None:
    """Run once more, printing before each pass, and keep what it printed last before it died."""
    whole = folder / "before.log"
    with whole.open("wb") as log:
        _run((command["printer"] or command)["program"], folder, command["before"], log)
    text = whole.read_bytes()
    last = text.rfind(b"\n" + _HEADER)
    if last >= 0 or text.startswith(_HEADER):
        (folder / "dump" / "crashed_before.log").write_bytes(text[last + 1 :])
    whole.unlink()


def _print_passes(folder: Path, command: Mapping[str, Any], ended: int) -> bool:
    """Have the passes printed by a second run, where the compiler itself does not print them.

    Where both runs end alike, the words and the module of the second take the place of the first's:
    it names the pass that failed, and its module is the one that its passes made. The two modules
    differ at most in the order of independent parts, as the compiler walks some sets by address. A
    crash of the second after it said why it failed is left out. False where they end otherwise.
    """
    module, before = Path(command["module"]), Path("module_before")
    if module.exists():
        module.rename(before)
    passes = folder / "passes.log"
    with passes.open("wb") as log:
        printed = _run(command["printer"]["program"], folder, command["printer"]["arguments"], log)
    Path("printed.mlir").unlink(missing_ok=True)
    text = passes.read_bytes()
    passes.unlink()
    alike = (ended == 0) == (printed == 0)
    if alike and text:
        if ended > 0 > printed:
            text = text.partition(_CRASH)[0]
        (folder / "printed.log").write_bytes(text)
        os.lseek(2, 0, os.SEEK_END)
        before.unlink(missing_ok=True)
    elif before.exists():
        before.rename(module)
    if not alike:
        Path("printed_otherwise").touch()
    return alike


def _without_places(folder: Path, command: Mapping[str, Any]) -> None:
    """Take the places of this machine out of what the compiler printed and wrote."""
    places = (command["here"].encode(), os.fsencode(Path(command["program"]).parent) + b"/")
    for file in (folder / "printed.log", *Path().glob("*.json"), *Path().glob("*.log")):
        printed = file.read_bytes()
        if any(place in printed for place in places):
            for place in places:
                printed = printed.replace(place, b"")
            file.write_bytes(printed)
    os.lseek(2, 0, os.SEEK_END)  # whatever is printed yet goes behind that
    module = Path(command["module"])
    with contextlib.suppress(FileNotFoundError):
        text = _BITCODE.sub("", module.read_text())
        module.write_text(re.sub(r",\s*\} \{", "} {", text, count=1))


def _check_traced(log: Path) -> None:
    with log.open("rb") as printed:
        while chunk := printed.read(1 << 20):
            if _HEADER in chunk:
                return
    raise RuntimeError(
        "bishengir-compile ended well and printed no pass, which is a fault of the flags that "
        "Tilescope gave it"
    )


def _lower_triton(task: Mapping[str, Any]) -> None:
    """Lower a Triton function to what bishengir-compile reads; every level is kept as a file.

    These are the two first stages of Triton's own Ascend backend, called one by one: its third
    asks the driver of a chip for the chip's name, and runs bishengir-compile without a trace.
    """
    ir: Any = importlib.import_module("triton._C.libtriton").ir
    backend: Any = importlib.import_module("triton.backends.ascend.compiler")
    file = Path(task["file"])
    function = _load(file, task["function"])
    target = backend.GPUTarget("npu", task["arch"], 0)
    ascend = backend.AscendBackend(target)
    options = ascend.parse_options(task["options"])
    source = importlib.import_module("triton.compiler").ASTSource(
        function, signature=task["signature"], constants=task["constants"]
    )
    context = ir.context()
    ir.load_dialects(context)
    ascend.load_dialects(context)
    module = source.make_ir(
        options, ascend.get_codegen_implementation(), ascend.get_module_map(), context
    )
    metadata = {"hash": file.stem, "target": target, **options.__dict__}
    with _to_file(file.with_suffix(".ttir.log"), task["traces"]):
        module = backend.make_ttir(module, metadata, options)
    file.with_suffix(".ttir.mlir").write_text(str(module))
    with _adapter_printing(backend, file.with_suffix(".ttadapter.log"), task["traces"]):
        linalg = backend.ttir_to_linalg(module, metadata, options, named_ops=True)
    linalg, _ = backend._parse_linalg_metadata(linalg, metadata)
    file.with_suffix(".ttadapter.mlir").write_text(linalg)


def _load(file: Path, name: str) -> Any:
    """The function of a kernel's file. The file is only ever executed here."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None  # such a file always has them
    module = importlib.util.module_from_spec(spec)
    # Compiled under its bare name: that is how Triton names the file in every location.
    exec(compile(file.read_text(), file.name, "exec"), module.__dict__)
    function = getattr(module, name)
    while type(function).__name__ != "JITFunction":  # under triton.autotune, triton.heuristics
        function = function.fn
    return function


@contextlib.contextmanager
def _to_file(file: Path, traces: bool) -> Any:
    """What Triton's own passes print goes to a file: MLIR_ENABLE_DUMP makes them print."""
    if not traces:
        yield
        return
    kept = os.dup(2)
    with file.open("wb") as log:
        os.dup2(log.fileno(), 2)
    os.environ["MLIR_ENABLE_DUMP"] = "1"
    try:
        yield
    finally:
        del os.environ["MLIR_ENABLE_DUMP"]
        _libc.fflush(None)
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def _adapter_printing(backend: Any, file: Path, traces: bool) -> Any:
    """What triton-adapter-opt prints goes to a file; its errors are said, not thrown away."""

    def run(arguments: Sequence[str], **_: Any) -> None:
        printing = ["--mlir-disable-threading", "--mlir-print-debuginfo"]
        if traces:
            printing += ["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"]
            printing += ["--mlir-print-local-scope"]
        with file.open("wb") as log:
            ended = subprocess.run(
                [*arguments, *printing],
                stdout=log,
                stderr=log,
                check=False,
                preexec_fn=_die_with_parent,  # safe: this process has one thread
            )
        if ended.returncode:
            sys.stderr.write(_words(file))
            sys.stderr.flush()
            raise RuntimeError(
                "Triton's adapter could not lower the kernel "
                f"({_outcome(ended.returncode)}); see what was printed"
            )

    backend.subprocess = SimpleNamespace(run=run)
    try:
        yield
    finally:
        backend.subprocess = subprocess


def _words(file: Path) -> str:
    """What is no pass's text in a log: the lines before the first pass and the diagnostics."""
    lines = file.read_text(errors="replace").splitlines(keepends=True)
    marks = ("loc(", "PLEASE", "LLVM ERROR", "Stack dump", "[", "#", "error:")
    return "".join(line for line in lines if line.lstrip().startswith(marks) or ": error:" in line)


def _outcome(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
