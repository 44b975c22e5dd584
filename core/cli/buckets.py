"""`buckets`: from the shapes that occur, which few to compile, with which hints, as a table."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from core.analysis.bucketing import Bucketing
from core.analysis.buckets import RULES, Plan, suggested, without_buckets
from core.analysis.dispatch import as_document, as_json, as_python, as_repository
from core.analysis.matrix import laid_out
from core.analysis.matrix.hint_sets import NO_HINTS, distinct, parse_hint_set
from core.analysis.occurrences import Read, occurring, read_occurrences, recompiles
from core.cli.kernel_options import Verbs, asked_attributes, chosen_kernel, kernel_options
from core.cli.said import BAD_INPUT, COMPILE_FAILED, DONE, complain, say
from core.compilers import Compiler, Limits
from core.hints import HintError, Hints
from core.home import home
from core.jobs.queue import Queue
from core.jobs.worker import run_until
from core.kernel import Kernel, KernelError
from core.library import Library

_LARGEST_FILE_BYTES = 512 << 20
_ROUNDS, _HOPELESS = 24, 2
_ANOTHER = "give another set of hints with --hints, or find out why with `python -m core explain`"


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "buckets", help="which few shapes to compile for the many that occur, with which hints"
    )
    kernel_options(parser)
    parser.add_argument(
        "--shapes",
        required=True,
        metavar="FILE",
        help="a shape and how often a line, CSV with names, or MindSpore's log; - reads the input",
    )
    parser.add_argument("--most", type=int, default=8, metavar="N", help="buckets at most")
    parser.add_argument(
        "--number", type=int, metavar="N", help="of buckets to compile; else as many as proposed"
    )
    parser.add_argument(
        "--multiple", type=int, default=1, metavar="N", help="of which each size is one"
    )
    parser.add_argument(
        "--hints",
        action="append",
        default=[],
        metavar="NAME: KEY=VALUE …",
        help="a set of hints to compile buckets with; give again for each",
    )
    parser.add_argument("--plan", action="store_true", help="compile nothing")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table as JSON")
    parser.add_argument("--python", type=Path, metavar="FILE", help="write it as Python")
    parser.add_argument(
        "--repository", type=Path, metavar="FILE", help="write the hints for AKG's repository"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    kernel, compiler = chosen_kernel(options)
    for name in ("most", "number", "multiple"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            raise HintError(f"--{name} must be 1 or more.")
    read = read_occurrences(_text(options.shapes), kernel)
    for sentence in read.skipped:
        say(sentence)
    queue = Queue(Library(home()))
    bucketing = Bucketing(
        occurring(kernel, read.shapes),
        _sets(options, kernel, compiler),
        lambda requests: {
            digest: point.trace
            for digest, point in queue.known(requests).items()
            if point.state in ("done", "lost")
        },
        compiler=compiler.name,
        version=compiler.version,
    )
    plans, chosen = _planned(bucketing, options)
    for number in range(_ROUNDS):
        if options.plan or not bucketing.missing(chosen):
            break
        if number >= _HOPELESS and not bucketing.any_compiles:
            raise KernelError(f"No bucket that was tried compiles: {_ANOTHER}.")
        _compile(bucketing, chosen, queue, compiler, options)
        plans, chosen = _planned(bucketing, options)
    problem = _write(bucketing, chosen, options)
    if problem:
        return complain(problem, BAD_INPUT)
    if options.json:
        print(json.dumps(_document(bucketing, plans, chosen, read)))
    else:
        _print(bucketing, plans, chosen, read)
    return DONE if options.plan or (chosen.known and not chosen.unserved) else COMPILE_FAILED


def _text(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise KernelError(f"{name}: cannot be read ({error}).") from None
    if len(data) > _LARGEST_FILE_BYTES:
        raise KernelError(f"{name} is larger than {_LARGEST_FILE_BYTES >> 20} MiB.")
    return data.decode("utf-8-sig", "replace")


def _sets(
    options: argparse.Namespace, kernel: Kernel, compiler: Compiler
) -> tuple[tuple[str, Hints], ...]:
    common = asked_attributes(options, kernel, compiler)
    sets = [parse_hint_set(text, compiler, kernel) for text in options.hints] or [
        (NO_HINTS, Hints())
    ]
    return tuple(
        distinct((name, Hints(each.tiles, {**common, **each.attributes})) for name, each in sets)
    )


def _planned(bucketing: Bucketing, options: argparse.Namespace) -> tuple[tuple[Plan, ...], Plan]:
    """The curve, and the plan of it that is to be compiled. Raises KernelError without any."""
    plans = bucketing.plans(max(options.most, options.number or 1), multiple=options.multiple)
    chosen = suggested(plans)
    if options.number is not None and plans:
        chosen = plans[min(options.number, len(plans)) - 1]
    if chosen is None or not chosen.buckets:
        raise KernelError(f"No bucket is left, as each that comes in question fails: {_ANOTHER}.")
    return plans, chosen


def _compile(
    bucketing: Bucketing,
    plan: Plan,
    queue: Queue,
    compiler: Compiler,
    options: argparse.Namespace,
) -> None:
    layout, requests = laid_out(
        bucketing.cases(plan),
        bucketing.sets,
        [compiler.version],
        compiler.name,
        called=bucketing.shapes.kernel.name if bucketing.shapes.kernel else "",
    )
    id = queue.submit_requests(
        requests, limits=Limits(seconds=options.timeout), axes=layout.as_axes()
    )
    points = queue.sweep(id).points
    left = [point.job for point in points if point.state != "done"]
    say(f"sweep {id}: {len(left):,} of {len(points):,} compiles to make")
    with closing(run_until(queue, left)) as ended:
        for _ in ended:
            pass
    for sentence in dict.fromkeys(p.error for p in queue.sweep(id).points if p.state == "lost"):
        say(f"A bucket could not be compiled: {sentence}")
    bucketing.learn([bucket.sizes for bucket in plan.buckets])


def _write(bucketing: Bucketing, plan: Plan, options: argparse.Namespace) -> str:
    """Write the files that are asked for; what went wrong, a sentence, or ""."""
    table = bucketing.table(plan)
    for path, made in (
        (options.table, as_json),
        (options.python, as_python),
        (options.repository, as_repository),
    ):
        if path is not None:
            try:
                path.write_text(made(table), encoding="utf-8")
            except OSError as error:
                return f"{path} cannot be written: {error.strerror}."
    return ""


def _document(
    bucketing: Bucketing, plans: tuple[Plan, ...], chosen: Plan, read: Read
) -> dict[str, Any]:
    hits, compiles = without_buckets(bucketing.shapes)
    return {
        "shapes": len(bucketing.shapes.counts),
        "calls": bucketing.shapes.calls,
        "without": {"hits": hits, "compiles": compiles},
        "curve": [
            {
                "buckets": len(plan.buckets),
                "waste": round(plan.waste, 6),
                "hits": plan.hits,
                "saved": plan.saved,
                "unserved": len(plan.unserved),
                "sizes": [bucketing.shapes.values(bucket.sizes) for bucket in plan.buckets],
            }
            for plan in plans
        ],
        "chosen": len(chosen.buckets),
        "known": chosen.known,
        "recompiles": [
            {
                "name": each.name,
                "compiles": each.compiles,
                "shapes": each.shapes,
                "seconds": round(each.seconds, 3),
                "varies": each.varies,
            }
            for each in recompiles(read.recompiled)
        ],
        "rules": list(RULES),
        "table": as_document(bucketing.table(chosen)),
    }


def _print(bucketing: Bucketing, plans: tuple[Plan, ...], chosen: Plan, read: Read) -> None:
    for each in recompiles(read.recompiled):
        took = f", {each.seconds:.3g} s" if each.seconds else ""
        print(f"{each.name}: {each.compiles} compiles of {each.shapes} shapes{took} {each.varies}")
    hits, compiles = without_buckets(bucketing.shapes)
    calls = bucketing.shapes.calls
    print(f"without buckets: {compiles:,} compiles, {hits:,} of {calls:,} calls hit")
    for plan in plans:
        mark = "*" if plan is chosen else " "
        left = f", {len(plan.unserved)} shapes left" if plan.unserved else ""
        print(
            f"{mark} {len(plan.buckets):>3} buckets: {plan.waste:6.1%} padding, "
            f"{plan.hits:,} hits, {plan.saved:,} compiles saved{left}"
        )
    for entry in bucketing.table(chosen).entries:
        best = bucketing.best(entry.bucket.sizes)
        sizes = " ".join(f"{name}={size}" for name, size in entry.sizes.items())
        print(
            f"  {sizes:<24} {entry.bucket.outcome:<9} {best.name if best else '':<20} "
            f"{len(entry.bucket.shapes):>4} shapes {entry.bucket.calls:>7,} calls "
            f"{entry.bucket.waste:6.1%} padding"
        )
    print(bucketing.table(chosen).padding.why)
