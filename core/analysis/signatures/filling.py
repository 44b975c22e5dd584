"""Texts of signatures with the figures of one failure in place of {fields}.

A part in double square brackets is left out where a field in it is not known:

    "The kernel needs {required}[[ of {memory}, which has {available}]]."
"""

from __future__ import annotations

import re
from collections.abc import Mapping

FIELD = re.compile(r"\{(\w+)\}")
_PART = re.compile(r"\[\[(.*?)\]\]")


def filled(text: str, facts: Mapping[str, str]) -> str:
    """The text with what is known; a field that stands in no brackets and is not known is "…"."""

    def part(found: re.Match[str]) -> str:
        inner = found[1]
        if all(name in facts for name in FIELD.findall(inner)):
            return inner
        return ""

    whole = _PART.sub(part, text)
    return FIELD.sub(lambda found: facts.get(found[1], "…"), whole.strip())
