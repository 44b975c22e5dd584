"""A capture as one JSON object for scripts."""

from __future__ import annotations

import json
from typing import Any

from core.capture.captured import Capture
from core.source_lines import SourceLine


def report(made: Capture) -> dict[str, Any]:
    """The object that `capture --json` prints."""
    return {
        "network": made.network,
        "file": made.file,
        "kind": made.kind,
        "inputs": [{"shape": list(each.shape), "dtype": each.dtype} for each in made.inputs],
        "seconds": round(made.seconds, 3),
        "problem": made.problem,
        "notes": list(made.notes),
        "kernels": [
            {
                "name": each.kernel.name,
                "digest": each.kernel.digest,
                "times": each.times,
                "cluster": each.cluster,
                "backward": each.backward,
                "problem": each.problem,
                "conversions": list(each.conversions),
                "operators": [
                    {
                        "operator": origin.operator,
                        "scope": origin.scope,
                        "expanded_from": origin.expanded,
                        "line": _line(origin.line),
                    }
                    for origin in each.origins
                ],
                "description": json.loads(each.kernel.source),
            }
            for each in made.kernels
        ],
        "library": [
            {
                "operator": each.operator,
                "times": each.times,
                "results": list(each.shapes),
                "line": _line(each.line),
                "instead": each.instead,
            }
            for each in made.library
        ],
    }


def _line(line: SourceLine | None) -> dict[str, Any] | None:
    return {"file": line.file, "line": line.line, "text": line.text} if line else None
