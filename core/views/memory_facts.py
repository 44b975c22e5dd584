"""A memory plan in words: its figures with their sources, one buffer, what must shrink."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.memory import (
    Turn,
    bare_name,
    chains,
    covered,
    fragmentation,
    pairs,
    peak,
    rounded,
    turns,
    waste,
)
from core.analysis.shrink import Cut
from core.trace import Buffer
from core.views.exhibits import Exhibit
from core.views.memory_map import Drawn
from core.views.wording import bytes_text, count, middle, percent, short_bytes


@dataclass(frozen=True, slots=True)
class Fact:
    label: str
    value: str
    source: str  #: how it was worked out, and from what


def plan_facts(exhibit: Exhibit) -> list[Fact]:
    """The figures of one memory."""
    drawn = exhibit.drawn
    plan = drawn.plan
    moment = peak(plan, drawn.held)
    facts = [_peak(exhibit)]
    if moment.at is not None and drawn.placed:
        facts.append(
            Fact(
                f"alive at line {count(moment.at)}",
                bytes_text(moment.live_bytes),
                f"Addresses that {len(moment.culprits)} buffers cover at that line of the "
                f"{drawn.lines_of}, each address once; places that a loop keeps count too.",
            )
        )
    facts.append(_waste(drawn))
    if drawn.placed:
        facts.append(_fragmentation(drawn))
    doubled = pairs(plan, drawn.held)
    if doubled:
        families = list(dict.fromkeys(same[0].copy_of or same[0].name for same in doubled))
        names = ", ".join(middle(bare_name(name), 40) for name in families[:6])
        facts.append(
            Fact(
                "double-buffered",
                f"{len(families)}, {short_bytes(_second(drawn, doubled, moment.at))} for it",
                f"Buffers with copies that are there at the same time: {names}. Bytes: what second "
                "copies cover at the peak.",
            )
        )
    found = chains(plan) if drawn.placed else ()
    if found:
        facts.append(
            Fact(
                "places taken over",
                _times(sum(len(chain) - 1 for chain in found)),
                f"A buffer that begins where another one lay before it. The longest row: "
                f"{', then '.join(middle(bare_name(name), 32) for name in found[0][:6])}.",
            )
        )
    return facts


def _second(drawn: Drawn, doubled: Sequence[Sequence[Buffer]], at: int | None) -> int:
    """Bytes that second copies cover around the peak, shared places once."""
    kept = {h.name: (h.first, h.last) for h in drawn.held}
    second = [
        b
        for same in doubled
        for b in same[1:]
        for first, last in [kept.get(b.name, (b.first_use or 0, b.last_use or 0))]
        if at is None or first <= at <= last
    ]
    return covered(second)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{count(number)} times"


def _peak(exhibit: Exhibit) -> Fact:
    plan = exhibit.drawn.plan
    if exhibit.failed:
        needs = exhibit.remedy.need_bytes if exhibit.remedy else exhibit.required_bytes
        said = exhibit.required_bytes
        words = f"The compiler says {bytes_text(said)}. " if said else ""
        value = "unknown" if needs is None else bytes_text(max(needs, said or 0))
        if plan.capacity_bytes:
            value += f" of {short_bytes(plan.capacity_bytes)}"
        return Fact(
            "asked for",
            value,
            f"{words}Worked out from sizes and lifetimes: at least what has to be there at one "
            f"time ({exhibit.drawn.sources.get('bytes', '')}).",
        )
    part = f", {percent(plan.occupancy)}" if plan.occupancy is not None else ""
    of = f" of {short_bytes(plan.capacity_bytes)}" if plan.capacity_bytes else ""
    return Fact(
        "peak",
        f"{short_bytes(plan.peak_bytes)}{of}{part}",
        f"{bytes_text(plan.peak_bytes)}: the highest address in use + 1 "
        f"({exhibit.drawn.sources.get('address', '')}; {exhibit.drawn.sources.get('bytes', '')}). "
        "Capacity: as the compiler reports it.",
    )


def _waste(drawn: Drawn) -> Fact:
    lost = waste(drawn.plan, drawn.alignment, drawn.asked, drawn.held)
    unit = (
        f"places begin at multiples of {lost.alignment_bytes} B (the compiler's figure)"
        if lost.alignment_bytes
        else "the compiler does not tell how places are aligned"
    )
    before = " against what the first pass with allocations asked for" if drawn.asked else ""
    if not lost.losses:
        return Fact("lost to alignment", "0 B", f"No buffer is rounded up{before}: {unit}.")
    names = ", ".join(
        f"{middle(bare_name(x.name), 32)} {count(x.asked_bytes)} → {count(x.rounded_bytes)} B"
        for x in lost.losses[:5]
    )
    more = f" and {len(lost.losses) - 5} more" if len(lost.losses) > 5 else ""
    return Fact(
        "lost to alignment",
        f"{short_bytes(lost.bytes)} in {len(lost.losses)}",
        f"Sizes rounded up{before}; {unit}. {names}{more}. "
        f"At the peak: {bytes_text(lost.peak_bytes)}.",
    )


def _fragmentation(drawn: Drawn) -> Fact:
    idle = fragmentation(drawn.plan, drawn.held)
    holes = ", ".join(f"{count(h.start)} to {count(h.stop - 1)}" for h in idle.holes[:6])
    return Fact(
        "idle below the top",
        bytes_text(idle.bytes),
        "Fragmentation: highest address in use less what is alive at the peak. "
        + (f"Free then: addresses {holes}." if holes else "Nothing is free below the top then."),
    )


# What must shrink


def remedy_sentences(exhibit: Exhibit) -> list[str]:
    """What would have to shrink by how much, plainest first; how far it is sure comes last."""
    remedy = exhibit.remedy
    memory = exhibit.memory
    if remedy is None:
        said = exhibit.required_bytes
        needs = f"The compiler says that {bytes_text(said)} are needed. " if said else ""
        return [
            f"{needs}What is alive at one time would fit {memory} as far as lifetimes tell: it is "
            "how the buffers are placed that does not."
        ]
    if not remedy.cuts:
        return [
            f"Shrinking buffers does not make it fit {memory}: {remedy.of} are needed at a time."
        ]
    first = "; ".join(_cut(cut) for cut in remedy.cuts)
    many = "one buffer" if len(remedy.cuts) == 1 else f"{len(remedy.cuts)} buffers"
    sentences = [f"Fits if {many} shrink{'s' if len(remedy.cuts) == 1 else ''}: {first}."]
    if remedy.others:
        others = " or ".join(
            " with ".join(middle(n, 40) for n in names) for names in remedy.others[:3]
        )
        more = f", and {len(remedy.others) - 3} sets more" if len(remedy.others) > 3 else ""
        sentences.append(f"Instead as well: {others}{more}.")
    if remedy.single:
        names = ", ".join(middle(n, 40) for n in remedy.single)
        sentences.append(f"Or without the second copy of {names} (double buffering off).")
    if remedy.of > len(remedy.cuts) and remedy.scale:
        sentences.append(
            f"Or all {remedy.of} alike, as a smaller tile does: to "
            f"{math.floor(remedy.scale * 1000) / 10:g} % of their size."
        )
    if not remedy.proven:
        proof = f"There may be a smaller set: {remedy.of} are too many to try all."
    elif remedy.of == 1:
        proof = "Nothing else is alive at the moment that is too full."
    else:
        proof = (
            f"No smaller set does: all sets of the {remedy.of} alive at a moment that is too full "
            "were tried."
        )
    if not exhibit.drawn.placed:
        proof += (
            " The compiler placed nothing here: worked out from sizes and lifetimes before "
            "planning, which a plan may exceed."
        )
    sentences.append(proof)
    return sentences


def _cut(cut: Cut) -> str:
    copies = f" in each of {cut.copies} copies" if cut.copies > 1 else ""
    where = f", {cut.source}" if cut.source else ""
    return (
        f"{middle(cut.name, 48)} from {count(cut.bytes)} to {count(cut.to_bytes)} B{copies} "
        f"({count(cut.less_bytes)} B less{where})"
    )


# Buffers


def buffer_facts(exhibit: Exhibit, buffer: Buffer) -> list[Fact]:
    """All that is known of one buffer."""
    drawn = exhibit.drawn
    sources = drawn.sources
    takes = rounded(buffer.bytes, drawn.alignment)
    wanted = min(drawn.asked.get(buffer.name, buffer.bytes), buffer.bytes)
    facts = [Fact("bytes", bytes_text(buffer.bytes), sources.get("bytes", ""))]
    if takes > wanted:
        facts.append(
            Fact(
                "asked, taken",
                f"{count(wanted)} B, {count(takes)} B",
                f"{count(takes - wanted)} B lost to alignment"
                + (f" of {drawn.alignment} B" if drawn.alignment else "")
                + (
                    "; asked for: first pass that allocates it"
                    if buffer.name in drawn.asked
                    else ""
                ),
            )
        )
    if drawn.placed and buffer.offset_bytes is not None:
        last = buffer.offset_bytes + buffer.bytes - 1
        where = f"{count(buffer.offset_bytes)} to {count(last)} B"
        facts.append(Fact("addresses", where, sources.get("address", "")))
    facts.append(
        Fact(
            "lines",
            "unknown"
            if buffer.first_use is None
            else f"{count(buffer.first_use)} to {count(buffer.last_use or 0)}",
            f"first and last line of the {drawn.lines_of} that touch it",
        )
    )
    for h in drawn.held:
        if h.name == buffer.name:
            why = "other half of a double buffer" if h.doubled else "next iteration"
            facts.append(
                Fact(
                    "kept",
                    f"{count(h.first)} to {count(h.last)}, for the {why}",
                    f"the loop around it in the {drawn.lines_of}",
                )
            )
    if buffer.dtype:
        facts.append(Fact("type", buffer.dtype, sources.get("bytes", "")))
    facts += _relations(drawn, buffer)
    if buffer.source:
        facts.append(Fact("from", buffer.source, "location that the compiler carries along"))
    return facts


def _relations(drawn: Drawn, buffer: Buffer) -> list[Fact]:
    facts = []
    same = [
        b.name
        for each in pairs(drawn.plan, drawn.held)
        if any(b.name == buffer.name for b in each)
        for b in each
        if b.name != buffer.name
    ]
    if same:
        facts.append(
            Fact("doubled by", ", ".join(map(bare_name, same)), "copies with places of their own")
        )
    elif buffer.copy_of:
        facts.append(
            Fact("copy of", bare_name(buffer.copy_of), "the name repeats: a copy or a tail")
        )
    turn = turns(drawn.plan).get(buffer.name, Turn()) if drawn.placed else Turn()
    if turn.after:
        label = "in place of" if turn.in_place else "after"
        facts.append(
            Fact(label, ", ".join(map(bare_name, turn.after)), "had these addresses before it")
        )
    if turn.before:
        facts.append(
            Fact("then", ", ".join(map(bare_name, turn.before)), "gets these addresses after it")
        )
    return facts


def peak_table(exhibit: Exhibit, everything: bool = False) -> pd.DataFrame:
    """One row a buffer, largest first; those alive at the peak, or all."""
    drawn = exhibit.drawn
    plan = drawn.plan
    alive = peak(plan, drawn.held).culprits
    shown: Sequence[Buffer] = alive
    if everything:
        shown = sorted(plan.buffers, key=lambda b: (-b.bytes, b.name))
    copies = {b.name: len(same) for same in pairs(plan, drawn.held) for b in same}
    capacity = plan.capacity_bytes
    lost = {x.name: x.bytes for x in waste(plan, drawn.alignment, drawn.asked).losses}
    rows = [
        {
            "buffer": b.name,
            "bytes": b.bytes,
            "share": b.bytes / capacity * 100 if capacity else None,
            "waste": lost.get(b.name, 0),
            "address": b.offset_bytes if drawn.placed else None,
            "lines": f"{b.first_use}–{b.last_use}" if b.first_use is not None else "",
            "copies": copies.get(b.name, 1),
            "from": ":".join(b.source.rsplit(":", 2)[-2:]) if b.source else "",
        }
        for b in shown
    ]
    columns = ["buffer", "bytes", "share", "waste", "address", "lines", "copies", "from"]
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    bare = [("from", ""), ("copies", 1), ("waste", 0), ("address", None)]
    return frame.drop(columns=[c for c, empty in bare if all(v == empty for v in frame[c])])
