"""A first-order estimate of the time that a kernel takes, from what its emitted code does.

What is counted is exact: bytes by path, steps of the vector unit, products of the cube, scalar
stores (`core/ir/work.py`). How long that takes is an estimate: each unit at its full public rate,
a few cycles for each transfer, nothing for waiting or conflicts, for which no public figure was
found. So it is a least time, good for comparing tiles of one kernel and not for predicting a
measurement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.ir.instructions import Kind, kind
from core.ir.mlir import MlirError
from core.ir.mlir_work import count_mlir_work
from core.ir.work import GLOBAL_ALIGNMENT, SMALL_BYTES, count_work
from core.trace import Texts, Trace, Traffic, Work

__all__ = ["GLOBAL_ALIGNMENT", "RATES", "SMALL_BYTES", "Cost", "Pipe", "Rates", "estimate", "rates"]

_INI = (
    "{} of the chip's platform configuration, [AICoreMemoryRates] (its unit is not stated; read as "
    "bytes per cycle and core)"
)
_CUBE = "Hot Chips 31, DaVinci: a vector path of 256 B and 16 x 16 x 16 products in each cycle"
#: Cycles for each transfer from or to global memory, whatever its size: 12,288 x 12,288 float16
#: were copied into UB by 48 cores of an Atlas A2 in 2,359,296 pieces of 128 B and in 2,304 of 128
#: KiB, in 49,222,116 and 18,563,430 cycles of all cores together.
_TRANSFER = round((49_222_116 - 18_563_430) / (2_359_296 - 2_304))
_TRANSFERS = (
    "{} cycles for each transfer from or to global memory: measured on Atlas A2 (gitcode.com/cann/"
    "asc-devkit, 04_best_practices/04_memory_access_practices/data_copy), taken for this chip too"
)
#: Paths, by the pipe that moves over them, and the entry of the configuration that is their rate.
_PATHS: Mapping[str, tuple[str, str, float]] = {
    "GM→UB": ("MTE2", "ddr_rate", 32),
    "GM→L1": ("MTE2", "ddr_rate", 32),
    "GM→L0A": ("MTE2", "ddr_rate", 32),
    "GM→L0B": ("MTE2", "ddr_rate", 32),
    "L1→L0A": ("MTE1", "l1_to_l0_a_rate", 512),
    "L1→L0B": ("MTE1", "l1_to_l0_b_rate", 256),
    "L1→UB": ("MTE1", "l1_to_ub_rate", 128),
    "UB→GM": ("MTE3", "ub_to_ddr_rate", 64),
    "UB→L1": ("MTE3", "ub_to_l1_rate", 128),
    "L0C→UB": ("V", "l0_c_to_ub_rate", 256),
    "L0C→GM": ("FIX", "ddr_rate", 32),
    "UB→UB": ("V", "vector path", 256),
}
_SCALAR = "S"  # it hands instructions to the others, which is never waited for as such
_ORDER = ("MTE2", "MTE1", "M", "V", "FIX", "MTE3", _SCALAR)


@dataclass(frozen=True, slots=True)
class Rates:
    """What the units of a chip do in one cycle at most."""

    chip: str
    paths: Mapping[str, float]  #: bytes a cycle and core, by path
    hertz: float | None  #: None where no public figure was found
    sources: tuple[str, ...]  #: one sentence each
    cores: int | None  #: more blocks than these run one after another; None where not known
    vector_steps: float = 1.0  #: of 256 B
    fractals: float = 1.0
    transfer: float = _TRANSFER  #: cycles that each takes beside those of its bytes
    scalar: float = 1.0  #: instructions that the scalar unit hands out; an assumption


def _rates(chip: str, file: str, hertz: float | None, clock: str, cores: int | None) -> Rates:
    paths = {path: rate for path, (_, _, rate) in _PATHS.items()}
    return Rates(
        chip,
        paths,
        hertz,
        (
            f"bytes per cycle: {_INI.format(file)}",
            f"vector and cube: {_CUBE}",
            _TRANSFERS.format(_TRANSFER),
            clock,
            "scalar unit: one instruction in a cycle is assumed, as no public figure was found",
        ),
        cores,
    )


#: By a pattern of the chip's name.
RATES: Mapping[str, Rates] = {
    r"Ascend910A?": _rates("Ascend910A", "Ascend910A.ini", 1e9, "clock: 1 GHz, Ascend910A.ini", 32),
    r"Ascend910B2C": _rates(
        "Ascend910B2C", "Ascend910B2C.ini", 1.8e9, "clock: 1.8 GHz, Ascend910B2C.ini", None
    ),
    r"Ascend910B\d\w*": _rates(
        "Ascend910B",
        "Ascend910B2C.ini, taken for its whole family,",
        None,
        "clock: no public figure was found for this chip, so there are cycles and no seconds",
        None,
    ),
}


@dataclass(frozen=True, slots=True)
class Term:
    """Part of what keeps a unit busy."""

    what: str  #: in words, with its unit: "GM→UB 524,288 B"
    amount: float
    rate: float = 1.0  #: of it in a cycle
    each: float = 1.0  #: cycles that each takes, where that is how it is known

    @property
    def cycles(self) -> float:
        return self.amount / self.rate * self.each

    @property
    def words(self) -> str:
        if self.each != 1:
            return f"{self.what} × {self.each:g}"
        return self.what if self.rate == 1 else f"{self.what} ÷ {self.rate:g}"

    @property
    def expression(self) -> str:
        if self.each != 1:
            return f"{self.amount:.0f} * {self.each:g}"
        return f"{self.amount:.0f}" if self.rate == 1 else f"{self.amount:.0f} / {self.rate:g}"


@dataclass(frozen=True, slots=True)
class Pipe:
    """One unit that works beside the others, and how long it is busy at least."""

    name: str  #: MTE2, MTE1, M, V, FIX, MTE3, S: as the chip's manuals call them
    terms: tuple[Term, ...]

    @property
    def cycles(self) -> float:
        return sum(term.cycles for term in self.terms)

    @property
    def words(self) -> str:
        """What makes up its cycles: "GM→UB 524,288 B ÷ 32 + 16 transfers × 13"."""
        return " + ".join(term.words for term in self.terms)

    @property
    def expression(self) -> str:
        """The same as arithmetic alone."""
        return " + ".join(term.expression for term in self.terms)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one core does for a kernel, counted, and the least time that it takes, estimated.

    Where one of several cores does more than the others, these are its figures. A kernel whose
    number of cores is chosen at its launch is counted for one program of the grid.
    """

    work: Work
    target: str
    cores: int | None  #: None where it is chosen at launch
    instructions: Mapping[Kind, int]  #: executed by one core, by kind; empty where not counted
    pipes: tuple[Pipe, ...] = ()
    rounds: int = 1  #: blocks that a core runs one after another
    cycles: float | None = None  #: estimate; None where a rate or a size is not known: `why_not`
    seconds: float | None = None  #: estimate; None also where the clock is not known
    why_not: str = ""  #: why there is no estimate, one sentence
    sources: tuple[str, ...] = field(default=())

    @property
    def transfers(self) -> int:
        """Between global memory and the core."""
        return sum(each.transfers for each in self.outside)

    @property
    def bytes_in(self) -> int:
        """From global memory."""
        return sum(each.bytes for each in self.outside if each.path.startswith("GM"))

    @property
    def bytes_out(self) -> int:
        """To global memory."""
        return sum(each.bytes for each in self.outside if each.path.endswith("GM"))

    @property
    def bytes_per_transfer(self) -> float | None:
        """The mean of those from and to global memory; None where there are none."""
        moved = self.bytes_in + self.bytes_out
        return moved / self.transfers if self.transfers else None

    @property
    def small_transfers(self) -> int:
        """Of less than 16 KiB, from or to global memory."""
        return sum(each.small for each in self.outside)

    @property
    def unaligned_transfers(self) -> int | None:
        """Off a multiple of 512 B in global memory; None where the text does not tell."""
        found = [each.unaligned for each in self.outside]
        known = [each for each in found if each is not None]
        return sum(known) if len(known) == len(found) else None

    @property
    def wasteful_transfers(self) -> int:
        """Small or unaligned."""
        return sum(each.wasteful for each in self.outside)

    @property
    def outside(self) -> tuple[Traffic, ...]:
        """The traffic from and to global memory."""
        return tuple(each for each in self.work.traffic if "GM" in each.path)

    @property
    def overlapped(self) -> bool:
        """Whether the units work at the same time: where a tile is loaded beside another."""
        return self.work.double_buffered

    @property
    def bound(self) -> Pipe | None:
        """The pipe that is busy longest."""
        return max(self.pipes, key=lambda pipe: pipe.cycles, default=None)

    @property
    def expression(self) -> str:
        """The cycles as arithmetic: "max(524288 / 32, 3072)"; "" where there is no estimate."""
        if self.cycles is None:
            return ""
        units = [pipe.expression for pipe in self.pipes if pipe.name != _SCALAR]
        scalar = [pipe.expression for pipe in self.pipes if pipe.name == _SCALAR]
        parts = [*(units if self.overlapped else [" + ".join(units) or "0"]), *scalar]
        longest = f"max({', '.join(parts)})" if len(parts) > 1 else "".join(parts) or "0"
        return f"{self.rounds} * ({longest})" if self.rounds > 1 else longest

    @property
    def formula(self) -> str:
        """How the estimate comes about, with its numbers; "" where there is none."""
        if self.cycles is None:
            return ""
        units = [f"{p.name} ({p.words})" for p in self.pipes if p.name != _SCALAR]
        scalar = [f"{p.name} ({p.words})" for p in self.pipes if p.name == _SCALAR]
        if self.overlapped:
            how = f"the longest of {', '.join([*units, *scalar])}, as tiles are double-buffered,"
        else:
            how = f"the sum of {', '.join(units)}, as nothing is double-buffered,"
            how += f" or {scalar[0]} where that is longer," if scalar else ""
        if self.rounds > 1:
            how += f" {self.rounds} times, as there are more blocks than cores,"
        time = ""
        if self.seconds is not None:
            time = f", {seconds_text(self.seconds)} at {self.cycles / self.seconds / 1e9:g} GHz"
        return f"Estimate: {how} = {self.cycles:,.0f} cycles{time}."


