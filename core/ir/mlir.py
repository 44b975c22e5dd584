"""MLIR text, as printers and people write it: operations, regions, values with their uses.

Structure is read at once: where operations begin and end, what is nested, who uses which value.
Types, attributes and locations are read on demand, because most are never looked at. A grammar of
all dialects does not exist, so what is read is what they have in common: an operation begins on a
line of its own with its results or its name, a region is a brace that ends its line, a name that
nothing around defines is an argument of the region behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from core.ir import mlir_syntax as syntax
from core.ir import refusal
from core.ir.mlir_syntax import Location, MlirError

__all__ = ["Block", "Location", "MlirError", "Module", "Operation", "Value", "parse", "walk"]

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*)*")
_NAME = r"%[\w$.-]+"
_RESULTS = rf"(?:{_NAME}(?::\d+)?\s*,\s*)*{_NAME}(?::\d+)?\s*=\s*(?=[\"a-zA-Z_])"
#: Names without a dialect: printers leave it out inside the operation that says which it is.
_FULL_NAMES = {
    "module": "builtin.module",
    "unrealized_conversion_cast": "builtin.unrealized_conversion_cast",
    "func": "func.func",
    "call": "func.call",
    "return": "func.return",
}
_NAMED = rf"\"[^\"\n]+\"(?=\s*\()|[a-zA-Z_]\w*(?:\.[\w$]+)+|(?:{'|'.join(_FULL_NAMES)})\b"
_OPERATION = re.compile(rf"({_RESULTS})?({_NAMED})")
_BEGINS = re.compile(rf"{_RESULTS}|(?:{_NAMED})(?!\s*=)|[}}^]|[#!][\w$.-]+\s*=[^=]|\{{-#")
_STOP = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[{}\n]')
_LABEL = re.compile(r"\^[\w$.-]+")
_ALIAS = re.compile(r"[#!]([\w$.-]+)\s*=\s*")
_OPEN = re.compile(r"[(\[{<]")
_ALIASED = re.compile(r"[#!][\w$]+(?![\w$.<])")
_RESOURCES = re.compile(r"\{-#.*?#-\}", re.DOTALL)
_VALUE = re.compile(rf"{_NAME}(?:#\d+)?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
#: What a brace holds that opens a region on the line of its first operation.
_INLINE = re.compile(
    rf"\s*(?:{_RESULTS}|\^|\"[\w.$-]+\"\s*\(|[a-z_]\w*(?:\.\w+)+\s+[%@\"(]"
    r"|[a-z_][\w.]*(?:yield|return|terminator)\s*\}|return\b)"
)
#: Loops whose counters are printed without a type.
_COUNTING = frozenset(("scf.forall", "scf.parallel", "affine.for", "affine.parallel"))
#: What a dictionary begins with.
_ENTRY = re.compile(r"[\w.$-]+\s*[=,}]|\"[^\"\n]*\"\s*=")
#: What compilers print that is no MLIR.
_FOREIGN = re.compile(
    r"\[[A-Z]+\]|loc\(.*\): \w+:|PLEASE submit|LLVM ERROR|Stack dump|\S+:\d+:\d+: \w+:|<unknown>:0"
)
_EMPTY_REST = re.compile(r"[ \t]*(?://[^\n]*)?\n")
_DICTIONARY_BEFORE = ("attributes", "=", "<", ",", "[")


class Value:
    """What an operation gives or a block is handed; a name may stand for others elsewhere."""

    __slots__ = ("_type", "index", "initial", "name", "owner", "uses")

    def __init__(self, name: str, owner: Operation | Block | None, index: int) -> None:
        self.name = name  #: with its %; one of several results is "%0#1"
        self.owner = owner  #: the operation or block that defines it; None where nothing does
        self.index = index  #: which of the owner's results or arguments it is
        self.initial: Value | None = None  #: of a loop's argument: what it is before the loop
        self.uses: list[Operation] = []  #: in the order of the text, once an operand
        self._type: str | None = None

    @property
    def type(self) -> str:
        """The type's text; "" where the text does not tell."""
        if self._type is None:
            self._type = ""
            types: Sequence[str] = ()
            if isinstance(self.owner, Operation):
                types = self.owner.result_types
            elif isinstance(self.owner, Block):
                types = self.owner.argument_types
            if self.index < len(types):
                self._type = types[self.index]
            if not self._type and self.initial is not None:
                self._type = self.initial.type
            if not self._type and isinstance(self.owner, Block) and self.owner.counts:
                self._type = "index"
            if self.owner is not None and ("#" in self._type or "!" in self._type):
                self._type = self.owner.module.resolved(self._type)
        return self._type

    @property
    def line(self) -> int:
        """The line that defines it; 0 where nothing does."""
        return self.owner.first if self.owner is not None else 0

    def __repr__(self) -> str:
        return f"<{self.name}: {self.type}>"


