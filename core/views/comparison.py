"""A comparison in sentences: what a person wants to read before any table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from core.analysis.compare import Comparison, PassPair, Sameness
from core.analysis.diff import Diff
from core.trace import Language, Trace
from core.views.marks import failure_place, pass_title, result_name, trace_mark
from core.views.wording import count, percent

Tone = Literal["same", "good", "bad", "changed"]

SAMENESS: dict[Sameness, str] = {
    "equal": "same to the letter",
    "addresses": "same, memory addresses aside",
    "numbering": "same, addresses and running numbers in names aside",
    "different": "different",
    "absent": "only in one of the two",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """The one sentence of a comparison."""

    text: str
    tone: Tone


def headline(comparison: Comparison) -> Headline:
    """What the change did, in one sentence."""
    before, after = comparison.before, comparison.after
    if not comparison.same_kernel:
        what = "These are two different kernels"
        if before.kernel == after.kernel:
            what = (
                f"These are two versions of {after.kernel}: its text, shapes or parameters differ"
            )
        return Headline(f"{what}; figures can be compared, passes hardly.", "changed")
    if before.status.compiles != after.status.compiles:
        return _status_changed(before, after)
    if not after.status.compiles:
        return _both_fail(before, after)
    if comparison.same_code:
        asked = dict(before.hints.asked) != dict(after.hints.asked)
        what = "This hint changed nothing" if asked else "Nothing changed"
        same = {
            "equal": "identical",
            "addresses": "the same, memory addresses aside",
            "numbering": "the same, memory addresses and running numbers in names aside",
        }[comparison.code]
        return Headline(f"{what}: the {result_name(after)} is {same}.", "same")
    first = comparison.first_difference
    place = f" first in {where(first)}" if first else ""
    result = f"The {result_name(after)} changed"
    return Headline(f"{result},{place or ' in its last step'}.", "changed")


def where(pair: PassPair) -> str:
    """A pass by its compiler's name and its stage."""
    step = pair.shown
    unit = f", {step.unit}" if step.unit else ""
    argument = f"{step.argument}, " if step.argument else ""
    attempt = f", attempt {step.attempt}" if step.attempt > 1 else ""
    text = f"{pass_title(step)} ({argument}{step.stage}{unit}{attempt})"
    if pair.before is None:
        return f"{text}, which only the new trace ran"
    if pair.after is None:
        return f"{text}, which only the earlier trace ran"
    return text


def sameness_counts(comparison: Comparison) -> str:
    """How many passes differ, and how many are the same only because something is masked."""
    found = Counter(pair.sameness for pair in comparison.pairs)
    differ = found["different"] + found["absent"]
    parts = [f"{count(differ)} of {count(len(comparison.pairs))} passes differ"]
    masked = found["addresses"] + found["numbering"]
    if masked:
        parts.append(f"{count(masked)} only by addresses or numbering")
    return ", ".join(parts)


def masked_note(difference: Diff, language: Language) -> str:
    """What is not shown as a change, and how many lines differ only by it; "" where none does."""
    names = "SSA numbers" if language == "mlir" else "running numbers in names"
    what = [
        (difference.readdressed, "addresses"),
        (difference.renumbered, names),
        (difference.reindented, "indentation"),
    ]
    lines = sum(many for many, _ in what)
    if not lines:
        return ""
    said = [name for many, name in what if many]
    listed = " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))
    return f"{count(lines)} {'line differs' if lines == 1 else 'lines differ'} only by {listed}"


def facts(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """Label, before, after: the figures worth a place above the tables."""
    before, after = comparison.before, comparison.after
    rows = [("status", trace_mark(before).word, trace_mark(after).word)]
    rows.append(("cores", _number(before.block_dim), _number(after.block_dim)))
    for change in comparison.memory:
        rows.append(
            (
                change.memory,
                _share(change.before_bytes, change.capacity_bytes),
                _share(change.after_bytes, change.capacity_bytes),
            )
        )
    rows.append(("passes", _number(len(before.passes)), _number(len(after.passes))))
    rows.append(
        (
            "instructions per core",
            _number(sum(before.instructions.values()) or None),
            _number(sum(after.instructions.values()) or None),
        )
    )
    return tuple(row for row in rows if row[1:] != ("–", "–"))


def _status_changed(before: Trace, after: Trace) -> Headline:
    if after.status.compiles:
        return Headline(f"It compiles now; before, it {_end(before)}.", "good")
    return Headline(f"It no longer compiles: it {_end(after)}.", "bad")


def _both_fail(before: Trace, after: Trace) -> Headline:
    was, now = _end(before), _end(after)
    if was == now:
        return Headline(f"It still {now}.", "same")
    return Headline(f"It still does not compile: it {now}; before, it {was}.", "changed")


def _end(trace: Trace) -> str:
    mark = trace_mark(trace)
    place = failure_place(trace)
    word = mark.word if mark.word != "cancelled" else "was cancelled"
    if not place:
        return word
    return f"{word} {place}" if place.startswith("after") else f"{word} in {place}"


def _number(number: int | None) -> str:
    return "–" if number is None else count(number)


def _share(number: int | None, capacity: int | None) -> str:
    if number is None:
        return "–"
    return percent(number / capacity) if capacity else f"{number:,} B"
