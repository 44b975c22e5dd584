"""isl schedule trees (AKG's poly/NN_Step.cc): text to tree, and the bands that tiling works on.

The files are YAML but for one thing: a long set is written as several quoted strings on lines of
their own. Dropping the quotes between them makes one quoted string over several lines, which is
YAML and keeps every line where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import islpy as isl
import yaml

from core.ir import refusal

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ScheduleError(ValueError):
    """Text that is no schedule tree: one sentence, and the line where it was met (0: unknown)."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class Node:
    """What every node has. A leaf is None in its parent."""

    first: int  #: first line, from 1
    own: int  #: last line of the node itself, without its children
    last: int  #: last line with its children


@dataclass(frozen=True, slots=True)
class Domain(Node):
    set: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Context(Node):
    set: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Guard(Node):
    set: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Band(Node):
    schedule: tuple[str, ...]  #: one union of `S[i] -> [(expression)]` pieces for each member
    permutable: bool
    coincident: tuple[bool, ...]  #: of each member: its iterations do not depend on each other
    options: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Filter(Node):
    set: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """Filters that run one after the other, or (`set`) in any order."""

    kind: Literal["sequence", "set"]
    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Mark(Node):
    name: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Extension(Node):
    """Statements that are added here: the copies between memories."""

    relation: str
    child: Tree | None


@dataclass(frozen=True, slots=True)
class Expansion(Node):
    contraction: str
    expansion: str
    child: Tree | None


Tree = Domain | Context | Guard | Band | Filter | Sequence | Mark | Extension | Expansion


@dataclass(frozen=True, slots=True)
class Member:
    """One loop of an outer band: what a tile is given for."""

    extent: int | None  #: values it takes, max - min + 1; None where they depend on a parameter
    loops: tuple[str, ...]  #: the statements' own loops that it stands for
    coincident: bool


@dataclass(frozen=True, slots=True)
class OuterBand:
    """A band that is tiled, with the axes of a `dim` hint as its members."""

    index: int  #: among the outer bands, from 0
    position: int  #: of its branch in the outermost sequence, from 0; 0 where there is no sequence
    members: tuple[Member, ...]
    permutable: bool
    first: int
    own: int


_JOINT = re.compile(r'"([ \t\r]*\n[ \t]*)"')
_UNION = re.compile(r"\{[^{}]*\}")
_PIECE = re.compile(r"(\w+)\[([^\[\]]*)\]\s*->\s*\[([^\[\]]*)\]")
_NAME = re.compile(r"[^\W\d]\w*'*")
_SPACES = re.compile(r"\s+")
_LONGEST_SET = 200_000  #: characters; the longest whole tree seen before tiling has 8,680
_MOST_OPERATIONS = 1_000_000  #: of isl in one call of `outer_bands`, after which it gives up


