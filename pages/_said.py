"""What is known of a failure, heading by heading."""

from __future__ import annotations

import html
from collections.abc import Sequence

from core.views.explanation import Said


def grid(said: Sequence[Said]) -> str:
    """Headings with their sentences as HTML."""
    rows = []
    for each in said:
        source = f'<span class="ts-source">{html.escape(each.source)}</span>' if each.source else ""
        if len(each.lines) == 1:
            text = f"{html.escape(each.lines[0])} {source}"
        else:
            items = "".join(f"<li>{html.escape(line)}</li>" for line in each.lines)
            text = f"<ul>{items}</ul>{source}"
        rows.append(f"<dt>{html.escape(each.label)}</dt><dd>{text}</dd>")
    return f'<dl class="ts-said">{"".join(rows)}</dl>'
