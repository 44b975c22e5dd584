"""An on-chip buffer that is read before anything wrote to it.

Reported only where no write stands before the read in the text, whatever its index and condition,
and the read certainly happens the first time that the loops around it run, when no later line has
run yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.analysis.checks.finding import Finding
from core.analysis.checks.order import Step, steps
from core.analysis.checks.touched import (
    READ,
    WRITTEN,
    Room,
    Touch,
    in_expression,
    room,
    root,
    scope,
    touches,
)
from core.ir.interval import FALSE, Interval, Ranged, ranged
from core.ir.statement import (
    Allocate,
    Attribute,
    Evaluate,
    For,
    If,
    Let,
    Module,
    Provide,
    Realize,
    Statement,
    Store,
)


def in_statements(module: Module, memories: object) -> Iterator[Finding]:
    """Findings of the buffers that are read first, one for each buffer."""
    for function in module.functions:
        walk = _Walk()
        walk.run(function.body)
        yield from walk.found.values()


class _Walk:
    """Follows the first run of every loop."""

    def __init__(self) -> None:
        self.found: dict[str, Finding] = {}
        self.ranges: dict[str, Interval] = {}  # of the first run
        self.sure = True  # whether what is being read certainly happens in the first run
        self.scopes: dict[str, str] = {}
        self.rooms: dict[str, Room] = {}  # of buffers that nothing has written yet
        self.written: set[str] = set()

    def run(self, body: Sequence[Statement]) -> None:
        outer: list[tuple[bool, dict[str, Interval]]] = []
        for step, statement in steps(body):
            if step is Step.LEAF:
                self.leaf(statement)
            elif step is Step.ENTER:
                outer.append((self.sure, self.ranges))
                self.opens(statement)
            elif step is Step.OTHERWISE and isinstance(statement, If):
                self.sure, self.ranges = outer[-1]
                self.sure &= ranged(statement.condition).of(self.ranges) == FALSE
            else:
                self.sure, self.ranges = outer.pop()

    def opens(self, statement: Statement) -> None:
        match statement:
            case For():
                self.reads(statement, in_expression(statement.minimum))
                self.reads(statement, in_expression(statement.extent))
                first = ranged(statement.minimum).of(self.ranges)
                self.sure &= ranged(statement.extent).of(self.ranges)[0] > 0
                self.ranges = {**self.ranges, statement.variable: first}
            case If():
                self.reads(statement, in_expression(statement.condition))
                self.sure &= ranged(statement.condition).of(self.ranges)[0] > 0
            case Realize():
                self.declare(statement)

    def leaf(self, statement: Statement) -> None:
        match statement:
            case Store() | Provide() | Evaluate():
                if self.rooms:
                    self.touch(statement)
            case Allocate():
                self.declare(statement)
            case Attribute():
                given = scope(statement)
                if given:
                    self.scopes[given[0]] = given[1]
            case Let():
                self.reads(statement, in_expression(statement.value))
                value = ranged(statement.value).of(self.ranges)
                self.ranges = {**self.ranges, statement.name: value}

    def declare(self, statement: Allocate | Realize) -> None:
        """A name may be declared several times, for copies: written once is written."""
        held = room(statement, self.scopes)
        if held and statement.name not in self.written:
            self.rooms[statement.name] = held

    def touch(self, statement: Statement) -> None:
        found = touches(statement)
        self.reads(statement, found)
        for touch in found:
            if touch.mode & WRITTEN:
                self.written.add(touch.buffer)
                self.rooms.pop(touch.buffer, None)

    def reads(self, statement: Statement, found: Sequence[Touch]) -> None:
        for touch in found:
            held = self.rooms.get(touch.buffer)
            if held is None or touch.mode != READ or not self.sure:
                continue
            if all(self.chosen(test, holds) for _, test, holds in touch.guards):
                self.report(statement, held)

    def chosen(self, test: Ranged, holds: bool) -> bool:
        truth = test.of(self.ranges)
        return truth[0] > 0 if holds else truth == FALSE

    def report(self, statement: Statement, held: Room) -> None:
        name = root(held.name)
        before = self.found.get(name)
        if before is None:
            message = (
                f"{held.name} is read before anything has written to it: line {held.line:,} "
                f"allocates {held.size} in {held.memory}, and no write stands in between."
            )
            self.found[name] = Finding(
                "unwritten", "wrong", statement.first, held.name, message, name
            )
        elif before.line != statement.first:
            self.found[name] = replace(before, times=before.times + 1)
