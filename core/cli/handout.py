"""`handout`: a trace as one HTML file, to take away."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from core.cli.kernel_options import Verbs
from core.cli.said import BAD_INPUT, DONE, complain, say
from core.home import home
from core.library import Library
from core.readers import open_trace
from core.trace import Texts


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("handout", help="write a trace as one HTML file, read without server")
    parser.add_argument("trace", help="the id of a trace in the library, or a dump: folder or zip")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="KERNEL.html by default")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Here, since no other command should wait for what draws.
    from core.analysis.study import study
    from core.views.handout import handout

    texts: Texts
    if Path(options.trace).exists():
        opened = open_trace(Path(options.trace))
        trace, texts, kernel, known = opened.trace, opened.texts, opened.kernel, None
    else:
        library = Library(home())
        trace, texts, kernel = library.trace(options.trace), library, library.kernel(options.trace)
        known = library.study(options.trace)
    made = handout(trace, texts, kernel, known or study(trace, texts))
    name = re.sub(r"[^\w.-]+", "_", trace.kernel) or "trace"
    output = options.output or Path(f"{name}.html")
    try:
        output.write_bytes(made.data)
    except OSError as error:
        return complain(f"{output} cannot be written: {error.strerror}.", BAD_INPUT)
    for sentence in made.left_out:
        say(sentence)
    print(f"{output}: {len(made.data):,} B")
    return DONE
