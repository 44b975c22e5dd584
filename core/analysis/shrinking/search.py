"""The search that all shrinking shares: forms are tried, the last that failed alike is kept.

Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002),
with forms compiled two at a time: the cores of the smallest machine.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from core.analysis.inquiry import Answer
from core.analysis.shrinking.same import Goal
from core.analysis.shrinking.size import Size, size_of
from core.hints import Hints
from core.kernel import Kernel, KernelError, parse_kernel
from core.request import Request

T = TypeVar("T")
#: What a part of a shrinking asks for and is told, and what it finds.
Asking = Generator[Sequence[Request], Sequence[Answer], T]

_AT_A_TIME = 2  # compiles
_SUFFIX = {"composite": ".json", "python": ".py", "mlir": ".mlir", "triton": ".py"}


@dataclass(frozen=True, slots=True)
class Form:
    """A kernel and its hints, smaller than or as given."""

    kernel: Kernel
    hints: Hints

    @property
    def size(self) -> Size:
        return size_of(self.kernel)


@dataclass(frozen=True, slots=True)
class Step:
    """One success on the way to the smallest form."""

    what: str  #: what was made less: operators, shapes, inputs …
    operators: int  #: that are left
    elements: int | None  #: of inputs and outputs; None where the kernel leaves that open
    hints: int
    compiles: int  #: so far


class Search:
    """The smallest form so far that fails as the first one did."""

    def __init__(self, goal: Goal, given: Form, request: Request, budget: int) -> None:
        """`request` says of which compiler; `budget` is how many compiles there may be."""
        self.best = given
        self.compiles = 0
        self.steps: list[Step] = []
        self._goal = goal
        self._request = request
        self._budget = budget
        self._asked: set[str] = set()

    @property
    def spent(self) -> bool:
        """True where no compile is left."""
        return self.compiles >= self._budget

    def with_source(self, source: str, case: str | None = None) -> Form | None:
        """The smallest form with another text; None where that is no kernel any more."""
        kernel = self.best.kernel
        named = kernel.case if case is None else case
        try:
            made = parse_kernel(source, kernel.name + _SUFFIX[kernel.kind], named)
        except (KernelError, RecursionError):
            return None
        return Form(made, self.best.hints)

    def fails_alike(self, form: Form) -> Asking[bool]:
        """Whether a form fails as wanted; not kept."""
        (answer,) = yield from self._ask([form])
        return self._goal.met_by(answer)

    def first(self, what: str, forms: Iterable[tuple[T, Form | None]]) -> Asking[T | None]:
        """Keep the first form that fails as wanted; what stands beside it, None without any.

        A form that was tried, or that is None, is passed over.
        """
        for some in _batches(self._new(forms), _AT_A_TIME):
            some = some[: max(0, self._budget - self.compiles)]
            if not some:
                return None
            answers = yield from self._ask([form for _, form in some])
            for (found, form), answer in zip(some, answers, strict=True):
                if self._goal.met_by(answer):
                    self._keep(what, form)
                    return found
        return None

    def fewest(
        self,
        what: str,
        items: Sequence[T],
        build: Callable[[Sequence[T]], Form | None],
        least: int = 1,
    ) -> Asking[Sequence[T]]:
        """As few items as can be left with a form that fails as wanted; no one of them can go."""
        if least == 0 and items:
            none = yield from self.first(what, [(True, build(()))])
            if none:
                return ()
        parts = 2
        while len(items) > least and not self.spent:
            parts = min(parts, len(items))
            if parts == 1:
                break
            chunks = _chunks(items, parts)
            # Of two halves one is kept; of more parts one is left out, the last ones first, since
            # what comes late mostly only uses what came before.
            tries = chunks if parts == 2 else [_without(chunks, at) for at in range(parts)[::-1]]
            left = yield from self.first(what, ((each, build(each)) for each in tries))
            if left is not None:
                items, parts = left, max(2, parts - 1)
            elif parts == len(items):
                break
            else:
                parts *= 2
        return items

    def _ask(self, forms: Sequence[Form]) -> Asking[Sequence[Answer]]:
        self.compiles += len(forms)
        known = self._request
        answers = yield [
            Request(form.kernel, form.hints, known.compiler, known.version) for form in forms
        ]
        return answers

    def _new(self, forms: Iterable[tuple[T, Form | None]]) -> Iterator[tuple[T, Form]]:
        for found, form in forms:
            if form is None:
                continue
            key = Request(form.kernel, form.hints).digest
            if key not in self._asked:
                self._asked.add(key)
                yield found, form

    def _keep(self, what: str, form: Form) -> None:
        self.best = form
        size = form.size
        self.steps.append(
            Step(what, size.operators, size.elements, len(form.hints.as_dict()), self.compiles)
        )


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    some: list[T] = []
    for item in items:
        some.append(item)
        if len(some) == size:
            yield some
            some = []
    if some:
        yield some


def _chunks(items: Sequence[T], parts: int) -> list[Sequence[T]]:
    """The items in so many parts of nearly equal length, in order."""
    ends = [len(items) * at // parts for at in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


def _without(chunks: Sequence[Sequence[T]], at: int) -> Sequence[T]:
    return [item for n, chunk in enumerate(chunks) if n != at for item in chunk]
