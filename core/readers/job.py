"""The folder in which a compile of ours ran: what was asked, what was handed on, how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from core.kernel import Kernel
from core.readers.source import ReadError, Source
from core.target import Target, target_from_json
from core.trace import Compiler, Failure, PassStatus, Status


@dataclass(frozen=True, slots=True)
class Ending:
    """How the process of a compile ended, from ended.json."""

    status: Status
    signal: str | None
    exit_code: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Job:
    """job.json, received.json and ended.json of a compile of ours."""

    root: str
    kernel: Kernel
    hints: Mapping[str, object]
    compiler: Compiler
    target: Target
    started: str
    host: str
    received: tuple[Mapping[str, object], ...]
    ending: Ending | None


def read_job(source: Source, root: str) -> Job:
    """The job of a folder that has a job.json. Raises ReadError where that is damaged."""
    prefix = f"{root}/" if root else ""
    path = f"{prefix}job.json"
    try:
        job = json.loads(source.read(path))
        kernel = msgspec.convert(job["kernel"], Kernel)
        target = target_from_json(job["target"])
        compiler = Compiler(str(job["compiler"]["name"]), str(job["compiler"]["version"]))
        hints = dict(job["hints"])
        started, host = str(job.get("started", "")), str(job.get("host", ""))
        path = f"{prefix}ended.json"
        ending = _ending(json.loads(source.read(path))) if path in source.entries else None
    except ReadError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as wrong:
        raise ReadError(
            f"{path} is damaged ({type(wrong).__name__}: {str(wrong)[:80]}); compile the kernel "
            "again."
        ) from None
    received = _received(source, f"{prefix}received.json")
    return Job(root, kernel, hints, compiler, target, started, host, received, ending)


def _received(source: Source, path: str) -> tuple[Mapping[str, object], ...]:
    """What the front end handed on; nothing where the compile died while it wrote that down."""
    if path not in source.entries:
        return ()
    try:
        listed = json.loads(source.read(path))
    except (ValueError, RecursionError):
        return ()
    return tuple(e for e in listed if isinstance(e, dict)) if isinstance(listed, list) else ()


def _ending(facts: Mapping[str, Any]) -> Ending:
    seconds = facts.get("seconds")
    return Ending(
        Status(facts["status"]),
        facts.get("signal"),
        facts.get("exit_code"),
        float(seconds) if seconds is not None else None,
    )


def pass_status(status: Status) -> PassStatus:
    """How the pass ended in which a compile ended."""
    match status:
        case Status.CRASHED:
            return "crashed"
        case Status.TIMED_OUT:
            return "timed_out"
        case Status.CANCELLED:
            return "cancelled"
        case _:
            return "failed"


def stopped(ending: Ending, name: str | None, after: str | None, attempts: int) -> Failure:
    """The failure of a compile that was stopped from outside, in a pass or past one."""
    place = f" in {name}" if name else f", past {after}" if after else ", before its first pass"
    seconds = f" after {ending.seconds:.1f} s" if ending.seconds is not None else ""
    timed_out = ending.status is Status.TIMED_OUT
    who = "by the time limit" if timed_out else "by the user"
    return Failure(
        kind="timeout" if timed_out else "cancelled",
        pass_name=name,
        after=after,
        source=None,
        component=None,
        message=f"Stopped {who}{seconds}{place}.",
        attempts=attempts,
    )
