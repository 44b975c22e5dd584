"""Smoothing what was measured: how far a formula is off, by likeness of points.

Gaussian-process regression on the logarithm of measured / formula. Points that share traits (a
tail, an unaligned tile) share a correction; nearby ones share more of it; far from everything the
formula stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.predict.points import Described, Floats


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
#: Difference of logarithms from a measured correction below which it is taken as it is: copies are
#: whole, so that plans of a kernel differ by a few factors and not by what lies between them.
_SAME_LEVEL = 0.18


@dataclass(frozen=True, slots=True)
class Fitted:
    """Corrections learned from measured points."""

    at: Described
    inverse: Floats
    weights: Floats
    values: Floats  #: logarithms, beside what is usual

    def correct(self, between: Floats, usual: Floats) -> Floats:
        """Logarithm of the correction at points, of their likeness to those that were learned from.

        `between` has a row a point, `usual` what is usual there.
        """
        mean = usual + between @ self.weights
        levels = np.sort(self.at.usual + self.values)
        above = np.searchsorted(levels, mean).clip(1, len(levels) - 1) if len(levels) > 1 else 0
        below = levels[above - 1]
        level = np.where(mean - below < levels[above] - mean, below, levels[above])
        return np.asarray(np.where(np.abs(level - mean) < _SAME_LEVEL, level, mean))

    def sure(self, between: Floats, points: Described) -> Floats:
        """How much of the doubt at points is taken away, 0 to 1."""
        explained: Floats = np.einsum("ij,ij->i", between @ self.inverse, between)
        return np.clip(explained / own_likeness(points), 0.0, 1.0)

    def without_each(self) -> Floats:
        """What would be said of each measured point if it had not been measured."""
        levels = self.at.usual + self.values
        mean = np.asarray(levels - self.weights / np.diag(self.inverse))
        away = np.abs(mean[:, None] - levels)
        np.fill_diagonal(away, np.inf)
        near = away.min(axis=1) < _SAME_LEVEL
        return np.asarray(np.where(near, levels[away.argmin(axis=1)], mean))


def fit(at: Described, values: Floats) -> Fitted:
    """Learn from points and the logarithm of measured / formula at each."""
    values = values - at.usual
    covariance = likeness(at, at) + DOUBT.noise**2 * np.eye(len(values))
    inverse: Floats = np.linalg.inv(covariance).astype(np.float64)
    return Fitted(at, inverse, inverse @ values, values)


def likeness(some: Described, others: Described) -> Floats:
    """The covariance of the corrections of each pair of points."""
    d = DOUBT
    shared = some.traits @ others.traits.T
    differing = np.rint(
        some.traits.sum(1)[:, None] + others.traits.sum(1)[None, :] - 2 * shared
    ).astype(np.intp)
    # Powers are looked up and the rest is done in place: there are millions of pairs.
    differences = np.arange(differing.max(initial=0) + 1)
    away = squared(some.places, others.places)
    away *= -0.5 / d.reach**2
    found = np.exp(away, out=away)
    found *= (d.local**2 * d.unlike**differences)[differing]
    found += (d.level**2 + d.pattern**2 * d.strange**differences)[differing]
    shared *= d.trait**2
    found += shared
    found += d.slope**2 * (some.places @ others.places.T)
    return np.asarray(found, dtype=np.float64)


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
    found = some @ (-2.0 * others.T)
    found += (some**2).sum(1)[:, None]
    found += (others**2).sum(1)[None, :]
    return np.asarray(np.maximum(found, 0.0, out=found))


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
