"""What one operation of MLIR says: types, attributes, locations, read from its text on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass


class MlirError(ValueError):
    """Text that is no MLIR: one sentence, and the line where it was met (0: unknown)."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"Line {line}: {message}" if line else message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class Location:
    """Where in the source an operation is from: `loc("kernel.py":16:21)`."""

    file: str
    line: int
    column: int

    @property
    def short(self) -> str:
        """The file without its folder: kernel.py:16:21."""
        return f"{self.file.rpartition('/')[2]}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an operation's text: a word with what is in its <>, a value, or a bracket."""

    kind: str  #: "w" word or literal, "%" value, "(", "[", "{", "<" bracket, ":", ",", "=", ">" ->
    text: str


_PIECE = re.compile(
    r'"(?:[^"\\]|\\.)*"|%[\w$.-]+(?:#\d+)?|->|[#!@^]?[A-Za-z_][\w$.]*|-?\d[\w.+]*|[#@]\d\w*|\S'
)
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|->|[()\[\]{}<>]')
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*')
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)|#[\w$.-]+')
_WORD = re.compile(r"!?[A-Za-z_][\w$.]*")
_ARROW = re.compile(r"\s*->\s*")
_LOCATION = re.compile(r"(?:^|\s)loc\(")
#: A shaped type up to its element: what it is, and its extents ("4x?x").
SHAPE = re.compile(r"(tensor|memref|vector) *<((?:(?:\d+|\?|\*|\[\d+\])x)*)")


def closing(text: str, start: int) -> int | None:
    """The place behind the bracket that closes the one at `start`; None where there is none."""
    stack: list[str] = []
    for found in _BRACKET.finditer(text, start):
        letter = found[0]
        if letter in _CLOSING:
            stack.append(_CLOSING[letter])
        elif stack and letter == stack[-1]:
            stack.pop()
            if not stack:
                return found.end()
        elif letter in ")]}":
            # `<` was a comparison, or the text is cut
            while stack and stack[-1] == ">":
                stack.pop()
            if not stack or stack.pop() != letter:
                return None
            if not stack:
                return found.end()
    return None


def parts(head: str) -> list[Part]:
    """An operation's text in order; brackets are whole, `memref<4xf32>` is one word."""
    found: list[Part] = []
    at = 0
    while True:
        piece = _PIECE.search(head, at)
        if piece is None:
            return found
        text, at = piece[0], piece.end()
        letter = text[0]
        if letter == "%":
            found.append(Part("%", text))
        elif letter in _CLOSING:
            end = closing(head, piece.start()) or at
            found.append(Part(letter, head[piece.start() : end]))
            at = end
        elif text == "->":
            found.append(Part(">", text))
        elif letter in ":,=":
            found.append(Part(letter, text))
        else:
            if letter.isalpha() or letter in "#!_":
                at = _behind_parameters(head, at, text)
            found.append(Part("w", head[piece.start() : at]))


def split(text: str) -> Iterator[str]:
    """The entries of a list, at its commas outside brackets and strings."""
    start = at = 0
    while at < len(text):
        letter = text[at]
        if letter == '"':
            end = text.find('"', at + 1)
            while end > 0 and text[end - 1] == "\\":
                end = text.find('"', end + 1)
            at = len(text) if end < 0 else end + 1
        elif letter in _CLOSING:
            at = closing(text, at) or at + 1
        elif letter == ",":
            yield text[start:at]
            at += 1
            start = at
        else:
            at += 1
    if text[start:].strip():
        yield text[start:]


# --- places ---------------------------------------------------------------------------------------


def without_comments(text: str) -> str:
    """The text without what follows // outside strings."""
    return _COMMENT.sub(lambda found: found[1] or "", text) if "//" in text else text


def end_of_label(text: str, at: int) -> int | None:
    """Where a block's label ends, from behind its name; None where this is none."""
    if text[at : at + 1] == "(":
        end = closing(text, at)
        if end is None:
            return None
        at = end
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    return at + 1 if text[at : at + 1] == ":" else None


def location_start(text: str) -> int | None:
    """Where the location at the end of an operation's text begins."""
    for found in reversed(list(_LOCATION.finditer(text))):
        end = closing(text, found.end() - 1)
        if end is not None and not text[end:].strip():
            return found.start()
    return None


def without_location(text: str) -> str:
    """The text without the location at its end."""
    place = location_start(text) if "loc(" in text else None
    return text[:place].rstrip() if place is not None else text.rstrip()


def location(text: str, aliases: Mapping[str, str]) -> Location | None:
    """The first place in a file that a location names, through its aliases.

    Of a place in a function that was inlined it is the call, which is what the kernel's own text
    says.
    """
    seen: set[str] = set()
    pending = [text]
    while pending:
        part = pending.pop()
        if "callsite(" in part:
            part = part.rpartition(" at ")[2]
        found = list(_PLACE.finditer(part))
        if found and found[0][1] is not None:
            return Location(found[0][1], int(found[0][2]), int(found[0][3]))
        for place in reversed(found):
            if place[1] is not None:
                pending.append(place[0])
            elif place[0] not in seen:
                seen.add(place[0])
                pending.append(aliases.get(place[0], ""))
    return None


# --- types ----------------------------------------------------------------------------------------


def type_behind(head: str, name: str) -> str:
    """The type of an argument that a text declares: `%a: i32`; "" where it says none."""
    found = re.search(rf"{re.escape(name)}(?![\w$.#-])\s*:\s*", head)
    if found is None:
        return ""
    end = end_of_type(head, found.end())
    return head[found.end() : end]


