"""A failure for people: where it stopped, what is known of its kind, its own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.explained import Explanation
from core.analysis.order import previous_text
from core.trace import Pass, Trace
from core.views.about import about
from core.views.marks import attempts_sentence, pass_title
from core.views.wording import bytes_text

_PARTS_OF_A_STACK = 40


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is known of a failure, under its heading."""

    label: str
    lines: tuple[str, ...]  #: one is a sentence, more are a list
    source: str = ""  #: where that is from


def stopped(trace: Trace) -> Pass | None:
    """The pass in which a compile stopped; None where only its predecessor is certain."""
    return next((step for step in reversed(trace.passes) if step.status != "ok"), None)


def last_good(trace: Trace) -> Pass | None:
    """The last pass that left a text before the compile stopped."""
    failed = stopped(trace)
    before = previous_text(trace, failed) if failed is not None else None
    with_text = (step for step in reversed(trace.passes) if step.text and step is not failed)
    return before or next(with_text, None)


def sentences(trace: Trace, explained: Explanation) -> list[Said]:
    """What is known of a failure besides its title and its cause, most telling first."""
    known = explained.signature
    found: list[Said] = []
    if known is not None:
        found += [
            Said("Doing", (known.doing,)),
            Said("Rule", (known.rule,), known.source),
            Said("Likely", known.causes),
        ]
    else:
        found += _of_an_unknown(trace)
    again = attempts_sentence(trace)
    if again:
        found.append(Said("Attempts", (again,)))
    return [each for each in found if any(each.lines)]


def _of_an_unknown(trace: Trace) -> list[Said]:
    """What can be said of a failure of a kind that nobody has described yet."""
    failure = trace.failure
    failed, good = stopped(trace), last_good(trace)
    found = []
    if failed is not None and (purpose := about(trace.compiler.name, failed)) is not None:
        found.append(Said(pass_title(failed), (purpose.what,), purpose.source))
    if failure is not None and failure.source:
        found.append(Said("Said in", (failure.source,)))
    if failure is not None and failure.signal:
        found.append(
            Said("Signal", (f"{failure.signal}: the compiler died, whatever the kernel asks for.",))
        )
    if failed is None and good is not None:
        found.append(
            Said(
                "The pass",
                (
                    f"The dump does not name it. It is the one that runs after {pass_title(good)}, "
                    "the last that left a text.",
                ),
            )
        )
    return found


def memory_sentence(trace: Trace) -> str:
    """How much was asked for of which memory, where that is why it failed."""
    failure = trace.failure
    if failure is None or not failure.required_bytes or not failure.available_bytes:
        return ""
    return (
        f"{failure.memory or 'Memory'}: {bytes_text(failure.required_bytes)} needed, "
        f"{bytes_text(failure.available_bytes)} there."
    )


def own_words(trace: Trace, explained: Explanation) -> str:
    """What the compiler itself printed, and its stack below it."""
    failure = trace.failure
    parts = [explained.said.strip()]
    if failure is not None and failure.stack:
        shown = failure.stack[:_PARTS_OF_A_STACK]
        more = len(failure.stack) - len(shown)
        parts.append("\n".join([*shown, *([f"and {more} more"] if more else [])]))
    return "\n\n".join(part for part in parts if part)


def alike_text(same: Sequence[object], known: bool) -> str:
    """How many other traces fail alike."""
    if not same:
        return "No other trace of the library fails alike." if not known else ""
    return f"{len(same)} other {'trace fails' if len(same) == 1 else 'traces fail'} alike"
