"""`explain`: what a failure means and what to try, of a dump, a log or a trace of the library.

With --json one object:

    trace     id in the library, or null
    kernel    its name; "" for a log
    compiler  {"name", "version"}, or null for a log
    status    as of a trace ("failed", "crashed", "ok" …), or null for a log
    failures  one for a trace that fails, none for one that compiles, any number for a log:
        signature    id, or null where the kind is not known
        fingerprint  equal for failures of one kind
        title, cause, doing, rule, source, causes, remedies, seen    "" or [] where not known
        compiler     whose failure it is; "" where nobody says
        pass         that failed, or null;  after   the last pass that left a text, or null
        said         the compiler's own words
        lines        first and last line of the log, or null
    notes     what a reader of the log should know
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.analysis.explained import Explanation
from core.analysis.explained_log import explain_log
from core.analysis.signatures import explain
from core.cli.kernel_options import Verbs
from core.cli.said import DONE, say
from core.home import home
from core.library import Library
from core.readers import ReadError, open_trace
from core.readers.logs import read_log_file
from core.trace import Texts, Trace

_WIDTH = 96
_PACKED = b"PK\x03\x04"
_NOTHING_KNOWN = "Nobody has described this kind of failure yet; its fingerprint groups others."


def add(verbs: Verbs) -> None:
    parser = verbs.add_parser("explain", help="say what a failure means, and what to try")
    parser.add_argument(
        "what",
        metavar="PATH_OR_TRACE",
        help="a dump (folder or zip), a log (gzipped or not), or the id of a trace in the library",
    )
    parser.add_argument("--json", action="store_true", help="print for scripts")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    path = Path(options.what)
    if not path.exists():
        library = Library(home())
        document = of_trace(library.trace(options.what), library, options.what)
    elif path.is_file() and not _is_zip(path):
        document = of_file(path)
    else:
        opened = open_trace(path)
        document = of_trace(opened.trace, opened.texts)
    if options.json:
        print(json.dumps(document))
        return DONE
    if not document["failures"] and document["status"] is None:
        say(
            f"{path.name} tells of no failure; give the whole log, with what was printed on the "
            "error channel."
        )
    _print(document)
    return DONE


def of_trace(trace: Trace, texts: Texts, id: str | None = None) -> dict[str, Any]:
    """The document of one compile."""
    found = explain(trace, texts)
    failures = [_failure(found, trace.compiler.name)] if found else []
    return {
        "trace": id,
        "kernel": trace.kernel,
        "compiler": {"name": trace.compiler.name, "version": trace.compiler.version},
        "status": trace.status.value,
        "failures": failures,
        "notes": list(trace.notes),
    }


def of_file(path: Path) -> dict[str, Any]:
    """The document of a log; of one in which passes are printed, that of its compile.

    Raises ReadError.
    """
    read = read_log_file(path)
    explained = explain_log(read)
    if read.dumps or not explained:
        try:
            opened = open_trace(path)
        except ReadError:
            if not explained and not read.messages:
                raise
        else:
            return of_trace(opened.trace, opened.texts)
    failures = [
        _failure(found, failure.compiler, (failure.first, failure.last))
        for failure, found in explained
    ]
    return {
        "trace": None,
        "kernel": "",
        "compiler": None,
        "status": None,
        "failures": failures,
        "notes": list(read.notes),
    }


def _failure(
    found: Explanation, compiler: str, lines: tuple[int, int] | None = None
) -> dict[str, Any]:
    known = found.signature
    told = asdict(known) if known else {}
    texts = {key: told.get(key, "") for key in ("doing", "rule", "source", "seen")}
    return {
        "signature": known.id if known else None,
        "fingerprint": found.fingerprint,
        "title": found.title,
        "cause": found.cause,
        **texts,
        "causes": list(known.causes) if known else [],
        "remedies": list(known.remedies) if known else [],
        "compiler": compiler,
        "pass": found.pass_name,
        "after": found.after,
        "said": found.said,
        "lines": list(lines) if lines else None,
    }


def _print(document: Mapping[str, Any]) -> None:
    made_by = document["compiler"]
    if made_by:
        by = f"{made_by['name']} {made_by['version']}".strip()
        print(f"{document['kernel']} ({by}): {document['status']}")
    for failure in document["failures"]:
        _print_failure(failure)
    for note in document["notes"]:
        _say(f"Note: {note}", "  ")


def _print_failure(failure: Mapping[str, Any]) -> None:
    lines = failure["lines"]
    if lines:
        first, last = lines
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        print(f"{place}{', ' + failure['compiler'] if failure['compiler'] else ''}")
    print()
    print(f"  {failure['title']}")
    _say(failure["cause"], "  ")
    where = [f"in {failure['pass']}"] if failure["pass"] else []
    where += [f"after {failure['after']}"] if failure["after"] else []
    if where:
        _say(f"Where: {', '.join(where)}.", "  ")
    if failure["signature"] is None:
        _say(_NOTHING_KNOWN, "  ")
    for label, key in (("Doing", "doing"), ("The rule", "rule"), ("From", "source")):
        if failure[key]:
            _say(f"{label}: {failure[key]}", "  ")
    _list("Likely", failure["causes"])
    _list("To try", failure["remedies"])
    if failure["said"] and failure["said"] != failure["cause"]:
        _say(f"Its words: {failure['said']}", "  ")
    print(f"  Signature {failure['signature'] or 'none'}, fingerprint {failure['fingerprint']}")
    print()


def _list(label: str, sentences: Sequence[str]) -> None:
    if sentences:
        print(f"  {label}:")
    for number, sentence in enumerate(sentences, 1):
        _say(f"{number}. {sentence}", "    ", hanging="   ")


def _say(text: str, indent: str, hanging: str = "") -> None:
    wrapped = textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + (hanging or "  "),
        break_long_words=False,
        break_on_hyphens=False,
    )
    print(wrapped)


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == _PACKED
    except OSError as wrong:
        raise ReadError(f"{path.name} cannot be read: {wrong.strerror or wrong}.") from None
