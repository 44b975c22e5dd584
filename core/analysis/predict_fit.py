"""Smoothing what was measured: how far a formula is off, by likeness of points.

Gaussian-process regression on the logarithm of measured / formula. Points that share traits (a
tail, an unaligned tile) share a correction; nearby ones share more of it; far from everything the
formula stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.predict_points import Described, Floats

_LEVEL, _TRAIT, _SLOPE, _LOCAL = 0.5, 0.35, 0.03, 0.25  # standard deviations, of a log
_REACH = 1.5  # doublings over which a local correction fades
_UNLIKE = 0.45  # what each differing trait leaves of it
_NOISE = 0.02


@dataclass(frozen=True, slots=True)
class Fitted:
    """Corrections learned from measured points."""

    at: Described
    inverse: Floats
    weights: Floats
    values: Floats

    def correct(self, points: Described) -> tuple[Floats, Floats]:
        """Logarithm of the correction at each point, and how sure it is (0 = not at all, 1)."""
        between = likeness(points, self.at)
        mean = between @ self.weights
        alone = own_likeness(points)
        explained = np.einsum("ij,jk,ik->i", between, self.inverse, between) / alone
        return mean, np.clip(explained, 0.0, 1.0)

    def without_each(self) -> Floats:
        """What would be said of each measured point if it had not been measured."""
        return np.asarray(self.values - self.weights / np.diag(self.inverse))


def fit(at: Described, values: Floats) -> Fitted:
    """Learn from points and the logarithm of measured / formula at each."""
    covariance = likeness(at, at) + _NOISE**2 * np.eye(len(values))
    inverse: Floats = np.linalg.inv(covariance).astype(np.float64)
    return Fitted(at, inverse, inverse @ values, values)


def likeness(some: Described, others: Described) -> Floats:
    """The covariance of the corrections of each pair of points."""
    shared = some.traits @ others.traits.T
    differing = some.traits.sum(1)[:, None] + others.traits.sum(1)[None, :] - 2 * shared
    squared = _squared(some.places, others.places)
    slope = some.places @ others.places.T
    local = np.exp(-0.5 * squared / _REACH**2) * _UNLIKE**differing
    return np.asarray(
        _LEVEL**2 + _TRAIT**2 * shared + _SLOPE**2 * slope + _LOCAL**2 * local, dtype=float
    )


def own_likeness(points: Described) -> Floats:
    """The covariance of each point with itself."""
    return np.asarray(
        _LEVEL**2
        + _TRAIT**2 * points.traits.sum(1)
        + _SLOPE**2 * (points.places**2).sum(1)
        + _LOCAL**2
    )


def _squared(some: Floats, others: Floats) -> Floats:
    lengths = (some**2).sum(1)[:, None] + (others**2).sum(1)[None, :]
    return np.asarray(np.maximum(lengths - 2 * some @ others.T, 0.0))
