"""Smaller forms of a composite kernel, each one valid as a kernel of its own.

Any part of its operators is a kernel: what they take from the others comes in, what no other of
them uses goes out.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from core.analysis.shrinking.search import Asking, Form, Search
from core.analysis.shrinking.text import dumped
from core.kernel import Kernel

Document = dict[str, Any]

#: Operators of one and of two tensors that a simpler one can stand for.
_OF_ONE = """
    ACos Acosh Asin Asinh Atan Cos Erf Exp Expm1 Floor Log Neg Reciprocal Round Rsqrt Sign Sin Sqrt
    Tanh
"""
_OF_TWO = "Atan2 Div FloorDiv FloorMod Mod Mul Pow RealDiv Sub TensorAdd"
_SIMPLEST = dict.fromkeys(_OF_ONE.split(), "Abs") | dict.fromkeys(_OF_TWO.split(), "Add")
#: What puts several kernels into one: without it they are compiled as one.
_FUSIONS = ("parallel_fusion", "buffer_stitch")


def shrink(search: Search) -> Asking[None]:
    """Fewer operators, then simpler ones, then fewer inputs and outputs."""
    yield from _without_fusions(search)
    yield from fewer_operators(search)
    yield from _simpler(search)
    yield from _fewer_inputs(search)
    yield from _fewer_outputs(search)


def fewer_operators(search: Search) -> Asking[None]:
    """Leave operators out, until none can go alone."""
    while not search.spent:
        before = len(search.steps)
        document = _document(search.best.kernel)
        every = range(len(document["op_desc"]))
        build = partial(_part_of, search, document)
        yield from search.fewest("operators", every, build)
        yield from _bypass(search)
        if len(search.steps) == before:
            return


def _part_of(search: Search, document: Document, kept: Sequence[int]) -> Form | None:
    """The kernel of some of the operators."""
    made = copy.deepcopy(document)
    made["op_desc"] = [made["op_desc"][at] for at in kept]
    return _form(search, closed(made))


def closed(document: Document) -> Document:
    """Inputs and outputs as the operators need them; a result that nothing uses goes out."""
    wanted = {tensor["tensor_name"] for tensor in document["output_desc"]}
    operators = document["op_desc"]
    made = {t["tensor_name"]: t for op in operators for t in op["output_desc"]}
    used: dict[str, Document] = {}
    for tensor in _operands(document):
        used.setdefault(tensor["tensor_name"], tensor)
    before = [entry[0]["tensor_name"] for entry in document["input_desc"] or []]
    coming = [name for name in before if name in used]
    coming += [name for name in used if name not in made and name not in before]
    document["input_desc"] = [[_described(used[name])] for name in coming]
    document["output_desc"] = [
        _described(made[name]) for name in made if name in wanted or name not in used
    ]
    for name in coming:
        # What AKG makes may be called as it likes and may be a scalar; what comes in may not.
        allowed = re.sub(r"[^A-Za-z0-9_]", "_", name)
        allowed = allowed if re.match("[A-Za-z_]", allowed) else f"t_{allowed}"
        for tensor in (*_operands(document), *(e[0] for e in document["input_desc"])):
            if tensor["tensor_name"] == name:
                tensor["tensor_name"] = allowed
                tensor["shape"] = tensor["shape"] or [1]
    _close_fusions(document)
    return document


def _close_fusions(document: Document) -> None:
    """Names of tensors that are no more go, and the groups that are left without any."""
    made = {t["tensor_name"] for op in document["op_desc"] for t in op["output_desc"]}
    if "parallel_fusion" in document:
        fusion = document["parallel_fusion"]
        groups = zip(fusion["sub_graph"], fusion["core_num"], strict=False)
        kept = [([n for n in names if n in made], cores) for names, cores in groups]
        fusion["sub_graph"] = [names for names, _ in kept if names]
        fusion["core_num"] = [cores for names, cores in kept if names]
        if len(fusion["sub_graph"]) < 2:
            del document["parallel_fusion"]
    if "buffer_stitch" in document:
        stitch = document["buffer_stitch"]
        stitched = [[n for n in names if n in made] for names in stitch["stitch_op"]]
        stitch["stitch_op"] = [names for names in stitched if names]
        if not stitch["stitch_op"]:
            del document["buffer_stitch"]


def _without_fusions(search: Search) -> Asking[None]:
    document = _document(search.best.kernel)
    for key in _FUSIONS:
        if key in document:
            left = {name: value for name, value in document.items() if name != key}
            yield from search.first("fusion", [(True, _form(search, left))])


def _bypass(search: Search) -> Asking[None]:
    """Let the users of a result take an operand of the operator instead."""
    going = True
    while going and not search.spent:
        document = _document(search.best.kernel)
        tries = [(at, _form(search, made)) for at, made in _bypassed(document)]
        going = (yield from search.first("operators", tries)) is not None


def _bypassed(document: Document) -> Iterator[tuple[int, Document]]:
    for at in range(len(document["op_desc"]) - 1, -1, -1):
        operator = document["op_desc"][at]
        if len(document["op_desc"]) == 1 or len(operator["output_desc"]) != 1:
            continue
        (result,) = operator["output_desc"]
        for group in operator["input_desc"]:
            for operand in group:
                if operand.get("value") is None and _alike(operand, result):
                    made = copy.deepcopy(document)
                    del made["op_desc"][at]
                    _rename(made, result["tensor_name"], operand["tensor_name"])
                    yield at, closed(made)


def _simpler(search: Search) -> Asking[None]:
    """Put an operator that only shows that some operator is there in place of a special one."""
    document = _document(search.best.kernel)
    special = [at for at, op in enumerate(document["op_desc"]) if op["name"] in _SIMPLEST]

    def build(kept: Sequence[int]) -> Form | None:
        made = copy.deepcopy(document)
        for at in special:
            if at not in kept:
                made["op_desc"][at]["name"] = _SIMPLEST[made["op_desc"][at]["name"]]
        return _form(search, made)

    yield from search.fewest("special operators", special, build, least=0)


def _fewer_inputs(search: Search) -> Asking[None]:
    """Let one input stand for another of the same shape and type."""
    going = True
    while going and not search.spent:
        document = _document(search.best.kernel)
        inputs = [entry[0] for entry in document["input_desc"]]
        tries = []
        for at, later in enumerate(inputs):
            for earlier in inputs[:at]:
                if _alike(earlier, later):
                    made = copy.deepcopy(document)
                    _rename(made, later["tensor_name"], earlier["tensor_name"])
                    tries.append((True, _form(search, closed(made))))
                    break
        going = bool((yield from search.first("inputs", tries)))


def _fewer_outputs(search: Search) -> Asking[None]:
    """Results that something uses need not go out."""
    document = _document(search.best.kernel)
    outputs = [tensor["tensor_name"] for tensor in document["output_desc"]]

    def build(kept: Sequence[str]) -> Form | None:
        made = copy.deepcopy(document)
        made["output_desc"] = [t for t in made["output_desc"] if t["tensor_name"] in kept]
        return _form(search, closed(made))

    yield from search.fewest("outputs", outputs, build)


def _document(kernel: Kernel) -> Document:
    document: Document = json.loads(kernel.source)
    return document


def _form(search: Search, document: Document) -> Form | None:
    return search.with_source(dumped(document))


def _operands(document: Document) -> Iterator[Document]:
    """The tensors that operators take; constants are none."""
    for operator in document["op_desc"]:
        for group in operator["input_desc"]:
            yield from (tensor for tensor in group if tensor.get("value") is None)


def _described(tensor: Document) -> Document:
    keys = ("tensor_name", "shape", "data_type", "format")
    return {key: tensor[key] for key in keys if key in tensor}


def _alike(one: Document, other: Document) -> bool:
    return _kind(one) == _kind(other)


def _rename(document: Document, name: str, other: str) -> None:
    """Let another tensor be used in place of one, which goes out no more."""
    for tensor in _operands(document):
        if tensor["tensor_name"] == name:
            tensor["tensor_name"] = other
    document["output_desc"] = [t for t in document["output_desc"] if t["tensor_name"] != name]


def _kind(tensor: Document) -> tuple[object, ...]:
    return tensor["shape"] or [1], tensor["data_type"], tensor.get("format", "DefaultFormat")
