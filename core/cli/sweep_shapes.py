"""`sweep` over shapes: a kernel in many shapes with several sets of hints, and pass rates."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from typing import Any

from core.analysis.matrix import Cell, LayoutError, Matrix, Place, Share, laid_out
from core.analysis.matrix.cases import cases, read_shapes
from core.analysis.matrix.comparison import Comparison, compare
from core.analysis.matrix.hint_sets import NO_HINTS, distinct, parse_hint_set
from core.analysis.matrix.table import csv_rows, csv_text
from core.analysis.signatures import explain
from core.cli.kernel_options import asked_attributes
from core.cli.said import BAD_INPUT, DONE, complain, say
from core.compilers import Compiler, Limits
from core.hints import HintError, Hints
from core.home import home
from core.jobs.matrices import SweepMatrix
from core.jobs.queue import Queue
from core.jobs.worker import run_until
from core.kernel import Kernel
from core.library import Library
from core.views.matrix import comparison_text, groups_table, hover_text, sign


def run(options: argparse.Namespace, kernel: Kernel, compiler: Compiler) -> int:
    """Compile what is not known yet, a line each as it ends; then pass rates and kinds of failure.

    With --json a line an object, the last of which has the rates. Raises HintError, KernelError,
    ToolMissing, LibraryError, QueueError.
    """
    if options.tile or options.param:
        raise HintError(
            "A sweep over shapes takes its tiles and values in sets of hints: write --hints "
            "'NAME: dim=\"0 0 64 1\"' instead of --tile and --param."
        )
    texts = [*options.shape, *([read_shapes(options.shapes)] if options.shapes else [])]
    listed = cases(texts, kernel) if texts else (("as given", kernel, {}),)
    layout, requests = laid_out(
        listed,
        _hint_sets(options, kernel, compiler),
        [compiler.version],
        compiler.name,
        kernel.name,
    )
    library = Library(home())
    queue = Queue(library)
    before = None
    if options.compare:
        try:
            before = SweepMatrix(queue, options.compare, explain).look()
        except LayoutError as wrong:
            raise HintError(f"--compare {options.compare}: {wrong}") from None
    id = queue.submit_requests(
        requests,
        limits=Limits(seconds=options.timeout),
        axes=layout.as_axes(),
        fresh=options.fresh,
    )
    of = SweepMatrix(queue, id, explain)
    matrix = of.look()
    say(f"sweep {id}: {len(requests):,} compiles, {of.counts['done']:,} known already")
    _each(of, queue, options)
    matrix = of.look()
    if options.csv:
        try:
            options.csv.write_text(csv_text(matrix), encoding="utf-8")
        except OSError as error:
            return complain(f"{options.csv} cannot be written: {error.strerror}.", BAD_INPUT)
    compared = compare(before, matrix) if before is not None else None
    if options.json:
        print(json.dumps(_summary(id, matrix, compared)))
    else:
        _print(id, matrix, compared)
    return DONE


def _hint_sets(
    options: argparse.Namespace, kernel: Kernel, compiler: Compiler
) -> tuple[tuple[str, Hints], ...]:
    """Each set, with what is asked of all."""
    common = asked_attributes(options, kernel, compiler)
    sets = [parse_hint_set(text, compiler, kernel) for text in options.hints] or [
        (NO_HINTS, Hints())
    ]
    made = [(name, Hints(each.tiles, {**common, **each.attributes})) for name, each in sets]
    for _, hints in made:
        compiler.check(hints, kernel)
    return tuple(distinct(made))


def _each(of: SweepMatrix, queue: Queue, options: argparse.Namespace) -> None:
    """Print every cell once: those that are known, then each as its compile ends."""
    printed: set[Place] = set()
    left = [job for job, state in queue.progress(of.id).states.items() if state != "done"]
    _over(of.look(), printed, options)
    with closing(run_until(queue, left)) as ended:
        for _ in ended:
            _over(of.look(), printed, options)


def _over(matrix: Matrix, printed: set[Place], options: argparse.Namespace) -> None:
    rows = csv_rows(matrix) if options.json else []
    for at, (place, cell) in enumerate(matrix.cells.items()):
        if cell.over and place not in printed:
            printed.add(place)
            if options.json:
                # What is best may change while others are compiled: the last line has it.
                print(json.dumps({k: v for k, v in rows[at].items() if k != "best"}), flush=True)
            else:
                _print_cell(matrix, place, cell)


def _print_cell(matrix: Matrix, place: Place, cell: Cell) -> None:
    case, column = matrix.layout.cases[place[0]], matrix.layout.columns[place[1]]
    print(f"{sign(cell)} {case.name:<24} {column.name:<20} {hover_text(matrix, place)}", flush=True)


def _print(id: str, matrix: Matrix, compared: Comparison | None) -> None:
    print(f"sweep {id}")
    for column, rate in zip(matrix.layout.columns, matrix.rates, strict=True):
        of = f"{rate.passes.part:,} of {rate.passes.whole:,}"
        print(f"  {column.name:<24} {rate.text:<16} {of}")
    frame = groups_table(matrix)
    for row in frame.to_dict("records"):
        print(f"  {row['']} {row['cases']:>5,}  {row['what']}, for example {row['first']}")
    if compared is not None:
        print(f"  compared: {comparison_text(compared)}")
        for each in compared.changes:
            print(f"    {each.change:<8} {each.case} {each.column}")


def _summary(id: str, matrix: Matrix, compared: Comparison | None) -> dict[str, Any]:
    cases_, columns = matrix.layout.cases, matrix.layout.columns
    said: dict[str, Any] = {
        "sweep": id,
        "rates": [
            {
                "hints": column.name,
                "asked": column.hints.as_dict(),
                "version": column.version,
                **_share(rate.passes),
                "fixed": rate.fixed,
                "broken": rate.broken,
            }
            for column, rate in zip(columns, matrix.rates, strict=True)
        ],
        "groups": [
            {
                "signature": group.signature or None,
                "fingerprint": group.kind,
                "title": group.title,
                "said": group.said,
                "count": len(group.places),
                "example": {
                    "case": cases_[group.example[0]].name,
                    "hints": columns[group.example[1]].name,
                    "trace": matrix.cells[group.example].whole,
                },
            }
            for group in matrix.groups
        ],
        "best": {cases_[row].name: columns[at].name for row, at in matrix.best.items()},
    }
    if compared is not None:
        said["compared"] = {
            "before": _share(compared.before),
            "after": _share(compared.after),
            "same": compared.same,
            "changes": [
                {"case": each.case, "hints": each.column, "change": each.change}
                for each in compared.changes
            ],
        }
    return said


def _share(share: Share) -> dict[str, int | float | None]:
    return {"compile": share.part, "of": share.whole, "share": share.value}
