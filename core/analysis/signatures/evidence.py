"""What the last text before a compiler fell silent tells of the cause."""

from __future__ import annotations

from collections.abc import Mapping

from core.analysis.checks.undefined import in_statements
from core.analysis.parsed import statements
from core.trace import Failure, Texts, Trace

_NAMED = 4


def evidence(trace: Trace, texts: Texts) -> Mapping[str, str]:
    """Fields for the texts of signatures: `lost`, variables that are used and defined nowhere."""
    failure = trace.failure
    if failure is None or not _silent(failure):
        return {}
    last = next((step for step in reversed(trace.passes) if step.text is not None), None)
    if last is None or last.text is None or last.language != "statement":
        return {}
    try:
        module = statements(texts.get(last.text))
    except KeyError:
        return {}
    if module is None:
        return {}
    names = sorted({found.subject for found in in_statements(module, None)})
    if not names:
        return {}
    more = len(names) - _NAMED
    shown = names[:_NAMED] + ([f"{more} more"] if more > 0 else [])
    return {"lost": shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"}


def _silent(failure: Failure) -> bool:
    """Whether the compiler died, or may have: a dump of somebody else does not say how it ended."""
    return failure.kind == "crash" or (failure.source is None and failure.component is None)
