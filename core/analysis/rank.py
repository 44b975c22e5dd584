"""Which points of a kernel are worth having: ranked, and those that no other beats in everything.

Four things count: the time estimate, transfers that waste bandwidth (a figure that the estimate
leaves out), how full the fullest memory gets, and the cores used. A point beats another where it
is as good in each that is known of both and better in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Literal, Protocol

from core.analysis.estimate import Cost, estimate
from core.analysis.sweep import Outcome
from core.hints import HintValue
from core.trace import Texts, Trace

By = Literal["time", "occupancy", "cores", "bytes", "transfers", "instructions", "scalar stores"]
BY: tuple[By, ...] = (
    "time", "occupancy", "cores", "bytes", "transfers", "instructions", "scalar stores",
)  # fmt: skip
Per = Literal["run", "KiB"]
_NOT_COMPILED = "The time of a point is estimated once it is compiled."
_SAME = 0.005  #: relative; an estimate is no finer than this


class Predicted(Protocol):
    """What a model says of a point that nobody compiled."""

    @property
    def values(self) -> Mapping[str, HintValue]: ...
    @property
    def peaks(self) -> Mapping[str, int]: ...
    @property
    def feasible(self) -> bool | None: ...
    @property
    def limiter(self) -> str | None: ...
    @property
    def cores(self) -> int | None: ...
    @property
    def why_not(self) -> str: ...


class Costs(Protocol):
    """What a model says of the time of such a point (`predict.cost.CostModel`)."""

    @property
    def per(self) -> Per: ...
    def predict(self, values: Mapping[str, HintValue]) -> float:
        """Estimated cycles."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A point with what is known of it. Lower is better but for `cores`."""

    values: Mapping[str, HintValue]  #: by the key of each axis
    how: Literal["measured", "predicted"]
    feasible: bool | None
    memory: str | None = None  #: the limiter
    occupancy: float | None = None  #: of the limiter, 1.0 = full
    cores: int | None = None
    cost: Cost | None = None  #: None where nothing was counted
    time: float | None = None  #: estimated cycles: of the run, or for each KiB that it writes
    per: Per = "run"  #: KiB where the launch decides how many programs there are
    why_not: str = ""  #: where it does not fit or has no time: the reason

    @property
    def wasteful(self) -> int | None:
        """Transfers that are small or unaligned, as one core makes them."""
        return self.cost.wasteful_transfers if self.cost and not self.cost.work.why_not else None

    @property
    def instructions(self) -> int | None:
        """Executed by one core."""
        return sum(self.cost.instructions.values()) or None if self.cost else None

    @property
    def bytes(self) -> int | None:
        """From and to global memory, by one core."""
        if self.cost is None or self.cost.work.why_not:
            return None
        return self.cost.bytes_in + self.cost.bytes_out

    @property
    def transfers(self) -> int | None:
        """From and to global memory, by one core."""
        return self.cost.transfers if self.cost and not self.cost.work.why_not else None

    @property
    def scalar_stores(self) -> int | None:
        """Executed by one core."""
        return self.cost.work.scalar_stores if self.cost and not self.cost.work.why_not else None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place."""

    place: int  #: from 1; equal ones have the same
    candidate: Candidate
    front: bool  #: no other candidate beats it in everything


def measured(
    trace: Trace, values: Mapping[str, HintValue], texts: Texts | None = None
) -> Candidate:
    """A compile as a candidate."""
    limiter = trace.limiter
    failure = trace.failure
    cost = estimate(trace, texts)
    time, per = _time(cost)
    return Candidate(
        values,
        "measured",
        trace.status.compiles,
        limiter.memory if limiter else None,
        limiter.occupancy if limiter else None,
        trace.block_dim,
        cost,
        time,
        per,
        failure.message if failure else cost.why_not if cost else "It was not counted.",
    )


def candidates(
    outcomes: Iterable[Outcome],
    predictions: Iterable[Predicted] = (),
    capacities: Mapping[str, int] | None = None,
    costs: Costs | None = None,
) -> list[Candidate]:
    """Measured points, and predicted ones where nothing was measured at the same values.

    A predicted point has a time only where `costs` learned it from measured ones; what a core does
    there is known once it is compiled.
    """
    found = [measured(o.trace, o.values) for o in outcomes if o.trace is not None]
    known = {_key(each.values) for each in found}
    for each in predictions:
        if _key(each.values) in known:
            continue
        room = (capacities or {}).get(each.limiter or "")
        need = each.peaks.get(each.limiter or "")
        found.append(
            Candidate(
                each.values,
                "predicted",
                each.feasible,
                each.limiter,
                need / room if room and need is not None else None,
                each.cores,
                time=costs.predict(each.values) if costs else None,
                per=costs.per if costs else "run",
                why_not=each.why_not or ("" if costs else _NOT_COMPILED),
            )
        )
    return found


def ranked(points: Sequence[Candidate], by: By = "time") -> list[Ranked]:
    """The feasible points, the best first; those of which it is not known come last.

    Ties are broken by the time, then by wasteful transfers, instructions, occupancy and cores.
    """
    fit = [each for each in points if each.feasible]
    best = {id(each) for each in front(fit)}
    rows: list[Ranked] = []
    ordered = sorted(fit, key=lambda each: _order(each, by))
    for at, each in enumerate(ordered):
        same = at > 0 and _order(each, by) == _order(ordered[at - 1], by)
        rows.append(Ranked(rows[-1].place if same else at + 1, each, id(each) in best))
    return rows


def front(points: Sequence[Candidate]) -> list[Candidate]:
    """The feasible points that no other beats: the Pareto front, in the order given.

    A point without a time or an occupancy is none of them, as it cannot be compared.
    """
    fit = [e for e in points if e.feasible and e.time is not None and e.occupancy is not None]
    return [each for each in fit if not any(beats(other, each) for other in fit)]


def beats(one: Candidate, other: Candidate) -> bool:
    """True where `one` is as good in everything that is known of both, and better in something."""
    signs = [sign for sign in _signs(one, other) if sign is not None]
    return bool(signs) and min(signs) >= 0 and max(signs) > 0


def not_worse(one: Candidate, other: Candidate, by: By = "time") -> bool:
    """True where `other` neither beats `one` nor is better by what was chosen."""
    first, second = _figure(one, by), _figure(other, by)
    worse = first is not None and second is not None and _sign(first, second) < 0
    return bool(one.feasible) and not worse and not beats(other, one)


def compared(one: Candidate, other: Candidate) -> str:
    """What `one` has over `other`, in words: "1.8 x fewer cycles (estimate), UB 25 % instead …"."""
    said = []
    if one.time is not None and other.time is not None and one.per == other.per:
        said.append(_times(one.time, other.time))
    if one.wasteful is not None and other.wasteful is not None and one.wasteful != other.wasteful:
        said.append(f"{one.wasteful:,} wasteful transfers instead of {other.wasteful:,}")
    if one.occupancy is not None and other.occupancy is not None:
        if one.memory != other.memory:
            said.append(
                f"{one.memory} {one.occupancy:.0%} full instead of "
                f"{other.memory} {other.occupancy:.0%}"
            )
        elif not isclose(one.occupancy, other.occupancy, abs_tol=_SAME):
            said.append(f"{one.memory} {one.occupancy:.0%} instead of {other.occupancy:.0%}")
    if one.cores and other.cores and one.cores != other.cores:
        said.append(f"{one.cores:,} cores instead of {other.cores:,}")
    return (
        ", ".join(each.replace("%", " %") for each in said) or "the same in everything that counts"
    )


def _times(one: float, other: float) -> str:
    if _sign(one, other) == 0:
        return "as many cycles (estimate)"
    if one < other:
        return f"{other / one:.3g} × fewer cycles (estimate)" if one else "no cycles (estimate)"
    return f"{one / other:.3g} × more cycles (estimate)" if other else "more cycles (estimate)"


def _time(cost: Cost | None) -> tuple[float | None, Per]:
    """Cycles that compare: where the grid is the launch's, for each KiB that a program writes."""
    if cost is None or cost.cycles is None:
        return None, "run"
    if cost.cores is not None:
        return cost.cycles, "run"
    return (cost.cycles / (cost.bytes_out / 1024) if cost.bytes_out else None), "KiB"


