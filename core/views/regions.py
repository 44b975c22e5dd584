"""The picture of an MLIR text: functions, loops and branches as frames, operations and buffers.

Bodies of linalg and its kin are one node. Constants, other names of a buffer, what orders the pipes
and, beside tensors and buffers, arithmetic on single numbers are left out; their lines lead to what
uses them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from core.ir import mlir_memory as memory
from core.ir.mlir import Block, Module, Operation, Value
from core.ir.mlir_access import (
    ALLOCATES,
    VIEWS,
    Access,
    Origins,
    access,
    called,
    is_function,
    is_pointer,
    is_scalar,
)
from core.ir.mlir_syntax import element_type
from core.views.flow import CONDITION, WIDTH, Buffer, Carried, Item, Picture, block, root
from core.views.graph import Graph
from core.views.wording import bytes_text, count, middle, short_bytes

#: Dialects whose regions say what is done to one element, or how elements are combined.
_FOLDED = frozenset(("linalg", "hfusion", "tensor", "tt", "memref", "vector", "stablehlo", "hivm"))
_ORDERS = re.compile(r"\.(?:set|wait|sync|barrier|pipe_barrier|create_sync|annotation|mark)(?:_|$)")
_IGNORED = frozenset(
    ("annotation.mark", "memref.dealloc", "memref.dim", "tensor.dim", "tensor.empty", "cf.assert")
)
#: What touches single elements: a function that does nothing else computes numbers.
_ELEMENTS = frozenset(
    ("memref.load", "memref.store", "affine.load", "affine.store", "llvm.load", "llvm.store")
)
_PASSES_ON = re.compile(
    r"\.(?:yield|return|condition|br|cond_br|switch|reduce|in_parallel|terminator|\w+_terminator)$"
)
#: Attributes that say what an operation does.
_KINDS = ("fun", "compare_fn", "compare_mode", "reduce_op")
_NAMED = re.compile(r"<(\w+)>$")
_INTEGERS = re.compile(r"tensor<(?:[\d?]+x)*[su]?i\d+[,>]")
_VALUE_NAME = re.compile(r"%[\w$.#-]+")
_CASE = re.compile(r"\b(case -?\d+|default)\b")


def of_module(module: Module) -> Graph | None:
    """Data flow with regions as frames.

    None where the text holds nothing to draw, such as declarations alone.
    """
    reader = _Reader()
    items = reader.items(module.operations)
    if not items:
        return None
    picture = Picture(
        root(items),
        reader.buffers,
        carried=reader.carried,
        noun="operations",
        masked=_masked,
    )
    return picture.graph(reader.note(module), reader.links(module))


class _Reader:
    """Makes items of operations."""

    def __init__(self) -> None:
        self.buffers: dict[str, Buffer] = {}
        self.carried: dict[str, Carried] = {}
        self.drawn: set[int] = set()  # operations that have a node, by identity
        self.undrawn: Counter[str] = Counter()
        self.origins = Origins()
        self.names: dict[int, str] = {}  # of buffers and values, by identity
        self.taken: Counter[str] = Counter()
        self.filled: dict[int, Value] = {}  # buffers that something wrote, in the text's order
        self.numbers = False  # whether arithmetic on single numbers is drawn
        self.bodies: set[int] = set()  # lines of regions that are part of a step
        self.addresses: set[int] = set()  # operations on tensors of offsets, by identity

    def items(self, operations: Iterable[Operation]) -> list[Item]:
        found: list[Item] = []
        for operation in operations:
            found.extend(self.of(operation))
        return found

    def of(self, operation: Operation) -> Iterator[Item]:
        name = operation.name
        if name == "builtin.module":
            inside = self.items(op for part in operation.blocks for op in part.operations)
            if operation.parent.parent is None or not operation.symbol:
                yield from inside
            elif inside:
                yield self.framed(operation, [([f"module {operation.symbol}"], inside)])
        elif is_function(operation):
            yield from self.function(operation)
        elif operation.regions and operation.dialect not in _FOLDED:
            yield from self.control(operation)
        elif self.is_step(operation):
            yield self.step(operation)

    # frames

    def function(self, operation: Operation) -> Iterator[Item]:
        if not operation.regions:
            self.undrawn["declaration"] += 1
            return
        self.numbers = _computes_numbers(operation)
        self.addresses = _addresses(operation)
        self.filled = {}
        first = operation.first
        home = f"cluster.{first}"
        for argument in operation.regions[0][0].arguments:
            if not is_scalar(argument.type):
                self.buffer(argument, home)
                self.filled[id(argument)] = argument
        items = self.items(op for part in operation.blocks for op in part.operations)
        if items:
            yield self.framed(operation, [([_function_label(operation)], items)])

    def control(self, operation: Operation) -> Iterator[Item]:
        labels = _labels(operation)
        arms: list[tuple[list[str], list[Item]]] = []
        for number, region in enumerate(operation.regions):
            items = self.items(op for part in region for op in part.operations)
            if items:
                arms.append(([labels[min(number, len(labels) - 1)]], items))
        if len(arms) == 1 and len(arms[0][1]) == 1 and not arms[0][1][0].arms:
            item = arms[0][1][0]
            if operation.name in ("scf.for", "affine.for"):
                item.loops.insert(0, arms[0][0][0].removeprefix("for "))
                item.first, item.last = operation.first, operation.last
                yield item
                return
        if arms:
            yield self.framed(operation, arms)

    def framed(self, operation: Operation, arms: Sequence[tuple[list[str], list[Item]]]) -> Item:
        self.drawn.add(id(operation))
        about = operation.headline
        counter = _counter(operation)
        return block(
            operation.first,
            operation.last,
            [(label, about, items) for label, items in arms],
            counter,
        )

    # steps

    def is_step(self, operation: Operation) -> bool:
        """Whether an operation is drawn; if not, it is counted."""
        name = operation.name
        last = operation is operation.parent.terminator and _PASSES_ON.search(name)
        if name in ALLOCATES:
            for value in operation.results:
                if memory.bytes_of(value.type) != 0:  # a placeholder has no place in a memory
                    self.buffer(value, None)
            return False
        if last and not self.returns(operation):
            return False
        if name in _IGNORED or name.endswith(".constant") or name in VIEWS:
            kind = "constant" if name.endswith(".constant") else "view"
        elif _ORDERS.search(name):
            kind = "ordering operation"
        elif not self.flows(operation):
            if self.numbers and operation.operands:
                return True
            kind = "scalar operation"
        elif id(operation) in self.addresses:
            kind = "address operation"
        elif operation.results and not any(self.origin(v) for v in operation.results):
            kind = "view"
        else:
            return True
        self.undrawn[kind] += 1
        return False

    def returns(self, operation: Operation) -> bool:
        """Whether a function's end hands something on that is drawn."""
        if operation.name not in ("func.return", "tt.return"):
            return False
        return self.flows(operation) or (self.numbers and bool(operation.operands))

    def origin(self, value: Value) -> bool:
        """Whether a value is what its operation makes, and no other name of something."""
        return is_scalar(value.type) or value in self.origins.of(value)

    def flows(self, operation: Operation) -> bool:
        """Whether tensors or buffers go in or out."""
        values = (*operation.results, *operation.operands)
        return any(not is_scalar(value.type) for value in values)

    def step(self, operation: Operation) -> Item:
        self.drawn.add(id(operation))
        first = operation.first
        self.taken[f"op.{first}"] += 1
        times = self.taken[f"op.{first}"]
        name = f"op.{first}" if times == 1 else f"op.{first}.{times}"
        if operation.regions:
            self.bodies.update(range(first, operation.last + 1))
        what = _numbers(operation) if self.numbers else _what(operation)
        label = [middle(operation.name, WIDTH), middle(what, WIDTH)]
        if operation.results and not is_scalar(operation.results[0].type):
            label.append(middle(_type_text(operation.results[0].type), WIDTH))
        item = Item(name, first, operation.last, label, _tooltip(operation))
        item.word = f"{operation.name.rpartition('.')[2]} {what}".strip()
        item.subject = next((value.name for value in operation.results), "")
        item.key = f"{operation.name}|{'' if self.numbers else what}"
        item.says = _masked(operation.headline)
        self.connect(operation, item)
        return item

    def connect(self, operation: Operation, item: Item) -> None:
        touched = self.access(operation)
        for value in touched.reads:
            self.enter(value, item.reads, item.uses)
        for value in touched.writes:
            self.enter(value, item.writes, item.uses)
            for origin in self.origins.of(value):
                self.filled[id(origin)] = origin
        if self.numbers:
            for value in operation.operands:
                if is_scalar(value.type):
                    self.enter(value, item.reads, item.uses)
        for value in operation.results:
            if is_pointer(value.type):
                item.writes[self.buffer(value, None)] = None
            elif self.numbers or not is_scalar(value.type):
                item.makes[self.value(value)] = None

    def access(self, operation: Operation) -> Access:
        if operation.name not in ("func.call", "llvm.call"):
            return access(operation)
        pointers = [value for value in operation.operands if is_pointer(value.type)]
        filled = [v for v in pointers if any(id(o) in self.filled for o in self.origins.of(v))]
        return called(operation, filled)

    def enter(self, value: Value, buffers: dict[str, None], values: dict[str, None]) -> None:
        for origin in self.origins.of(value):
            if id(origin) in self.names and self.names[id(origin)] in self.buffers:
                buffers[self.names[id(origin)]] = None
            elif is_pointer(origin.type):
                if memory.bytes_of(origin.type) != 0:
                    buffers[self.buffer(origin, None)] = None
            else:
                values[self.value(origin)] = None

    # names

    def name(self, value: Value) -> str:
        known = self.names.get(id(value))
        if known is None:
            self.taken[value.name] += 1
            again = self.taken[value.name] > 1
            known = f"{value.name}.{value.line}.{value.index}" if again else value.name
            self.names[id(value)] = known
        return known

    def value(self, value: Value) -> str:
        name = self.name(value)
        self.carried.setdefault(name, Carried(f"{value.name} : {value.type}"))
        return name

    def buffer(self, value: Value, home: str | None) -> str:
        name = self.name(value)
        if name not in self.buffers:
            self.buffers[name] = _buffer(value, home)
        return name

    # what has no node

    def links(self, module: Module) -> dict[int, int]:
        """Lines of what has no node, each with that of what uses it, or of what it is about."""
        links: dict[int, int] = {}
        lines = {op.first for op in module.walk() if id(op) in self.drawn}
        lines.update(self.bodies)
        for operation in module.walk():
            if operation.first in lines or operation.name in ALLOCATES:
                continue
            user = self.user(operation)
            line = user.first if user is not None else self.used(operation)
            if line:
                links[operation.first] = line
        for operation in module.walk():  # its arguments are nodes with its line, and narrower
            if is_function(operation) and id(operation) in self.drawn:
                links[operation.first] = operation.last
        return links

    def user(self, operation: Operation) -> Operation | None:
        """The first drawn operation that uses what one makes, however often it is renamed."""
        seen: set[int] = set()
        pending = [operation]
        while pending:
            step = pending.pop(0)
            for value in step.results:
                for user in value.uses:
                    if id(user) in self.drawn:
                        return user
                    if id(user) not in seen:
                        seen.add(id(user))
                        pending.append(user)
        return None

    def used(self, operation: Operation) -> int:
        """The line of what an operation without results is about; 0 where it is about nothing."""
        for value in operation.operands:
            for origin in self.origins.of(value):
                if id(origin) in self.names:
                    return origin.line
        return 0

    def note(self, module: Module) -> str:
        parts: list[str] = []
        if self.undrawn:
            kinds = [f"{count(n)} {kind}{'s' * (n > 1)}" for kind, n in self.undrawn.most_common()]
            listed = f"{', '.join(kinds[:-1])} and {kinds[-1]}" if len(kinds) > 1 else kinds[0]
            verb = "is" if self.undrawn.total() == 1 else "are"
            parts.append(f"{listed} {verb} not drawn.")
        if module.unread:
            lines = ", ".join(count(line) for line in module.unread[:3])
            more = " …" if len(module.unread) > 3 else ""
            word = "Line" if len(module.unread) == 1 else "Lines"
            parts.append(f"{word} {lines}{more} could not be read.")
        return " ".join(parts)


