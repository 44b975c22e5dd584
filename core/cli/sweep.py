"""`sweep`: one kernel with many tiles, values or shapes; goes on by itself where it was stopped."""

from __future__ import annotations

import argparse
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

from core.analysis.sweep import grid, parse_tiles
from core.cli.kernel_options import (
    Verbs,
    asked_attributes,
    chosen_kernel,
    each_once,
    kernel_options,
)
from core.cli.said import DONE
from core.compilers import Compiler, Limits
from core.hints import HintError, Hints, HintValue
from core.home import home
from core.jobs.queue import Queue
from core.jobs.work import Point
from core.jobs.worker import run_until
from core.kernel import Kernel
from core.library import Library
from core.report import report
from core.request import Request


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "sweep", help="compile a kernel with many tiles, or in many shapes; resumes by itself"
    )
    kernel_options(parser)
    parser.add_argument(
        "--tile",
        action="append",
        default=[],
        metavar="AXIS=C1,C1-C1,…",
        help="the tiles of one axis; give again for the grid of several",
    )
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=V,V,…",
        help="values of a parameter of the kernel, or of an attribute; NAME alone: those it lists",
    )
    parser.add_argument("--fresh", action="store_true", help="compile known points again")
    _over_shapes(parser)
    parser.set_defaults(run=_run)


def _over_shapes(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("over shapes")
    group.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="SHAPE",
        help='512x64, input_0=512x64, "d0=256,512 d1=64", or a case; may be given again',
    )
    group.add_argument(
        "--shapes", type=Path, metavar="FILE", help="a shape a line, CSV with names, or JSON"
    )
    group.add_argument(
        "--hints",
        action="append",
        default=[],
        metavar="NAME: KEY=VALUE …",
        help="a set of hints; give again for each; the first is what others are held against",
    )
    group.add_argument("--compare", metavar="SWEEP", help="with an earlier sweep, by its id")
    group.add_argument("--csv", type=Path, metavar="FILE", help="write a line a compile")


def _run(options: argparse.Namespace) -> int:
    kernel, compiler = chosen_kernel(options)
    if options.shape or options.shapes or options.hints:
        from core.cli import sweep_shapes  # here: the other verbs start sooner without it

        return sweep_shapes.run(options, kernel, compiler)
    tiles = [_swept(text) for text in options.tile]
    values = [_values(text, kernel, compiler) for text in options.param]
    each_once("--tile", [axis for axis, _ in tiles])
    each_once("--param", [name for name, _ in values])
    lists: dict[str, list[HintValue]] = dict(tiles + values)
    if not lists:
        raise HintError(
            "Say what to sweep: --tile AXIS=16,32,64, --param NAME=1024,2048, or --shape 512x64."
        )
    start = Hints(attributes=asked_attributes(options, kernel, compiler))
    points = grid(start, lists)
    for hints in points:
        compiler.check(hints, kernel)
    library = Library(home())
    queue = Queue(library)
    sweep = queue.submit_requests(
        [Request(kernel, hints, compiler.name, compiler.version) for hints in points],
        limits=Limits(seconds=options.timeout),
        axes={"axes": [{"key": key, "values": values} for key, values in lists.items()]},
        fresh=options.fresh,
    )
    jobs = [point.job for point in queue.sweep(sweep).points]
    with closing(run_until(queue, jobs)) as ended:
        for job in ended:
            point = next(p for p in queue.sweep(sweep).points if p.job == job.id)
            _print_point(point, options.json, compiler)
    return DONE


def _values(text: str, kernel: Kernel, compiler: Compiler) -> tuple[str, list[HintValue]]:
    """Read "NAME=V,V", where a value that holds commas stands in quotes, or "NAME"."""
    name, equals, listed = text.partition("=")
    declared = next((p for p in kernel.parameters if p.name == name.strip()), None)
    if not equals:
        if declared is None:
            known = ", ".join(p.name for p in kernel.parameters) or "none"
            raise HintError(f"--param {text!r}: the kernel's parameters are: {known}.")
        return declared.name, list(declared.values)
    words = [q or p for q, p in re.findall(r'"([^"]*)"|([^,"]+)', listed)]
    if not words:
        raise HintError(f"--param {text!r}: write NAME=1024,2048.")
    read = [compiler.parse_attribute(f"{name}={word}", kernel) for word in words]
    return read[0][0], [value for _, value in read]


def _swept(text: str) -> tuple[str, list[HintValue]]:
    """Read "AXIS=16,32" or "BAND.AXIS=16-18"; the key of the axis, and its tiles."""
    axis, equals, tiles = text.partition("=")
    band, dot, number = axis.strip().rpartition(".")
    if not equals or not number.isdecimal() or (dot and not band.isdecimal()):
        raise HintError(f"--tile {text!r}: write AXIS=16,32,64 or BAND.AXIS=16,32,64.")
    return f"{int(band or 0)}.{int(number)}", list(parse_tiles(tiles))


def _print_point(point: Point, as_json: bool, compiler: Compiler) -> None:
    if as_json:
        said: dict[str, Any] = {"dim": point.hints.dim, "state": point.state, "error": point.error}
        if point.trace:
            said |= report(point.trace, None, compiler.target(point.trace.target))
        said["asked"] = point.hints.as_dict()
        print(json.dumps(said), flush=True)
        return
    asked = point.hints.dim or " ".join(f"{k}={v}" for k, v in point.hints.as_dict().items())
    trace = point.trace
    if trace is None:
        print(f"{asked:<24} {point.state}: {point.error}", flush=True)
        return
    peaks = " ".join(f"{plan.memory} {plan.peak_bytes:,} B" for plan in trace.memory)
    why = f"{trace.failure.pass_name}: {trace.failure.message}" if trace.failure else ""
    print(f"{asked:<24} {trace.status:<16} {why or peaks}", flush=True)