def _figure(each: Candidate, by: By) -> float | None:
    """What is ranked by, lower is better."""
    match by:
        case "time":
            return each.time
        case "occupancy":
            return each.occupancy
        case "cores":
            return None if each.cores is None else -each.cores
        case "bytes":
            return each.bytes
        case "transfers":
            return each.transfers
        case "instructions":
            return each.instructions
        case "scalar stores":
            return each.scalar_stores


def _order(each: Candidate, by: By) -> tuple[float, ...]:
    figures = (
        _figure(each, by),
        each.time,
        each.wasteful,
        each.instructions,
        each.occupancy,
        None if each.cores is None else -each.cores,
    )
    return tuple(float("inf") if figure is None else figure for figure in figures)


def _signs(one: Candidate, other: Candidate) -> list[int | None]:
    """For each thing that counts: 1 better, 0 the same, -1 worse; None where it is not known."""
    pairs: list[tuple[float | None, float | None]] = [
        (one.time, other.time) if one.per == other.per else (None, None),
        (one.wasteful, other.wasteful),
        (one.occupancy, other.occupancy),
        (_figure(one, "cores"), _figure(other, "cores")),
    ]
    return [None if a is None or b is None else _sign(a, b) for a, b in pairs]


def _sign(one: float, other: float) -> int:
    if isclose(one, other, rel_tol=_SAME, abs_tol=1e-9):
        return 0
    return 1 if one < other else -1


def _key(values: Mapping[str, HintValue]) -> tuple[tuple[str, HintValue], ...]:
    return tuple(sorted(values.items()))
