"""`versions`: one kernel with its hints in every version of its compiler that is installed."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from core.analysis.versions import Tried, Versions, compare_versions
from core.cli.kernel_options import (
    Verbs,
    asked_attributes,
    chosen_kernel,
    kernel_options,
)
from core.cli.said import DONE, say
from core.compilers import Compiler, Limits
from core.compilers.registry import compiler as compiler_of
from core.compilers.registry import recipe, versions
from core.hints import HintError, Hints, parse_dim
from core.home import home
from core.jobs.queue import Queue
from core.jobs.worker import run_until
from core.kernel import Kernel
from core.library import Library


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("versions", help="compile a kernel in every installed version")
    kernel_options(parser, "--param")
    parser.add_argument("--dim", default="", help='tiles as AKG reads them: "band axis c1 c0 …"')
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    kernel, compiler = chosen_kernel(options)
    hints = Hints(attributes=asked_attributes(options, kernel, compiler)).with_tiles(
        parse_dim(options.dim)
    )
    compiler.check(hints, kernel)
    tried = _tried(kernel, compiler, hints, Limits(seconds=options.timeout))
    table = compare_versions(tried, compiler.version)
    if options.json:
        print(json.dumps(asdict(table)))
    else:
        _print(table)
    return DONE


def _tried(kernel: Kernel, compiler: Compiler, hints: Hints, limits: Limits) -> list[Tried]:
    library = Library(home())
    queue = Queue(library)
    tried: list[Tried] = []
    jobs: dict[str, str] = {}
    for version in versions(compiler.name) or (compiler.version,):
        each = compiler_of(compiler.name, version)
        if each.lacks(kernel):
            say(
                f"{compiler.name} {version} is not installed; to have it, run: "
                f"{recipe(compiler.name, version).command}"
            )
            continue
        try:
            each.check(hints, kernel)
        except HintError as wrong:
            tried.append(Tried(version, None, str(wrong)))
            continue
        jobs[
            queue.submit(kernel, hints, compiler=compiler.name, version=version, limits=limits)
        ] = version
    for ended in run_until(queue, list(jobs)):
        trace = library.trace(ended.trace) if ended.trace else None
        refused = "" if trace else ended.error or f"The compile was {ended.state}."
        tried.append(Tried(jobs[ended.id], trace, refused, ended.trace or ""))
    return tried


def _print(table: Versions) -> None:
    for row in table.rows:
        memory = " ".join(f"{name} {peak:,} B" for name, peak in row.memory)
        cores = f"{row.cores} cores" if row.cores else ""
        words = [row.status or "not tried", row.failure or row.tiling, memory, cores]
        print(f"{row.version:<8} {' · '.join(word for word in words if word)}")
        for what, names in (("with", row.added), ("without", row.removed)):
            if names:
                print(f"         {what} the passes {', '.join(names)}")
    for sentence in table.said:
        print(sentence)
