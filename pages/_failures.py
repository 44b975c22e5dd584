"""What failures of the library's traces mean, and logs that somebody pasted; each kept."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple

from core.analysis.explained import Explanation
from core.analysis.explained_log import Explained, explain_log
from core.analysis.signatures import explain
from core.library import LibraryError, TraceRow
from core.readers.logs import ReadLog, read_log
from core.trace import Status
from pages import _rooms as rooms

_ALIKE_AMONG = 400  #: newest failed traces that are looked at for others of a kind
_LOGS_KEPT = 24
_CHARACTERS_KEPT = 128 << 20  #: of all logs together


class Kind(NamedTuple):
    """What kind of failure a trace has."""

    fingerprint: str
    title: str


_lock = threading.Lock()
_kinds: dict[rooms.Known, Kind | None] = {}
_logs: OrderedDict[str, str] = OrderedDict()
_explained: dict[str, tuple[ReadLog, tuple[Explained, ...]]] = {}


def explanation(id: str) -> Explanation | None:
    """What the failure of a trace means; None where nothing failed. Raises LibraryError."""
    return _explanation(rooms.known(id))


@lru_cache(maxsize=64)
def _explanation(known: rooms.Known) -> Explanation | None:
    return explain(rooms.trace(known.id), rooms.library())


def failed(row: TraceRow) -> bool:
    """Whether a compile failed of itself: nobody stopped it."""
    status = Status(row.status)
    return not status.compiles and status is not Status.CANCELLED


def alike(id: str) -> list[TraceRow]:
    """Other traces of the library that fail as this one does, newest first."""
    found = explanation(id)
    if found is None:
        return []
    others = [row for row in rooms.library().rows() if failed(row) and row.id != id]
    kinds = [(row, kind(row)) for row in others[:_ALIKE_AMONG]]
    return [row for row, each in kinds if each and each.fingerprint == found.fingerprint]


def kind(row: TraceRow, *, kept: bool = False) -> Kind | None:
    """What kind of failure a failed trace has; None where nothing is known. With `kept`, only where
    that has been worked out before."""
    key = rooms.Known(rooms.library().home, row.id, row.created.timestamp())
    with _lock:
        if key in _kinds:
            return _kinds[key]
    if kept:
        return None
    try:
        found = explain(rooms.library().trace(row.id))
    except LibraryError:
        return None
    known = Kind(found.fingerprint, found.title) if found is not None else None
    with _lock:
        _kinds[key] = known
    return known


def title(row: TraceRow) -> str:
    """A failed trace's kind of failure in a few words; "" where nothing is known."""
    found = kind(row) if failed(row) else None
    return found.title if found is not None else ""


# Logs: kept here, so that the address alone brings one back


def keep_log(text: str) -> str:
    """Keep a log for as long as so many others are not pasted; what its address calls it."""
    digest = hashlib.blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()
    with _lock:
        _logs[digest] = text
        _logs.move_to_end(digest)
        while len(_logs) > 1 and (
            len(_logs) > _LOGS_KEPT or sum(map(len, _logs.values())) > _CHARACTERS_KEPT
        ):
            _explained.pop(_logs.popitem(last=False)[0], None)
    return digest


def kept_log(digest: str) -> str | None:
    """A log that was pasted; None where it is no longer kept."""
    with _lock:
        return _logs.get(digest)


def explained_log(digest: str, text: str) -> tuple[ReadLog, tuple[Explained, ...]]:
    """What is in a log that is kept, and the failures in it with what each means. Raises
    ReadError."""
    with _lock:
        if digest in _explained:
            return _explained[digest]
    read = read_log(text)
    found = read, tuple(explain_log(read))
    with _lock:
        if digest in _logs:
            _explained[digest] = found
    return found
