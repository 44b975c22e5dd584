"""A function by itself and the same function inside its module: one made comparable to the other.

A pass over functions prints its function alone, with every alias (`#map`, `#loc3`) written out; a
pass over the module prints the module, which has aliases. So what a function pass was given is
found in the module before it, and what a module pass was given is put together from both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ALIAS_LINE = re.compile(r"^([#!][A-Za-z_][\w$]*) = (.*)$")
#: An alias where it is used; a name with a dot behind it is a dialect's (`#hivm.pipe<…>`).
_ALIAS = re.compile(r"[#!][A-Za-z_][\w$]*(?![\w$.])")
_SYMBOL_LINE = re.compile(
    r'^(?:"?[A-Za-z_][\w$]*(?:\.[\w$]+)*"?)(?: [a-z_]+)* @("(?:[^"\\]|\\.)*"|[\w$.-]+)[ (<{]'
)
_GENERIC_SYMBOL = re.compile(r'sym_name = "((?:[^"\\]|\\.)*)"')
_PLACE = re.compile(r'loc\(("(?:[^"\\]|\\.)*":\d+:\d+|unknown)\)')
_LOCATION = "loc("


@dataclass(frozen=True, slots=True)
class Parts:
    """A module taken apart, aliases written out."""

    around: tuple[str, ...]  #: the lines between functions; "" where a function is
    functions: dict[str, str]  #: by name, in order, not indented
    aliases: dict[str, str]  #: `#map` to its text, other aliases in it written out
    head: tuple[str, ...]  #: lines that define aliases, in front of the module
    tail: tuple[str, ...]  #: likewise, behind it
    newline: str

    def same(self, other: Parts, functions: dict[str, str]) -> bool:
        """Whether this module with newer functions in it is the other one."""
        mine = {**self.functions, **{k: v for k, v in functions.items() if k in self.functions}}
        return self.around == other.around and [*mine.items()] == [*other.functions.items()]


def parts(text: str) -> Parts | None:
    """A module's functions and the rest; None where the text is not laid out as printers do."""
    aliases: dict[str, str] = {}
    head: list[str] = []
    tail: list[str] = []
    body: list[str] = []
    newline = "\r\n" if "\r\n" in text else "\n"
    for line in text.split(newline):
        if found := _ALIAS_LINE.match(line):
            aliases[found[1]] = found[2]
            (tail if body else head).append(line)
        elif line:
            body.append(line)
    written = {name: _written_out(name, aliases, frozenset()) for name in aliases}
    around: list[str] = []
    functions: dict[str, str] = {}
    at = 0
    while at < len(body):
        line = body[at]
        name = _symbol(line)
        if not name:
            around.append(_expanded(line, written))
            at += 1
            continue
        end = at + 1
        if line.rstrip().endswith(("{", "(")):
            while end < len(body) and not body[end].startswith("  }"):
                end += 1
            if end == len(body):
                return None
            end += 1
        if name in functions:
            return None
        inside = [each[2:] if each.startswith("  ") else each for each in body[at:end]]
        functions[name] = _expanded(newline.join(inside), written)
        around.append("")
        at = end
    return Parts(tuple(around), functions, written, tuple(head), tuple(tail), newline)


def put_together(before: Parts, functions: dict[str, str], like: Parts) -> str:
    """The module `before` with newer functions in it, its aliases named as in the module `like`."""
    lines: list[str] = []
    inside = iter(before.functions)
    for line in before.around:
        if line:
            lines.append(line)
            continue
        name = next(inside)
        text = functions.get(name, before.functions[name])
        lines += [f"  {each}" for each in text.split(before.newline)]
    body = before.newline.join(lines)
    names = {text: name for name, text in like.aliases.items()}
    for text in sorted(names, key=len, reverse=True):
        if text.startswith(("affine_", "#", "!")):
            body = body.replace(text, names[text])
    body = _PLACE.sub(
        lambda found: f"loc({names[found[1]]})" if found[1] in names else found[0], body
    )
    return before.newline.join([*like.head, body, *like.tail, ""])


def function(module: Parts, name: str) -> str | None:
    """One function as a pass over it would print it; None where the module has none of the name."""
    text = module.functions.get(name)
    return None if text is None else f"{text}{module.newline}"


def _symbol(line: str) -> str:
    """The name of the operation that begins in this line of a module's body, or ""."""
    if not line.startswith("  ") or line[2:3] in ("", " ", "}", "^", "%", "/"):
        return ""
    if found := _SYMBOL_LINE.match(line[2:]):
        return found[1].strip('"')
    if line[2] == '"' and (generic := _GENERIC_SYMBOL.search(line)):
        return generic[1]
    return ""


def _written_out(name: str, aliases: dict[str, str], above: frozenset[str]) -> str:
    """An alias's text with the aliases in it written out too, as it stands where it is used."""
    text = aliases[name]
    if text.startswith(_LOCATION):
        text = text[len(_LOCATION) : -1]
    if "#" not in text and "!" not in text:
        return text
    inside = above | {name}

    def one(found: re.Match[str]) -> str:
        other = found[0]
        known = other in aliases and other not in inside
        return _written_out(other, aliases, inside) if known else other

    return _ALIAS.sub(one, text)


def _expanded(text: str, written: dict[str, str]) -> str:
    if "#" not in text and "!" not in text:
        return text
    return _ALIAS.sub(lambda found: written.get(found[0], found[0]), text)
