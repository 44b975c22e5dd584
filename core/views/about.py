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
    lines = _read().get(compiler_name, _NONE)
    for key in (f"{step.stage}/{step.name}", step.argument, step.name):
        if key in lines.by_key:
            return lines.by_key[key]
    return lines.by_class.get(step.name)


def descriptions(compiler_name: str) -> Mapping[str, About]:
    """All that is known of a compiler's passes, by the keys under which they are kept."""
    return _read().get(compiler_name, _NONE).by_key


@dataclass(frozen=True, slots=True)
class _Lines:
    by_key: Mapping[str, About]
    by_class: Mapping[str, About]  #: of logs that give a pass's name in its source, no argument


_NONE = _Lines({}, {})


@cache
def _read() -> Mapping[str, _Lines]:
    return {file.stem: _lines(file) for file in sorted(_DATA.glob("*.json"))}


def _lines(file: Path) -> _Lines:
    passes: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))["passes"]
    by_key = {key: About(said["what"], said["source"]) for key, said in passes.items()}
    return _Lines(
        by_key, {said["class"]: by_key[key] for key, said in passes.items() if "class" in said}
    )
