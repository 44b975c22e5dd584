"""Smaller shapes: sizes that belong together are made less together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.analysis.shrinking.search import Asking, Form, Search

#: The shares of a size that are tried, the smallest first.
_SHARES = (0, 16, 4, 2)
#: A size in a type or a shape of MLIR, and a number that stands alone.
_IN_TYPE = r"(?<=[<x]){}(?=x)"
_ALONE = r"(?<![\w%#@.$\"-]){}(?![\w.:\"])|(?<![\w%#@.$\"-]){}(?= : (?:index|i\d+))"


def smaller_shapes(search: Search) -> Asking[None]:
    """Each size in turn, the largest first, as small as it may be with the same failure."""
    going = True
    while going and not search.spent:
        going = False
        for size in _sizes(search.best):
            while not search.spent:
                tries = [(less, _with_size(search, size, less)) for less in _less(size)]
                found = yield from search.first("shapes", tries)
                if found is None:
                    break
                size, going = found, True


def _less(size: int) -> Iterator[int]:
    values = (1 if share == 0 else size // share for share in _SHARES)
    yield from dict.fromkeys(value for value in values if 1 <= value < size)


def _sizes(form: Form) -> list[int]:
    if form.kernel.kind != "mlir":
        return []
    found = {int(n) for n in re.findall(_IN_TYPE.format(r"(\d+)"), form.kernel.source)}
    return sorted((size for size in found if size > 1), reverse=True)


def _with_size(search: Search, size: int, less: int) -> Form | None:
    pattern = f"{_IN_TYPE.format(size)}|{_ALONE.format(size, size)}"
    return search.with_source(re.sub(pattern, str(less), search.best.kernel.source))