def end_of_type(text: str, at: int) -> int:
    """Where the type at `at` ends."""
    word = _WORD.match(text, at)
    if word:
        return _behind_parameters(text, word.end(), word[0])
    if text[at : at + 1] == "(":
        at = closing(text, at) or at + 1
        arrow = _ARROW.match(text, at)
        return end_of_type(text, arrow.end()) if arrow else at
    return at


def _behind_parameters(text: str, at: int, word: str) -> int:
    """The place behind the `<…>` of a word, where it has one; people put a space before it."""
    start = at
    if word in ("tensor", "memref", "vector"):
        while text[start : start + 1] == " ":
            start += 1
    return closing(text, start) or at if text[start : start + 1] == "<" else at


def initial(head: str, name: str) -> str:
    """The value that a loop's argument begins with: `%a = %b`; "" where the text names none."""
    found = re.search(rf"{re.escape(name)}(?![\w$.#-])\s*=\s*(%[\w$.-]+(?:#\d+)?)", head)
    if found:
        return found[1]
    return _paired(head, name) if "= (" in head else ""


def _paired(head: str, name: str) -> str:
    """Likewise for `(%a, %b) = (%c, %d)`."""
    for found in re.finditer(r"\(([^()]*)\)\s*=\s*\(([^()]*)\)", head):
        names = [part.strip() for part in found[1].split(",")]
        values = [part.strip() for part in found[2].split(",")]
        if name in names and len(names) == len(values):
            return values[names.index(name)]
    return ""


def element_type(text: str) -> str:
    """The type of one element of a tensor, memref or vector type; "" of anything else."""
    shape = SHAPE.match(text)
    if shape is None:
        return ""
    return next(split(text[shape.end() : -1]), "").strip()


def with_element(text: str, element: str) -> str:
    """A type of the same shape with another element; the element alone where it has no shape."""
    shape = SHAPE.match(text)
    if shape is None:
        return element
    old = next(split(text[shape.end() : -1]), "")
    return text[: shape.end()] + element + text[shape.end() + len(old) :]


def _as_tensor(types: Sequence[str]) -> str:
    last = types[-1] if types else ""
    if not last.startswith("memref<"):
        return last
    shape = SHAPE.match(last)
    return f"tensor<{shape[2] if shape else ''}{element_type(last)}>"


def _first(types: Sequence[str]) -> str:
    return types[0] if types else ""


def _loaded(types: Sequence[str]) -> str:
    return re.sub(r"!tt\.ptr<([^<>]*(?:<[^<>]*>)?[^<>]*)>", r"\1", _first(types))


#: Where the types that the text names are not those of the results.
_RULES: Mapping[str, Callable[[Sequence[str]], str]] = {
    "arith.cmpi": lambda types: with_element(_first(types), "i1"),
    "arith.cmpf": lambda types: with_element(_first(types), "i1"),
    "llvm.icmp": lambda types: with_element(_first(types), "i1"),
    "llvm.fcmp": lambda types: with_element(_first(types), "i1"),
    "llvm.extractvalue": lambda types: "",
    "memref.load": lambda types: element_type(_first(types)),
    "affine.load": lambda types: element_type(_first(types)),
    "tensor.extract": lambda types: element_type(_first(types)),
    "vector.extract": _first,
    "memref.dim": lambda types: "index",
    "tensor.dim": lambda types: "index",
    "memref.rank": lambda types: "index",
    "tensor.rank": lambda types: "index",
    "math.fpowi": _first,
    "affine.apply": lambda types: "index",
    "affine.min": lambda types: "index",
    "affine.max": lambda types: "index",
    "bufferization.to_tensor": _as_tensor,
    "tt.load": _loaded,
    "tt.addptr": _first,
}


def result_types(name: str, parts: Sequence[Part]) -> Sequence[str] | None:
    """The types of the results that an operation's text names; None where it names none."""
    for place in range(len(parts) - 1, -1, -1):
        if parts[place].kind == ">":
            types = _listed(parts[place + 1 :])
            return types[:1] if name == "llvm.getelementptr" else types
    for place in range(len(parts) - 1, -1, -1):
        if parts[place].kind == ":":
            types = _listed(parts[place + 1 :])
            rule = _RULES.get(name)
            return [rule(types)] if rule else types
    if name in _RULES:
        return [_RULES[name](())]
    if name.startswith("index."):
        return ["index"]
    if name == "arith.constant":
        literal = parts[0].text if parts else ""
        if literal in ("true", "false"):
            return ["i1"]
        return ["f64" if re.fullmatch(r"-?\d+\.\d.*", literal) else "i64"]
    return None


def _listed(parts: Sequence[Part]) -> list[str]:
    """Types with commas between, or in parentheses; of `a to b` and `from a to b` only b."""
    found: list[str] = []
    wanted = True  # whether a type may follow: at the start and behind a comma
    for part in parts:
        if part.text in ("to", "into"):
            found, wanted = [], True
        elif part.kind == ",":
            wanted = True
        elif part.text == "from" and not found:
            continue
        elif not wanted:
            break
        elif part.kind == "(":
            found.extend(_type_of(entry) for entry in split(part.text[1:-1]))
            wanted = False
        elif part.kind == "w":
            found.append(part.text)
            wanted = part.text == "from"
        else:
            break
    return found


def _type_of(entry: str) -> str:
    """A type in a list, without the dictionary behind it."""
    entry = entry.strip()
    return entry[: end_of_type(entry, 0)]
