"""A trace as commands print it."""

from __future__ import annotations

import json

from core.analysis.studied import Study
from core.report import report
from core.target import Target
from core.trace import Trace


def print_trace(
    trace: Trace, id: str | None, as_json: bool, target: Target | None, study: Study | None = None
) -> None:
    if as_json:
        print(json.dumps(report(trace, id, target, study)))
        return
    print(f"{trace.kernel}: {trace.status}, {len(trace.changed)} of {len(trace.passes)} passes")
    if trace.failure:
        where = trace.failure.pass_name or f"after {trace.failure.after or 'nothing'}"
        print(f"  {where}: {trace.failure.message}")
        for culprit in trace.failure.culprits:
            print(f"    {culprit.name} takes {culprit.bytes:,} B ({culprit.source or 'no line'})")
    for axis in trace.tiling.axes:
        extent = f" of {axis.extent:,}" if axis.extent else ""
        print(f"  band {axis.band} axis {axis.name}: tile {axis.tile:,}{extent} ({axis.origin})")
    for plan in trace.memory:
        share = f" of {plan.capacity_bytes:,} B" if plan.capacity_bytes else ""
        print(f"  {plan.memory}: {plan.peak_bytes:,} B{share}")
    if trace.block_dim:
        print(f"  cores: {trace.block_dim}")
    for name, reason in trace.hints.ignored.items():
        print(f"  hint {name} ignored: {reason}")
    for each in study.reports if study else ():
        print(f"  {each.finding.harm}, since {_pass(trace, each.index)}: {each.finding.message}")
    if id:
        print(f"  trace {id}")


def _pass(trace: Trace, index: int) -> str:
    """A pass with what tells it from others of its name."""
    if index >= len(trace.passes):
        return "the emitted code"
    step = trace.passes[index]
    name = step.name if step.number is None else f"{step.number:02d}_{step.name}"
    attempt = f", attempt {step.attempt}" if step.attempt > 1 else ""
    return f"{name}{f' of {step.unit}' if step.unit else ''}{attempt}"
