"""The kinds of question that take several compiles, and how what they find is kept."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

import msgspec

from core.analysis.inquiry import Inquiry
from core.kernel import Kernel
from core.trace import Texts, Trace
from core.trace_json import DocumentError


class Start(Protocol):
    """Begins an inquiry about a trace. Raises ValueError with a sentence where it cannot be."""

    def __call__(
        self, trace: Trace, texts: Texts, kernel: Kernel, options: Mapping[str, Any]
    ) -> Inquiry[Any]: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question. Its module is imported when it is asked: most processes never do."""

    module: str  #: has `start`
    result: str  #: the type that it finds, in that module

    def start(self) -> Start:
        return cast(Start, importlib.import_module(self.module).start)

    def type(self) -> Any:
        return getattr(importlib.import_module(self.module), self.result)


KINDS: Mapping[str, Kind] = {
    "remedies": Kind("core.analysis.trying", "Tried"),
    "bisect": Kind("core.analysis.bisecting", "Bisected"),
    "shrink": Kind("core.analysis.shrinking", "Shrunk"),
}


def write_result(result: Any) -> bytes:
    """What an inquiry found as a document."""
    return msgspec.json.encode(result)


def read_result(kind: str, document: bytes) -> Any:
    """What an inquiry of this kind found. Raises DocumentError."""
    known = KINDS.get(kind)
    if known is None:
        raise DocumentError(f"There is no inquiry of the kind {kind!r}.")
    try:
        return msgspec.json.decode(document, type=known.type())
    except (msgspec.MsgspecError, TypeError) as wrong:
        raise DocumentError(f"The result of the inquiry cannot be read: {wrong}.") from None