def _computes_numbers(function: Operation) -> bool:
    """Whether a function handles no tensors or buffers but for single elements of them."""
    for region in function.regions:
        for part in region:
            for operation in _inside(part):
                values = (*operation.results, *operation.operands)
                if operation.name in _ELEMENTS or operation.name in _IGNORED:
                    continue
                if any(not is_scalar(value.type) for value in values):
                    return False
    return True


def _addresses(function: Operation) -> set[int]:
    """Operations on tensors of integers that end in pointers alone: where to load and store."""
    found: set[int] = set()
    inside = [op for part in function.blocks for op in _inside(part)]
    if not any(operation.name == "tt.addptr" for operation in inside):
        return found
    for operation in reversed(inside):
        if operation.regions or not operation.results:
            continue
        if all(_INTEGERS.match(value.type) for value in operation.results) and all(
            id(user) in found or (user.name == "tt.addptr" and user.operands[0] is not value)
            for value in operation.results
            for user in value.uses
        ):
            found.add(id(operation))
    return found


def _inside(part: Block) -> Iterator[Operation]:
    for operation in part.operations:
        yield operation
        for inner in operation.blocks:
            yield from _inside(inner)


# --- words ----------------------------------------------------------------------------------------


def _function_label(operation: Operation) -> str:
    """Its name and, where the compiler says so, what it runs on."""
    label = f"function {middle(operation.symbol, WIDTH)}"
    for key in ("hivm.func_core_type", "hacc.function_kind"):
        kind = operation.attributes.get(key, "")
        if "<" in kind:
            return f"{label} · {kind.partition('<')[2].rstrip('>')}"
    return label


