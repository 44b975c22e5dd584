"""The same result by other operators, where those of the kernel have no code or fail."""

from __future__ import annotations

import json
from collections.abc import Iterator

from core.analysis.remedies.case import Case, Proposal, proposal
from core.analysis.remedies.scheduling import FUSED, POLYTOPS, alone, halves_evenly
from core.compilers.akg import convolution, rewrites

_REFUSALS = ("only support float16", "dtype_.is_float()")
_BEYOND = (
    "Sums beyond 16,777,216, above which float32 has no longer every whole number, are rounded."
)


def decompositions(case: Case) -> Iterator[Proposal]:
    """Rewrites of a kernel that keep what it computes."""
    if case.kernel.kind == "composite":
        yield from _reductions(case)
    elif case.kernel.kind == "python":
        yield from _convolution(case)


def _reductions(case: Case) -> Iterator[Proposal]:
    """Reductions along the last axis in a type for which the chip has no instruction."""
    description = json.loads(case.kernel.source)
    reductions = rewrites.last_axis_reductions(description)
    refused = any(words in case.failure.message for words in _REFUSALS)
    if not reductions or not (refused or case.memory):
        return
    promise = 95.0 if refused else 38.0
    names = ", ".join(dict.fromkeys(each["name"] for each in reductions))
    types = " and ".join(
        dict.fromkeys(each["input_desc"][0][0]["data_type"] for each in reductions)
    )
    exact = f"Neither step rounds anything, so results stay those of {types}."
    by_halves = rewrites.halved(case.kernel)
    reason = (
        f"For {names} of {types} along the last axis the chip has no instruction, but it takes two "
        "rows of any length element by element: the halves of a row, and again, down to one. "
        f"{exact}"
    )
    if by_halves is not None and alone(description):
        yield proposal(
            promise, "decomposition", f"{names} by halves", reason, case.request(kernel=by_halves)
        )
    elif by_halves is not None and all(map(halves_evenly, reductions)):
        yield proposal(
            promise,
            "decomposition",
            f"{names} by halves, and PolyTOPS as the scheduler",
            f"{reason} {FUSED}",
            case.request(kernel=by_halves, hints=case.with_attributes(POLYTOPS)),
        )
    # What follows it in one kernel mostly no longer fits, as the rows are turned.
    by_lanes = rewrites.in_lanes(case.kernel) if alone(description) else None
    if by_lanes is not None:
        yield proposal(
            promise + 2,
            "decomposition",
            f"{names} in eight lanes, turned",
            f"{names} of {types} has instructions for every axis but the last: eight lanes a row "
            f"are left by one over the middle, and turned they are reduced by the first. {exact}",
            case.request(kernel=by_lanes),
        )
    in_float = rewrites.summed_in_float(case.kernel)
    if in_float is not None:
        yield proposal(
            promise - 1,
            "precision",
            "whole numbers summed in float32",
            "Along the last axis the chip adds floats alone; the sum gets a cast on either side.",
            case.request(kernel=in_float),
            _BEYOND,
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
