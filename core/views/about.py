"""What a pass is for, in one line, and the compiler's source file that says so.

The lines are data, one file a compiler in `data/passes/`, written by us. A pass is looked up by
stage and name, then by its argument on the compiler's command line, then by its name alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.trace import Pass

_DATA = Path(__file__).resolve().parents[2] / "data" / "passes"


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a pass by its name."""

    what: str  #: one sentence
    source: str  #: the compiler's file that holds it ("src/pass/inject_pipe.cc"); "" if unknown


def about(compiler_name: str, step: Pass) -> About | None:
    """What this pass of the compiler is for; None of a pass or a compiler that we do not know."""
    known = descriptions(compiler_name)
    for key in (f"{step.stage}/{step.name}", step.argument, step.name):
        if key in known:
            return known[key]
    return None


def descriptions(compiler_name: str) -> Mapping[str, About]:
    """All that is known of a compiler's passes, by the keys under which they are kept."""
    return _read().get(compiler_name, {})


@cache
def _read() -> Mapping[str, Mapping[str, About]]:
    return {
        file.stem: {name: About(**said) for name, said in _passes(file).items()}
        for file in sorted(_DATA.glob("*.json"))
    }


def _passes(file: Path) -> dict[str, dict[str, str]]:
    passes: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))["passes"]
    return passes
