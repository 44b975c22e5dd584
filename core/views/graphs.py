"""The graph of a pass, chosen by its language and stage: operators, loops, tree, regions."""

from __future__ import annotations

from core.ir import mlir, schedule, statement
from core.ir.mlir import MlirError
from core.ir.schedule import ScheduleError
from core.ir.statement import StatementError
from core.trace import Pass
from core.views import nests, operators, regions, trees
from core.views.drawing import Graph

__all__ = ["Graph", "graph_of", "operator_graph"]

operator_graph = operators.of_json


def graph_of(
    pass_: Pass, text: str, *, focus: int | None = None, limit: int | None = None
) -> Graph | None:
    """The graph of a pass, or None where its language has none or its text cannot be read.

    `focus` is the line around which a large pass stays open; `limit` the number of nodes beyond
    which the rest is folded (each kind of graph has its own).
    """
    try:
        if pass_.language == "schedule":
            return trees.of_tree(schedule.parse(text), focus, limit or trees.LIMIT)
        if pass_.language == "mlir":
            module = mlir.parse(text, tolerant=True)
            return regions.of_module(module, focus, limit or regions.LIMIT)
        if pass_.language != "statement":
            return None
        body = statement.parse(text)
        if operators.is_operator_text(body):
            return operators.of_module(body, limit or operators.LIMIT)
        return nests.of_module(body, focus, limit or nests.LIMIT)
    except (StatementError, ScheduleError, MlirError, RecursionError):
        return None
