"""Captures a network: MindSpore compiles it in a child process, where kernels are recorded only."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.capture.captured import (
    Capture,
    CapturedKernel,
    CaptureError,
    CaptureKind,
    Input,
    LibraryKernel,
    Origin,
)
from core.capture.hybrid import described, kernel_function
from core.capture.origins import Origins, library_kernels
from core.capture.retarget import retargeted
from core.ir import anf
from core.kernel import Kernel, KernelError, parse_kernel
from core.source_lines import SourceLine, with_lines

_HERE = Path(__file__).resolve().parent
#: Operators that fusion can take apart into several, if asked to.
EXPANDABLE = (
    "BatchNorm", "BiasAdd", "BiasAddGrad", "GeLU", "GeLUGrad", "LayerNorm", "LayerNormGrad",
    "LogSoftmax", "LogSoftmaxGrad", "ReduceMean", "Sigmoid", "SiLU", "SiLUGrad", "Softmax",
    "SoftmaxCrossEntropyWithLogits", "Square", "SquareSumV1", "Tanh", "TanhGrad",
)  # fmt: skip
_SPLITTERS = "split.graph_kernel_splitter,split.shape_ops_splitter"
#: What our examples compute in place of a library kernel.
INSTEAD = {"Conv3D": "conv3d_im2col_gemm.py", "Gather": "voxel_gather.py"}
_INPUT = re.compile(r"(?:\[?)([0-9]+(?:[x,][0-9]+)*)?(?:\]?)(?::([a-z]+[0-9]*))?")
_DTYPES = frozenset(
    ("float16", "float32", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool")
)
#: MindSpore builds all kernels at once, then says which were not built (graph_kernel_build.cc), or
#: stops at a user's own, which cannot be taken apart.
_HANDED_OVER = ("do not have compile cache after compiling", "pointer[kernel_mod] is null")
_LEAKS = ("MS_", "GLOG_", "AKG_", "PROTOCOL_BUFFERS_")
_RAISED = re.compile(r"^(?:[\w.]+\.)?(\w*(?:Error|Exception)): (.*)$")


@dataclass(frozen=True, slots=True)
class Options:
    """How a network is captured."""

    expand: tuple[str, ...] = EXPANDABLE  #: operators that are taken apart
    whole: bool = False  #: keep whole clusters, which MindSpore would split for the CPU
    train: bool = False  #: the gradient as well
    level: int = 2  #: how many graphs MindSpore dumps, 1 to 3
    seconds: float = 120.0  #: wall clock before it is stopped


def parse_input(text: str) -> Input:
    """Read "32x64:float16", the type float32 where none is given. Raises CaptureError."""
    found = _INPUT.fullmatch(text.strip().replace(" ", ""))
    dtype = (found[2] or "float32") if found else ""
    if found is None or dtype not in _DTYPES or not text.strip():
        raise CaptureError(
            f"{text!r} is no input; write its shape and type, as in 32x64:float16, of the types "
            f"{', '.join(sorted(_DTYPES))}."
        )
    shape = tuple(int(size) for size in re.findall(r"\d+", found[1] or ""))
    if 0 in shape:
        raise CaptureError(f"{text!r}: a size must be 1 or more.")
    return Input(shape, dtype)


def capture(
    file: Path, name: str, inputs: Sequence[Input], folder: Path, options: Options | None = None
) -> Capture:
    """Capture the cell or function `name` of a Python file; runs that file.

    `folder` (empty, made by the caller) keeps what MindSpore leaves, its graphs among it. Raises
    CaptureError where the network cannot be captured at all; one that MindSpore gives up half way
    comes with the kernels until then and a `problem`.
    """
    options = options or Options()
    file = file.resolve()
    if not file.is_file():
        raise CaptureError(f"{file} is no file; give the Python file of the network.")
    function = kernel_function(_text(file), name)
    if function is not None:
        return _of_function(file, function, inputs)
    record, graphs = folder / "record.jsonl", folder / "graphs"
    job = folder / "job.json"
    job.write_text(
        json.dumps(
            {
                "file": str(file),
                "name": name,
                "inputs": [{"shape": list(i.shape), "dtype": i.dtype} for i in inputs],
                "train": options.train,
            }
        )
    )
    started = time.monotonic()
    code, log = _run(job, _environment(folder, record, graphs, options), options.seconds)
    seconds = time.monotonic() - started
    (folder / "mindspore.log").write_text(log)
    wrong = folder / "wrong.txt"
    if wrong.exists():
        raise CaptureError(wrong.read_text())
    problem = _problem(code, log, options.seconds) if code else ""
    notes: tuple[str, ...] = ()
    if problem and any(words in log for words in _HANDED_OVER):
        notes = (
            "MindSpore stopped after it had handed over all kernels, when it was to run without "
            f"them: {problem[0].lower()}{problem[1:]}",
        )
        problem = ""
    kind: CaptureKind = "cell"
    with contextlib.suppress(OSError, ValueError):
        kind = json.loads((folder / "found.json").read_text())["kind"]
    recorded = [json.loads(line)["description"] for line in _lines(record)]
    if problem and not recorded:
        raise CaptureError(problem)
    kernels, library = _read(recorded, graphs, file.parent)
    return Capture(
        network=name,
        file=file.name,
        kind=kind,
        inputs=tuple(inputs),
        kernels=kernels,
        library=library,
        graphs=graphs if graphs.is_dir() else None,
        log=log,
        seconds=seconds,
        problem=problem,
        notes=notes,
    )


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise CaptureError(f"{file.name} cannot be read as Python: {wrong}.") from None


def _of_function(file: Path, function: ast.FunctionDef, inputs: Sequence[Input]) -> Capture:
    """A function in the kernel language is one kernel as it is."""
    started = time.monotonic()
    description = described(file, function, inputs)
    made = parse_kernel(description, f"{function.name}.json")
    line = SourceLine(file.name, function.lineno, f"def {function.name}")
    origin = Origin("Custom", "", "", line)
    kernel = CapturedKernel(made, 1, (origin,), (), description, "", False)
    return Capture(
        network=function.name,
        file=file.name,
        kind="kernel",
        inputs=tuple(inputs),
        kernels=(kernel,),
        library=(),
        graphs=None,
        log="",
        seconds=time.monotonic() - started,
    )


def _environment(folder: Path, record: Path, graphs: Path, options: Options) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_LEAKS)}
    flags = ["--opt_level=2"]
    if options.expand:
        flags.append(f"--enable_expand_ops={','.join(options.expand)}")
    if options.whole:
        flags.append(f"--disable_pass={_SPLITTERS}")
    return clean | {
        "PYTHONPATH": str(_HERE / "recorder"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "TILESCOPE_RECORD": str(record),
        "MS_DEV_GRAPH_KERNEL_FLAGS": " ".join(flags),
        "MS_COMPILER_CACHE_PATH": str(folder / "cache"),
        "MS_DEV_SAVE_GRAPHS": str(options.level),
        "MS_DEV_SAVE_GRAPHS_PATH": str(graphs),
    }


def _run(job: Path, environment: dict[str, str], seconds: float) -> tuple[int, str]:
    """The exit code, negative for a signal, and all that was printed."""
    with (job.parent / "printed").open("w+b") as printed:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(_HERE / "child.py"), str(job)],
            cwd=job.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        finally:
            # MindSpore's own build server is in the same session.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    (job.parent / "printed").unlink()
    return code, text


def _problem(code: int, log: str, seconds: float) -> str:
    """Why MindSpore did not finish, in one sentence."""
    if code == -signal.SIGKILL:
        return f"MindSpore was stopped after {seconds:g} s, the time that a capture may take."
    if code < 0:
        return f"MindSpore died of {signal.Signals(-code).name}; its log says more."
    for line in reversed(log.splitlines()):
        if found := _RAISED.match(line.strip()):
            return f"MindSpore stopped: {found[2].rstrip('. ')}."
    return f"MindSpore stopped with exit code {code}; its log says more."


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _read(
    recorded: Sequence[str], graphs: Path, own: Path
) -> tuple[tuple[CapturedKernel, ...], tuple[LibraryKernel, ...]]:
    origins, split = _origins(graphs, own)
    called = _calls(split) if split else {}
    order = {name: at for at, name in enumerate(called)}
    same: dict[str, list[str]] = {}  # descriptions by content, which names are no part of
    for original in recorded:
        same.setdefault(_content(json.loads(original)), []).append(original)
    kernels: list[tuple[int, CapturedKernel]] = []
    for originals in same.values():
        graphs_of = [json.loads(each)["composite_graph"] for each in originals]
        # MindSpore builds each once, several at a time: how often and when is in the graph.
        times = max(len(originals), sum(called.get(name, 0) for name in graphs_of))
        first = min(range(len(originals)), key=lambda at: order.get(graphs_of[at], len(order)))
        made = replace(_kernel(originals[first], origins), times=times)
        kernels.append((order.get(graphs_of[first], len(order)), made))
    kernels.sort(key=lambda each: (each[0], each[1].kernel.name))
    library = library_kernels(split, origins, INSTEAD) if split and origins else ()
    return tuple(kernel for _, kernel in kernels), library


def _calls(module: anf.Module) -> dict[str, int]:
    """How often each subgraph is called, in the order of the first calls."""
    calls: dict[str, int] = {}
    entry = module.graph(module.entry)
    others = (graph for graph in module.graphs if graph is not entry)
    for graph in (*([entry] if entry else []), *others):
        for node in graph.nodes:
            for name in node.graphs:
                calls[name] = calls.get(name, 0) + 1
    return calls


def _kernel(original: str, origins: Origins | None) -> CapturedKernel:
    described: dict[str, Any] = json.loads(original)
    text, conversions = retargeted(original)
    traced: tuple[Origin, ...] = ()
    if origins is not None:
        traced = tuple(
            origins.of(described["composite_graph"], each.get("ptr_address", ""), each["name"])
            for each in described["op_desc"]
        )
        text = with_lines(text, [(origin.scope, origin.line) for origin in traced])
    problem = ""
    try:
        kernel = parse_kernel(text, f"{described['op']}.json")
    except KernelError as wrong:
        problem = str(wrong)
        kernel = Kernel("composite", described["op"], text, ())
    return CapturedKernel(
        kernel=kernel,
        times=1,
        origins=traced,
        conversions=conversions,
        original=original,
        cluster=re.sub(r"_\d+$", "", described.get("node_name", "")),
        backward=any(origin.scope.startswith("Gradients/") for origin in traced),
        problem=problem,
    )


def _content(described: dict[str, Any]) -> str:
    """Equal for kernels that differ in names and places alone."""
    bare = {
        key: value
        for key, value in described.items()
        if key not in ("op", "composite_graph", "node_name", "id", "op_desc")
    }
    operators = [
        {key: value for key, value in operator.items() if key != "ptr_address"}
        for operator in described["op_desc"]
    ]
    text = json.dumps([bare, operators], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _origins(graphs: Path, own: Path) -> tuple[Origins | None, anf.Module | None]:
    """What leads back to the network; None where MindSpore left too few graphs."""
    folder = graphs / "verbose_ir_files" / "graph_kernel"
    if not folder.is_dir():
        return None, None
    files = sorted(folder.iterdir(), key=lambda path: path.name)

    def last_before(word: str) -> Path | None:
        return next((f for f, g in pairwise(files) if word in g.name), None)

    before = last_before("graph_kernel_expander")
    after = next((file for file in files if "graph_kernel_expander" in file.name), None)
    split = last_before("graph_kernel_build") or (files[-1] if files else None)
    if before is None or after is None or split is None:
        return None, None
    first, expanded, parts = (
        anf.parse(each.read_text("utf-8", "replace")) for each in (before, after, split)
    )
    return Origins(first, expanded, parts, own), parts


def forget(folder: Path) -> None:
    """Delete what a capture left; MindSpore makes its files and folders read-only."""
    for path in [folder, *(p for p in folder.rglob("*") if p.is_dir())]:
        with contextlib.suppress(OSError):
            path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
