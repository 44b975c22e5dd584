"""Lay out a graph: Graphviz source to SVG, by a `dot` in its own process under a time limit."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from functools import cache
from pathlib import Path


class LayoutError(RuntimeError):
    """A graph that could not be laid out: one sentence."""


@cache
def dot_program() -> Path:
    """The machine's own `dot`, else the one that the package graphviz-pure brings.

    Raises LayoutError where there is neither.
    """
    own = shutil.which("dot")
    if own:
        return Path(own)
    brought = Path(sysconfig.get_path("scripts")) / "graphviz-pure"
    if brought.exists():
        return brought
    raise LayoutError(
        "No Graphviz is installed: run `make run`, which brings graphviz-pure, or install dot."
    )


def render_svg(dot: str, timeout_s: float = 5.0) -> str:
    """The SVG of a Graphviz source, from its `<svg` on.

    Raises LayoutError where it takes longer than `timeout_s` seconds or Graphviz refuses it.
    """
    command = [str(dot_program()), "-Tsvg"]
    try:
        done = subprocess.run(
            command, input=dot.encode(), capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise LayoutError(
            f"The graph took longer than {timeout_s:g} s to lay out: fold more of it."
        ) from None
    except OSError as error:
        raise LayoutError(f"{command[0]} could not be started: {error}.") from None
    svg = done.stdout.decode(errors="replace")
    start = svg.find("<svg")
    if done.returncode or start < 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[0] if said else f"it ended with code {done.returncode}"
        raise LayoutError(f"Graphviz could not lay the graph out: {reason}.")
    return svg[start:]
