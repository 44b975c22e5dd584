"""The smallest form of a failing kernel that fails the same way: an inquiry.

Operators first, then shapes, then what is left of inputs and hints; every form is compiled, and is
kept where its failure has the signature of the first. It is deterministic: equal answers, equal
requests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.inquiry import Answer, Inquiry
from core.analysis.shrinking import composite, mlir, python, settings, shapes
from core.analysis.shrinking.same import Goal
from core.analysis.shrinking.search import Asking, Form, Search, Step
from core.analysis.tiling import asked_attributes, asked_tiles
from core.compilers.registry import COMPILERS, versions
from core.hints import Hints
from core.kernel import Kernel
from core.request import Request
from core.trace import Compiler, Texts, Trace

__all__ = ["BUDGET", "ShrinkError", "Shrunk", "Step", "smallest", "start"]

#: Compiles that a shrinking may take, where nobody says otherwise.
BUDGET = 200

_SLOW = 2.0  # seconds of a compile from which on smaller shapes come first, to quicken the rest
_WAITS = ("timeout", "cancelled", "tool")
_BY_KIND: Mapping[str, Callable[[Search], Asking[None]]] = {
    "composite": composite.shrink,
    "mlir": mlir.shrink,
    "python": python.shrink,
    "triton": python.shrink,
}


class ShrinkError(ValueError):
    """What cannot be shrunk: one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """What came of shrinking a kernel."""

    kernel: Kernel  #: the smallest form
    hints: Hints
    fingerprint: str  #: of the failure that it has, as that of the kernel as given
    reproduced: bool  #: False where the kernel as given did not fail that way any more
    operators_before: int  #: of Python: statements
    operators: int
    elements_before: int | None  #: of inputs and outputs; None where the kernel leaves that open
    elements: int | None
    hints_before: int
    compiles: int
    complete: bool  #: False where the budget ended it
    steps: tuple[Step, ...]


def start(
    trace: Trace, texts: Texts | None, kernel: Kernel | None, options: Mapping[str, object]
) -> Inquiry[Shrunk]:
    """Shrink the kernel of a failed trace, which may be compact.

    Options: `budget`, the most compiles. Raises ShrinkError at once, where there is nothing to do.
    """
    del texts  # what a compile said is in its trace
    if kernel is None:
        raise ShrinkError("The trace has no kernel, so there is nothing to make smaller.")
    if trace.failure is None:
        raise ShrinkError("This compile did not fail, so there is no failure to keep.")
    if trace.failure.kind in _WAITS:
        raise ShrinkError(
            "A compile that was stopped, or that only lacks a tool, has no failure of the kernel's "
            "own that a smaller form could keep."
        )
    hints = Hints(tuple(sorted(asked_tiles(trace).values())), asked_attributes(trace))
    budget = options.get("budget", BUDGET)
    request = Request(kernel, hints, trace.compiler.name, _version(trace.compiler))
    most = budget if isinstance(budget, int) else BUDGET
    return _shrink(request, Goal.of(trace), most, slow=(trace.seconds or 0.0) > _SLOW)


def _shrink(request: Request, goal: Goal, budget: int, slow: bool) -> Inquiry[Shrunk]:
    given = Form(request.kernel, request.hints)
    search = Search(goal, given, request, budget)
    reproduced = yield from search.fails_alike(given)
    if reproduced:
        yield from settings.fewer_hints(search)
        yield from settings.smaller_parameters(search)
        if slow:
            yield from shapes.smaller_shapes(search)
        yield from _BY_KIND[given.kernel.kind](search)
        yield from shapes.smaller_shapes(search)
        yield from settings.fewer_hints(search, settings.parameters(search.best))
    before, after = given.size, search.best.size
    return Shrunk(
        kernel=search.best.kernel,
        hints=search.best.hints,
        fingerprint=goal.fingerprint,
        reproduced=reproduced,
        operators_before=before.operators,
        operators=after.operators,
        elements_before=before.elements,
        elements=after.elements,
        hints_before=len(given.hints.as_dict()),
        compiles=search.compiles,
        complete=not search.spent,
        steps=tuple(search.steps),
    )


def _version(compiler: Compiler) -> str:
    """The version to ask for: that of the trace, where it is another than the usual one."""
    usual = COMPILERS.get(compiler.name)
    known = compiler.version in versions(compiler.name)
    return compiler.version if known and usual and compiler.version != usual.version else ""


def smallest(trace: Trace, answers: Sequence[Answer]) -> Form | None:
    """The smallest form among the answers so far, to be shown while more are waited for."""
    goal = Goal.of(trace)
    alike = [Form(a.request.kernel, a.request.hints) for a in answers if goal.met_by(a)]
    return min(
        alike,
        key=lambda form: (form.size.operators, form.size.elements or 0, len(form.hints.as_dict())),
        default=None,
    )
