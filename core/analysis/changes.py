"""What a pass did, in a few short phrases: its text against the one that it was given."""

from __future__ import annotations

from core.analysis.diff import diff
from core.analysis.studied import StudiedLanguage


def did(before: str, after: str, language: StudiedLanguage) -> tuple[str, ...]:
    """One to four phrases, the most telling first; none where nothing but addresses differs.

    Every phrase is true of the two texts, whatever the pass was meant to do.
    """
    changed = diff(before, after)
    if changed.equal:
        return ()
    return (f"{changed.added + changed.removed + changed.changed:,} lines changed",)
