"""Fewer hints, and smaller values of a kernel's parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.analysis.shrinking.search import Asking, Form, Search
from core.hints import Hints, HintValue, Tile

Item = Tile | tuple[str, HintValue]
NONE: Mapping[str, HintValue] = {}


def fewer_hints(search: Search, keep: Mapping[str, HintValue] = NONE) -> Asking[None]:
    """Leave hints out, until none can go alone; a parameter made smaller stays so."""
    hints = search.best.hints
    fixed = dict(keep)
    named = sorted((k, v) for k, v in hints.attributes.items() if k not in fixed)
    items: list[Item] = [*hints.tiles, *named]

    def build(kept: Sequence[Item]) -> Form:
        tiles = tuple(each for each in kept if isinstance(each, Tile))
        left = dict(each for each in kept if not isinstance(each, Tile))
        return replace(search.best, hints=Hints(tiles, {**fixed, **left}))

    yield from search.fewest("hints", items, build, least=0)


def smaller_parameters(search: Search) -> Asking[None]:
    """Of each parameter that is a number, the smallest listed value."""
    for parameter in search.best.kernel.parameters:
        hints = search.best.hints
        used = hints.attributes.get(parameter.name, parameter.default)
        if not isinstance(used, int) or isinstance(used, bool):
            continue
        smaller = sorted(v for v in parameter.values if isinstance(v, int) and v < used)
        forms = [
            (value, _with(search.best, parameter.name, value, parameter.default))
            for value in smaller
        ]
        yield from search.first("parameters", forms)


def parameters(form: Form) -> dict[str, HintValue]:
    """The hints that are parameters of the kernel."""
    names = {parameter.name for parameter in form.kernel.parameters}
    return {name: value for name, value in form.hints.attributes.items() if name in names}


def _with(form: Form, name: str, value: HintValue, default: HintValue) -> Form:
    attributes = {k: v for k, v in form.hints.attributes.items() if k != name}
    if value != default:
        attributes[name] = value
    return replace(form, hints=Hints(form.hints.tiles, attributes))
