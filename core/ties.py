"""Which axes of a kernel's tensors have the same size, and which follow from others.

Axes that are tied are one size. A size is a product or a sum of others, fixed for a reason, or free
to be changed.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: A tensor's name and the number of its axis.
Axis: TypeAlias = tuple[str, int]


class SizeError(ValueError):
    """Sizes that a kernel cannot have: one sentence."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A size that is made of others."""

    kind: Literal["product", "sum"]
    whole: Axis
    parts: tuple[Axis | int, ...]  #: a number stands for itself


class Ties:
    """Collects what a kernel's operators say of its axes; `settled` draws the conclusion."""

    def __init__(self) -> None:
        self.sizes: dict[Axis, int] = {}
        self._above: dict[Axis, Axis] = {}
        self._fixed: dict[Axis, str] = {}
        self._rules: list[Rule] = []

    def add(self, tensor: str, shape: Sequence[int]) -> None:
        for at, size in enumerate(shape):
            self.sizes[tensor, at] = size
            self._above[tensor, at] = (tensor, at)

    def root(self, axis: Axis) -> Axis:
        while self._above[axis] != axis:
            self._above[axis] = self._above[self._above[axis]]
            axis = self._above[axis]
        return axis

    def tie(self, one: Axis, other: Axis) -> None:
        """Both have the same size; where they have not now, neither can be changed."""
        if self.sizes[one] != self.sizes[other]:
            for axis in (one, other):
                self.fix(axis, "it meets an axis of another size in a way that is not known")
            return
        first, second = self.root(one), self.root(other)
        if first != second:
            self._above[second] = first
            if second in self._fixed:
                self._fixed.setdefault(first, self._fixed[second])

    def fix(self, axis: Axis, why: str) -> None:
        """It keeps its size; `why` goes on after "because"."""
        self._fixed.setdefault(self.root(axis), why)

    def multiply(self, whole: Axis, parts: Iterable[Axis | int]) -> None:
        self._rule(Rule("product", whole, tuple(parts)))

    def add_up(self, whole: Axis, parts: Iterable[Axis | int]) -> None:
        self._rule(Rule("sum", whole, tuple(parts)))

    def _rule(self, rule: Rule) -> None:
        values = [part if isinstance(part, int) else self.sizes[part] for part in rule.parts]
        total = math.prod(values) if rule.kind == "product" else sum(values)
        if total == self.sizes[rule.whole]:
            self._rules.append(rule)
            return
        for axis in (rule.whole, *rule.parts):
            if not isinstance(axis, int):
                self.fix(axis, "it does not divide as an operator would have it")

    def settled(self, given: Container[str] = ()) -> Settled:
        """What can be changed, and what follows. The collection is not to be added to after.

        An axis of size 1 that is only a part of others and in none of the tensors `given` stays.
        """
        self._agreed(fixing=False)
        self._drop_ones(given)
        rules = self._agreed(fixing=True)
        again = True
        while again:
            again = False
            for whole, rule in list(rules.items()):
                parts = [part for part in rule.parts if not isinstance(part, int)]
                loose = [part for part in parts if part not in self._fixed]
                if whole in self._fixed and loose:
                    for part in loose:
                        self._fixed[part] = "what it is a part of is fixed"
                    again = True
                if whole not in self._fixed and not loose:
                    self._fixed[whole] = "all that it is made of is fixed"
                    again = True
            for whole in _in_circles(rules):
                again = again or whole not in self._fixed
                self._fixed.setdefault(whole, "it follows from itself")
        left = {whole: rule for whole, rule in rules.items() if whole not in self._fixed}
        roots = {axis: self.root(axis) for axis in self.sizes}
        return Settled(dict(self.sizes), roots, dict(self._fixed), left)

    def _drop_ones(self, given: Container[str]) -> None:
        outside = {self.root(axis) for axis in self.sizes if axis[0] in given}
        left: list[Rule] = []
        for rule in self._rules:
            ones: list[Axis] = []
            more: list[Axis | int] = []
            for part in rule.parts:
                if isinstance(part, int) or self.sizes[part] != 1:
                    more += [] if part == 1 else [part]
                elif self.root(part) in outside and self.root(part) not in self._fixed:
                    more.append(part)
                else:
                    ones.append(part)
            if rule.kind == "sum":
                left.append(rule)
                continue
            for part in ones:
                self.fix(part, "an operator adds it")
            if len(more) == 1 and not isinstance(more[0], int):
                self.tie(rule.whole, more[0])
            elif more:
                left.append(Rule(rule.kind, rule.whole, tuple(more)))
            else:
                self.fix(rule.whole, "an operator adds it")
        self._rules = left

    def _agreed(self, *, fixing: bool) -> dict[Axis, Rule]:
        """One rule a size: two that say the same of it are one, two that do not may fix it all."""
        going = True
        while going:
            going = False
            found: dict[Axis, Rule] = {}
            for rule in self._rules:
                whole = self.root(rule.whole)
                parts = tuple(p if isinstance(p, int) else self.root(p) for p in rule.parts)
                here = Rule(rule.kind, whole, parts)
                earlier = found.setdefault(whole, here)
                if earlier == here:
                    continue
                if self._alike(earlier, here):
                    # There and back again: [a, b] to [c] to [a, b].
                    for one, other in zip(earlier.parts, here.parts, strict=True):
                        if not isinstance(one, int) and not isinstance(other, int):
                            self.tie(one, other)
                    going = True
                    break
                for axis in (whole, *earlier.parts, *parts):
                    if fixing and not isinstance(axis, int):
                        self.fix(axis, "it is divided in two ways")
        return found

    def _alike(self, one: Rule, other: Rule) -> bool:
        if one.kind != other.kind or len(one.parts) != len(other.parts):
            return False
        pairs = list(zip(one.parts, other.parts, strict=True))
        return all(isinstance(a, int) == isinstance(b, int) for a, b in pairs) and all(
            (a if isinstance(a, int) else self.sizes[a])
            == (b if isinstance(b, int) else self.sizes[b])
            for a, b in pairs
        )


