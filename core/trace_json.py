"""Traces, kernels, hints and studies as JSON documents that later versions still open.

A document is `{"format": N, "trace": {…}}`. Fields that a version does not know are passed over,
fields that a document lacks take the data model's default. A field without one is filled only
where its type can say "not known" (None, "", empty); a figure is never made up. So: a field that
is added to the model later gets a default, and a field whose meaning changes gets a new FORMAT
and a step in `_UPGRADES`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, Union

import msgspec

from core.analysis.studied import Study
from core.hints import Hints
from core.kernel import Kernel
from core.trace import Trace

FORMAT = 1

T = TypeVar("T")

#: From format N to N + 1, on the document before it is typed.
_UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}

_KEYS: dict[type, str] = {Trace: "trace", Kernel: "kernel", Hints: "hints", Study: "study"}


class DocumentError(ValueError):
    """A document that cannot be read: one sentence saying what is wrong with it."""


def to_json(trace: Trace) -> bytes:
    """The trace as a document; `from_json` gives back an equal trace.

    Inside `hints.asked` and `hints.honoured` the values must be what JSON knows.
    """
    return _encode(trace)


def from_json(data: bytes | str) -> Trace:
    """The trace of a document, of this version or another. Raises DocumentError."""
    return _decode(data, Trace)


def kernel_to_json(kernel: Kernel) -> bytes:
    """The kernel as a document; `kernel_from_json` gives back an equal kernel."""
    return _encode(kernel)


def kernel_from_json(data: bytes | str) -> Kernel:
    """The kernel of a document. Raises DocumentError."""
    return _decode(data, Kernel)


def hints_to_json(hints: Hints) -> bytes:
    """The hints as a document; `hints_from_json` gives back equal hints."""
    return _encode(hints)


def hints_from_json(data: bytes | str) -> Hints:
    """The hints of a document. Raises DocumentError."""
    return _decode(data, Hints)


def study_to_json(study: Study) -> bytes:
    """The study of a trace as a document; `study_from_json` gives back an equal study."""
    return _encode(study)


def study_from_json(data: bytes | str) -> Study:
    """The study of a document. Raises DocumentError."""
    return _decode(data, Study)


def _encode(value: Trace | Kernel | Hints | Study) -> bytes:
    return msgspec.json.encode({"format": FORMAT, _KEYS[type(value)]: value})


def _decode(data: bytes | str, kind: type[T]) -> T:
    key = _KEYS[kind]
    try:
        # A document is decoded twice, first to its parts: the typed half is then one quick pass.
        parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        version = msgspec.json.decode(parts["format"], type=int)
        body = parts[key]
    except KeyError as lacks:
        raise DocumentError(f"This is no {key} document: it has no {lacks} entry.") from None
    except (msgspec.MsgspecError, UnicodeError) as wrong:
        raise DocumentError(f"This is no {key} document: {wrong}.") from None
    try:
        if version == FORMAT:
            try:
                return msgspec.json.decode(body, type=kind)
            except msgspec.ValidationError:
                pass
        raw = msgspec.json.decode(body, type=dict[str, Any])
        for step in range(max(version, 1), FORMAT):
            raw = _UPGRADES[step](raw)
        return msgspec.convert(_fill(raw, kind), type=kind)
    except (msgspec.MsgspecError, UnicodeError) as wrong:
        newer = f" (its format is {version}, this version reads up to {FORMAT})"
        raise DocumentError(
            f"The {key} document cannot be read: {wrong}{newer if version > FORMAT else ''}."
        ) from None


def _fill(raw: Any, kind: Any) -> Any:
    """`raw` with what is missing set to "not known", as far as `kind` can say so."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(raw, dict):
        hints = typing.get_type_hints(kind)
        filled = dict(raw)
        for field in dataclasses.fields(kind):
            if field.name in raw:
                filled[field.name] = _fill(raw[field.name], hints[field.name])
            elif field.default is field.default_factory is dataclasses.MISSING:
                unknown = _unknown(hints[field.name])
                if unknown is not dataclasses.MISSING:
                    filled[field.name] = unknown
        return filled
    if origin is tuple and isinstance(raw, list):
        return [_fill(each, arguments[0]) for each in raw]
    if origin in (Union, types.UnionType) and raw is not None:
        return next((_fill(raw, a) for a in arguments if dataclasses.is_dataclass(a)), raw)
    if origin is Literal and raw not in arguments:
        # A word of a later version; where the field has a word for "not known", it is that.
        return _unknown(kind) if _unknown(kind) is not dataclasses.MISSING else raw
    return raw


def _unknown(kind: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType) and type(None) in arguments:
        return None
    if origin is Literal:
        return "unknown" if "unknown" in arguments else dataclasses.MISSING
    if kind is str:
        return ""
    if origin is tuple:
        return []
    if origin is not None and issubclass(origin, Mapping):
        return {}
    return dataclasses.MISSING
