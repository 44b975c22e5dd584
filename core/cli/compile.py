"""`compile`: one kernel, with hints; the trace is kept in the library."""

from __future__ import annotations

import argparse

from core.cli.kernel_options import (
    Verbs,
    asked_attributes,
    chosen_kernel,
    each_once,
    kernel_options,
)
from core.cli.printed import print_trace
from core.cli.said import COMPILE_FAILED, DONE, complain
from core.compilers import Limits
from core.hints import Hints, parse_dim, parse_tile
from core.home import home
from core.jobs.queue import Queue
from core.jobs.worker import run_until
from core.library import Library


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("compile", help="compile a kernel and keep the trace")
    kernel_options(parser, "--param")
    tiles = parser.add_mutually_exclusive_group()
    tiles.add_argument("--dim", default="", help='tiles as AKG reads them: "band axis c1 c0 …"')
    tiles.add_argument(
        "--tile",
        action="append",
        default=[],
        metavar="AXIS=C1[:C0]",
        help="the tile of one axis, as BAND.AXIS or AXIS of band 0; may be given again",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    kernel, compiler = chosen_kernel(options)
    tiles = parse_dim(options.dim) or tuple(parse_tile(text) for text in options.tile)
    each_once("--tile", [f"band {tile.band} axis {tile.axis}" for tile in tiles])
    hints = Hints(attributes=asked_attributes(options, kernel, compiler)).with_tiles(tiles)
    compiler.check(hints, kernel)
    library = Library(home())
    queue = Queue(library)
    job = queue.submit(
        kernel,
        hints,
        compiler=compiler.name,
        version=compiler.version,
        limits=Limits(seconds=options.timeout),
    )
    (ended,) = run_until(queue, [job])
    if ended.trace is None:
        return complain(ended.error or f"The compile was {ended.state}.", COMPILE_FAILED)
    trace = library.trace(ended.trace)
    print_trace(trace, ended.trace, options.json, compiler.target(trace.target))
    return DONE if trace.status.compiles else COMPILE_FAILED
