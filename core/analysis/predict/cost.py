"""The time estimate of points that nobody compiled, learned from those that were.

The estimate of a compiled point counts its code. What code a compiler makes for other tiles is
learned: starting from the part of the work that falls to one core, corrections are smoothed over
measured points by Gaussian-process regression on the logarithm. Each figure is an estimate of an
estimate, so its error on the measured points, each predicted without itself, stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from core.analysis.predict.fit import squared
from core.analysis.predict.points import (
    Described,
    Floats,
    Variable,
    describe,
    located,
    row,
    rows,
    variables,
)
from core.analysis.rank import Per, measured
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.kernel import Kernel
from core.trace import Texts, Trace

LEAST = 6  #: measured points below which nothing is predicted

#: How far corrections differ before anything is measured, standard deviations of a logarithm: what
#: a trait brings, a doubling of a value, a doubling where a trait is, points nearby; then over how
#: many doublings that fades, what a differing trait leaves of it, and what is never explained.
_TRAIT, _SLOPE, _BOTH, _LOCAL, _REACH, _UNLIKE, _NOISE = 0.5, 0.4, 0.2, 1.0, 2.0, 0.6, 0.05


@dataclass(frozen=True, slots=True)
class CostError:
    """How far predictions were off for measured points, each predicted without itself."""

    points: int
    median: float  #: of |predicted - measured| / measured
    worst: float


@dataclass(frozen=True, slots=True)
class _Fitted:
    """Corrections learned from measured points."""

    at: Described
    middle: Floats  #: of the measured places, from where slopes are counted
    inverse: Floats
    weights: Floats
    values: Floats  #: logarithms

    def correct(self, points: Described) -> tuple[Floats, Floats]:
        """Logarithm of the correction at each point, and how sure it is (0 = not at all, 1)."""
        between = _likeness(points, self.at, self.middle)
        explained = ((between @ self.inverse) * between).sum(axis=1) / _own(points, self.middle)
        return between @ self.weights, np.clip(explained, 0.0, 1.0)

    def without_each(self) -> Floats:
        """What would be said of each measured point if it had not been measured."""
        return np.asarray(self.values - self.weights / np.diag(self.inverse))


@dataclass(frozen=True)
class CostModel:
    """Predictions of cycles for one kernel."""

    variables: tuple[Variable, ...]
    per: Per  #: of the whole run, or for each KiB that a program of a grid writes
    error: CostError
    _cores: int | None
    _level: float
    _fitted: _Fitted

    @classmethod
    def fit(
        cls,
        trace: Trace,
        texts: Texts | None = None,
        outcomes: Iterable[Outcome] = (),
        *,
        kernel: Kernel | None = None,
        cores: int | None = None,
    ) -> CostModel | None:
        """Learn from the open trace and every measured point of its kernel.

        `cores` are those of the chip. None where fewer than LEAST points have an estimate.
        """
        compiled = [o for o in outcomes if o.compiles and o.trace is not None]
        of = variables(trace, compiled, kernel)
        own = measured(trace, {}, texts)
        found: dict[tuple[float, ...], float] = {}
        if own.time:
            found[tuple(row({}, of))] = own.time
        for outcome in compiled:
            assert outcome.trace is not None
            each = measured(outcome.trace, outcome.values)
            if each.time and each.per == own.per:
                found[tuple(located(outcome, of))] = each.time
        if len(found) < LEAST or not of:
            return None
        at = describe(np.array(list(found)), of, cores).without_usual()
        times = np.array(list(found.values()))
        logs = np.log(times / _share(at, cores))
        level = float(np.mean(logs))
        fitted = _fit(at, logs - level)
        said = np.exp(fitted.without_each() + level) * _share(at, cores)
        off = np.abs(said - times) / times
        error = CostError(len(times), median(off.tolist()), float(off.max()))
        return cls(of, own.per, error, cores, level, fitted)

    def predict_all(
        self, lists: Mapping[str, Sequence[HintValue]]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Cycles over every combination of values, and how sure each is (0 to 1).

        Arrays of the shape of `lists`, as those of `predict.Space`; what is left out of the lists
        is as in the open trace.
        """
        order = [each.key for each in self.variables if each.key in lists]
        shape = tuple(len(lists[key]) for key in order)
        cycles, sure = self._said(rows(lists, self.variables))
        back = [order.index(key) for key in lists if key in order]
        return (
            np.transpose(cycles.reshape(shape), back),
            np.transpose(sure.reshape(shape), back),
        )

    def predict(self, values: Mapping[str, HintValue]) -> float:
        """Cycles at one point."""
        cycles, _ = self._said(np.array([row(values, self.variables)]))
        return float(cycles[0])

    def _said(self, points: Floats) -> tuple[Floats, Floats]:
        at = describe(points, self.variables, self._cores).without_usual()
        correction, sure = self._fitted.correct(at)
        return np.exp(correction + self._level) * _share(at, self._cores), sure


def _fit(at: Described, values: Floats) -> _Fitted:
    middle = at.places.mean(axis=0)
    covariance = _likeness(at, at, middle) + _NOISE**2 * np.eye(len(values))
    inverse: Floats = np.linalg.inv(covariance).astype(np.float64)
    return _Fitted(at, middle, inverse, inverse @ values, values)


def _likeness(some: Described, others: Described, middle: Floats) -> Floats:
    """The covariance of the corrections of each pair of points."""
    shared = some.traits @ others.traits.T
    differing = some.traits.sum(1)[:, None] + others.traits.sum(1)[None, :] - 2 * shared
    slopes = (some.places - middle) @ (others.places - middle).T
    away = squared(some.places, others.places)
    return np.asarray(
        1.0
        + _TRAIT**2 * shared
        + (_SLOPE**2 + _BOTH**2 * shared) * slopes
        + _LOCAL**2 * np.exp(-0.5 * away / _REACH**2) * _UNLIKE**differing
    )


def _own(points: Described, middle: Floats) -> Floats:
    """The covariance of each point with itself."""
    traits = points.traits.sum(1)
    slopes = ((points.places - middle) ** 2).sum(1)
    return np.asarray(
        1.0 + _TRAIT**2 * traits + (_SLOPE**2 + _BOTH**2 * traits) * slopes + _LOCAL**2
    )


def _share(at: Described, cores: int | None) -> Floats:
    """The part of all the work that falls to the core that has most of it."""
    if not cores:
        return np.ones(len(at.trips))
    return np.asarray(np.ceil(at.trips / cores) / at.trips)
