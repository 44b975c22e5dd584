"""Documents: exact round trips, and documents of other versions."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Union

import pytest

from core.hints import Hints, Tile
from core.kernel import Kernel, Tensor
from core.trace import Pass, Status, Trace
from core.trace_json import (
    DocumentError,
    from_json,
    hints_from_json,
    hints_to_json,
    kernel_from_json,
    kernel_to_json,
    to_json,
)

DOCUMENTS = Path(__file__).parent / "documents"


def filled(kind: Any, seed: int = 0) -> Any:
    """A value of a type with every field set, none to its default, each as its type allows."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        fields = dataclasses.fields(kind)
        return kind(**{f.name: filled(hints[f.name], seed + i) for i, f in enumerate(fields)})
    if origin in (Union, types.UnionType):
        return filled(next(a for a in arguments if a is not type(None)), seed)
    if origin is Literal:
        return arguments[seed % len(arguments)]
    if origin is tuple:
        return (filled(arguments[0], seed), filled(arguments[0], seed + 1))
    if origin is not None and issubclass(origin, Mapping):
        if arguments[1] is object:
            return {"dim": "0 0 16 1", "flag": True, "level": 3, "share": 0.5, "none": None}
        return {"vadd": filled(arguments[1], seed), "größe": filled(arguments[1], seed + 1)}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return list(kind)[seed % len(list(kind))]
    values: dict[Any, Any] = {
        str: f'text {seed} "\\\n × \U0001f600',
        int: 2**40 + seed,
        float: 0.1 + seed,
        bool: seed % 2 == 0,
        object: seed,
    }
    return values[kind]


@pytest.mark.parametrize("seed", range(6))
def test_every_field_survives(seed: int) -> None:
    trace = filled(Trace, seed)
    back = from_json(to_json(trace))
    assert back == trace
    assert isinstance(back.status, Status)
    assert isinstance(back.passes, tuple) and isinstance(back.passes[0], Pass)
    assert isinstance(back.passes[0].seconds, float)
    assert back.tiling.axes[0].constraints == trace.tiling.axes[0].constraints
    # bool and int are equal in Python, so the comparison above would not tell them apart.
    assert [type(v) for v in back.hints.asked.values()] == [str, bool, int, float, type(None)]


def test_kernels_and_hints_survive() -> None:
    tensors = (Tensor("x", (4, 8), "float16", "input"), Tensor("y", (4, 8), "float16", "output"))
    kernel = Kernel("composite", "Fused", '{"op": "é"}', tensors, about="an example")
    assert kernel_from_json(kernel_to_json(kernel)) == kernel
    hints = Hints((Tile(0, 0, 16), Tile(0, 1, 64, 8)), {"b": True, "a": 1, "f": 1.0, "s": "x"})
    back = hints_from_json(hints_to_json(hints))
    assert back == hints
    assert back.digest == hints.digest


def changed(trace: Trace, change: Any) -> bytes:
    document = json.loads(to_json(trace))
    change(document)
    return json.dumps(document).encode()


def test_unknown_fields_are_passed_over() -> None:
    trace = filled(Trace)

    def change(document: Any) -> None:
        document["more"] = 1
        document["trace"]["later"] = {"a": 1}
        document["trace"]["passes"][0]["later"] = [1]

    assert from_json(changed(trace, change)) == trace


def test_missing_fields_take_the_default_or_not_known() -> None:
    trace = filled(Trace)

    def change(document: Any) -> None:
        for name in ("passes", "failure", "notes", "target"):
            del document["trace"][name]
        del document["trace"]["tiling"]["axes"][0]["searched"]
        del document["trace"]["tiling"]["axes"][0]["origin"]

    back = from_json(changed(trace, change))
    axes = (
        dataclasses.replace(trace.tiling.axes[0], searched=None, origin="unknown"),
        *trace.tiling.axes[1:],
    )
    assert back == dataclasses.replace(
        trace,
        passes=(),
        failure=None,
        notes=(),
        target="",
        tiling=dataclasses.replace(trace.tiling, axes=axes),
    )


def test_a_word_of_a_later_version_becomes_unknown() -> None:
    def change(document: Any) -> None:
        document["trace"]["tiling"]["axes"][0]["origin"] = "oracle"

    assert from_json(changed(filled(Trace), change)).tiling.axes[0].origin == "unknown"


def test_a_figure_is_never_made_up() -> None:
    def change(document: Any) -> None:
        del document["trace"]["memory"][0]["peak_bytes"]

    with pytest.raises(DocumentError, match="peak_bytes"):
        from_json(changed(filled(Trace), change))


def test_a_later_format_is_read_as_far_as_it_fits() -> None:
    trace = filled(Trace)

    def later(document: Any) -> None:
        document["format"] = 99

    assert from_json(changed(trace, later)) == trace

    def unreadable(document: Any) -> None:
        later(document)
        document["trace"]["status"] = "pondered"

    with pytest.raises(DocumentError, match=r"format is 99.*reads up to 1"):
        from_json(changed(trace, unreadable))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"format": 1}',
        b'{"format": "x", "trace": {}}',
        b'{"format": 0, "trace": {}}',
        b'{"format": 1, "trace": []}',
        b'{"format": 1, "trace": {}}',
        b'{"format": 1, "trace": {"kernel": "\xff"}}',
        to_json(filled(Trace))[:-9],
    ],
)
def test_what_is_no_trace_gets_one_sentence(data: bytes) -> None:
    with pytest.raises(DocumentError) as wrong:
        from_json(data)
    assert str(wrong.value).endswith(".") and "\n" not in str(wrong.value)


# Written by the first format, of real compiles; every later version opens them.


@pytest.mark.parametrize("name", ["format_1_ok.json", "format_1_crashed.json"])
def test_documents_of_the_first_format_open(name: str) -> None:
    trace = from_json((DOCUMENTS / name).read_bytes())
    assert from_json(to_json(trace)) == trace
    assert (trace.kernel, trace.compiler.name, trace.target) == (
        "elementwise_chain",
        "akg",
        "Ascend910",
    )
    assert len(trace.passes) > 100 and all(p.text for p in trace.passes if p.status == "ok")
    (axis,) = trace.tiling.axes
    assert axis.extent == 4194304
    if trace.status is Status.CRASHED:
        assert trace.failure is not None and trace.failure.signal == "SIGABRT"
        assert trace.failure.memory == "UB"
        assert (trace.hints.asked, axis.origin) == ({"dim": "0 0 131072 1"}, "hint")
    else:
        assert axis.constraints is not None and axis.searched == 8192
        assert (trace.block_dim, trace.plan("UB") is not None) == (32, True)
        assert trace.instructions and trace.code and trace.seconds
