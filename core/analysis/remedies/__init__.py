"""What may make a failed compile succeed: changes with their reasons, ready to be tried.

Each family knows one kind of change and says how much it promises for a failure; the families are
asked in turn and what they propose is put in order. Nothing is compiled here: `trying` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.analysis.explained import Remedy
from core.analysis.remedies.case import Case, Proposal, case_of
from core.analysis.remedies.decomposition import decompositions
from core.analysis.remedies.entry import entry
from core.analysis.remedies.neighbours import neighbours
from core.analysis.remedies.parameters import constants, parameters
from core.analysis.remedies.precision import precision
from core.analysis.remedies.switches import switches, without_hints
from core.analysis.remedies.tiles import tiles
from core.analysis.remedies.versions import versions as other_versions
from core.hints import HintSpec
from core.kernel import Kernel
from core.trace import Trace

_FAMILIES: tuple[Callable[[Case], Iterator[Proposal]], ...] = (
    tiles, parameters, constants, entry, precision, decompositions, without_hints, switches,
    neighbours, other_versions,
)  # fmt: skip


def remedies(
    trace: Trace,
    kernel: Kernel,
    catalogue: Sequence[HintSpec],
    versions: Sequence[str] = (),
) -> tuple[Remedy, ...]:
    """Remedies for a failed trace, the most promising first; () where it compiles.

    `catalogue`: the compiler's hints. `versions`: of the compiler, that can be used here.
    """
    case = case_of(trace, kernel, catalogue, versions)
    if case is None or case.failure.kind in ("cancelled", "tool"):
        return ()
    found = [each for family in _FAMILIES for each in family(case)]
    found.sort(key=lambda each: -each.promise)
    same = case.request().digest
    kept: dict[str, Remedy] = {}
    for each in found:
        digest = each.remedy.request.digest
        if digest != same:
            kept.setdefault(digest, each.remedy)
    return tuple(kept.values())
