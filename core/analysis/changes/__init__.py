"""What a pass did, in a few short phrases: its text against the one that it was given."""

from __future__ import annotations

from core.analysis import parsed
from core.analysis.changes import anf, mlir, schedule, statements
from core.analysis.diff import diff
from core.analysis.studied import StudiedLanguage

_MOST = 4  #: phrases; more would not be read


def did(before: str, after: str, language: StudiedLanguage) -> tuple[str, ...]:
    """One to four phrases, the most telling first; none where nothing but addresses differs.

    Every phrase is true of the two texts, whatever the pass was meant to do. Where nothing more
    telling is known, it is the number of lines.
    """
    changed = diff(before, after)
    if changed.equal:
        return ()
    match language:
        case "statement":
            phrases = statements.phrases(before, after)
        case "schedule":
            phrases = schedule.phrases(before, after)
        case "mlir":
            phrases = mlir.phrases(before, after)
        case "anf":
            phrases = anf.phrases(before, after)
        case _:
            phrases = ()
    found = tuple(dict.fromkeys(phrases))[:_MOST]
    if found:
        return found
    lines = changed.added + changed.removed + changed.changed
    return (f"{lines:,} line{'' if lines == 1 else 's'} changed",)


def forget() -> None:
    """Let go of what is kept of the last few texts, which may be hundreds of megabytes."""
    for module in (statements, schedule, mlir, anf):
        module.facts.cache_clear()
    parsed.forget()