def _in_circles(rules: Mapping[Axis, Rule]) -> set[Axis]:
    def reaches(start: Axis, goal: Axis, seen: set[Axis]) -> bool:
        for part in rules[start].parts if start in rules else ():
            if isinstance(part, int) or part in seen:
                continue
            seen.add(part)
            if part == goal or reaches(part, goal, seen):
                return True
        return False

    return {whole for whole in rules if reaches(whole, whole, set())}


@dataclass(frozen=True)
class Settled:
    """Sizes by the root of the axes that have them: free, fixed, or made of others by a rule."""

    sizes: Mapping[Axis, int]
    roots: Mapping[Axis, Axis]
    fixed: Mapping[Axis, str]
    rules: Mapping[Axis, Rule]

    def free(self, root: Axis) -> bool:
        return root not in self.fixed and root not in self.rules

    def leaves(self, root: Axis) -> set[Axis]:
        """The free sizes that a size depends on."""
        if root in self.fixed:
            return set()
        if root not in self.rules:
            return {root}
        parts = [part for part in self.rules[root].parts if not isinstance(part, int)]
        return {leaf for part in parts for leaf in self.leaves(part)}

    def multiple_of(self, root: Axis) -> int:
        """What a size always is a multiple of."""
        if root in self.fixed:
            return self.sizes[root]
        rule = self.rules.get(root)
        if rule is None:
            return 1
        parts = [p if isinstance(p, int) else self.multiple_of(p) for p in rule.parts]
        return math.prod(parts) if rule.kind == "product" else math.gcd(*parts)

    def value(self, root: Axis, free: Mapping[Axis, int]) -> int:
        """A size where the free ones are these; those that are missing keep their own."""
        if root in self.fixed:
            return self.sizes[root]
        rule = self.rules.get(root)
        if rule is None:
            return free.get(root, self.sizes[root])
        parts = [p if isinstance(p, int) else self.value(p, free) for p in rule.parts]
        return math.prod(parts) if rule.kind == "product" else sum(parts)

    def solve(self, wanted: Mapping[Axis, int]) -> dict[Axis, int]:
        """Free sizes with which axes have the sizes wanted.

        Where a size is made of several that nobody asks for, the largest of them gives way. Raises
        SizeError, naming the axis.
        """
        free: dict[Axis, int] = {}
        for axis, size in wanted.items():
            root = self.roots[axis]
            if self.free(root) and free.setdefault(root, size) != size:
                raise SizeError(
                    f"{named(axis)} cannot be {size} and another axis that is tied to it "
                    f"{free[root]}; give both one size"
                )
        for axis, size in wanted.items():
            self._reach(axis, self.roots[axis], size, free)
        for axis, size in wanted.items():
            if (got := self.value(self.roots[axis], free)) != size:
                raise SizeError(f"{named(axis)} cannot be {size} beside the others; it is {got}")
        return free

    def _reach(self, axis: Axis, root: Axis, size: int, free: dict[Axis, int]) -> None:
        if root in self.fixed:
            if size != self.sizes[root]:
                raise SizeError(
                    f"{named(axis)} stays {self.sizes[root]}, as {self.fixed[root]}; "
                    f"it cannot be {size}"
                )
            return
        rule = self.rules.get(root)
        if rule is None:
            free[root] = size
            return
        if self.value(root, free) == size:
            return
        loose = [
            part
            for part in rule.parts
            if not isinstance(part, int) and self.leaves(part) - free.keys()
        ]
        if not loose:
            raise SizeError(
                f"{named(axis)} follows from other sizes as {self.value(root, free)}; "
                f"it cannot be {size}"
            )
        chosen = max(loose, key=lambda part: self.sizes[part])
        others = [
            p if isinstance(p, int) else self.value(p, free) for p in rule.parts if p != chosen
        ]
        if rule.kind == "sum":
            part, rest = size - sum(others), 0
        else:
            part, rest = divmod(size, math.prod(others))
        if rest or part < 1:
            need = (
                f"a multiple of {math.prod(others)}"
                if rule.kind == "product"
                else f"more than {sum(others)}"
            )
            raise SizeError(f"{named(axis)} must be {need}, and {size} is not")
        self._reach(axis, chosen, part, free)


def named(axis: Axis) -> str:
    """An axis as users read it: axis 1 of input_0."""
    return f"Axis {axis[1]} of {axis[0]}"
