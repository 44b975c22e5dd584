"""What became of the hints: asked for, handed to the compiler, used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.compilers.akg.catalogue import catalogue, unread_constraints
from core.compilers.akg.releases import unread
from core.readers.akg_tiling import UnitTiling
from core.trace import HintsOutcome

#: Hints that are variables of AKG's process and so never among the attributes it receives.
_ENVIRONMENT = ("SYMBOLIC_TILING", "FORCE_SYMBOLIC_TILING")


def hints_outcome(
    asked: Mapping[str, object],
    received: Sequence[Mapping[str, object]],
    units: Sequence[UnitTiling],
    version: str = "",
) -> HintsOutcome:
    """Which hints were honoured, and why the others were not.

    `received`: the attributes that the front end handed to the C++ compiler, one mapping for each
    sub-kernel; `version`: of AKG, "" where nobody knows. A hint whose fate the dump does not tell
    is in neither list.
    """
    honoured: dict[str, object] = {}
    ignored: dict[str, str] = {}
    for name, value in asked.items():
        if name == "dim":
            used, reason = _dim(str(value), units)
            if used:
                honoured[name] = used
            if reason:
                ignored[name] = reason
            continue
        if name == "custom_tiling":
            reason = _constraints(asked, units, version)
        else:
            reason = _attribute(name, value, received, version)
        if reason:
            ignored[name] = reason
        elif received or name in _ENVIRONMENT:
            honoured[name] = value
    return HintsOutcome(dict(asked), honoured, ignored)


def _attribute(
    name: str, value: object, received: Sequence[Mapping[str, object]], version: str
) -> str:
    """Why an attribute was ignored; "" where it was not, or nothing is known of it."""
    spec = next((s for s in catalogue(version) if s.name == name), None)
    if spec is None:
        return "It is not a name that this compiler reads."
    if name in unread(version):
        return spec.does
    if name in _ENVIRONMENT:
        return ""
    if not received:
        return ""
    got = [attributes.get(name) for attributes in received]
    if all(each is None for each in got):
        return "AKG's front end did not hand it on to the compiler."
    differing = [each for each in got if each != value]
    if differing:
        where = "" if len(differing) == len(got) else " in some sub-kernels"
        return f"AKG's front end overwrote it with {_shown(differing[0])}{where}."
    if spec.effect == "ignored":
        return "The compiler takes it, but was never seen to do anything with it."
    return ""


def _constraints(asked: Mapping[str, object], units: Sequence[UnitTiling], version: str) -> str:
    """Why the classic search did not read them; it also decides where the newer tiler gives way."""
    if any(unit.origin == "search" for unit in units):
        return ""
    return unread_constraints(asked, version)


def _shown(value: object) -> str:
    return "its own choice" if value is None else repr(value)


def _dim(text: str, units: Sequence[UnitTiling]) -> tuple[str, str]:
    """The entries that were honoured, and one text on those that were not."""
    tiled = [unit for unit in units if unit.axes or unit.bands]
    if not any(unit.dim for unit in units):
        if not any(unit.axes for unit in units):
            return "", "The compile ended before it tiled anything."
        return "", "The compiler tiled the kernel without it."
    if all(_words(unit.dim) != _words(text) for unit in tiled):
        own = sorted({unit.dim for unit in tiled if unit.dim})
        return "", f"The compiler took other tiles instead: {'; '.join(own)}."
    entries = [*_entries(text)]
    if not entries:
        return "", "It is not four whole numbers for each axis: band axis c1 c0."
    kept: list[str] = []
    reasons: list[str] = []
    seen: dict[str, int] = {}
    for entry in entries:
        band = entry[0]
        number = seen.get(band, 0)
        seen[band] = number + 1
        axes = max((unit.bands.get(_number(band), 0) for unit in tiled), default=0)
        if not any(unit.bands for unit in tiled) or number < axes:
            kept.append(" ".join(entry))
        elif axes:
            has = f"band {band} has {axes} ax{'i' if axes == 1 else 'e'}s"
            reasons.append(f"Entry {' '.join(entry)!r} was ignored: {has}.")
        else:
            reasons.append(f"Entry {' '.join(entry)!r} was ignored: there is no band {band}.")
    other = [unit.unit for unit in tiled if _words(unit.dim) != _words(text)]
    if other:
        reasons.append(f"{', '.join(other)} took tiles of their own instead.")
    return " ".join(kept), " ".join(reasons)


def _entries(text: str) -> Iterable[list[str]]:
    words = text.split()
    if len(words) % 4:
        return []
    return (words[at : at + 4] for at in range(0, len(words), 4))


def _words(text: str) -> list[str]:
    return text.split()


def _number(word: str) -> int:
    return int(word) if word.isdigit() else -1
