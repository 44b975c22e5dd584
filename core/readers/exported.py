"""A trace carried as files: trace.json, kernel.json, texts/HASH.txt, as the library exports it."""

from __future__ import annotations

import re

from core.kernel import Kernel
from core.readers.source import ReadError, Source, digest
from core.trace import Trace
from core.trace_json import DocumentError, from_json, kernel_from_json

_HASH = re.compile(r"[0-9a-f]{32}")


class ExportedTexts:
    """The texts of an exported trace by content hash (the `Texts` protocol)."""

    def __init__(self, source: Source, root: str) -> None:
        self._source = source
        self._folder = f"{root}/texts" if root else "texts"

    def get(self, digest: str) -> str:
        """The text with this hash. Raises KeyError where it is not kept."""
        return self._source.text(self._path(digest))[0]

    def has(self, key: str) -> bool:
        return bool(_HASH.fullmatch(key)) and self._path(key) in self._source.entries

    def verify(self, key: str) -> bool:
        """True where the text is the one that its name promises."""
        return digest(self._source.read(self._path(key))) == key

    def _path(self, key: str) -> str:
        return f"{self._folder}/{key}.txt"


def read_exported(source: Source, root: str) -> tuple[Trace, ExportedTexts, Kernel | None]:
    """The trace below a folder of a source. Raises ReadError where a part of it is not there."""
    prefix = f"{root}/" if root else ""
    try:
        trace = from_json(source.read(f"{prefix}trace.json"))
        kernel = None
        if f"{prefix}kernel.json" in source.entries:
            kernel = kernel_from_json(source.read(f"{prefix}kernel.json"))
    except DocumentError as wrong:
        raise ReadError(
            f"{prefix}trace.json of {source.name} cannot be read; export the trace again. {wrong}"
        ) from None
    texts = ExportedTexts(source, root)
    for key in _texts_of(trace):
        if not texts.has(key):
            raise ReadError(
                f"{source.name} lacks the text {key} of the trace; export the trace again."
            )
        if not texts.verify(key):
            raise ReadError(
                f"The text {key} in {source.name} is not the one that was exported; export the "
                "trace again."
            )
    return trace, texts, kernel


def _texts_of(trace: Trace) -> frozenset[str]:
    named = (
        *(step.text for step in trace.passes),
        *(step.given for step in trace.passes),
        *(log.text for log in trace.logs),
        trace.tiling.search,
        trace.code,
    )
    return frozenset(key for key in named if key)
