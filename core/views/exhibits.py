"""What there is to see of a trace's memories: each plan, and each attempt that did not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.analysis.held import held
from core.analysis.memory import functions
from core.analysis.overflow import Overflow, overflows
from core.analysis.placed import asked
from core.analysis.shrink import Remedy, shrink
from core.target import Memory
from core.trace import Texts, Trace
from core.views.marks import pass_title, result_language, result_name
from core.views.memory_map import Drawn, stacked

#: Of the `dlti.target_system_spec` of a module of MLIR.
_ENTRY = re.compile(r'#dlti\.dl_entry<"(\w+_SIZE)", (\d+)')


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One memory of one function in one attempt."""

    memory: str
    function: str  #: "" where only one has buffers in it
    title: str  #: which attempt
    drawn: Drawn
    index: int | None  #: of the text whose lines are program order; the number of passes: the code
    digest: str | None  #: of that text
    failed: bool
    required_bytes: int | None = None  #: as the compiler says it of one that failed
    remedy: Remedy | None = None  #: of one that does not fit


def exhibits(
    trace: Trace, texts: Texts, memories: Sequence[Memory], share: float | None
) -> tuple[Exhibit, ...]:
    """All that can be shown of a trace's memories; of each memory first what ended the compile.

    `memories` are those of the chip; `share` is the part of each that automatic tiling aims at.
    """
    chip = {m.name: m for m in memories} or _described(trace, texts)
    over = overflows(trace, texts, tuple(chip.values()))
    found = list(_plans(trace, texts, chip, share, over))
    for each in sorted(over, key=lambda o: -o.attempt):
        if each.wanted is not None:
            found.append(_wanted(trace, each, chip, share))
    return tuple(found)


def _described(trace: Trace, texts: Texts) -> dict[str, Memory]:
    """The chip's memories as the texts themselves describe them, sizes in bits."""
    if result_language(trace) != "mlir":
        return {}
    for digest in dict.fromkeys((trace.code, *(step.text for step in trace.passes))):
        facts = dict(_ENTRY.findall(texts.get(digest))) if digest else {}
        found = {
            name: Memory(name, int(facts[f"{name}_SIZE"]) // 8, int(align) // 8)
            for name in ("UB", "L1", "L0A", "L0B", "L0C")
            if (align := facts.get(f"{name}_ALIGN_SIZE")) and f"{name}_SIZE" in facts
        }
        if found:
            return found
    return {}


def _plans(
    trace: Trace,
    texts: Texts,
    chip: Mapping[str, Memory],
    share: float | None,
    over: Sequence[Overflow],
) -> Iterator[Exhibit]:
    """The plans of the trace itself, which are those of its last attempt."""
    code = texts.get(trace.code) if trace.code else ""
    before = asked(trace, texts) if trace.memory else {}
    failed = next((o for o in over if o.wanted is None and o.last), None)
    for plan in trace.memory:
        kept = held(plan, code) if code else ()
        mine = failed if failed is not None and failed.memory == plan.memory else None
        alignment = chip[plan.memory].alignment_bytes if plan.memory in chip else 0
        index, digest, lines_of = _text_of(trace, failed)
        for name, part in functions(plan).items():
            bare = any(b.offset_bytes is None for b in part.buffers)
            names = {b.name for b in part.buffers}
            drawn = Drawn(
                plan=stacked(part)[0] if bare else part,
                held=() if bare else tuple(h for h in kept if h.name in names),
                alignment=alignment,
                asked=before,
                share=share,
                placed=not bare,
                lines_of=lines_of,
                sources=_sources(trace, failed is not None, bare),
            )
            capacity = (mine.available_bytes if mine else None) or plan.capacity_bytes
            yield Exhibit(
                memory=plan.memory,
                function=name,
                title=result_name(trace) if failed is None else f"attempt {failed.attempt}",
                drawn=drawn,
                index=index,
                digest=digest,
                failed=mine is not None,
                required_bytes=mine.required_bytes if mine else None,
                remedy=shrink(part, capacity, alignment=alignment) if mine and capacity else None,
            )


def _text_of(trace: Trace, failed: Overflow | None) -> tuple[int | None, str | None, str]:
    if failed is None:
        return len(trace.passes), trace.code, result_name(trace)
    if failed.index is None:
        return None, None, "planner's own count of operations"
    step = trace.passes[failed.index]
    return failed.index, step.text or step.given, f"text of {pass_title(step)}"


def _sources(trace: Trace, failed: bool, bare: bool) -> dict[str, str]:
    """Where addresses, sizes and lines were read."""
    if failed:
        planner = "memory display that the compiler's planner wrote"
        text = "text that the planner was given"
        read = text if bare else planner
        return {"address": read, "bytes": read, "lines": text, "hover": f"from the {read}"}
    if result_language(trace) == "mlir":
        read = "pointer_cast operations of the final IR"
        return {"address": read, "bytes": read, "lines": "final IR", "hover": f"from the {read}"}
    return {
        "address": "pointer declarations of the emitted code",
        "bytes": "allocations of the last pass",
        "lines": "emitted code",
        "hover": "addresses from the emitted code, sizes from the last pass that allocates",
    }


def _wanted(
    trace: Trace, over: Overflow, chip: Mapping[str, Memory], share: float | None
) -> Exhibit:
    """What an attempt asked for that ended before anything had an address."""
    assert over.wanted is not None and over.index is not None
    step = trace.passes[over.index]
    known = chip.get(over.memory)
    alignment = known.alignment_bytes if known else 0
    capacity = over.available_bytes or (known.capacity_bytes if known else None)
    wanted = over.wanted
    plan, kept = stacked(wanted.plan, wanted.counted, wanted.held)
    read = f"allocations in the text of {pass_title(step)}, which its planner was given"
    return Exhibit(
        memory=over.memory,
        function="",
        title=f"attempt {over.attempt}",
        drawn=Drawn(
            plan=replace(plan, capacity_bytes=capacity),
            held=kept,
            alignment=alignment,
            share=share,
            placed=False,
            lines_of=f"text of {pass_title(step)}",
            sources={"address": "", "bytes": read, "lines": read, "hover": f"from the {read}"},
        ),
        index=over.index,
        digest=step.text,
        failed=True,
        required_bytes=over.required_bytes,
        remedy=shrink(wanted.counted, capacity, alignment=alignment, held=wanted.held)
        if capacity
        else None,
    )
