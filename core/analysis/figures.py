"""Counts of what stands in one text, for every language of a compile: statements, loops, buffers.

Everything is counted once however often it runs, and over all functions that the text holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.analysis import parsed
from core.analysis.diff import split_lines
from core.analysis.studied import Figures, Held, StudiedLanguage
from core.ir import anf, cce, mlir, schedule, statement
from core.ir.access import GLOBAL, SCOPES
from core.ir.instructions import SCALAR_STORE, hardware_name, kind
from core.ir.mlir_instructions import instruction, is_cast, library
from core.ir.mlir_memory import allocations

#: A conversion inside an expression: `float32(x)`. A typed constant is `(uint64)1`.
_CAST = re.compile(r"\b(?:u?int|float|bfloat)\d+\(")
#: A conversion in C, of anything but a constant.
_C_CAST = re.compile(r"\((?:half|float|double|bfloat16_t)\)(?![\d.-])")
_SCOPED = re.compile(r"(?:(?:placeholder|compute|hybrid|extern)\()?([^\W\d][\w.]*)")
_DTYPE_BITS = re.compile(r"(?:u?int|b?float|handle)(\d+)")
_HOST = "tvm_"  # what runs on the host, in the passes that hold both sides
_LOOPS = frozenset(
    ("scf.for", "scf.while", "scf.forall", "scf.parallel", "affine.for", "affine.parallel")
)
_CONDITIONALS = frozenset(
    ("scf.if", "affine.if", "scf.index_switch", "cf.cond_br", "cf.switch", "llvm.cond_br")
)


@dataclass(slots=True)
class _Counts:
    statements: int = 0
    loops: int = 0
    depth: int = 0
    conditionals: int = 0
    casts: int = 0
    instructions: Counter[str] = field(default_factory=Counter)
    buffers: Counter[str] = field(default_factory=Counter)
    bytes: dict[str, int | None] = field(default_factory=dict)
    stores: int = 0  #: single elements that are assigned, by instructions or on the way to them
    marked: bool = False  #: loop nests carry the name of the instruction that they shall become

    def hold(self, memory: str, size: int | None) -> None:
        before = self.bytes.get(memory, 0)
        self.buffers[memory] += 1
        self.bytes[memory] = None if size is None or before is None else before + size

    def figures(self, text: str) -> Figures:
        return Figures(
            lines=len(split_lines(text)),
            statements=self.statements,
            loops=self.loops,
            depth=self.depth,
            conditionals=self.conditionals,
            casts=self.casts,
            syncs=self.instructions["sync"],
            allocations={m: Held(n, self.bytes[m]) for m, n in sorted(self.buffers.items())},
            instructions={name: n for name, n in sorted(self.instructions.items()) if n},
        )


def figures(text: str, language: StudiedLanguage) -> Figures | None:
    """The figures of a text; None where it has no tree (a log, a damaged dump)."""
    match language:
        case "statement":
            module = parsed.statements(text)
            return _of_statements(module).figures(text) if module else None
        case "schedule":
            tree = parsed.schedule_tree(text)
            return _of_schedule(tree).figures(text) if tree else None
        case "mlir":
            operations = parsed.mlir_module(text)
            return _of_mlir(operations).figures(text) if operations else None
        case "anf":
            nodes = anf.parse(text).nodes
            return _Counts(statements=nodes).figures(text) if nodes else None
        case "cce":
            kernel = parsed.cce_kernel(text)
            return _of_cce(kernel).figures(text) if kernel else None
        case _:
            return None


# --- the statement language ---------------------------------------------------------------------


def _of_statements(module: statement.Module) -> _Counts:
    counts = _Counts()
    scopes: dict[str, str] = {}
    pending: list[tuple[statement.Statement, int]] = [(s, 0) for s in reversed(module.body)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, statement.For):
            depth += 1
            counts.loops += 1
            counts.depth = max(counts.depth, depth)
        else:
            _count_statement(node, counts, scopes)
        for block in reversed(statement.blocks(node)):
            pending.extend((inside, depth) for inside in reversed(block))
    if counts.instructions and not counts.marked:
        # Before instructions are emitted, and on the host, an assignment is no instruction.
        counts.instructions[kind(SCALAR_STORE)] += counts.stores
    return counts


def _count_statement(node: statement.Statement, counts: _Counts, scopes: dict[str, str]) -> None:
    match node:
        case statement.Store():
            counts.statements += 1
            counts.stores += 1
            counts.casts += _casts(node.index, node.value)
        case statement.Provide():
            counts.statements += 1
            counts.casts += _casts(*node.indices, node.value) + node.value.startswith("Cast(")
        case statement.Evaluate() if node.callee:
            counts.statements += 1
            counts.casts += _casts(node.value) + node.callee.startswith("vconv_")
            if not node.callee.startswith(_HOST):
                counts.instructions[kind(hardware_name(node.callee))] += 1
        case statement.If():
            counts.conditionals += 1
            counts.casts += _casts(node.condition)
        case statement.Let():
            counts.casts += _casts(node.value)
        case statement.Attribute(key="pragma_emit_insn"):
            counts.marked = True
        case statement.Attribute(key="realize_scope" | "storage_scope"):
            name = _SCOPED.match(node.target)
            if name:
                scopes[name[1]] = SCOPES.get(node.value.strip('"'), GLOBAL)
        case statement.Realize():
            _hold(counts, scopes, node.name, node.dtype, [extent for _, extent in node.bounds])
        case statement.Allocate():
            _hold(counts, scopes, node.name, node.dtype, node.extents)


def _hold(
    counts: _Counts, scopes: Mapping[str, str], name: str, dtype: str, extents: Iterable[str]
) -> None:
    memory = scopes.get(name, GLOBAL)
    if memory != GLOBAL:
        counts.hold(memory, size_of(dtype, extents))


def size_of(dtype: str, extents: Iterable[str]) -> int | None:
    """Bytes of a buffer of the statement language; None where an extent is no constant."""
    found = _DTYPE_BITS.fullmatch(dtype)
    bits = 8 if dtype in ("bool", "int1", "uint1") else int(found[1]) if found else None
    if bits is None:
        return None
    for extent in extents:
        if not extent.isdigit():
            return None
        bits *= int(extent)
    return -(-bits // 8)


def _casts(*expressions: str) -> int:
    return sum(len(_CAST.findall(text)) for text in expressions if "(" in text)


# --- schedule trees -----------------------------------------------------------------------------


def _of_schedule(tree: schedule.Tree) -> _Counts:
    """Nodes are statements, members of bands are loops, guards are conditionals."""
    counts = _Counts()
    pending = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        counts.statements += 1
        if isinstance(node, schedule.Band):
            depth += len(node.schedule)
            counts.loops += len(node.schedule)
            counts.depth = max(counts.depth, depth)
        elif isinstance(node, schedule.Guard):
            counts.conditionals += 1
        pending.extend((child, depth) for child in schedule.children(node))
    return counts


# --- MLIR ---------------------------------------------------------------------------------------


def _of_mlir(module: mlir.Module) -> _Counts:
    counts = _Counts()
    declared = library(module)
    pending: list[tuple[Sequence[mlir.Operation], int]] = [(module.operations, 0)]
    while pending:
        operations, depth = pending.pop()
        for operation in operations:
            counts.statements += 1
            inside = depth
            if operation.name in _LOOPS:
                inside += 1
                counts.loops += 1
                counts.depth = max(counts.depth, inside)
            elif operation.name in _CONDITIONALS:
                counts.conditionals += 1
            elif is_cast(operation):
                counts.casts += 1
            step = instruction(operation, declared)
            if step:
                counts.instructions[step[1]] += 1
            pending.extend((block.operations, inside) for block in operation.blocks)
    for each in allocations(module):
        if each.memory != GLOBAL:
            copies = max(len(each.offsets), 1)
            counts.hold(each.memory, None if each.bytes is None else each.bytes * copies)
    return counts


# --- the emitted code ---------------------------------------------------------------------------


def _of_cce(kernel: cce.Kernel) -> _Counts:
    counts = _Counts()
    pending: list[tuple[cce.Statement, int]] = [(node, 0) for node in kernel.body]
    while pending:
        node, depth = pending.pop()
        match node:
            case cce.Loop():
                counts.loops += 1
                counts.depth = max(counts.depth, depth + 1)
                pending.extend((inside, depth + 1) for inside in node.body)
            case cce.Branch():
                counts.conditionals += 1
                counts.casts += _c_casts(node.condition)
                pending.extend((inside, depth) for inside in (*node.then, *node.otherwise))
            case cce.Invoke():
                counts.statements += 1
                counts.instructions[kind(node.name)] += 1
                counts.casts += _c_casts(node.arguments) + node.name.startswith("vconv_")
            case cce.Assign():
                counts.statements += 1
                counts.instructions[kind(SCALAR_STORE)] += 1
                counts.casts += _c_casts(node.value)
            case cce.Declare():
                counts.casts += _c_casts(node.value)
    for pointer in kernel.pointers:
        counts.hold(pointer.memory, None)  # the text says where each lies, not how large it is
    return counts


def _c_casts(text: str) -> int:
    return len(_C_CAST.findall(text))
