"""Names of buffers as all passes have them, so that a defect is known again in the next text."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NO_IDENTIFIER = re.compile(r"\W")
_NUMBERED = re.compile(r"(.*?\D)\d+")


def identifier(name: str) -> str:
    """A name of the statement language as the emitted C text spells it."""
    return _NO_IDENTIFIER.sub("_", name)


def originals(names: Iterable[str]) -> dict[str, str]:
    """Every name of the emitted code with the one that it repeats.

    Where the last pass uses a name again, the emitted text numbers it: a, a1, a2.
    """
    known = set(names)
    found: dict[str, str] = {}
    for name in known:
        numbered = _NUMBERED.fullmatch(name)
        found[name] = numbered[1] if numbered and numbered[1] in known else name
    return found
