"""The graph of a text, chosen by its language and stage: operators, loops, tree, regions."""

from __future__ import annotations

from typing import Literal

from core.ir import anf, cce, mlir, schedule, statement
from core.trace import Language, Pass
from core.views import cells, emitted, nests, operators, regions, trees
from core.views.graph import Graph

__all__ = ["Graph", "graph_of", "graph_of_text", "operator_graph"]

operator_graph = operators.of_json


def graph_of(pass_: Pass, text: str) -> Graph | None:
    """The graph of a pass, or None where its language has none or its text cannot be read."""
    return graph_of_text(pass_.language, text)


def graph_of_text(language: Language | Literal["cce"], text: str) -> Graph | None:
    """The whole graph of a text, or None where it has none or cannot be read."""
    try:
        match language:
            case "schedule":
                return trees.of_tree(schedule.parse(text))
            case "mlir":
                return regions.of_module(mlir.parse(text, tolerant=True))
            case "anf":
                return cells.of_module(anf.parse(text))
            case "cce":
                return emitted.of_kernel(cce.parse(text))
            case "statement":
                body = statement.parse(text)
                if operators.is_operator_text(body):
                    return operators.of_module(body)
                return nests.of_module(body)
            case _:
                return None
    except (ValueError, RecursionError):  # what parsers raise; a number too long for Python
        return None
