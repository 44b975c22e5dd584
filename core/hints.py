"""What a user may ask of a compiler: tiles per axis, and named attributes.

A `dim` text and the tile form are two views of one value: `parse_dim` and `Hints.dim` are inverse.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: A tile as large as any axis: the compiler clips it to the extent, so the axis stays whole.
WHOLE_AXIS = 1 << 30
#: The same for the L0 tile, where AKG's own value for "not given" is also the largest that it was
#: seen to clip: WHOLE_AXIS there made a cube kernel take some other tile.
WHOLE_AXIS_L0 = 65535
#: AKG reads tiles into 32 bits: 2147483648 was taken for 65535, 99999999999 for 1215752191.
LARGEST_TILE = (1 << 31) - 1

HintValue = bool | int | float | str
HintKind = Literal["bool", "int", "str", "dim", "choice"]
#: honoured: changes the code; overwritten: the compiler sets it itself; ignored: seen to do
#: nothing; unsafe: may make wrong code or crash the compiler.
HintEffect = Literal["honoured", "overwritten", "ignored", "unsafe"]


class HintError(ValueError):
    """A hint that cannot be passed on: one sentence naming what is wrong and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """The tile asked for on one axis; axis numbers are those after the compiler folded axes."""

    band: int
    axis: int
    outer: int  #: c1: the UB tile (vector kernels) or the L1 tile (cube kernels), in iterations
    inner: int = 1  #: c0: the L0 tile, used by cube kernels only


@dataclass(frozen=True, slots=True)
class HintSpec:
    """One entry of a compiler's catalogue of hints."""

    name: str
    kind: HintKind
    default: HintValue | None
    effect: HintEffect
    does: str  #: what it is for, and what was seen to happen, in one or two sentences
    group: str  #: heading under which a form shows it
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()  #: what it may be, where its kind is "choice"
    tries: tuple[HintValue, ...] = ()  #: values worth a sweep; () where none is


@dataclass(frozen=True, slots=True)
class Hints:
    """What is asked of one compile. Raises HintError for a number that is not finite."""

    tiles: tuple[Tile, ...] = ()
    attributes: Mapping[str, HintValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Infinity and NaN come back from JSON as nothing, so a job that asked for one could not be
        # read again, nor could any list of jobs that holds it.
        for name, value in self.attributes.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise HintError(f"{name} must be a finite number, not {value}.")

    @property
    def dim(self) -> str:
        """The tiles as AKG's text, "band axis c1 c0 …", every band from axis 0 without a gap."""
        asked = {(t.band, t.axis): t for t in self.tiles}
        last = {band: max(a for b, a in asked if b == band) for band, _ in asked}
        full = [
            asked.get((band, axis), Tile(band, axis, WHOLE_AXIS, WHOLE_AXIS_L0))
            for band in sorted(last)
            for axis in range(last[band] + 1)
        ]
        return " ".join(f"{t.band} {t.axis} {t.outer} {t.inner}" for t in full)

    def with_tiles(self, tiles: tuple[Tile, ...]) -> Hints:
        return Hints(tuple(sorted(tiles)), self.attributes)

    def as_dict(self) -> dict[str, HintValue]:
        """Canonical flat form: attributes by name, and `dim` where there are tiles."""
        flat = {k: self.attributes[k] for k in sorted(self.attributes)}
        return {**({"dim": self.dim} if self.tiles else {}), **flat}

    @property
    def digest(self) -> str:
        """Content hash, equal for equal hints however they were written."""
        text = json.dumps(self.as_dict(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def parse_dim(text: str) -> tuple[Tile, ...]:
    """Read AKG's `dim` text. Raises HintError with the offending entry.

    The grammar is that of AKG's tile_outer_band.cc: groups of four whole numbers, band axis c1 c0.
    AKG applies the entries of a band in the order of the text and never reads the axis number, so
    entries out of order or with an axis left out are refused here rather than silently given to
    another axis.
    """
    words = text.split()
    if len(words) % 4:
        raise HintError(
            f"The dim text has {len(words)} numbers; it needs four for each axis: band axis c1 c0."
        )
    tiles: list[Tile] = []
    for start in range(0, len(words), 4):
        entry = words[start : start + 4]
        try:
            band, axis, outer, inner = (_number(w) for w in entry)
        except ValueError:
            raise HintError(
                f"dim entry {' '.join(entry)!r} is not four whole numbers (band axis c1 c0)."
            ) from None
        if not 0 <= band < 16:
            raise HintError(f"dim entry {' '.join(entry)!r}: band must be from 0 to 15.")
        if axis < 0:
            raise HintError(f"dim entry {' '.join(entry)!r}: axis must be 0 or more.")
        if not (1 <= outer <= LARGEST_TILE and 1 <= inner <= LARGEST_TILE):
            raise HintError(
                f"dim entry {' '.join(entry)!r}: a tile must be from 1 to {LARGEST_TILE}."
            )
        tile = Tile(band, axis, outer, inner)
        same_band = bool(tiles) and tiles[-1].band == band
        expected = tiles[-1].axis + 1 if same_band else 0
        if axis != expected or (tiles and band < tiles[-1].band):
            raise HintError(
                f"dim entry {' '.join(entry)!r} is out of place: the compiler reads entries by "
                "position, so list bands in order and the axes of each from 0 upwards, each once."
            )
        tiles.append(tile)
    return tuple(tiles)


def parse_tile(text: str) -> Tile:
    """Read one tile as it is written on a command line: `A=C1`, `A=C1:C0` or `B.A=C1:C0`.

    A is the axis, B the band (0 where left out), C1 the outer tile, C0 the L0 tile of a cube
    kernel (1 where left out). Raises HintError.
    """
    found = re.fullmatch(
        r"(?:([0-9]{1,10})\.)?([0-9]{1,10})=([0-9]{1,10})(?::([0-9]{1,10}))?", text.strip()
    )
    if found is None:
        raise HintError(
            f"{text!r} is not a tile; write AXIS=TILE, as in 0=64, or BAND.AXIS=TILE:L0, "
            "as in 0.1=16:4."
        )
    band, axis, outer, inner = (
        int(part or default) for part, default in zip(found.groups(), (0, 0, 0, 1), strict=True)
    )
    if band > 15:
        raise HintError(f"{text!r}: the band must be from 0 to 15.")
    if axis > 63:
        raise HintError(f"{text!r}: the axis must be from 0 to 63; no kernel has more.")
    if not (1 <= outer <= LARGEST_TILE and 1 <= inner <= LARGEST_TILE):
        raise HintError(f"{text!r}: a tile must be from 1 to {LARGEST_TILE}.")
    return Tile(band, axis, outer, inner)


def _number(word: str) -> int:
    """A whole number as C reads it: digits, no underscores, no other alphabet."""
    if not re.fullmatch(r"-?[0-9]{1,10}", word):
        raise ValueError(word)
    return int(word)