class Block:
    """Operations in a row, and the values that they are handed."""

    __slots__ = ("_head", "arguments", "first", "label", "operations", "parent")

    def __init__(self, label: str, parent: Operation | None, first: int) -> None:
        self.label = label  #: "^bb0"; "" where the text names none
        self.parent = parent  #: the operation whose region it is in; None at the top
        self.first = first  #: line
        self.arguments: list[Value] = []
        self.operations: list[Operation] = []
        self._head = ""  # the text that declares the arguments

    @property
    def module(self) -> Module:
        """The text it is in."""
        block: Block = self
        while block.parent is not None:
            block = block.parent.parent
        assert isinstance(block, Module)
        return block

    @property
    def terminator(self) -> Operation | None:
        """The last operation, which says where control goes and with which values."""
        return self.operations[-1] if self.operations else None

    @property
    def argument_types(self) -> Sequence[str]:
        """One type an argument; "" where the text does not tell."""
        return [syntax.type_behind(self._head, value.name) for value in self.arguments]

    @property
    def counts(self) -> bool:
        """Whether it is the body of a loop whose counters are printed without a type."""
        return self.parent is not None and self.parent.name in _COUNTING


class Operation:
    """One operation. `first` and `last` are lines, from 1, its regions included."""

    __slots__ = (
        "__dict__",
        "_pieces",
        "_text",
        "first",
        "generic",
        "last",
        "name",
        "operands",
        "parent",
        "regions",
        "results",
    )

    def __init__(self, text: str, name: str, generic: bool, parent: Block, first: int) -> None:
        self._text = text
        self._pieces: list[tuple[int, int]] = []  # of the text: what is in no region
        self.name = name  #: with its dialect: "hivm.hir.vadd"
        self.generic = generic  #: printed as `"name"(operands) : (types) -> types`
        self.parent = parent
        self.first = first
        self.last = first
        self.results: tuple[Value, ...] = ()
        self.operands: list[Value] = []  #: in the order of the text
        self.regions: list[list[Block]] = []

    def __repr__(self) -> str:
        return f"<{self.name} in line {self.first}>"

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]

    @property
    def spans(self) -> Sequence[tuple[int, int]]:
        """Where it stands in the whole text, from its results to its end, without its regions."""
        return self._pieces

    @property
    def text(self) -> str:
        """As it stands, regions and location included."""
        return self._text[self._pieces[0][0] : self._pieces[-1][1]].rstrip()

    @cached_property
    def head(self) -> str:
        """The text behind results and name, without regions and location, in one line."""
        pieces = (self._text[start:end] for start, end in self._pieces)
        joined = " ".join(pieces) if len(self._pieces) > 1 else next(pieces)
        if "\n" in joined:
            joined = " ".join(syntax.without_comments(joined).split())
        named = _OPERATION.match(joined)
        return syntax.without_location(joined[named.end() if named else 0 :])

    @cached_property
    def parts(self) -> list[syntax.Part]:
        """The head in words, values and brackets."""
        return syntax.parts(self.head)

    @property
    def headline(self) -> str:
        """The text without regions and location, in one line."""
        results = ", ".join(value.name for value in self.results)
        name = f'"{self.name}"' if self.generic else self.name
        return f"{results} = {name}{self.head}" if results else f"{name}{self.head}"

    @cached_property
    def attributes(self) -> dict[str, str]:
        """Texts by name, of its dictionaries and properties; "" for a mark without a value."""
        found: dict[str, str] = {}
        for part in self.parts:
            if part.kind == "{" or part.text.startswith("<{"):
                inside = part.text[2:-2] if part.kind == "<" else part.text[1:-1]
                for entry in syntax.split(inside):
                    name, _, value = entry.partition("=")
                    found.setdefault(name.strip(' "'), value.strip())
        return found

    @property
    def location(self) -> Location | None:
        """Where in the source it is from; None where the text does not say or it is unknown."""
        start, end = self._pieces[-1]
        place = syntax.location_start(self._text[start:end])
        if place is None:
            return None
        return syntax.location(self._text[start + place : end], self.module.aliases)

    @property
    def module(self) -> Module:
        """The text it is in."""
        return self.parent.module

    @property
    def symbol(self) -> str:
        """The name that it defines or refers to, without @; "" where it has none."""
        if self.generic:
            named = self.attributes.get("sym_name") or self.attributes.get("callee") or ""
            return named.strip('@"')
        for place, part in enumerate(self.parts):
            if part.text[:1] == "@":
                quoted = part.text == "@" and place + 1 < len(self.parts)  # @"name(of, much)"
                return (self.parts[place + 1].text if quoted else part.text[1:]).strip('"')
        return ""

    @property
    def result_types(self) -> Sequence[str]:
        """One type a result; "" where the text does not tell."""
        if not self.results:
            return ()
        named = syntax.result_types(self.name, self.parts)
        if named is None:
            named = [value.type for value in self.group("outs")]
        if len(named) == len(self.results):
            return named
        return [named[-1] if named else ""] * len(self.results)

    def group(self, word: str) -> list[Value]:
        """The operands in the parentheses behind a word: `ins(%a, %b : …)`."""
        for before, part in zip(self.parts, self.parts[1:], strict=False):
            if part.kind == "(" and before.text == word:
                names = dict.fromkeys(_VALUE.findall(part.text))
                return [value for value in self.operands if value.name in names]
        return []

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks of all its regions."""
        for region in self.regions:
            yield from region


class Module(Block):
    """A parsed text: what stands at its top, mostly one module or one function."""

    __slots__ = ("_aliases", "_places", "text", "unread")

    def __init__(self, text: str) -> None:
        super().__init__("", None, 1)
        self.text = text
        self.unread: tuple[int, ...] = ()  #: lines that could not be read
        self._places: dict[str, tuple[int, int]] = {}
        self._aliases: dict[str, str] | None = None

    def walk(self) -> Iterator[Operation]:
        """All operations, each before those inside it, in the order of the text."""
        return walk(self.operations)

    @property
    def functions(self) -> list[Operation]:
        """The functions that have a body, of whatever dialect."""
        return [op for op in self.walk() if op.name.endswith(".func") and op.regions]

    @property
    def attributes(self) -> dict[str, str]:
        """The outermost module's attributes; none where the text is a function alone."""
        modules = (op for op in self.operations if op.name == "builtin.module")
        first = next(modules, None)
        return first.attributes if first else {}

    @property
    def aliases(self) -> dict[str, str]:
        """`#map = …`, `!type = …`: texts by name, with # or !."""
        if self._aliases is None:
            places = self._places.items()
            self._aliases = {name: self.text[start:end] for name, (start, end) in places}
        return self._aliases

    def resolved(self, text: str) -> str:
        """A text with what its aliases stand for in their places."""
        if not self._places:
            return text
        return _ALIASED.sub(lambda name: self.aliases.get(name[0], name[0]), text)


