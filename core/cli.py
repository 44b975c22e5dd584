"""The command line: compile, sweep, read, handout, toolchain; for people, --json for scripts.

Exit codes: 0 done, 1 the compile failed, 2 bad input, 3 a tool is missing.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from core.analysis.studied import Study
from core.analysis.sweep import grid, parse_tiles
from core.compilers import Compiler, Limits, ToolMissing
from core.compilers.registry import COMPILERS, RECIPES, compiler_for
from core.compilers.toolchain import InstallError, install
from core.hints import HintError, Hints, HintValue, parse_dim, parse_tile
from core.home import home
from core.jobs.queue import Queue
from core.jobs.work import Point
from core.jobs.worker import run_until
from core.kernel import Kernel, KernelError, load_kernel
from core.library import Library, LibraryError
from core.readers import ReadError, open_trace
from core.report import report
from core.target import Target, record_target, recorded_targets
from core.trace import Texts, Trace

DONE, COMPILE_FAILED, BAD_INPUT, TOOL_MISSING = range(4)


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Errors are one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (HintError, KernelError, ReadError, LibraryError) as error:
        return _complain(str(error), BAD_INPUT)
    except (ToolMissing, InstallError) as error:
        return _complain(str(error), TOOL_MISSING)
    except KeyboardInterrupt:
        return _complain("Stopped.", 130)


def _complain(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m core", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    _add_compile(verbs)
    _add_sweep(verbs)
    _add_read(verbs)
    _add_handout(verbs)
    _add_toolchain(verbs)
    return parser


Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _kernel_options(parser: argparse.ArgumentParser, *also: str) -> None:
    parser.add_argument("kernel", type=Path, help="JSON or .info, MLIR, or a Python file")
    parser.add_argument("--case", default="", help="which named shape of a Python kernel")
    parser.add_argument(
        "--attr",
        *also,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an attribute of the compiler or a parameter of the kernel; may be given again",
    )
    parser.add_argument("--target", default="", metavar="CHIP", help="the chip to compile for")
    parser.add_argument(
        "--compiler", choices=sorted(COMPILERS), help="the one that takes such kernels, by default"
    )
    parser.add_argument("--timeout", type=float, default=Limits().seconds, metavar="SECONDS")
    parser.add_argument("--json", action="store_true", help="print for scripts")


def _kernel(options: argparse.Namespace) -> tuple[Kernel, Compiler]:
    if not 0 < options.timeout < math.inf:
        raise HintError(
            f"--timeout {options.timeout:g}: the limit must be a number of seconds above 0."
        )
    kernel = load_kernel(options.kernel, options.case)
    compiler = COMPILERS[options.compiler] if options.compiler else compiler_for(kernel)
    if kernel.kind not in compiler.kinds:
        raise HintError(
            f"{compiler.name} takes no {kernel.kind} kernels; {compiler_for(kernel).name} does."
        )
    if lacking := compiler.lacks(kernel):
        RECIPES[lacking].facts()  # raises, with the command that installs it
    return kernel, compiler


def _attributes(
    options: argparse.Namespace, kernel: Kernel, compiler: Compiler
) -> dict[str, HintValue]:
    attributes = dict(compiler.parse_attribute(text, kernel) for text in options.attr)
    if options.target:
        target = compiler.target(options.target)
        if len(compiler.targets()) > 1:
            attributes["target"] = target.name
    return attributes


def _each_once(option: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise HintError(f"{option} is given twice for {name}; give it once.")


# Compiling one kernel


def _add_compile(verbs: Verbs) -> None:
    parser = verbs.add_parser("compile", help="compile a kernel and keep the trace")
    _kernel_options(parser, "--param")
    tiles = parser.add_mutually_exclusive_group()
    tiles.add_argument("--dim", default="", help='tiles as AKG reads them: "band axis c1 c0 …"')
    tiles.add_argument(
        "--tile",
        action="append",
        default=[],
        metavar="AXIS=C1[:C0]",
        help="the tile of one axis, as BAND.AXIS or AXIS of band 0; may be given again",
    )
    parser.set_defaults(run=_compile)


def _compile(options: argparse.Namespace) -> int:
    kernel, compiler = _kernel(options)
    tiles = parse_dim(options.dim) or tuple(parse_tile(text) for text in options.tile)
    _each_once("--tile", [f"band {tile.band} axis {tile.axis}" for tile in tiles])
    hints = Hints(attributes=_attributes(options, kernel, compiler)).with_tiles(tiles)
    compiler.check(hints, kernel)
    library = Library(home())
    queue = Queue(library)
    job = queue.submit(
        kernel, hints, compiler=compiler.name, limits=Limits(seconds=options.timeout)
    )
    (ended,) = run_until(queue, [job])
    if ended.trace is None:
        return _complain(ended.error or f"The compile was {ended.state}.", COMPILE_FAILED)
    trace = library.trace(ended.trace)
    _print(trace, ended.trace, options.json, compiler.target(trace.target))
    return DONE if trace.status.compiles else COMPILE_FAILED


def _print(
    trace: Trace, id: str | None, as_json: bool, target: Target | None, study: Study | None = None
) -> None:
    if as_json:
        print(json.dumps(report(trace, id, target, study)))
        return
    print(f"{trace.kernel}: {trace.status}, {len(trace.changed)} of {len(trace.passes)} passes")
    if trace.failure:
        where = trace.failure.pass_name or f"after {trace.failure.after or 'nothing'}"
        print(f"  {where}: {trace.failure.message}")
        for culprit in trace.failure.culprits:
            print(f"    {culprit.name} takes {culprit.bytes:,} B ({culprit.source or 'no line'})")
    for axis in trace.tiling.axes:
        extent = f" of {axis.extent:,}" if axis.extent else ""
        print(f"  band {axis.band} axis {axis.name}: tile {axis.tile:,}{extent} ({axis.origin})")
    for plan in trace.memory:
        share = f" of {plan.capacity_bytes:,} B" if plan.capacity_bytes else ""
        print(f"  {plan.memory}: {plan.peak_bytes:,} B{share}")
    if trace.block_dim:
        print(f"  cores: {trace.block_dim}")
    for name, reason in trace.hints.ignored.items():
        print(f"  hint {name} ignored: {reason}")
    for each in study.reports if study else ():
        print(f"  {each.finding.harm}, since {_pass(trace, each.index)}: {each.finding.message}")
    if id:
        print(f"  trace {id}")


def _pass(trace: Trace, index: int) -> str:
    """A pass with what tells it from others of its name."""
    if index >= len(trace.passes):
        return "the emitted code"
    step = trace.passes[index]
    name = step.name if step.number is None else f"{step.number:02d}_{step.name}"
    attempt = f", attempt {step.attempt}" if step.attempt > 1 else ""
    return f"{name}{f' of {step.unit}' if step.unit else ''}{attempt}"


# Sweeping tiles


def _add_sweep(verbs: Verbs) -> None:
    parser = verbs.add_parser("sweep", help="compile a kernel with many tiles; resumes by itself")
    _kernel_options(parser)
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
    parser.set_defaults(run=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    kernel, compiler = _kernel(options)
    tiles = [_swept(text) for text in options.tile]
    values = [_values(text, kernel, compiler) for text in options.param]
    _each_once("--tile", [axis for axis, _ in tiles])
    _each_once("--param", [name for name, _ in values])
    lists: dict[str, list[HintValue]] = dict(tiles + values)
    if not lists:
        raise HintError("Say what to sweep: --tile AXIS=16,32,64 or --param NAME=1024,2048.")
    start = Hints(attributes=_attributes(options, kernel, compiler))
    points = grid(start, lists)
    for hints in points:
        compiler.check(hints, kernel)
    library = Library(home())
    queue = Queue(library)
    sweep = queue.submit_sweep(
        kernel,
        points,
        compiler=compiler.name,
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


# Reading a dump


def _add_read(verbs: Verbs) -> None:
    parser = verbs.add_parser("read", help="read a dump: a folder or a zip")
    parser.add_argument("path", type=Path)
    parser.add_argument("--keep", action="store_true", help="put the trace into the library")
    parser.add_argument("--json", action="store_true", help="print for scripts")
    parser.set_defaults(run=_read)


def _read(options: argparse.Namespace) -> int:
    from core.analysis.study import study  # here: the other verbs start sooner without it

    opened = open_trace(options.path)
    known = study(opened.trace, opened.texts)
    id = None
    if options.keep:
        library = Library(home())
        id = library.add(opened.trace, opened.texts, opened.kernel, origin="imported")
        library.keep_study(id, known)
    target = recorded_targets().get(opened.trace.target)
    _print(opened.trace, id, options.json, target, known)
    return DONE if opened.trace.status.compiles else COMPILE_FAILED


# Taking a trace away


def _add_handout(verbs: Verbs) -> None:
    parser = verbs.add_parser("handout", help="write a trace as one HTML file, read without server")
    parser.add_argument("trace", help="the id of a trace in the library, or a dump: folder or zip")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="KERNEL.html by default")
    parser.set_defaults(run=_handout)


def _handout(options: argparse.Namespace) -> int:
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
        return _complain(f"{output} cannot be written: {error.strerror}.", BAD_INPUT)
    for sentence in made.left_out:
        _say(sentence)
    print(f"{output}: {len(made.data):,} B")
    return DONE


# Toolchains


def _add_toolchain(verbs: Verbs) -> None:
    parser = verbs.add_parser("toolchain", help="install compilers, and list them")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    fetch = what.add_parser("install", help="fetch compilers from the package index")
    fetch.add_argument("name", nargs="*", help=f"of {', '.join(RECIPES)}; all if none is given")
    fetch.add_argument("--again", action="store_true", help="even where it is installed")
    fetch.set_defaults(run=_install)
    show = what.add_parser("list", help="what is installed, version, target chips")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_list)
    record = what.add_parser("record", help="keep its chips' figures in data/targets")
    record.add_argument("name", nargs="?", default="akg", choices=sorted(RECIPES))
    record.set_defaults(run=_record)


def _install(options: argparse.Namespace) -> int:
    unknown = [name for name in options.name if name not in RECIPES]
    if unknown:
        return _complain(f"{unknown[0]!r} is none of: {', '.join(RECIPES)}.", BAD_INPUT)
    code = DONE
    for recipe in (RECIPES[name] for name in options.name or RECIPES):
        try:
            made = install(recipe, _say, again=options.again)
        except InstallError as error:  # the others may still be had
            code = _complain(str(error), TOOL_MISSING)
            continue
        _say(f"{recipe.name} {recipe.version} {'is ready' if made else 'was installed already'}.")
    return code


def _list(options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    for recipe in RECIPES.values():
        installed = recipe.installed()
        rows.append(
            {
                "name": recipe.name,
                "version": recipe.version,
                "installed": installed,
                "targets": [t.name for t in recipe.targets()] if installed else [],
                "folder": str(recipe.folder) if installed else None,
            }
        )
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            state = f"installed in {row['folder']}" if row["installed"] else "not installed"
            chips = f"; {', '.join(row['targets'])}" if row["targets"] else ""
            print(f"{row['name']} {row['version']}: {state}{chips}")
    return DONE


def _record(options: argparse.Namespace) -> int:
    for target in RECIPES[options.name].targets():
        print(record_target(target).relative_to(Path(__file__).resolve().parents[1]))
    return DONE
