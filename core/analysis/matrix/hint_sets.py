"""Sets of hints as a person writes them: `name: key=value key=value`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.compilers import Compiler
from core.hints import HintError, Hints, HintValue, parse_dim
from core.kernel import Kernel

#: The set that leaves all to the compiler, as it is called where nobody names it.
NO_HINTS = "no hints"
_DIM = "dim"
#: A name and a value, which is in quotation marks or one word.
_ENTRY = re.compile(r"""([A-Za-z_][\w.\-]*)\s*=\s*("[^"]*"|'[^']*'|\S*)""")
_NAMED = re.compile(r"\s*([^=:]*?)\s*:(?!\S*=\S*:)\s*(.*)", re.DOTALL)


def parse_hints(text: str, compiler: Compiler, kernel: Kernel) -> Hints:
    """Read `key=value key=value`; `dim="0 0 64 1"` are tiles. Nothing at all is no hints.

    Raises HintError for what cannot be read, or what a compile of this kernel cannot take.
    """
    attributes: dict[str, HintValue] = {}
    dim = ""
    rest = _ENTRY.sub("", text).replace(",", " ").strip()
    if rest:
        raise HintError(
            f"{rest.split()[0]!r} is no hint; write NAME=VALUE, and values with spaces in "
            'quotation marks, as in dim="0 0 64 1".'
        )
    for name, value in _ENTRY.findall(text):
        plain = value[1:-1] if value[:1] in ("'", '"') else value.rstrip(",")
        if name in attributes or (name == _DIM and dim):
            raise HintError(f"{name} is given twice in one set of hints; give it once.")
        if name == _DIM:
            dim = plain
        else:
            key, read = compiler.parse_attribute(f"{name}={plain}", kernel)
            attributes[key] = read
    hints = Hints(parse_dim(dim), attributes)
    compiler.check(hints, kernel)
    return hints


def parse_hint_set(text: str, compiler: Compiler, kernel: Kernel) -> tuple[str, Hints]:
    """Read `name: key=value key=value`, or hints alone, which then are their own name.

    Raises HintError.
    """
    found = _NAMED.fullmatch(text)
    name, written = (found[1], found[2]) if found and found[1] else ("", text)
    hints = parse_hints(written, compiler, kernel)
    return name or written_hints(hints) or NO_HINTS, hints


def written_hints(hints: Hints) -> str:
    """Hints as `parse_hints` reads them; "" where there are none."""
    return " ".join(f"{name}={_written(value)}" for name, value in hints.as_dict().items())


def _written(value: HintValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return f'"{text}"' if not text or re.search(r"""[\s,"']""", text) else text


def distinct(sets: Iterable[tuple[str, Hints]]) -> Sequence[tuple[str, Hints]]:
    """The same sets, the name of none the name of another; of equal hints the first alone.

    Raises HintError where two sets of one name ask for different things.
    """
    found: dict[str, Hints] = {}
    seen: set[str] = set()
    for name, hints in sets:
        if hints.digest in seen:
            continue
        if name in found:
            raise HintError(f"Two sets of hints are called {name!r}; name them differently.")
        found[name] = hints
        seen.add(hints.digest)
    return tuple(found.items())