def walk(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Operations and all inside them, each before those inside it, in the order of the text."""
    pending = list(operations)
    pending.reverse()
    while pending:
        operation = pending.pop()
        yield operation
        for region in reversed(operation.regions):
            for block in reversed(region):
                pending.extend(reversed(block.operations))


def parse(text: str, *, tolerant: bool = False) -> Module:
    """The tree of a text. Raises MlirError naming the line that cannot be read.

    Where it is `tolerant`, such lines are left out and listed in `Module.unread`, and what is not
    closed ends with the text; a text without any operation is an error even then.
    """
    if why := refusal(text):
        raise MlirError(f"this text is not read: {why}", 0)
    reader = _Reader(text, tolerant)
    try:
        module = reader.module()
    except RecursionError:
        raise MlirError("regions are nested too deeply.", 0) from None
    if not module.operations:
        line = module.unread[0] if module.unread else 0
        raise MlirError("there is no MLIR operation in this text.", line)
    return module


class _Scope:
    """The names of one region; those around it are seen too."""

    __slots__ = ("above", "late", "names")

    def __init__(self, above: _Scope | None) -> None:
        self.above = above
        self.names: dict[str, Value] = {}
        self.late: list[tuple[Operation, int, str]] = []  # operands that are defined further down

    def find(self, name: str) -> Value | None:
        scope: _Scope | None = self
        while scope is not None:
            value = scope.names.get(name)
            if value is not None:
                return value
            scope = scope.above
        return None


_NOWHERE = Value("", None, 0)


class _Reader:
    """Reads a text from its first to its last letter; `at` is where it is."""

    def __init__(self, text: str, tolerant: bool) -> None:
        self.text = text
        self.tolerant = tolerant
        self.unread: list[int] = []
        self.at = 0
        self.newlines = [place.start() for place in re.finditer("\n", text)]

    def module(self) -> Module:
        module = Module(self.text)
        self.top = module
        scope = _Scope(None)
        self.block(module, [module], scope)
        while self.at < len(self.text):  # a brace too many
            self.refuse("this brace closes nothing.", self.at)
            self.at += 1
            self.block(module, [module], scope)
        self.settle(scope)
        module.unread = tuple(sorted(set(self.unread)))
        return module

    def line(self, place: int) -> int:
        return bisect_right(self.newlines, place - 1) + 1

    def refuse(self, message: str, place: int) -> None:
        line = self.line(place)
        if not self.tolerant:
            raise MlirError(message, line)
        self.unread.append(line)

    # structure

    def block(self, block: Block, region: list[Block], scope: _Scope) -> None:
        """Read operations into `block`, further blocks into `region`, up to the closing brace."""
        text, size = self.text, len(self.text)
        while True:
            space = _SPACE.match(text, self.at)
            self.at = at = space.end() if space else self.at
            if at >= size or text[at] == "}":
                return
            letter = text[at]
            if letter in "#!":
                alias = _ALIAS.match(text, at)
                if alias:
                    self.at = self.end_of_alias(alias.end())
                    name = letter + alias[1]
                    self.top._places.setdefault(name, (alias.end(), self.at))
                    continue
            elif letter == "^":
                block = self.labelled(block, region, scope)
                continue
            elif letter == "{":
                resources = _RESOURCES.match(text, at)
                if resources:
                    self.at = resources.end()
                    continue
            named = _OPERATION.match(text, at)
            if named is None:
                self.refuse("no operation begins here.", at)
                self.at = self.end_of_line(at)
                continue
            self.operation(named, block, scope)

    def end_of_alias(self, place: int) -> int:
        """The end of what an alias stands for: mostly that of its line."""
        end = self.end_of_line(place)
        bracket = _OPEN.search(self.text, place, end)
        inside = syntax.closing(self.text, bracket.start()) if bracket else None
        return self.end_of_line(inside) if inside is not None and inside > end else end

    def end_of_line(self, place: int) -> int:
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end

    def labelled(self, block: Block, region: list[Block], scope: _Scope) -> Block:
        """`^bb1(%a: i32):`"""
        start = self.at
        label = _LABEL.match(self.text, start)
        end = syntax.end_of_label(self.text, label.end() if label else start + 1)
        if label is None or end is None or block.parent is None:
            self.refuse("no block begins here.", start)
            self.at = self.end_of_line(start)
            return block
        fresh = block.operations or block.label or block not in region
        if fresh:
            block = Block(label[0], block.parent, self.line(start))
            region.append(block)
        block.label = label[0]
        block._head += self.text[label.end() : end]
        self.at = end
        for name in _VALUE.findall(_STRING.sub("", self.text[label.end() : end])):
            self.argument(block, name, scope)
        return block

    def operation(self, named: re.Match[str], block: Block, scope: _Scope) -> None:
        name = named[2]
        generic = name[0] == '"'
        name = name.strip('"')
        start = named.start()
        operation = Operation(
            self.text, _FULL_NAMES.get(name, name), generic, block, self.line(start)
        )
        block.operations.append(operation)
        self.at = named.end()
        opened: list[Block] | None = None
        piece = start
        while True:
            brace = self.next_brace()
            head = self.text[max(piece, named.end()) : self.at]
            operation._pieces.append((piece, self.at))
            unknown = self.uses(operation, head, generic or not brace or opened is not None, scope)
            if not brace:
                break
            opened = self.region(operation, head, unknown, scope)
            piece = self.at
        operation.last = self.line(max(self.at - 1, 0))
        self.results(operation, named[1], scope)

    def next_brace(self) -> bool:
        """Go to the brace that opens the next region, or (False) to the operation's end."""
        text = self.text
        at = self.at
        while True:
            stop = _STOP.search(text, at)
            if stop is None:
                self.at = len(text)
                return False
            letter = text[stop.start()]
            at = stop.end()
            if letter == "\n":
                space = _SPACE.match(text, at)
                after = space.end() if space else at
                if after >= len(text) or self.begins(after, stop.start()):
                    self.at = stop.start()
                    return False
                at = after
            elif letter == "{":
                if self.opens_region(stop.start()):
                    self.at = stop.start()
                    return True
                at = self.end_of_dictionary(stop.start())
            elif letter == "}":
                self.at = stop.start()
                return False

    def begins(self, after: int, newline: int) -> bool:
        """Whether an operation, a block or an end stands at `after`, behind a line break."""
        if _FOREIGN.match(self.text, after):
            return True
        if not _BEGINS.match(self.text, after):
            return False
        if self.text[after] == "}":
            return True
        line = self.text.rfind("\n", 0, newline) + 1
        before = syntax.without_comments(self.text[line:newline]).rstrip()
        return before[-1:] not in (",", "(", "[", "<", "=", ":") and not before.endswith("->")

    def opens_region(self, brace: int) -> bool:
        """Whether a brace opens a region rather than a dictionary."""
        text = self.text
        if _EMPTY_REST.match(text, brace + 1):
            before = text[max(brace - 80, 0) : brace].rstrip()
            if before.endswith(","):  # `}, {`: the next region of the generic form
                return before[:-1].rstrip().endswith("}")
            if before.endswith(_DICTIONARY_BEFORE):
                return False
            space = _SPACE.match(text, brace + 1)
            inside = space.end() if space else brace + 1
            return bool(_BEGINS.match(text, inside)) or not _ENTRY.match(text, inside)
        return bool(_INLINE.match(text, brace + 1))

    def end_of_dictionary(self, brace: int) -> int:
        depth = 0
        for stop in _STOP.finditer(self.text, brace):
            letter = self.text[stop.start()]
            if letter == "{":
                depth += 1
            elif letter == "}":
                depth -= 1
                if depth == 0:
                    return stop.end()
        self.refuse("this brace is never closed.", brace)
        return len(self.text)

    def region(
        self, operation: Operation, head: str, unknown: list[str], scope: _Scope
    ) -> list[Block]:
        brace = self.at
        inner = _Scope(scope)
        entry = Block("", operation, self.line(brace))
        region = [entry]
        operation.regions.append(region)
        if unknown:
            entry._head = head
            for name in unknown:
                value = self.argument(entry, name, inner)
                first = syntax.initial(head, name)
                value.initial = scope.find(first) if first else None
        self.at = brace + 1
        self.block(entry, region, inner)
        if self.at >= len(self.text):
            self.refuse("this region is never closed.", brace)
        else:
            self.at += 1
        self.settle(inner)
        return region

    # values

    def uses(self, operation: Operation, head: str, known: bool, scope: _Scope) -> list[str]:
        """Enter the operands; the names that nothing around defines, unless they must be known."""
        if "%" not in head:
            return []
        unknown: dict[str, None] = {}
        for name in _VALUE.findall(_STRING.sub("", head) if '"' in head else head):
            value = scope.find(name)
            if value is not None:
                operation.operands.append(value)
                value.uses.append(operation)
            elif known:
                scope.late.append((operation, len(operation.operands), name))
                operation.operands.append(_NOWHERE)
            else:
                unknown[name] = None
        return list(unknown)

    def argument(self, block: Block, name: str, scope: _Scope) -> Value:
        value = Value(name, block, len(block.arguments))
        block.arguments.append(value)
        scope.names[name] = value
        return value

    def results(self, operation: Operation, text: str | None, scope: _Scope) -> None:
        if not text:
            return
        values: list[Value] = []
        for part in text.rstrip("= \t\n").split(","):
            name, _, many = part.strip().partition(":")
            if not many:
                values.append(Value(name, operation, len(values)))
                scope.names[name] = scope.names[f"{name}#0"] = values[-1]
                continue
            for number in range(int(many)):
                values.append(Value(f"{name}#{number}", operation, len(values)))
                scope.names[values[-1].name] = values[-1]
        operation.results = tuple(values)

    def settle(self, scope: _Scope) -> None:
        """Find what was used before the text defined it."""
        for operation, place, name in scope.late:
            value = scope.names.get(name)
            if value is None and scope.above is not None:
                scope.above.late.append((operation, place, name))
                continue
            if value is None:
                value = scope.names[name] = Value(name, None, 0)
            operation.operands[place] = value
            value.uses.append(operation)
