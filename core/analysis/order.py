"""What each pass started from: the one place that knows which text belongs before which."""

from __future__ import annotations

from core.trace import Pass, Trace


def previous_text(trace: Trace, step: Pass) -> Pass | None:
    """The last pass before this one in its stage, sub-kernel and attempt that left a text."""
    for other in reversed(trace.passes[: step.index]):
        same = (other.stage, other.unit, other.attempt) == (step.stage, step.unit, step.attempt)
        if same and other.text is not None:
            return other
    return None


def given_text(trace: Trace, step: Pass) -> str | None:
    """Hash of the text that a pass started from; None for the first of its stage.

    What its trace says that it was given, else the text before it.
    """
    if step.given is not None:
        return step.given
    before = previous_text(trace, step)
    return before.text if before is not None else None