def _labels(operation: Operation) -> list[str]:
    """What stands over each region of an operation."""
    match operation.name:
        case "scf.for" | "affine.for":
            return [_loop_label(operation)]
        case "scf.if" | "affine.if":
            return [f"if {_condition(operation)}", "else"]
        case "scf.while":
            return ["while", "do"]
        case "scf.index_switch":
            cases = [found.strip() for found in _CASE.findall(operation.head)]
            return cases or ["switch"]
        case "scf.forall" | "scf.parallel" | "affine.parallel":
            return [middle(f"{operation.name}{_bounds(operation)}", CONDITION)]
    return [middle(f"{operation.name} {operation.symbol}".strip(), CONDITION)]


def _counter(operation: Operation) -> str:
    """What a loop counts with; "" of what is no loop."""
    if operation.name not in ("scf.for", "affine.for") or not operation.regions:
        return ""
    arguments = operation.regions[0][0].arguments
    return arguments[0].name if arguments else ""


def _masked(text: str) -> str:
    """Text whose values have no names, which are numbers that every pass counts anew."""
    return _VALUE_NAME.sub("%", text)


def _loop_label(operation: Operation) -> str:
    name = _counter(operation)
    trips = _trips(operation)
    return f"for {name} · {count(trips)}×" if trips is not None else f"for {name}"


