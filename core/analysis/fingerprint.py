"""What makes two failures one kind, known by name or not: where, by whom, and the words masked."""

from __future__ import annotations

import hashlib
import re

from core.trace import Failure, Trace

_PLACE = re.compile(r"[\w./-]+\.(?:mlir|py|ttadapter|cc|cpp|h|ttir)(?::\d+)*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”")
_GROUP = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d[\d,.]*")
_NAME = re.compile(r"\b\w*(?:_local_|_\d|\d_)\w*\b|%\w+|@\w+|\b[a-z]+\d+\b")
_NUMBERED = re.compile(r"^\d+_")
_SPACE = re.compile(r"\s+")
_LENGTH = 12  # hexadecimal digits
_WORDS = 160  # characters of a message that tell its kind


def masked(message: str) -> str:
    """A message without what differs from kernel to kernel: names, numbers, places."""
    text = _PLACE.sub("…", message)
    text = _QUOTED.sub("…", text)
    for _ in range(3):  # brackets in brackets
        text = _GROUP.sub("", text)
    text = _NAME.sub("…", text)
    text = _NUMBER.sub("#", text)
    return _SPACE.sub(" ", text).strip()[:_WORDS]


def fingerprint(trace: Trace) -> str:
    """Equal for failures of one kind; "" where the trace compiles.

    The compiler's version is no part of it, nor is the pass where only its predecessor is known.
    """
    failure = trace.failure
    if failure is None or trace.status.compiles:
        return ""
    return of_failure(trace.compiler.name, str(trace.status), failure)


def of_failure(compiler: str, status: str, failure: Failure) -> str:
    """The same of a failure without its trace."""
    where = failure.pass_name or f"after {masked(failure.after or '')}"
    crashed = failure.signal if failure.kind == "crash" else ""
    return digest(
        compiler, status, failure.kind, where, crashed or "", failure.memory or "",
        masked(failure.message),
    )  # fmt: skip


def alike(one: Trace, other: Trace) -> bool:
    """Whether two compiles failed in the same way, as far as is known.

    Hints may add and leave out passes, so that only the predecessor of the one that failed is
    certain: then equal predecessors count.
    """
    a, b = one.failure, other.failure
    if a is None or b is None:
        return False
    if fingerprint(one) == fingerprint(other):
        return True
    if (a.pass_name and b.pass_name) or one.compiler.name != other.compiler.name:
        return False
    if _NUMBERED.sub("", a.after or "") != _NUMBERED.sub("", b.after or ""):
        return False
    same = (one.status, a.kind, a.signal, a.memory, masked(a.message))
    return same == (other.status, b.kind, b.signal, b.memory, masked(b.message))


def digest(*parts: str) -> str:
    """A short name for what these parts say together."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_LENGTH // 2).hexdigest()
