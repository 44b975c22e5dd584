"""`capture`: a network in a Python file, as the kernels that MindSpore fuses it into."""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
from pathlib import Path

from core.capture import Capture, CaptureError, Options, capture, parse_input
from core.capture.kept import keep
from core.capture.report import report
from core.capture.run import EXPANDABLE, forget
from core.cli.kernel_options import Verbs
from core.cli.said import BAD_INPUT, COMPILE_FAILED, DONE, complain
from core.home import home
from core.library import Library
from core.readers import ReadError, open_trace


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "capture", help="fused kernels of a MindSpore network; runs its Python file"
    )
    parser.add_argument("network", metavar="FILE:NAME", help="a cell, or a function, of a file")
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="32x64:float16",
        help="one input of it; give again for each",
    )
    parser.add_argument("--train", action="store_true", help="with the gradient")
    parser.add_argument("--whole", action="store_true", help="keep clusters whole")
    parser.add_argument(
        "--expand",
        metavar="OP,OP",
        help=f"operators to take apart; by default {', '.join(EXPANDABLE)}",
    )
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=2, help="of graphs kept")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="a file a kernel")
    parser.add_argument("--keep", action="store_true", help="keep it, its graphs in the library")
    parser.add_argument("--timeout", type=float, default=Options().seconds, metavar="SECONDS")
    parser.add_argument("--json", action="store_true", help="print for scripts")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    file, colon, name = options.network.rpartition(":")
    if not colon:
        return complain(f"{options.network!r}: write FILE:NAME, as in net.py:Net.", BAD_INPUT)
    expand = Options().expand if options.expand is None else tuple(options.expand.split(","))
    asked = Options(
        expand=tuple(filter(None, expand)),
        whole=options.whole,
        train=options.train,
        level=options.level,
        seconds=options.timeout,
    )
    folder = Path(tempfile.mkdtemp(prefix="capture-", dir=home()))
    try:
        inputs = [parse_input(text) for text in options.shape]
        made = capture(Path(file), name, inputs, folder, asked)
        trace, id = _keep(made, Path(file)) if options.keep else (None, None)
    except CaptureError as wrong:
        return complain(str(wrong), BAD_INPUT)
    finally:
        forget(folder)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        for each in made.kernels:
            (options.output / f"{each.kernel.name}.json").write_text(each.kernel.source)
    if options.json:
        print(json.dumps(report(made) | {"trace": trace, "capture": id}))
    else:
        _print(made, trace)
    return COMPILE_FAILED if made.problem else DONE


def _keep(made: Capture, file: Path) -> tuple[str | None, str]:
    """Keep a capture, with its graphs in the library; the ids of trace and capture."""
    trace = None
    if made.graphs is not None:
        with contextlib.suppress(ReadError):  # MindSpore may have stopped before the first graph
            opened = open_trace(made.graphs)
            trace = Library(home()).add(opened.trace, opened.texts, origin="compiled")
    return trace, keep(home(), made, file.read_text(encoding="utf-8"), trace)


def _print(made: Capture, trace: str | None) -> None:
    count = len(made.kernels)
    fused = "kernel" if count == 1 else "kernels"
    print(f"{made.network}: {count} fused {fused} in {made.seconds:.1f} s")
    if made.problem:
        print(f"  {made.problem}")
    for each in made.kernels:
        times = f" ×{each.times}" if each.times > 1 else ""
        print(f"  {each.kernel.name}{times}: {len(each.origins)} operators")
        for line in each.lines:
            print(f"    {line.file}:{line.line}  {line.text}")
        if each.problem:
            print(f"    {each.problem}")
    for other in made.library:
        instead = f"; ours: {other.instead}" if other.instead else ""
        times = f" ×{other.times}" if other.times > 1 else ""
        print(f"  library kernel {other.operator}{times}{instead}")
    if trace:
        print(f"  trace {trace}")
