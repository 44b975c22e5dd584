"""Whether a kernel may be padded: what its operators make of elements that only fill up.

What is in the padding is followed through the operators: a number where it is known, anything where
it is not. A reduction over a padded axis needs the number that changes nothing there: 0 for a sum,
minus infinity for a maximum. Fillings of the inputs are tried until one gives that everywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from core.compilers.akg.reshape import ELEMENTWISE, Operator, Shape, reduced_axes, shape_of
from core.compilers.akg.reshape import Tensor as _Tensor
from core.kernel import Kernel
from core.reference.operators import OPERATORS

#: any: what the padding holds does not matter; fill: it must hold certain numbers; no: no number
#: does; unknown: the kernel's operators are not read here.
Verdict: TypeAlias = Literal["any", "fill", "no", "unknown"]

_LOWEST, _HIGHEST = float("-inf"), float("inf")
_FLOATS = (0.0, _LOWEST, _HIGHEST, 1.0)
_WHOLE = (0.0, 1.0)
_MOST_TRIED = 256
#: What stands for a value that is not known: what comes out the same for all of them is known.
_SAMPLES = np.array([-2.71, -0.83, 0.37, 1.9])
_NEUTRAL: Mapping[str, float] = {
    "ReduceSum": 0.0,
    "ReduceProd": 1.0,
    "ReduceMax": _LOWEST,
    "ReduceMin": _HIGHEST,
    "Argmax": _LOWEST,
    "Argmin": _HIGHEST,
}
_ALONG = ("CumSum", "CumProd")
_MOVES = ("Reshape", "Transpose", "ExpandDims", "TransData", "LayoutTransform", "Tile")


@dataclass(frozen=True, slots=True)
class Padding:
    """Whether shapes may be padded along some dimensions, and with what."""

    verdict: Verdict
    why: str  #: one sentence
    fill: Mapping[str, float]  #: by input: what its padding must hold; empty where anything does


def padding(kernel: Kernel, names: Sequence[str]) -> Padding:
    """What padding along these dimensions does to the results that lie outside of it."""
    if kernel.kind != "composite":
        return Padding(
            "unknown",
            "What the padding does is told from the operators of a description, and this kernel "
            "has none: see that what is added up or compared over a padded axis changes nothing.",
            {},
        )
    shape = shape_of(kernel)
    padded = [_Padded(kernel, shape, name) for name in names if name in shape.names.values()]
    moved = next((said for each in padded if (said := each.in_between())), "")
    if moved:
        return Padding("no", moved, {})
    inputs = [
        tensor
        for tensor in kernel.tensors
        if tensor.role == "input" and any(each.has(tensor.name) for each in padded)
    ]
    problems = [problem for each in padded if (problem := each.problem({}))]
    if not problems:
        return Padding("any", _anything(shape), {})
    for fill in _fillings([(tensor.name, tensor.dtype) for tensor in inputs]):
        if not any(each.problem(fill) for each in padded):
            return Padding("fill", f"{problems[0]} {_filled(fill)}", fill)
    return Padding("no", f"{problems[0]} No one number in the inputs gives that.", {})


def _anything(shape: Shape) -> str:
    only = all(operator.name in ELEMENTWISE for operator in shape.operators)
    return (
        "Every result is made of its own elements alone, so what the padding holds does not matter."
        if only
        else "No operator mixes elements along the padded dimensions, so what the padding holds "
        "does not matter."
    )


def _filled(fill: Mapping[str, float]) -> str:
    return f"Fill the padding of {', '.join(f'{n} with {said(v)}' for n, v in fill.items())}."


def said(value: float) -> str:
    """A number that fills, in words."""
    if value == _LOWEST:
        return "the lowest number"
    return "the highest number" if value == _HIGHEST else f"{value:g}"


def _fillings(inputs: Sequence[tuple[str, str]]) -> Iterator[dict[str, float]]:
    """Numbers for the inputs: the same for all first, then others for each."""
    choices = [_FLOATS if "float" in dtype else _WHOLE for _, dtype in inputs]
    names = [name for name, _ in inputs]
    for value in _FLOATS:
        if all(value in each for each in choices):
            yield dict.fromkeys(names, value)
    for values in itertools.islice(itertools.product(*choices), _MOST_TRIED):
        if len(set(values)) > 1:
            yield dict(zip(names, values, strict=True))


class _Padded:
    """One dimension that is padded, and what the operators make of what is added there."""

    def __init__(self, kernel: Kernel, shape: Shape, name: str) -> None:
        self._kernel, self._shape, self._name = kernel, shape, name
        settled = shape.settled
        (leaf,) = (root for root, called in shape.names.items() if called == name)
        self._axes: dict[str, set[int]] = {}
        for (tensor, at), root in settled.roots.items():
            if leaf in settled.leaves(root):
                self._axes.setdefault(tensor, set()).add(at)
        self._leaf = leaf

    def has(self, tensor: str) -> bool:
        return tensor in self._axes

    def in_between(self) -> str:
        """Where an input or a result has padding between what is wanted: a sentence."""
        settled = self._shape.settled
        for tensor in self._kernel.tensors:
            for at in range(len(tensor.shape)):
                rule = settled.rules.get(settled.roots[tensor.name, at])
                parts = [p for p in rule.parts if not isinstance(p, int)] if rule else []
                place = parts[-1] if rule and rule.kind == "sum" else parts[0] if parts else None
                if any(self._leaf in settled.leaves(part) for part in parts if part is not place):
                    return (
                        f"Axis {at} of {tensor.name} is made of {self._name} and others, so its "
                        "padding would lie between its elements and not behind them."
                    )
        return ""

    def problem(self, fill: Mapping[str, float]) -> str:
        """What goes wrong with these fillings (none: with anything); "" where nothing does."""
        held: dict[str, float | None] = {}
        for tensor in self._kernel.tensors:
            if tensor.role == "input" and tensor.name in self._axes:
                held[tensor.name] = fill.get(tensor.name)
        with np.errstate(all="ignore"):
            for operator in self._shape.operators:
                wrong = self._step(operator, held)
                if wrong:
                    return wrong
        return ""

    def _step(self, operator: Operator, held: dict[str, float | None]) -> str:
        """Work out what one operator's result holds in the padding; a sentence where it is hurt."""
        name, made = operator.name, operator.output.name
        given = [held.get(each.name) for each in operator.given]
        if name in _NEUTRAL or name in ("ElemAll", "ElemAny"):
            tensor = operator.given[0]
            over = reduced_axes(operator) & self._axes.get(tensor.name, set())
            if over:
                wanted = _NEUTRAL.get(name)
                if wanted is None or given[0] != wanted:
                    return self._hurt(operator, wanted, given[0])
            if made in self._axes:
                held[made] = given[0] if name != "ReduceSum" or given[0] == 0 else None
            return ""
        if name in ("MatMul", "BatchMatMul"):
            return self._product(operator, held)
        if name == "UnsortedSegmentSum":
            rows = set(range(len(operator.given[1].shape)))
            if rows & self._axes.get(operator.given[0].name, set()) and given[0] != 0:
                return self._hurt(operator, 0.0, given[0])
        if name == "Gather" and operator.given[1].name in self._axes and given[1] != 0:
            return f"{name} reads at indices of the padding, which must be 0 to lie in the table."
        if made in self._axes:
            held[made] = self._result(operator, held)
        return ""

    def _hurt(self, operator: Operator, wanted: float | None, holds: float | None) -> str:
        if wanted is None:
            return f"{operator.name} over {self._name} takes the padding for elements."
        there = "anything" if holds is None else f"{holds:g}"
        return (
            f"{operator.name} over {self._name} needs {said(wanted)} in the padding, where "
            f"it would find {there}."
        )

    def _product(self, operator: Operator, held: dict[str, float | None]) -> str:
        left, right = operator.given[:2]
        made = operator.output.name
        both = [each for each in (left, right) if each.name in self._axes]
        if len(both) == 2 and made not in self._axes:
            # What is behind the end is multiplied with what is behind the other's end, and added.
            if 0.0 not in (held.get(left.name), held.get(right.name)):
                return self._hurt(operator, 0.0, held.get(left.name))
        elif made in self._axes:
            zero = any(held.get(each.name) == 0 for each in both)
            held[made] = 0.0 if zero and len(operator.given) == 2 else None
        return ""

    def _result(self, operator: Operator, held: Mapping[str, float | None]) -> float | None:
        """What is in the padding of a result: one number, or None for any."""
        if operator.name in _MOVES or operator.name == "BroadcastTo":
            if operator.given:
                (tensor,) = operator.given
                return held.get(tensor.name) if tensor.name in self._axes else None
            return None
        function = OPERATORS.get(operator.name)
        if operator.name not in ELEMENTWISE or function is None:
            return None
        sampled = [self._sampled(each, held, number) for number, each in enumerate(operator.inputs)]
        if any(each is None for each in sampled):
            return None
        try:
            values = np.asarray(function(sampled, operator.attributes), dtype=np.float64)
        except (ValueError, TypeError, IndexError, KeyError):
            return None
        first = float(values.flat[0])
        return first if np.all(values == first) else None

    def _sampled(self, tensor: _Tensor, held: Mapping[str, float | None], number: int) -> Any:
        """What an operand may be in the padding: its number, or several that stand for any."""
        if not tensor.name:
            return None if tensor.value is None else np.full(len(_SAMPLES), tensor.value)
        known = held.get(tensor.name) if tensor.name in self._axes else None
        return np.roll(_SAMPLES, number) if known is None else np.full(len(_SAMPLES), known)
