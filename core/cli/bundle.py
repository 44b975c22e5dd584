"""`bundle`: a failure as one zip that stands alone, with a script that re-runs it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.analysis.inquiry import Answer
from core.cli.kernel_options import Verbs
from core.cli.said import BAD_INPUT, DONE, complain, say
from core.compilers.registry import compiler, recipe
from core.home import home
from core.jobs.queue import Queue
from core.kernel import Kernel
from core.library import Library
from core.readers import open_trace
from core.trace import Texts, Trace

if TYPE_CHECKING:
    from core.analysis.shrinking import Shrunk


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "bundle", help="write a failure as one zip: kernel, log, IR, a script that re-runs it"
    )
    parser.add_argument("trace", help="the id of a trace in the library, or a dump: folder or zip")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="KERNEL.zip by default")
    parser.add_argument(
        "--shrink", action="store_true", help="look for the smallest kernel that fails so, first"
    )
    parser.add_argument(
        "--budget", type=int, default=0, metavar="N", help="compiles that --shrink may take"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Here, since no other command should wait for what makes bundles.
    from core.analysis.shrinking import ShrinkError
    from core.bundle.kept import Known, known
    from core.bundle.write import bundle, may_be_run

    found = Known(None, ())
    texts: Texts
    if Path(options.trace).exists():
        opened = open_trace(Path(options.trace))
        trace, texts, kernel = opened.trace, opened.texts, opened.kernel
    else:
        library = Library(home())
        trace, texts, kernel = library.trace(options.trace), library, library.kernel(options.trace)
        found = known(Queue(library), options.trace)
    shrunk = found.shrunk
    if options.shrink and shrunk is None:
        try:
            shrunk = _shrink(trace, texts, kernel, options.budget)
        except ShrinkError as wrong:
            return complain(str(wrong), BAD_INPUT)
    data = bundle(trace, texts, kernel, shrunk=shrunk, tried=found.tried)
    name = re.sub(r"[^\w.-]+", "_", trace.kernel) or "trace"
    output = options.output or Path(f"{name}.zip")
    try:
        output.write_bytes(data)
    except OSError as error:
        return complain(f"{output} cannot be written: {error.strerror}.", BAD_INPUT)
    if not may_be_run(trace, kernel):
        say("It has no script: the kernel, or public packages of this compiler, are not there.")
    print(f"{output}: {len(data):,} B")
    return DONE


def _shrink(trace: Trace, texts: Texts, kernel: Kernel | None, budget: int) -> Shrunk | None:
    from core.analysis import shrinking
    from core.jobs.at_once import run, sessions

    inquiry = shrinking.start(trace, texts, kernel, {"budget": budget} if budget else {})
    if kernel is not None and (lacking := compiler(trace.compiler.name).lacks(kernel)):
        recipe(lacking).facts()  # raises, with the command that installs it
    told = 0

    def tell(answers: list[Answer]) -> None:
        nonlocal told
        form = shrinking.smallest(trace, answers)
        if form and form.size.operators != told:
            told = form.size.operators
            say(f"{told} left after {len(answers)} compiles")

    with sessions() as asked:
        shrunk, _ = run(inquiry, asked, tell)
    if not shrunk.reproduced:
        say("The kernel does not fail that way here, so no smaller form was looked for.")
        return None
    return shrunk
