"""Smoothing what was measured: how far a formula is off, by likeness of points.

Gaussian-process regression on the logarithm of measured / formula. Points that share traits (a
tail, an unaligned tile) share a correction; nearby ones share more of it; far from everything the
formula stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.predict_points import Described, Floats


@dataclass(frozen=True, slots=True)
class Doubt:
    """How far corrections differ before anything is measured: standard deviations of a log."""

    level: float = 1.0  #: of the whole kernel
    trait: float = 0.25  #: that a trait brings
    slope: float = 0.01  #: a doubling of a value
    pattern: float = 0.2  #: that all traits together bring
    strange: float = 0.3  #: what each differing trait leaves of that
    local: float = 0.4  #: of points with the same traits and nearly the same values
    reach: float = 2.5  #: doublings over which what is local fades
    unlike: float = 0.85  #: what each differing trait leaves of it
    noise: float = 0.08


DOUBT = Doubt()
_SAME_LEVEL = 0.18  # difference of logarithms


@dataclass(frozen=True, slots=True)
class Fitted:
    """Corrections learned from measured points."""

    at: Described
    inverse: Floats
    weights: Floats
    values: Floats  #: logarithms, beside what is usual

    def correct(self, points: Described) -> tuple[Floats, Floats]:
        """Logarithm of the correction at each point, and how sure it is (0 = not at all, 1)."""
        between = likeness(points, self.at)
        mean = points.usual + between @ self.weights
        alone = own_likeness(points)
        explained = ((between @ self.inverse) * between).sum(axis=1) / alone
        levels = self.at.usual + self.values
        return _on_levels(mean, np.abs(mean[:, None] - levels), levels), np.clip(explained, 0, 1)

    def without_each(self) -> Floats:
        """What would be said of each measured point if it had not been measured."""
        levels = self.at.usual + self.values
        mean = np.asarray(levels - self.weights / np.diag(self.inverse))
        away = np.abs(mean[:, None] - levels)
        np.fill_diagonal(away, np.inf)
        return _on_levels(mean, away, levels)


def _on_levels(mean: Floats, away: Floats, levels: Floats) -> Floats:
    """The measured correction that is nearest, where one is near enough.

    Copies are whole, so that the plans of a kernel differ by a few factors and not by what lies
    between them.
    """
    nearest = away.argmin(axis=1)
    near = away.min(axis=1) < _SAME_LEVEL
    return np.asarray(np.where(near, levels[nearest], mean))


def fit(at: Described, values: Floats) -> Fitted:
    """Learn from points and the logarithm of measured / formula at each."""
    values = values - at.usual
    covariance = likeness(at, at) + DOUBT.noise**2 * np.eye(len(values))
    inverse: Floats = np.linalg.inv(covariance).astype(np.float64)
    return Fitted(at, inverse, inverse @ values, values)


def likeness(some: Described, others: Described) -> Floats:
    """The covariance of the corrections of each pair of points."""
    shared = some.traits @ others.traits.T
    differing = some.traits.sum(1)[:, None] + others.traits.sum(1)[None, :] - 2 * shared
    away = squared(some.places, others.places)
    slope = some.places @ others.places.T
    d = DOUBT
    local = np.exp(-0.5 * away / d.reach**2) * d.unlike**differing
    return np.asarray(
        d.level**2
        + d.trait**2 * shared
        + d.pattern**2 * d.strange**differing
        + d.slope**2 * slope
        + d.local**2 * local,
        dtype=float,
    )


def own_likeness(points: Described) -> Floats:
    """The covariance of each point with itself."""
    d = DOUBT
    return np.asarray(
        d.level**2
        + d.trait**2 * points.traits.sum(1)
        + d.slope**2 * (points.places**2).sum(1)
        + d.pattern**2
        + d.local**2
    )


def squared(some: Floats, others: Floats) -> Floats:
    """Squared distances of each pair of rows."""
    lengths = (some**2).sum(1)[:, None] + (others**2).sum(1)[None, :]
    return np.asarray(np.maximum(lengths - 2 * some @ others.T, 0.0))


def telling(
    known: Described,
    candidates: Described,
    rest: Described,
    weights: Floats,
    chances: Floats,
    limit: int,
) -> list[int]:
    """The candidates that, measured one after the other, take most doubt from the rest.

    Nothing needs to be compiled to know that: how much a point tells of another one depends on
    where they are, not on what is measured. `weights` say how much each of the rest matters,
    `chances` how likely each candidate has something to tell.
    """
    cross = likeness(candidates, rest)
    among = likeness(candidates, candidates)
    noise = DOUBT.noise**2
    if len(known.traits):
        inverse = np.linalg.inv(likeness(known, known) + noise * np.eye(len(known.traits)))
        seen = likeness(candidates, known)
        cross = cross - seen @ inverse @ likeness(known, rest)
        among = among - seen @ inverse @ seen.T
    picked: list[int] = []
    left = np.ones(len(candidates.traits), dtype=bool)
    for _ in range(min(limit, len(candidates.traits))):
        own = np.maximum(np.diag(among), 1e-12) + noise
        gain = np.where(left, chances * (cross**2 @ weights) / own, -1.0)
        best = int(gain.argmax())
        picked.append(best)
        left[best] = False
        column = among[:, best].copy()
        cross = cross - np.outer(column, cross[best]) / own[best]
        among = among - np.outer(column, column) / own[best]
    return picked
