"""Hints through MindSpore's own channels: AKG takes them as if they were given directly."""

from __future__ import annotations

import ast
import json

import pytest

from core.compilers.akg.channels import (
    as_environment,
    compile_attributes,
    decorator,
    environment,
    in_description,
    repository,
    verify,
)
from core.hints import Hints, parse_dim
from core.kernel import KernelError, load_kernel
from tests.conftest import KERNELS

TILED = Hints(parse_dim("0 0 8192 1"))


@pytest.fixture(scope="module")
def chain():
    return load_kernel(KERNELS / "elementwise_chain.json")


@pytest.mark.parametrize("channel", ["description", "repository"])
def test_hints_are_honoured_through_the_channel(akg, chain, channel):
    verified = verify(chain, TILED, channel)
    assert verified.honoured, verified.why_not
    assert (verified.tiles, verified.cores) == ((8192,), 32)


def test_what_is_not_carried_is_noticed(akg, chain):
    """A repository for another kernel changes nothing, and verifying says so."""
    other = load_kernel(KERNELS / "column_sum.json")
    text = repository([(other, TILED)])
    computes = json.loads(text)
    assert not set(computes) & set(json.loads(repository([(chain, TILED)])))


def test_a_repository_holds_several_kernels(chain):
    other = load_kernel(KERNELS / "column_sum.json")
    single = Hints((), {"enable_multicore": 0})
    entries = json.loads(repository([(chain, TILED), (other, single)]))
    assert len(entries) == 2
    (tiled,) = (e for shapes in entries.values() for d in shapes.values() for e in d.values()
                if "dim" in e)  # fmt: skip
    assert tiled["dim"] == TILED.dim


def test_the_decorator_is_python_that_says_the_same():
    hints = Hints(TILED.tiles, {"enable_multicore": 0, "SYMBOLIC_TILING": 0})
    line = decorator(hints)
    call = ast.parse(f"{line}\ndef f(): pass").body[0].decorator_list[0]
    assert ast.literal_eval(call.keywords[0].value) == compile_attributes(hints)
    assert "SYMBOLIC_TILING" not in line
    assert as_environment(environment(hints)) == "export SYMBOLIC_TILING=0"


def test_a_description_keeps_the_kernels_own_attributes(chain):
    before, after = json.loads(chain.source), json.loads(in_description(chain, TILED))
    assert [op["name"] for op in after["op_desc"]] == [op["name"] for op in before["op_desc"]]
    (added,) = [
        each
        for each in after["op_desc"][0]["attr"]
        if each not in (before["op_desc"][0]["attr"] or [])
    ]
    assert json.loads(added["value"]) == {"dim": "0 0 8192 1"}


def test_a_kernel_without_description_is_refused():
    with pytest.raises(KernelError, match="no description"):
        repository([(load_kernel(KERNELS / "maxpool.py"), TILED)])
