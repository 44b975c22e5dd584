"""What the texts of a trace say of the buffers in its memory plans: where each is made, what was
asked for before the compiler rounded it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.analysis.memory import bare_name
from core.readers.akg_memory import allocations
from core.trace import Buffer, Pass, Texts, Trace

_COPY = re.compile(r" \(\d+\)$")
_NO_IDENTIFIER = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a text of a trace."""

    index: int  #: of the pass; the number of passes: the emitted code
    line: int
    name: str  #: as that text calls the buffer


def name_in_text(buffer: Buffer) -> str:
    """What a text calls a buffer: its function and the number of its copy are ours."""
    return _COPY.sub("", bare_name(buffer.name))


def definition(texts: Texts, digest: str, index: int, buffer: Buffer) -> Place:
    """Where a text makes a buffer; the line that first uses it where that cannot be told.

    A name may be made again: by other functions, for copies and tails. The one meant is the last
    before the first use.
    """
    name = name_in_text(buffer)
    first = buffer.first_use or 0
    lines = list(_made(texts.get(digest), name))
    before = [line for line in lines if line <= first]
    return Place(index, before[-1] if before else lines[0] if lines else first, name)


def _made(text: str, name: str) -> Iterator[int]:
    word = re.escape(name)
    made = re.compile(
        rf"^\s*{word} = .*(?:pointer_cast|memref\.alloc)"
        if name.startswith("%")
        else rf"^\s*(?:__\w+__\s+\w+\s*\*\s*{word}\s*=|allocate {word}\[|realize {word}<)"
    )
    for number, line in enumerate(text.split("\n"), 1):
        if name in line and made.match(line):
            yield number


def asked(trace: Trace, texts: Texts) -> dict[str, int]:
    """Bytes of buffers as they were first allocated, by their name in the emitted code.

    Of compilers that round sizes on the way: the first text that lists allocations has what was
    asked for. A buffer whose allocation there is not certain is left out.
    """
    sizes: dict[str, list[int]] = {}
    seen: set[str] = set()
    for step in _first_allocating(trace, texts):
        for each in allocations(texts.get(step.text or "")):
            key = _NO_IDENTIFIER.sub("_", each.name)
            if key in seen and step.unit:
                sizes.setdefault(key, []).append(-1)  # of two sub-kernels
            sizes.setdefault(key, []).append(each.bytes)
        seen.update(sizes)
    found: dict[str, int] = {}
    families: dict[str, list[Buffer]] = {}
    for plan in trace.memory:
        for buffer in plan.buffers:
            families.setdefault(buffer.copy_of or buffer.name, []).append(buffer)
    for name, same in families.items():
        first = sizes.get(name, [])
        if len(set(first)) == 1:
            first = first[:1] * len(same)
        if len(first) == len(same):
            found |= {b.name: size for b, size in zip(same, first, strict=True) if size > 0}
    return {n: size for n, size in found.items() if size <= _bytes(trace).get(n, 0)}


def _bytes(trace: Trace) -> Mapping[str, int]:
    return {b.name: b.bytes for plan in trace.memory for b in plan.buffers}


def _first_allocating(trace: Trace, texts: Texts) -> Iterator[Pass]:
    """The first text that allocates, of each sub-kernel, in the last attempt at it."""
    attempts: dict[str, int] = {}
    for step in trace.passes:
        attempts[step.unit] = max(attempts.get(step.unit, 0), step.attempt)
    seen: set[str] = set()
    for step in trace.passes:
        if step.unit in seen or step.attempt != attempts[step.unit]:
            continue
        if step.language == "statement" and step.text and "allocate " in texts.get(step.text):
            seen.add(step.unit)
            yield step
