"""The folder in which a compile of ours ran: what was asked, what was handed on, how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.kernel import Kernel, Tensor
from core.readers.akg_failure import Ending
from core.readers.source import ReadError, Source
from core.target import Target, target_from_json
from core.trace import Compiler, Status


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
        kernel = _kernel(job["kernel"])
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


def _kernel(facts: Mapping[str, Any]) -> Kernel:
    tensors = tuple(
        Tensor(t["name"], tuple(int(n) for n in t["shape"]), t["dtype"], t["role"])
        for t in facts["tensors"]
    )
    return Kernel(
        facts["kind"],
        str(facts["name"]),
        str(facts["source"]),
        tensors,
        str(facts.get("case", "")),
        str(facts.get("about", "")),
    )


def _ending(facts: Mapping[str, Any]) -> Ending:
    seconds = facts.get("seconds")
    return Ending(
        Status(facts["status"]),
        facts.get("signal"),
        facts.get("exit_code"),
        float(seconds) if seconds is not None else None,
    )
