"""How HFusion tiled a kernel, from the function in which its scheduler writes that down.

`hfusion-auto-schedule` makes a host function `<kernel>_tiling_function` (AnyPBRSchedule.cpp,
PureElemwiseSchedule.cpp): it returns the tiling key, a tile for each axis after folding, the cores
for parallel and for reduction axes, and the bytes of one buffer. For matrix multiplication
(SingleCubeSchedule.cpp) it fills a struct of twelve numbers instead. Numbers that depend on the
shape at run time are computed in it and not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

PASS = "hfusion-auto-schedule"

_FUNCTION = re.compile(r"^( *)func\.func (?:\w+ )?@([\w$.-]+)_tiling_function\(", re.MULTILINE)
_CONSTANT = re.compile(r"(%[\w$.-]+) = arith\.constant (-?\d+) : (?:i64|index)")
_RETURN = re.compile(r"^ *(?:func\.)?return (%[^:\n]*) :", re.MULTILINE)
_STORE = re.compile(r"memref\.store (%[\w$.-]+), %[\w$.-]+\[(%[\w$.-]+)\] : memref<(\d+)xi64>")
_CUBE = 12  # numbers in the struct of a matrix multiplication
_SAID = 4  # functions that a sentence goes through


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the scheduler chose for one function; None: computed when the kernel runs."""

    function: str
    key: int | None
    tiles: tuple[int | None, ...]
    cores: int | None
    buffer_bytes: int | None
    cube: bool = False


def read_tiling(text: str) -> list[Chosen]:
    """The choices that a module holds right after `hfusion-auto-schedule`."""
    return list(_read(text))


def describe(chosen: Sequence[Chosen]) -> str:
    """The choices in words; "" where there are none."""
    told = [_sentence(each) for each in chosen[:_SAID]]
    if len(chosen) > _SAID:
        told.append(f"{len(chosen) - _SAID} more functions were tiled.")
    return " ".join(told)


def cores(chosen: Sequence[Chosen]) -> int | None:
    """Cores that the kernel is spread over, where that is known."""
    known = [each.cores for each in chosen if each.cores is not None]
    return max(known, default=None)


def _read(text: str) -> Iterator[Chosen]:
    for found in _FUNCTION.finditer(text):
        end = text.find(f"\n{found[1]}}}", found.end())
        body = text[found.end() : end if end >= 0 else len(text)]
        known = {name: int(number) for name, number in _CONSTANT.findall(body)}
        slots = {
            known.get(place): known.get(value)
            for value, place, size in _STORE.findall(body)
            if int(size) == _CUBE
        }
        if slots:
            yield Chosen(
                found[2], slots.get(0), tuple(slots.get(n) for n in (1, 2, 3)), None, None, True
            )
            continue
        returned = _RETURN.search(body)
        values = [known.get(name.strip()) for name in returned[1].split(",")] if returned else []
        if len(values) >= 5:
            cores = [each for each in values[-3:-1] if each is not None]
            spread = prod(cores) if len(cores) == 2 else None
            yield Chosen(found[2], values[0], tuple(values[1:-3]), spread, values[-1])
        elif len(values) >= 3:
            yield Chosen(found[2], values[0], tuple(values[1:-1]), None, values[-1])


def _counted(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores:,} cores"


def _sentence(chosen: Chosen) -> str:
    key = "" if chosen.key is None else f" (tiling key {chosen.key})"
    if all(tile is None for tile in chosen.tiles):
        where = "" if chosen.buffer_bytes is None else f" in buffers of {chosen.buffer_bytes:,} B"
        return f"HFusion lets {chosen.function} choose its tiles when it runs{where}{key}."
    tiles = " × ".join("at run time" if tile is None else f"{tile:,}" for tile in chosen.tiles)
    if chosen.cube:
        return f"HFusion tiled {chosen.function} by M × N × K = {tiles}{key}."
    spread = "" if chosen.cores is None else f" over {_counted(chosen.cores)}"
    buffers = "" if chosen.buffer_bytes is None else f", buffers of {chosen.buffer_bytes:,} B"
    return f"HFusion tiled {chosen.function} by {tiles}{spread}{buffers}{key}."