def rates(target: str) -> Rates | None:
    """The public rates of a chip; None where none were found."""
    return next((each for name, each in RATES.items() if re.fullmatch(name, target)), None)


def estimate(trace: Trace, texts: Texts | None = None) -> Cost | None:
    """The cost of a compile; None where it made no code, or was read before work was counted.

    With `texts`, what an earlier version did not count is counted now.
    """
    if not trace.status.compiles:
        return None
    work = trace.work or (_recounted(trace, texts) if texts is not None else None)
    return cost(work, trace.target, trace.block_dim, trace.instructions) if work else None


def cost(
    work: Work, target: str, cores: int | None, instructions: Mapping[str, int] | None = None
) -> Cost:
    """The cost of work on a chip. `instructions` are executed ones by name."""
    kinds: Counter[Kind] = Counter()
    for name, number in (instructions or {}).items():
        kinds[kind(name)] += number
    known = rates(target)
    base = Cost(work, target, cores, dict(kinds))
    if work.why_not:
        return _without(base, work.why_not)
    if known is None:
        return _without(base, f"No public rates were found for {target or 'this chip'}.")
    strange = sorted({each.path for each in work.traffic} - set(known.paths))
    if strange:
        return _without(base, f"No public rate was found for {', '.join(strange)}.")
    pipes = _pipes(work, known, sum(kinds.values()))
    units = [pipe.cycles for pipe in pipes if pipe.name != _SCALAR]
    handing = max((pipe.cycles for pipe in pipes if pipe.name == _SCALAR), default=0.0)
    cycles = max(max(units, default=0.0) if work.double_buffered else sum(units), handing)
    rounds = -(-(cores or 1) // known.cores) if known.cores else 1
    cycles *= rounds
    return Cost(
        work,
        target,
        cores,
        dict(kinds),
        pipes,
        rounds,
        cycles,
        None if known.hertz is None else cycles / known.hertz,
        sources=known.sources,
    )


def _without(base: Cost, why_not: str) -> Cost:
    return Cost(base.work, base.target, base.cores, base.instructions, why_not=why_not)


def _pipes(work: Work, known: Rates, instructions: int) -> tuple[Pipe, ...]:
    terms: dict[str, list[Term]] = {}
    for each in work.traffic:
        moving = terms.setdefault(_PATHS[each.path][0], [])
        moving.append(Term(f"{each.path} {each.bytes:,} B", each.bytes, known.paths[each.path]))
        if "GM" in each.path:
            what = f"{each.transfers:,} transfer{'' if each.transfers == 1 else 's'}"
            moving.append(Term(what, each.transfers, each=known.transfer))
    if work.vector_steps:
        what = f"{work.vector_steps:,} vector steps"
        terms.setdefault("V", []).append(Term(what, work.vector_steps, known.vector_steps))
    if work.fractals:
        terms["M"] = [Term(f"{work.fractals:,} fractals", work.fractals, known.fractals)]
    handed = instructions or work.scalar_stores
    if handed:
        what = f"{handed:,} {'instructions' if instructions else 'scalar stores'}"
        terms[_SCALAR] = [Term(what, handed, known.scalar)]
    return tuple(Pipe(name, tuple(terms[name])) for name in _ORDER if name in terms)


def _recounted(trace: Trace, texts: Texts) -> Work | None:
    try:
        text = texts.get(trace.code) if trace.code else ""
    except KeyError:
        return None
    if not text:
        return None
    try:
        if "__aicore__" in text:
            return count_work(text, trace.block_dim)
        return count_mlir_work(text)
    except (ValueError, MlirError) as wrong:
        return Work(why_not=f"The emitted code could not be read: {wrong}")


def seconds_text(seconds: float) -> str:
    """A time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
