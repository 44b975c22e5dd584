"""`read`: a dump that lies on disk, perhaps kept in the library."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.kernel_options import Verbs
from core.cli.printed import print_trace
from core.cli.said import COMPILE_FAILED, DONE
from core.home import home
from core.library import Library
from core.readers import open_trace
from core.target import recorded_targets


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("read", help="read a dump: a folder or a zip")
    parser.add_argument("path", type=Path)
    parser.add_argument("--keep", action="store_true", help="put the trace into the library")
    parser.add_argument("--json", action="store_true", help="print for scripts")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from core.analysis.study import study  # here: the other verbs start sooner without it

    opened = open_trace(options.path)
    known = study(opened.trace, opened.texts)
    id = None
    if options.keep:
        library = Library(home())
        id = library.add(opened.trace, opened.texts, opened.kernel, origin="imported")
        library.keep_study(id, known)
    target = recorded_targets().get(opened.trace.target)
    print_trace(opened.trace, id, options.json, target, known)
    return DONE if opened.trace.status.compiles else COMPILE_FAILED
