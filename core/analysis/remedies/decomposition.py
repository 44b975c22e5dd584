"""The same result by other operators, where those of the kernel have no code or fail."""

from __future__ import annotations

import json
from collections.abc import Iterator

from core.analysis.remedies.case import Case, Proposal, proposal
from core.compilers.akg import convolution, rewrites

_SCHEDULER = {"enable_polytops": "always"}
_EXACT = "Comparing two numbers rounds nothing, so results stay those of float32."


def decompositions(case: Case) -> Iterator[Proposal]:
    """Rewrites of a kernel that keep what it computes."""
    if case.kernel.kind == "composite":
        yield from _reductions(case)
    elif case.kernel.kind == "python":
        yield from _convolution(case)


def _reductions(case: Case) -> Iterator[Proposal]:
    """The largest or smallest of float32 along the last axis, without that instruction."""
    reductions = rewrites.last_axis_reductions(json.loads(case.kernel.source))
    refused = "only support float16" in case.failure.message
    if not reductions or not (refused or case.memory):
        return
    promise = 95.0 if refused else 38.0
    names = ", ".join(dict.fromkeys(each["name"] for each in reductions))
    by_halves = rewrites.halved(case.kernel)
    if by_halves is not None:
        reason = (
            f"For {names} of float32 along the last axis the chip has no instruction, but it "
            "compares two rows of any length: the halves of a row, and again, down to one. "
            f"{_EXACT}"
        )
        yield proposal(
            promise,
            "decomposition",
            f"{names} by halves, and PolyTOPS as the scheduler",
            f"{reason} PolyTOPS keeps the many small steps in one loop over rows, which goes over "
            "all cores.",
            case.request(kernel=by_halves, hints=case.with_attributes(_SCHEDULER)),
        )
        yield proposal(
            promise - 6,
            "decomposition",
            f"{names} by halves",
            reason,
            case.request(kernel=by_halves),
        )
    by_lanes = rewrites.in_lanes(case.kernel)
    if by_lanes is not None:
        yield proposal(
            # What follows it in one kernel mostly no longer fits, as the rows are turned.
            promise + 1 if len(json.loads(case.kernel.source)["op_desc"]) == 1 else promise - 12,
            "decomposition",
            f"{names} in eight lanes, turned",
            f"{names} of float32 has instructions for every axis but the last: eight lanes a row "
            f"are left by one over the middle, and turned they are reduced by the first. {_EXACT}",
            case.request(kernel=by_lanes),
        )


def _convolution(case: Case) -> Iterator[Proposal]:
    """A direct convolution as columns and a product of matrices."""
    found = convolution.convolution(case.kernel)
    if found is None:
        return
    outside = convolution.with_data_padded(case.kernel, found)
    if outside is not None:
        padded = (
            f" The data come with {found.pad} zeros on every side of their three axes, which "
            "whoever calls the kernel has to add."
            if found.pad
            else ""
        )
        yield proposal(
            94.0,
            "decomposition",
            "columns and a product" + (", of data padded beforehand" if found.pad else ""),
            "The columns that each output needs are a result of their own, so nothing is inlined "
            f"into the sum and each loop nest is plain. They go out beside the product.{padded}",
            case.request(kernel=outside),
        )
    inside = convolution.with_padding_in_columns(case.kernel, found) if found.pad else None
    if inside is not None:
        yield proposal(
            83.0,
            "decomposition",
            "rows and a product, padded while the rows are made",
            "As columns, the data as they were: a Select pads one row at a time. The product has "
            "a row an output and a column a filter.",
            case.request(kernel=inside),
        )
