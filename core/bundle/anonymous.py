"""A trace and its texts without the names of people and machines, and without their folders.

Folders are cut off every path, whoever wrote it; the names are those of this machine and whatever
stands where a name would: in a home folder, before an @.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from core.home import home
from core.kernel import Kernel
from core.library import text_hash, texts_of
from core.trace import Texts, Trace

#: Accounts and hosts that many machines have: they tell nobody apart, and are words of programs.
_COMMON = """
    admin build centos core debian dev docker host jenkins localhost node nobody python root runner
    test ubuntu user users worker
"""
_ANYBODYS = frozenset(_COMMON.split())
_SHORTEST = 3  # of a name that is looked for in texts
#: Fields that hold one of a few words, whatever a person's name is.
_WORDS_OF_OURS = ("kind", "language", "level", "origin", "signal", "stage", "status")
_BEFORE = r"(?<![^\s\"'`=(\[{<,:;|>])"
_HOMES = re.compile(r"(/(?:home|Users)/)[^/\s\"'<>:,)]+")
_WINDOWS = re.compile(_BEFORE + r"[A-Za-z]:\\(?:[^\\\s\"'<>|]+\\)+")
_FOLDERS = re.compile(_BEFORE + r"(?:file://)?/(?:[\w.+@%~$-]+/)+")
_OTHERS_HOME = re.compile(_BEFORE + r"~[\w.-]*/")
_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_COMMENT = re.compile(r"#[^\n]*|//[^\n]*|\"\"\".*?\"\"\"|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)

Scrub = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Names:
    """What tells this machine and its user."""

    folders: tuple[str, ...]  #: absolute, the longest first
    words: tuple[str, ...]


class Kept:
    """Texts held by content hash (the `Texts` protocol)."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def get(self, digest: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept."""
        return self._texts[digest]


def of_this_machine() -> Names:
    """The names of this machine and of who runs us."""
    places = {Path.home(), Path.cwd(), Path(tempfile.gettempdir()), Path(sys.prefix), home()}
    places.add(Path(__file__).resolve().parents[2])
    folders = {str(place) for each in places for place in (each, each.resolve())} - {"/"}
    words = {socket.gethostname(), socket.gethostname().partition(".")[0], *_users()}
    return Names(
        tuple(sorted(folders, key=lambda folder: (-len(folder), folder))),
        tuple(sorted(w for w in words if len(w) >= _SHORTEST and w.lower() not in _ANYBODYS)),
    )


def _users() -> set[str]:
    names = {Path.home().name, os.environ.get("SUDO_USER", "")}
    with contextlib.suppress(OSError, KeyError):  # as of an account without a name
        names.add(getpass.getuser())
    return names


def scrubber(names: Names, *, words: bool = True) -> Scrub:
    """What takes folders and names out of a text; names only where they stand alone as `words`."""
    known = "|".join(map(re.escape, names.folders))
    places = re.compile(rf"(?:{known})(?=/|\b|$)") if known else None
    alone = "|".join(map(re.escape, names.words)) if words else ""
    said = re.compile(rf"(?<![\w-])(?:{alone})(?![\w-])", re.IGNORECASE) if alone else None

    def scrub(text: str) -> str:
        if "/" in text or "\\" in text:
            if places:
                text = places.sub("/place", text)
            text = _HOMES.sub(r"\1user", text)
            text = _WINDOWS.sub("", _FOLDERS.sub("", text))
            text = _OTHERS_HOME.sub("", text)
        if "@" in text:
            text = _MAIL.sub("user@host", text)
        return said.sub("someone", text) if said else text

    return scrub


def anonymous(
    trace: Trace, texts: Texts, kernel: Kernel | None, names: Names
) -> tuple[Trace, Mapping[str, str], Kernel | None]:
    """The trace, its texts by content hash, and the kernel, all without names.

    A name that is also a word of the kernel's code stays in the kernel and in what was made of it.
    """
    code = _COMMENT.sub("", kernel.source) if kernel else ""
    of_code = Names(names.folders, tuple(w for w in names.words if not _is_word(w, code)))
    inside, outside = scrubber(of_code), scrubber(names)
    passes = {digest for step in trace.passes for digest in (step.text, step.given) if digest}
    kept: dict[str, str] = {}
    renamed: dict[str, str] = {}
    for digest in sorted(texts_of(trace)):
        text = (inside if digest in passes or digest == trace.code else outside)(texts.get(digest))
        renamed[digest] = text_hash(text)
        kept[renamed[digest]] = text
    made = _scrubbed(trace, outside, renamed)
    made = replace(
        made,
        kernel=trace.kernel,
        passes=tuple(
            replace(step, bytes=len(kept[step.text].encode())) if step.text else step
            for step in made.passes
        ),
        logs=tuple(replace(log, bytes=len(kept[log.text].encode())) for log in made.logs),
    )
    if kernel is not None:
        known = trace.kernel_hash == kernel.digest
        kernel = replace(kernel, source=inside(kernel.source), about=outside(kernel.about))
        made = replace(made, kernel_hash=kernel.digest if known else made.kernel_hash)
    return made, kept, kernel


def _scrubbed(trace: Trace, scrub: Scrub, renamed: Mapping[str, str]) -> Trace:
    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return renamed.get(value) or scrub(value)
        if isinstance(value, list | tuple):
            return [walk(each) for each in value]
        if isinstance(value, dict):
            return {k: each if k in _WORDS_OF_OURS else walk(each) for k, each in value.items()}
        return value

    return msgspec.convert(walk(msgspec.to_builtins(trace)), type=Trace)


def _is_word(word: str, code: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", code, re.IGNORECASE) is not None
