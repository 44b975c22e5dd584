"""How figures and names are written, so that every page writes them alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from core.hints import WHOLE_AXIS, HintValue

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def count(number: int) -> str:
    """Thousands separated: 65,536."""
    return f"{number:,}"


def count_of(number: int, word: str) -> str:
    """So many of something that is counted: 1 shape, 2,048 shapes."""
    return f"{number:,} {word if number == 1 else word + 's'}"


def short_bytes(number: int) -> str:
    """The size alone, at most one decimal: 64 KiB, 1.6 MiB."""
    size, unit = float(number), 0
    while abs(size) >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    text = f"{size:,.1f}".removesuffix(".0")
    return f"{text} {_UNITS[unit]}"


def bytes_text(number: int) -> str:
    """The exact size first, the readable one behind it: 65,536 B (64 KiB)."""
    if abs(number) < 1024:
        return f"{number:,} B"
    return f"{number:,} B ({short_bytes(number)})"


def percent(share: float) -> str:
    """A share as a percentage; one decimal only where it carries something."""
    value = share * 100
    if 0 < value < 0.1:
        return "<0.1 %"
    return f"{value:.1f} %" if value < 10 and round(value, 1) % 1 else f"{value:.0f} %"


def seconds_text(seconds: float) -> str:
    """A duration with the unit that fits: 17.8 ms, 1.32 s, 2 min 05 s."""
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def middle(text: str, width: int) -> str:
    """Cut a long name in its middle: both ends of a name tell more than its start alone."""
    if len(text) <= width:
        return text
    head = width // 2
    return f"{text[:head]}…{text[len(text) - (width - head - 1) :]}"


def age(then: datetime, now: datetime | None = None) -> str:
    """How long ago, in one unit: just now, 5 min, 3 h, 12 d."""
    now = now or datetime.now(UTC)
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    elapsed = max((now - then).total_seconds(), 0.0)
    if elapsed < 60:
        return "just now"
    for unit, length in (("min", 60), ("h", 3600), ("d", 86400)):
        if elapsed < length * {"min": 60, "h": 24, "d": 10000}[unit]:
            return f"{int(elapsed // length)} {unit}"
    return "long ago"


def tile_text(tile: int, extent: int | None) -> str:
    """A tile as a person reads it: "whole" where it covers the axis."""
    if tile >= WHOLE_AXIS or (extent is None and tile >= 65535):
        return "whole"
    if extent is not None and tile >= extent:
        return f"{extent:,} (whole)"
    return count(tile)


def value_text(value: HintValue) -> str:
    """The value of a hint as a person reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return count(value) if isinstance(value, int) else str(value)


def shape_text(shape: Iterable[int]) -> str:
    """A tensor's shape: 4096 × 1024; a scalar is "scalar"."""
    return " × ".join(str(size) for size in shape) or "scalar"


def hints_text(hints: Mapping[str, object]) -> str:
    """Hints in one line; "none" where the compiler was left alone."""
    return ", ".join(f"{name}={value}" for name, value in hints.items()) or "none"
