"""A trace as one JSON object for scripts: what the command line prints with --json."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.analysis.studied import Report, Study
from core.target import Target
from core.trace import MemoryPlan, Trace


def report(
    trace: Trace, id: str | None, target: Target | None = None, study: Study | None = None
) -> dict[str, Any]:
    """The object. `id` is the trace's name in the library, None where it is not kept there.

    `checks` lists what a study reports: null without one, empty where nothing was found.

    With a target, every memory in which its compiler places buffers is listed once it compiles, the
    unused ones with a peak of 0 bytes.
    """
    failure = trace.failure
    return {
        "trace": id,
        "kernel": trace.kernel,
        "status": trace.status.value,
        "signal": failure.signal if failure else None,
        "seconds": trace.seconds,
        "compiler": {"name": trace.compiler.name, "version": trace.compiler.version},
        "target": trace.target,
        "block_dim": trace.block_dim,
        "attempts": max([failure.attempts if failure else 1, *(p.attempt for p in trace.passes)]),
        "hints": {
            "asked": dict(trace.hints.asked),
            "honoured": dict(trace.hints.honoured),
            "ignored": dict(trace.hints.ignored),
        },
        "passes": [
            {
                "index": step.index,
                "stage": step.stage,
                "unit": step.unit,
                "attempt": step.attempt,
                "name": step.name,
                "argument": step.argument,
                "changed": step.changed,
                "lines": step.lines,
                "status": step.status,
                "seconds": step.seconds,
            }
            for step in trace.passes
        ],
        "tiling": [
            {
                "unit": axis.unit,
                "band": axis.band,
                "axis": axis.axis,
                "name": axis.name,
                "extent": axis.extent,
                "tile": axis.tile,
                "tile_l0": axis.tile_l0,
                "origin": axis.origin,
            }
            for axis in trace.tiling.axes
        ],
        "memory": _memory(trace.memory, target if trace.status.compiles else None),
        "instructions": dict(trace.instructions),
        "failure": {
            "kind": failure.kind,
            "pass": failure.pass_name,
            "after": failure.after,
            "source": failure.source,
            "component": failure.component,
            "message": failure.message,
            "memory": failure.memory,
            "required_bytes": failure.required_bytes,
            "available_bytes": failure.available_bytes,
            "attempts": failure.attempts,
            "culprits": [
                {"name": each.name, "bytes": each.bytes, "source": each.source}
                for each in failure.culprits
            ],
        }
        if failure
        else None,
        "checks": None if study is None else [_check(trace, each) for each in study.reports],
        "notes": list(trace.notes),
    }


def _check(trace: Trace, each: Report) -> dict[str, Any]:
    """A report with the pass that brought it in; that is null where only the code has it."""
    finding = each.finding
    step = trace.passes[each.index] if each.index < len(trace.passes) else None
    return {
        "check": finding.check,
        "harm": finding.harm,
        "subject": finding.subject,
        "message": finding.message,
        "index": each.index,
        "pass": step.name if step else None,
        "attempt": step.attempt if step else None,
        "line": finding.line,
        "last": each.last,
    }


def _memory(plans: Iterable[MemoryPlan], target: Target | None) -> dict[str, Any]:
    listed: dict[str, Any] = {
        plan.memory: {
            "peak_bytes": plan.peak_bytes,
            "capacity_bytes": plan.capacity_bytes,
            "buffers": [
                {"name": b.name, "bytes": b.bytes, "offset_bytes": b.offset_bytes}
                for b in plan.buffers
            ],
        }
        for plan in plans
    }
    if listed and target:
        for memory in target.memories:
            if not memory.alignment_bytes:  # the compiler places no buffers there
                continue
            unused = {"peak_bytes": 0, "capacity_bytes": memory.capacity_bytes, "buffers": []}
            listed.setdefault(memory.name, unused)
    return listed