def parse(text: str) -> Tree:
    """The tree of a schedule file. Raises ScheduleError naming the line."""
    if why := refusal(text):
        raise ScheduleError(f"this schedule is not read: {why}", 0)
    joined = _JOINT.sub(r"\1", text)
    try:
        root = yaml.compose(joined, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise ScheduleError(
            f"this is no schedule tree: {problem}.", mark.line + 1 if mark else 0
        ) from None
    if root is None:
        raise ScheduleError("the schedule is empty.", 0)
    try:
        return _tree(root)
    except RecursionError:  # an alias may stand for the node that it stands in
        raise ScheduleError("its nodes are nested too deeply.", 0) from None


def _tree(node: yaml.Node) -> Tree:
    line = node.start_mark.line + 1
    if not isinstance(node, yaml.MappingNode):
        raise ScheduleError("a node of a schedule tree is expected here.", line)
    entries = {_scalar(key): value for key, value in node.value}
    inside = entries.pop("child", None)
    child = _tree(inside) if inside is not None else None
    own = max((_last_line(value) for value in entries.values()), default=line)
    place = (line, own, child.last if child else own)
    for kind in ("sequence", "set"):
        if kind in entries and isinstance(entries[kind], yaml.SequenceNode):
            return _sequence(kind, entries[kind], line)
    if "schedule" in entries:
        return Band(
            *place,
            tuple(_members(_scalar(entries["schedule"]))),
            "permutable" in entries and _scalar(entries["permutable"]) == "1",
            _flags(entries.get("coincident")),
            _scalar(entries["options"]) if "options" in entries else "",
            child,
        )
    if "expansion" in entries:
        contraction = _scalar(entries["contraction"]) if "contraction" in entries else ""
        return Expansion(*place, contraction, _scalar(entries["expansion"]), child)
    return _single(entries, place, child)


def _single(entries: dict[str, yaml.Node], place: tuple[int, int, int], child: Tree | None) -> Tree:
    """A node with one entry of its own."""
    for key, value in entries.items():
        match key:
            case "domain":
                return Domain(*place, _scalar(value), child)
            case "filter":
                return Filter(*place, _scalar(value), child)
            case "mark":
                return Mark(*place, _scalar(value), child)
            case "extension":
                return Extension(*place, _scalar(value), child)
            case "context":
                return Context(*place, _scalar(value), child)
            case "guard":
                return Guard(*place, _scalar(value), child)
    names = ", ".join(entries)[:80] or "nothing"
    raise ScheduleError(f"no kind of schedule node has {names}.", place[0])


def _sequence(kind: Literal["sequence", "set"], node: yaml.SequenceNode, line: int) -> Sequence:
    filters: list[Filter] = []
    for item in node.value:
        branch = _tree(item)
        if not isinstance(branch, Filter):
            raise ScheduleError(f"a branch of a {kind} must be a filter.", branch.first)
        filters.append(branch)
    last = filters[-1].last if filters else line
    return Sequence(line, line, last, kind, tuple(filters))


def _last_line(node: yaml.Node) -> int:
    """The last line of a scalar or a flow sequence; a block's end mark is past its end."""
    if isinstance(node, yaml.ScalarNode) or getattr(node, "flow_style", False):
        return int(node.end_mark.line) + 1
    return int(node.start_mark.line) + 1


def _scalar(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise ScheduleError("a text is expected here.", node.start_mark.line + 1)
    return str(node.value)


def _flags(node: yaml.Node | None) -> tuple[bool, ...]:
    if node is None:
        return ()
    if not isinstance(node, yaml.SequenceNode):
        raise ScheduleError("a list of 0 and 1 is expected here.", node.start_mark.line + 1)
    return tuple(_scalar(item) == "1" for item in node.value)


def _members(schedule: str) -> Iterator[str]:
    """The unions of a `[p] -> [{ … }, { … }]`, each with the parameters before it."""
    head = schedule.partition("{")[0]
    parameters = head.rpartition("->")[0].strip()
    for union in _UNION.findall(schedule):
        text = _SPACES.sub(" ", union)
        yield f"{parameters} -> {text}" if parameters else text


def children(tree: Tree) -> tuple[Tree, ...]:
    """The nodes right below, in the order of the text."""
    if isinstance(tree, Sequence):
        return tree.filters
    return (tree.child,) if tree.child else ()


def walk(tree: Tree) -> Iterator[Tree]:
    """All nodes, each before those below it, in the order of the text."""
    pending: list[Tree] = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def outer_bands(tree: Tree | str) -> list[OuterBand]:
    """The bands that AKG tiles, in its order, with their axes.

    Meant for poly/07_AnalyzeSchedule.cc, the last tree before tiling: later ones are already cut.
    The rule is that of AKG's tile_outer_band.cc: the first band met going down; where a sequence or
    set is met before it, each branch has its own. Branches without a band are left out.

    Raises ScheduleError where the text is no schedule tree or isl cannot read a set in it.
    """
    node: Tree | None = parse(tree) if isinstance(tree, str) else tree
    try:
        context = isl.Context()
        context.set_max_operations(_MOST_OPERATIONS)
        domain = isl.UnionSet.read_from_str(context, _short(_domain(node)))
        found: list[OuterBand] = []
        top, inside = _until_band(node, domain)
        branches = top.filters if isinstance(top, Sequence) else (top,)
        for position, branch in enumerate(branches):
            below = _first_band(branch, inside)
            if below:
                found.append(_outer_band(*below, len(found), position))
        return found
    except isl.Error as error:
        line = node.first if node else 0
        raise ScheduleError(f"isl cannot read a set of this schedule: {error}.", line) from None


def _short(text: str) -> str:
    """A set or map for isl, which takes minutes for one of megabytes, and cannot be stopped."""
    if len(text) > _LONGEST_SET:
        raise ScheduleError("a set of it is too long for a schedule.", 0)
    return text


def _domain(tree: Tree | None) -> str:
    if not isinstance(tree, Domain):
        raise ScheduleError("a schedule tree starts with its domain.", tree.first if tree else 0)
    return tree.set


def _until_band(tree: Tree | None, domain: isl.UnionSet) -> tuple[Tree | None, isl.UnionSet]:
    """Down to the first band or branching, with the domain that is left there."""
    while tree is not None and not isinstance(tree, Band | Sequence):
        if isinstance(tree, Filter):
            filtered = isl.UnionSet.read_from_str(domain.get_ctx(), _short(tree.set))
            domain = domain.intersect(filtered)
        tree = tree.child
    return tree, domain


def _first_band(tree: Tree | None, domain: isl.UnionSet) -> tuple[Band, isl.UnionSet] | None:
    """The first band in the order of the text, through branchings too."""
    node, inside = _until_band(tree, domain)
    if isinstance(node, Sequence):
        below = (_first_band(branch, inside) for branch in node.filters)
        return next((found for found in below if found), None)
    return (node, inside) if isinstance(node, Band) else None


def _outer_band(band: Band, domain: isl.UnionSet, index: int, position: int) -> OuterBand:
    flags = band.coincident + (False,) * (len(band.schedule) - len(band.coincident))
    members = tuple(
        Member(_extent(schedule, domain), _loops(schedule, domain), coincident)
        for schedule, coincident in zip(band.schedule, flags, strict=False)
    )
    return OuterBand(index, position, members, band.permutable, band.first, band.own)


def _sets(union: isl.UnionSet) -> list[isl.Set]:
    found: list[isl.Set] = []
    union.foreach_set(found.append)
    return found


def _extent(schedule: str, domain: isl.UnionSet) -> int | None:
    """max - min + 1 of the schedule's value over the domain."""
    relation = isl.UnionMap.read_from_str(domain.get_ctx(), _short(schedule))
    relation = relation.intersect_domain(domain)
    values = _sets(relation.range())
    if not values:
        return None
    both = reduce(isl.Set.union, values)
    low, high = both.dim_min_val(0), both.dim_max_val(0)
    if not (low.is_int() and high.is_int()):
        return None
    return int(high.to_python()) - int(low.to_python()) + 1


def _loops(schedule: str, domain: isl.UnionSet) -> tuple[str, ...]:
    """Names of the loops in the schedule's expressions, in the order of the statements."""
    inside = {s.get_tuple_name() for s in _sets(domain)}
    pieces = [p for p in _PIECE.findall(schedule) if p[0] in inside]
    pieces.sort(key=lambda piece: (len(piece[0]), piece[0]))  # S_2 before S_10
    names: dict[str, None] = {}
    for _, dimensions, expression in pieces:
        used = set(_NAME.findall(expression))
        names.update((d, None) for d in _NAME.findall(dimensions) if d in used)
    return tuple(names)
