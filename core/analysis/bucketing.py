"""Buckets in the light of what is compiled: which compile, with which hints, which to try."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.buckets import Bucket, Occurring, Outcome, Plan, Sizes, curve
from core.analysis.dispatch import Dispatch, dispatch
from core.analysis.rank import Candidate, measured, ranked
from core.hints import Hints
from core.kernel import Kernel, KernelError
from core.request import Request
from core.shapes import shape_label
from core.trace import Trace

#: Looks up what is known of some requests, by their digests: a trace, compact ones do, or None
#: where there never will be one.
Look = Callable[[Sequence[Request]], Mapping[str, Trace | None]]

_ROUNDS = 24  # in which buckets that fail are replaced by others


@dataclass(frozen=True, slots=True)
class Best:
    """The hints with which a bucket is compiled: of those that compile the least time."""

    name: str
    hints: Hints
    trace: Trace


class Bucketing:
    """The shapes of a kernel, the sets of hints that are tried, and what came of it."""

    def __init__(
        self,
        shapes: Occurring,
        sets: Sequence[tuple[str, Hints]],
        look: Look,
        *,
        compiler: str = "",
        version: str = "",
    ) -> None:
        """`sets`: hints by name, one or more."""
        self.shapes = shapes
        self._sets = tuple(sets)
        self._look = look
        self._compiler, self._version = compiler, version
        self._kernels: dict[Sizes, Kernel | None] = {}
        self._traces: dict[str, Trace | None] = {}
        self._known: set[Sizes] = set()

    def kernel(self, sizes: Sizes) -> Kernel | None:
        """The kernel in a shape; None where it cannot have that."""
        if sizes not in self._kernels:
            try:
                self._kernels[sizes] = self.shapes.made(sizes)
            except KernelError:
                self._kernels[sizes] = None
        return self._kernels[sizes]

    def requests(self, sizes: Sizes) -> tuple[Request, ...]:
        """The compiles of a shape, one a set of hints."""
        kernel = self.kernel(sizes)
        if kernel is None:
            return ()
        return tuple(
            Request(kernel, hints, self._compiler, self._version) for _, hints in self._sets
        )

    def learn(self, sizes: Sequence[Sizes]) -> None:
        """Look up what is measured of some shapes."""
        asked = [
            request
            for each in sizes
            for request in self.requests(each)
            if request.digest not in self._traces
        ]
        self._known |= set(sizes)
        self._traces |= self._look(asked)

    def traces(self, sizes: Sizes) -> tuple[Trace | None, ...]:
        """What came of each set of hints; None where that is not known, or it could not be run."""
        return tuple(self._traces.get(request.digest) for request in self.requests(sizes))

    def outcome(self, sizes: Sizes) -> Outcome:
        """A shape compiles where some set of hints does; it fails where all have been tried."""
        if sizes not in self._known:
            return "fails" if self.kernel(sizes) is None else "unknown"
        found = self.traces(sizes)
        if any(trace is not None and trace.status.compiles for trace in found):
            return "compiles"
        left = any(request.digest not in self._traces for request in self.requests(sizes))
        return "unknown" if left else "fails"

    def best(self, sizes: Sizes) -> Best | None:
        """The hints to compile a shape with; None where none is known to compile."""
        fit = [
            (name, hints, trace, measured(trace, {}))
            for (name, hints), trace in zip(self._sets, self.traces(sizes), strict=False)
            if trace is not None and trace.status.compiles
        ]
        order = ranked([candidate for *_, candidate in fit])
        if not order:
            return None
        first = [each.candidate for each in order if each.place == 1]
        name, hints, trace, _ = next(each for each in fit if each[3] in first)
        return Best(name, hints, trace)

    def candidate(self, sizes: Sizes) -> Candidate | None:
        """What a shape costs with its best hints; None where none is known to compile."""
        best = self.best(sizes)
        return measured(best.trace, {}) if best else None

    def plans(self, most: int, *, multiple: int = 1) -> tuple[Plan, ...]:
        """The curve, without buckets of which it is known that they do not compile."""
        self.learn(sorted(self.shapes.counts))
        for _ in range(_ROUNDS):
            found = curve(self.shapes, most, self.outcome, multiple=multiple)
            new = {b.sizes for plan in found for b in plan.buckets} - self._known
            if not new:
                break
            self.learn(sorted(new))
            if not any(self.outcome(sizes) != "unknown" for sizes in new):
                break
        return found

    @property
    def any_compiles(self) -> bool:
        """Whether some shape that was tried compiles."""
        return any(self.outcome(sizes) == "compiles" for sizes in self._known)

    def missing(self, plan: Plan) -> tuple[Request, ...]:
        """The compiles of a plan that nobody made: a bucket with each set of hints."""
        return tuple(
            request
            for bucket in plan.buckets
            for request in self.requests(bucket.sizes)
            if request.digest not in self._traces
        )

    def cases(self, plan: Plan) -> tuple[tuple[str, Kernel, Mapping[str, int]], ...]:
        """The buckets as cases of a matrix: name, kernel, sizes."""
        return tuple(
            (shape_label(kernel), kernel, self.shapes.values(bucket.sizes))
            for bucket in plan.buckets
            if (kernel := self.kernel(bucket.sizes)) is not None
        )

    @property
    def sets(self) -> tuple[tuple[str, Hints], ...]:
        return self._sets

    def table(self, plan: Plan) -> Dispatch:
        """The dispatch table of a plan; a bucket that nobody compiled has the first set of hints.

        Raises KernelError.
        """

        def hints(bucket: Bucket) -> Hints:
            best = self.best(bucket.sizes)
            return best.hints if best else self._sets[0][1]

        return dispatch(self.shapes, plan, hints)
