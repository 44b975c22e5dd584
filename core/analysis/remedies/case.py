"""What remedies are made from: a failed compile and all that is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.analysis.explained import Remedy, RemedyKind
from core.analysis.sweep import repeated
from core.hints import Hints, HintSpec, HintValue
from core.kernel import Kernel
from core.request import Request
from core.trace import Failure, Trace


@dataclass(frozen=True, slots=True)
class Case:
    """A failed compile."""

    trace: Trace
    failure: Failure
    kernel: Kernel
    asked: Hints  #: what was asked of the compile
    catalogue: Mapping[str, HintSpec]
    versions: Sequence[str]  #: other versions of the compiler that can be used

    @property
    def memory(self) -> bool:
        """True where a memory overflowed."""
        return self.failure.kind == "memory"

    @property
    def room(self) -> float:
        """The part of what had to be there at once that there is room for; 0.5 where not known."""
        have, need = self.failure.available_bytes, self.failure.required_bytes
        return min(0.99, have / need) if have and need else 0.5

    def request(
        self, *, kernel: Kernel | None = None, hints: Hints | None = None, version: str = ""
    ) -> Request:
        """The compile that failed with something else in it."""
        return Request(
            kernel=kernel or self.kernel,
            hints=self.asked if hints is None else hints,
            compiler=self.trace.compiler.name,
            version=version or self.trace.compiler.version,
        )

    def with_attributes(self, values: Mapping[str, HintValue]) -> Hints:
        return replace(self.asked, attributes={**self.asked.attributes, **values})


class Proposal(NamedTuple):
    """A remedy with how much it promises, 0 to 100."""

    promise: float
    remedy: Remedy


def case_of(
    trace: Trace,
    kernel: Kernel,
    catalogue: Sequence[HintSpec],
    versions: Sequence[str] = (),
) -> Case | None:
    """The case of a trace; None where it compiles."""
    if trace.failure is None or trace.status.compiles:
        return None
    return Case(
        trace=trace,
        failure=trace.failure,
        kernel=kernel,
        asked=repeated(trace),
        catalogue={spec.name: spec for spec in catalogue},
        versions=tuple(v for v in versions if v != trace.compiler.version),
    )


def proposal(
    promise: float,
    kind: RemedyKind,
    title: str,
    reason: str,
    request: Request,
    numerics: str = "",
) -> Proposal:
    return Proposal(promise, Remedy(kind, title, reason, request, numerics))