def _trips(operation: Operation) -> int | None:
    """How often a loop runs, where its bounds are constants."""
    if operation.name != "scf.for" or len(operation.operands) < 3:
        return None
    low, high, step = (memory.constant(value) for value in operation.operands[:3])
    if low is None or high is None or not step or step < 0:
        return None
    return max(-(-(high - low) // step), 0)


def _condition(operation: Operation) -> str:
    """The comparison that an `if` asks, where one makes its operand."""
    if not operation.operands:
        return ""
    value = operation.operands[0]
    maker = value.owner
    if isinstance(maker, Operation) and not maker.regions:
        text = maker.head.partition(" : ")[0].strip()
        name = maker.name.removeprefix("arith.")
        return middle(f"{value.name} = {name} {text}", CONDITION)
    return value.name


def _bounds(operation: Operation) -> str:
    return operation.head.partition("{")[0].partition("->")[0].rstrip()


def _what(operation: Operation) -> str:
    """What an operation does, where its name alone does not say it."""
    if operation.name.endswith(".call") and operation.symbol:
        return f"@{operation.symbol}"
    literal = operation.parts[0].text if operation.parts else ""
    if literal.startswith('"'):
        return literal.strip('"')
    inside = [op.name.rpartition(".")[2] for part in operation.blocks for op in _inside(part)]
    inside = [name for name in inside if name not in ("yield", "return", "constant", "index")]
    if inside:
        names = list(dict.fromkeys(inside))
        return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    kinds = [operation.attributes.get(key, "") for key in _KINDS]
    if operation.dialect == "hivm":
        kinds += [part.text for part in operation.parts[:1] if part.kind == "<"]
    named = (_NAMED.search(kind) for kind in kinds)
    return next((found[1] for found in named if found), "")


def _numbers(operation: Operation) -> str:
    """What is computed, with the constants themselves in the place of their names."""
    text = operation.head.partition(" : ")[0].strip()
    for value in operation.operands:
        number = memory.constant(value)
        if number is not None:
            text = re.sub(rf"{re.escape(value.name)}(?![\w$.#-])", count(number), text)
    return text


def _type_text(type_: str) -> str:
    """An element type and its shape: f32 [64 × 64]."""
    shape, element = memory.shape_of(type_), element_type(type_)
    if not element:
        return type_
    extents = " × ".join("?" if size is None else count(size) for size in shape)
    return f"{element} [{extents}]" if shape else element


def _tooltip(operation: Operation) -> str:
    place = operation.location
    return f"{operation.headline}\n{place.short}" if place else operation.headline


def _buffer(value: Value, home: str | None) -> Buffer:
    """A buffer as its node shows it: name, shape, bytes, place."""
    kind = memory.memory_of(value.type)
    label = [middle(value.name, WIDTH)]
    about = [f"{value.name} : {value.type}"]
    size = memory.bytes_of(value.type)
    offsets: Sequence[int] = ()
    owner = value.owner
    if isinstance(owner, Operation) and owner.name in ALLOCATES:
        made = memory.allocation(owner)
        size, offsets = made.bytes, made.offsets
        if made.location:
            about.append(made.location.short)
    text = _type_text(value.type)
    label.append(middle(f"{text} {short_bytes(size)}" if size is not None else text, WIDTH))
    if size is not None:
        about.append(bytes_text(size))
    if offsets:
        places = f"at {' and '.join(count(offset) for offset in offsets)} B"
        label.append(middle(places, WIDTH))
        about.append(f"{places} of {kind}" if kind else places)
    line = value.line
    return Buffer(
        kind,
        tuple(label),
        "\n".join(about),
        (line, line) if line else None,
        home,
        size,
        value.name,
        key=text,
        says=_masked("\n".join((*label, *about))),
    )
