"""Hints that are known to help: a switch of a pass, cores, buffers; what data/remedies lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from core.analysis.explained import RemedyKind
from core.analysis.remedies.case import Case, Proposal, proposal
from core.compilers.ascendnpu_ir import flags, mlir_kernel
from core.hints import Hints, HintSpec, HintValue
from core.kernel import Kernel

_FOLDER = Path(__file__).resolve().parents[3] / "data" / "remedies"


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of data/remedies: hints, and the failures that they may cure."""

    set: dict[str, HintValue]
    kind: RemedyKind
    kinds: tuple[str, ...]  #: of failures
    promise: float
    reason: str
    passes: tuple[str, ...] = ()  #: in which, or after which, it failed; any where empty
    asked: tuple[str, ...] = ()  #: only where one of these hints was asked for
    untiled: bool = False  #: only where no tiles were asked for
    numerics: str = ""


@cache
def known(compiler: str) -> tuple[Known, ...]:
    """What is known to help with a compiler; () where nothing is."""
    file = _FOLDER / f"{compiler}.json"
    if not file.is_file():
        return ()
    return msgspec.json.decode(file.read_bytes(), type=tuple[Known, ...])


def switches(case: Case) -> Iterator[Proposal]:
    """Hints of the compiler's catalogue that fit this failure."""
    for each in known(case.trace.compiler.name):
        if _fits(each, case):
            yield proposal(
                each.promise,
                each.kind,
                ", ".join(f"{name} = {written(value)}" for name, value in each.set.items()),
                each.reason,
                case.request(hints=case.with_attributes(each.set)),
                each.numerics,
            )


def written(value: HintValue) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _fits(entry: Known, case: Case) -> bool:
    failure, asked = case.failure, case.asked
    if failure.kind not in entry.kinds or (entry.untiled and asked.tiles):
        return False
    if any(does_nothing(name, case.kernel) for name in entry.set):
        return False
    if any(name not in case.catalogue for name in entry.set):
        return False
    if entry.asked and not any(asked.attributes.get(name) for name in entry.asked):
        return False
    if all(asked.attributes.get(name) == value for name, value in entry.set.items()):
        return False
    if entry.passes:
        after = (failure.after or "").partition("_")[2] or failure.after
        return failure.pass_name in entry.passes or after in entry.passes
    return True


def does_nothing(name: str, kernel: Kernel) -> bool:
    """Whether a hint was seen to do nothing for any kernel that is written as this one is."""
    if kernel.kind not in ("mlir", "triton"):
        return False
    written_in = "triton" if kernel.kind == "triton" else mlir_kernel.level(kernel.source)
    return name in flags.idle(written_in)


def without_hints(case: Case) -> Iterator[Proposal]:
    """Each hint that was asked for left out, then all of them."""
    asked: Mapping[str, HintValue] = case.asked.attributes
    parameters = {parameter.name for parameter in case.kernel.parameters}
    own = [name for name in asked if name not in parameters and name != "target"]
    for name in own:
        rest = {key: value for key, value in asked.items() if key != name}
        yield proposal(
            64.0 if len(own) > 1 else 80.0,
            "hint",
            f"without {name} = {written(asked[name])}",
            "It was asked for; without it the compiler decides.",
            case.request(hints=_attributes(case, rest)),
        )
    if len(own) > 1 or (own and case.asked.tiles):
        rest = {key: value for key, value in asked.items() if key not in own}
        yield proposal(
            78.0,
            "hint",
            "none of the hints that were asked for",
            "What the compiler does by itself is what it is tested with.",
            case.request(hints=_attributes(case, rest).with_tiles(())),
        )


def _attributes(case: Case, values: Mapping[str, HintValue]) -> Hints:
    return Hints(case.asked.tiles, dict(values))


def booleans(catalogue: Mapping[str, HintSpec]) -> tuple[HintSpec, ...]:
    """Switches that change the code and are not known to be unsafe."""
    return tuple(
        spec
        for spec in catalogue.values()
        if spec.kind == "bool" and spec.effect in ("honoured", "overwritten")
    )
