"""Reasons as lists: what is known of each axis, one line a fact, with where it is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from core.analysis.reasons import AxisReasons, Reason

_COLUMNS = ("about", "what", "source")


def reasons_table(reasons: Iterable[Reason]) -> pd.DataFrame:
    """One row a fact: what it is about, the sentence, where it is said."""
    rows = [(each.about, each.sentence, each.source) for each in reasons]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def reasons_text(axes: Sequence[AxisReasons]) -> str:
    """All facts as Markdown: an axis a heading, a fact a line with its source behind."""
    parts = []
    for axis in axes:
        lines = [f"- {each.sentence} *{each.source}*" for each in axis.reasons]
        parts.append("\n".join([f"**{axis.unit} {axis.label}**".replace("** ", "**"), *lines]))
    return "\n\n".join(parts)
