"""What the Passes page shows at the moment, handed from part to part, and how it moves on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.analysis.follow.trail import Trail
from core.analysis.search import Found, Query
from core.analysis.studied import Study
from core.trace import Pass, Trace
from core.views.marks import result_language, result_name
from pages import _address as address
from pages._rooms import Known


@dataclass(frozen=True, slots=True)
class Document:
    """A whole text of a trace that is no pass."""

    name: str
    digest: str
    bytes: int
    language: Literal["mlir", "cce", "text"]


def texts_beside(trace: Trace) -> tuple[Document, ...]:
    """The emitted code and the logs; they follow the passes in the list and in the address."""
    code = Document(result_name(trace), trace.code or "", 0, result_language(trace))
    logs = (Document(log.name, log.text, log.bytes, _language(log.name)) for log in trace.logs)
    return (*([code] if trace.code else []), *logs)


def _language(name: str) -> Literal["mlir", "text"]:
    return "mlir" if name.endswith(".mlir") else "text"


@dataclass(frozen=True, slots=True)
class View:
    """A trace open at one of its texts."""

    id: str
    known: Known
    trace: Trace
    documents: Sequence[Document]
    index: int  #: of the pass; those of the documents follow
    line: int  #: chosen in its text, from 1; 0 without any
    last_line: int  #: where several are chosen
    study: Study | None = None
    query: Query | None = None
    found: Found | None = None
    followed: tuple[str, int, int] | None = None  #: name, index and line that it was asked for by
    trail: Trail | None = None

    @property
    def step(self) -> Pass | None:
        """The pass; None where a text beside the passes is open."""
        return self.trace.passes[self.index] if self.index < len(self.trace.passes) else None

    @property
    def last(self) -> int:
        return len(self.trace.passes) + len(self.documents) - 1

    def pick(self, index: int) -> None:
        """Open a text where it was left; from a callback."""
        index = min(max(index, 0), self.last)
        address.set_number("pass", self.id, index)
        address.begin_number("line", f"{self.id}:{index}")

    def go(self, index: int, line: int) -> None:
        """Open a text at a line; from a callback."""
        index = min(max(index, 0), self.last)
        address.set_number("pass", self.id, index)
        address.set_lines(f"{self.id}:{index}", line)

    @property
    def scope(self) -> str:
        """That of the lines of this text in the address."""
        return f"{self.id}:{self.index}"

    def choose(self, first: int, last: int | None = None) -> None:
        """Choose lines of this text; from a callback."""
        address.set_lines(self.scope, first, last)

    def follow(self, name: str, index: int, line: int) -> None:
        """Follow what stands under a name at a line of a text; from a callback."""
        address.set_text("follow", self.id, f"{name}@{index}:{line}")
        address.choose("panel", "follow")

    def find(self, text: str) -> None:
        """Look for a whole name in all passes; from a callback."""
        address.choose("find", text)
        address.set_text("findas", self.id, "cw")
