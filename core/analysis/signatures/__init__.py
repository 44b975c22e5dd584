"""What a failure means: the first entry of the catalogue that recognises it, with its own figures.

The catalogue is data, one file a compiler in `data/signatures/`; `entries` says what an entry holds
and in which order entries are tried. A failure that none recognises is explained as far as its
reader understood it, with `signature` None. Its fingerprint tells whether another is of its kind,
with a name or without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from core.analysis.explained import Explanation, Signature
from core.analysis.fingerprint import fingerprint
from core.analysis.signatures.case import Case, of_log, of_trace, own_words
from core.analysis.signatures.entries import Entry, Recognised, entries
from core.analysis.signatures.evidence import evidence
from core.analysis.signatures.filling import filled
from core.trace import Texts, Trace

__all__ = ["catalogue", "example", "explain", "explain_said"]


@cache
def catalogue() -> Mapping[str, Signature]:
    """All signatures by id, in the order of the files; their texts may hold {fields}."""
    return {entry.id: _signature(entry) for entry in entries()}


def example(id: str) -> str:
    """The words of one real failure with this signature. Raises KeyError."""
    return {entry.id: entry.example.message for entry in entries()}[id]


def explain(trace: Trace, texts: Texts | None = None) -> Explanation | None:
    """What the failure of a trace means; None where the trace compiles.

    A compact trace (no passes, logs, texts) is enough to recognise it; with texts some signatures
    can point at what is wrong in the last one.
    """
    if trace.status.compiles:
        return None
    seen = evidence(trace, texts) if texts is not None else {}
    return _explained(of_trace(trace, seen), fingerprint(trace))


def explain_said(
    message: str,
    *,
    compiler: str = "",
    source: str = "",
    component: str = "",
    pass_name: str = "",
    signal: str = "",
    stack: Sequence[str] = (),
    attempts: int = 0,
) -> Explanation:
    """What a message means that stands alone, as a line of a log; "" is what nobody knows.

    `source` is the compiler's file and line, `component` its tag, as in `[pass]`; `stack` is
    native, innermost frame first; `attempts` is 0 where nobody counted.
    """
    case = of_log(message, compiler, source, component, pass_name, signal, stack, attempts)
    return _explained(case, case.fingerprint)


def _explained(case: Case, kind: str) -> Explanation:
    found = _recognised(case)
    said = own_words(case.message)
    if found is None:
        return Explanation(None, kind, _title(case), case.message, case.pass_name, case.after, said)
    facts = case.facts(found)
    signature = _signature(found.entry, facts)
    return Explanation(
        *(signature, kind, signature.title, signature.means, case.pass_name, case.after, said)
    )


def _recognised(case: Case) -> Recognised | None:
    return next((hit for entry in _in_order() if (hit := entry.recognises(case))), None)


@cache
def _in_order() -> tuple[Entry, ...]:
    return tuple(sorted(entries(), key=lambda entry: entry.rank))


def _signature(entry: Entry, facts: Mapping[str, str] | None = None) -> Signature:
    def say(text: str) -> str:
        return text if facts is None else filled(text, facts)

    return Signature(
        id=entry.id,
        compiler=entry.compiler,
        title=entry.title,
        means=say(entry.means),
        doing=say(entry.doing),
        source=entry.source,
        rule=say(entry.rule),
        causes=tuple(map(say, entry.causes)),
        remedies=tuple(map(say, entry.remedies)),
        seen=entry.seen,
    )


def _title(case: Case) -> str:
    """What can be said in a few words of a failure that no entry recognises."""
    where = case.pass_name or ""
    if case.signal:
        place = f" in {where}" if where else f" after {case.after}" if case.after else ""
        return f"{case.signal}{place}, for a reason not known"
    if where:
        return f"{where} failed, for a reason not known"
    return "A failure of a kind not known"
