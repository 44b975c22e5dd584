"""One kernel on three devices: what each compiler made of it, and how each sums."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.summation import Level, NotRead, Order, ascend_order, gpu_order
from core.kernel import Kernel
from core.trace import Texts, Trace
from core.views.wording import bytes_text, count, percent

_SUMS = ("ReduceSum",)


@dataclass(frozen=True, slots=True)
class Device:
    """What one device's compiler made of the kernel."""

    name: str
    trace: Trace | None
    code: str = ""
    problem: str = ""  #: one sentence, where it did not compile


def facts(device: Device, texts: Texts) -> list[tuple[str, str]]:
    """Name and value of what is worth comparing."""
    trace = device.trace
    if trace is None:
        return [("compile", device.problem)]
    passes = f"{len(trace.changed)} of {len(trace.passes)} changed something"
    rows = [("compile", str(trace.status).replace("_", " ")), ("passes", passes)]
    tiles = " × ".join(
        f"{count(axis.tile)} of {count(axis.extent)}" if axis.extent else count(axis.tile)
        for axis in trace.tiling.axes
    )
    rows.append(("tiles", tiles or "none"))
    rows += mapping(trace, texts)
    for plan in trace.memory:
        share = f" ({percent(plan.occupancy)})" if plan.occupancy is not None else ""
        rows.append((plan.memory, f"{bytes_text(plan.peak_bytes)}{share}"))
    return rows


def mapping(trace: Trace, texts: Texts) -> list[tuple[str, str]]:
    """Cores, or the grid of blocks and threads: from the description that the compiler writes."""
    if trace.block_dim:
        return [("cores", count(trace.block_dim))]
    for log in trace.logs:
        if not log.name.endswith(".json"):
            continue
        try:
            meta = json.loads(texts.get(log.text))
        except (ValueError, KeyError):
            continue
        if isinstance(meta, dict) and "threadIdx.x" in meta:
            grid, block = (
                " × ".join(str(meta.get(f"{name}.{axis}", 1)) for axis in "xyz")
                for name in ("blockIdx", "threadIdx")
            )
            return [("blocks", grid), ("threads", block)]
    return []


def row_terms(kernel: Kernel) -> tuple[int, str] | None:
    """How many values the kernel's only sum adds along the last axis, and the result's type.

    None where it has none, several, or one over other axes.
    """
    if kernel.kind != "composite":
        return None
    described = json.loads(kernel.source)
    sums = [op for op in described["op_desc"] if op["name"] in _SUMS]
    if len(sums) != 1:
        return None
    (only,) = sums
    shape = only["input_desc"][0][0]["shape"]
    axes = next((a["value"] for a in only.get("attr") or [] if a["name"] == "axis"), None)
    listed = axes if isinstance(axes, list) else [axes]
    if [int(axis) % len(shape) for axis in listed if axis is not None] != [len(shape) - 1]:
        return None
    return int(shape[-1]), str(only["output_desc"][0]["data_type"])


def order_of(device: Device, terms: int, result: str) -> Order | str:
    """The order in which a device sums, or one sentence on why it is not read."""
    if not device.code:
        return device.problem or "Nothing was emitted."
    try:
        read = gpu_order if device.name == "GPU" else ascend_order
        return read(device.code, terms, result)
    except NotRead as why:
        return str(why)


def diagram(order: Order) -> str:
    """The levels as a Graphviz source: how many values become one, from left to right."""
    names = {
        "neighbours": "pairs of neighbours",
        "halves": "halves onto each other",
        "kahan": "one by one, corrected (Kahan)",
        "one by one": "one by one",
    }
    total = 1
    for level in order.levels:
        total *= level.terms
    nodes = [f'n0 [label="{total:,} values"];']
    edges = []
    left = total
    for at, level in enumerate(order.levels, 1):
        left //= level.terms
        noun = "value" if left == 1 else "values"
        nodes.append(f'n{at} [label="{left:,} {noun}\\n{level.dtype}"];')
        edges.append(
            f'n{at - 1} -> n{at} [label="{level.terms:,} to 1\\n{names[level.how]}\\n{level.by}"];'
        )
    return (
        'digraph { rankdir=LR; bgcolor="transparent"; node [shape=box, fontname="sans-serif", '
        'fontsize=11]; edge [fontname="sans-serif", fontsize=10]; '
        + " ".join([*nodes, *edges])
        + " }"
    )


def lines_of(code: str, levels: Sequence[Level]) -> list[tuple[int, str]]:
    """The lines of the emitted code that the levels stand in."""
    lines = code.splitlines()
    wanted = sorted({level.line for level in levels if 0 < level.line <= len(lines)})
    return [(line, re.sub(r"\s+", " ", lines[line - 1]).strip()) for line in wanted]
