"""The catalogue of hints: checks before a compile, and its claims, compiled again."""

from __future__ import annotations

from itertools import groupby

import pytest

from core.compilers.akg.catalogue import CATALOGUE, check_hints, notes, parse_attribute
from core.hints import HintError, Hints
from core.kernel import Kernel, load_kernel
from core.trace import Status, Trace
from tests.conftest import KERNELS

BY_NAME = {spec.name: spec for spec in CATALOGUE}


def test_every_hint_is_there_once_under_one_heading():
    assert len(BY_NAME) == len(CATALOGUE)
    headings = [group for group, _ in groupby(CATALOGUE, key=lambda spec: spec.group)]
    assert len(headings) == len(set(headings))


@pytest.mark.parametrize("spec", CATALOGUE, ids=lambda spec: spec.name)
def test_every_hint_says_what_it_does_and_takes_its_default(spec):
    assert spec.does.endswith((".", ".)"))
    assert "\n" not in spec.does
    if spec.default is not None and spec.kind != "dim":
        check_hints(Hints(attributes={spec.name: spec.default}))
        assert parse_attribute(f"{spec.name}={spec.default}") == (spec.name, spec.default)


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        ({"dead_code_elim": 2}, "dead_code_elim must be 0 or 1, not 2"),
        ({"dead_code_elim": "1"}, "dead_code_elim must be 0 or 1, not '1'"),
        ({"dead_code_elim": 1.0}, "dead_code_elim must be 0 or 1, not 1.0"),
        ({"SYMBOLIC_TILING": "off"}, "SYMBOLIC_TILING must be 0 or 1"),
        ({"enable_multicore": "8"}, "enable_multicore must be a whole number"),
        ({"enable_multicore": 2.0}, "enable_multicore must be a whole number"),
        ({"enable_multicore": -2}, "enable_multicore must be -1 or more"),
        ({"enable_multicore": 1 << 31}, "enable_multicore must be 2147483647 or less"),
        ({"enable_polytops": 1}, "enable_polytops must be a text"),
        ({"bypassL1": 3}, "bypassL1 must be 2 or less"),
        ({"max_num_retry_poly": 0}, "1 or more, not 0. AKG crashes"),
        ({"max_num_retry_poly": -1}, "1 or more, not -1. AKG crashes"),
        ({"kernel_name": "a b"}, "kernel_name must be an identifier"),
        ({"kernel_name": ""}, "kernel_name must be an identifier"),
        ({"kernel_name": "../a"}, "kernel_name must be an identifier"),
        ({"kernel_name": 5}, "kernel_name must be a text"),
        ({"dim": "0 0 8 1"}, "dim cannot be set here"),
        ({"dump_ir_dir": "/somewhere"}, "dump_ir_dir cannot be set here"),
        ({"help_tiling": 1}, "help_tiling cannot be set here"),
        ({"a_name_of_mine": None}, "a_name_of_mine must be a number, a text, true or false"),
    ],
    ids=str,
)
def test_hints_that_cannot_be_passed_on_are_refused(attributes, says):
    with pytest.raises(HintError, match=says):
        check_hints(Hints(attributes=attributes))


def test_hints_that_akg_takes_pass():
    check_hints(
        Hints(
            attributes={
                "dead_code_elim": 1,
                "enable_convert_if": False,
                "enable_multicore": True,
                "enable_polytops": "always",
                "kernel_name": "_mine1",
                "ub_ratio": 0.25,
                "a_name_of_mine": "anything",
            }
        )
    )


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("dead_code_elim=1", ("dead_code_elim", True)),
        ("dead_code_elim=False", ("dead_code_elim", False)),
        (" enable_multicore = 8 ", ("enable_multicore", 8)),
        ("enable_multicore=false", ("enable_multicore", 0)),
        ("SYMBOLIC_TILING=0", ("SYMBOLIC_TILING", False)),
        ("enable_polytops=always", ("enable_polytops", "always")),
        ("kernel_name=true", ("kernel_name", "true")),
        ("mine=-3", ("mine", -3)),
        ("mine=0.5", ("mine", 0.5)),
        ("mine=TRUE", ("mine", True)),
        ("mine=a=b", ("mine", "a=b")),
        ("mine=", ("mine", "")),
    ],
)
def test_an_attribute_on_the_command_line(text, attribute):
    name, value = parse_attribute(text)
    assert (name, value) == attribute
    assert type(value) is type(attribute[1])


@pytest.mark.parametrize(
    "text", ["", "x", "=1", "dead_code_elim=", "dead_code_elim=yes", "enable_multicore=1.5"]
)
def test_an_attribute_that_is_none_is_refused(text):
    with pytest.raises(HintError):
        parse_attribute(text)


def test_notes_say_why_a_hint_will_do_nothing():
    hints = Hints(
        attributes={
            "enable_multicore": 1,
            "no_such_name": 1,
            "ub_ratio": "0.5",
            "enable_auto_inline": 0,
            "kernel_name": "k",
        }
    )
    assert set(notes(hints)) == {"no_such_name", "ub_ratio", "enable_auto_inline"}
    assert set(notes(hints, "python")) == {"no_such_name", "ub_ratio", "kernel_name"}
    assert "ignores it" in notes(hints)["no_such_name"]


# The claims, compiled


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    names = ["elementwise_chain", "softmax_fp16", "column_sum", "matmul_cube", "transpose"]
    return {name: load_kernel(KERNELS / f"{name}.json") for name in names}


@pytest.fixture(scope="module")
def compiled(compile_kernel, kernels):
    """Compile with attributes, each combination once."""
    done: dict[str, Trace] = {}

    def compiled(name: str, **attributes) -> Trace:
        hints = Hints(attributes=attributes)
        key = f"{name} {hints.digest}"
        if key not in done:
            done[key] = compile_kernel(kernels[name], hints).trace
        return done[key]

    return compiled


def passes(trace: Trace) -> list[str]:
    return [each.name for each in trace.passes]


@pytest.mark.parametrize(("asked", "cores"), [(0, 1), (8, 8), (64, 64), (-1, 32)])
def test_enable_multicore_sets_the_cores(compiled, asked, cores):
    assert compiled("elementwise_chain", enable_multicore=asked).block_dim == cores


def test_the_depth_of_the_loops_that_are_spread_limits_the_cores(compiled):
    assert compiled("matmul_cube").block_dim == 32
    assert compiled("matmul_cube", multicore_loop_max_depth=1).block_dim == 2


def test_symbolic_tiling_picks_the_tiler(compiled):
    tiles = {
        on: [axis.tile for axis in compiled("elementwise_chain", SYMBOLIC_TILING=on).tiling.axes]
        for on in (True, False)
    }
    assert tiles == {True: [16384], False: [8192]}


def test_atomic_adds_spread_a_sum_over_columns(compiled):
    assert compiled("column_sum", enable_atomic_add=0).block_dim == 12
    assert compiled("column_sum", enable_atomic_add=1).block_dim == 32


def test_forcing_dependences_away_spreads_it_without_atomic_adds(compiled):
    forced = compiled("column_sum", enable_atomic_add=0, pragma_force_rmselfdep=1)
    assert BY_NAME["pragma_force_rmselfdep"].effect == "unsafe"
    assert forced.block_dim == 32
    assert "set_atomic_add_open" not in forced.instructions


def test_double_buffering_is_a_pass_that_can_be_left_out_or_done_twice(compiled):
    by_default = passes(compiled("matmul_cube")).count("AutoDoubleBuffer")
    assert by_default == 1
    assert "AutoDoubleBuffer" not in passes(compiled("matmul_cube", enable_double_buffer=0))
    twice = passes(compiled("matmul_cube", enable_quadruple_buffer=1))
    assert twice.count("AutoDoubleBuffer") == 2


@pytest.mark.parametrize(
    ("attribute", "value", "name", "appears"),
    [
        ("dead_code_elim", 1, "DeadCodeElim", True),
        ("enable_to_three_address", 0, "ToThreeAddress", False),
        ("enable_invariant_hoist", 0, "InvariantHoist", False),
        ("disable_cse", 1, "StmtCSE", False),
        ("enable_dma_sink", 1, "DMASink", True),
        ("RewriteVarTensorIdx", 1, "RewriteVarTensorIdx", True),
    ],
)
def test_an_attribute_adds_or_drops_its_pass(compiled, attribute, value, name, appears):
    before = passes(compiled("softmax_fp16"))
    after = passes(compiled("softmax_fp16", **{attribute: value}))
    assert (name in before, name in after) == (not appears, appears)


@pytest.mark.parametrize(
    ("name", "attribute", "value", "message"),
    [
        ("matmul_cube", "bypassL1", 1, "load_gm_to_cb does not support transpose"),
        ("softmax_fp16", "pragma_disable_schedule_shift", 1, "unknown reduce type"),
        ("elementwise_chain", "pragma_enable_reschedule", 0, "Allocation exceed bound"),
    ],
)
def test_an_attribute_that_is_said_to_fail_does(compiled, name, attribute, value, message):
    trace = compiled(name, **{attribute: value})
    assert trace.status is Status.FAILED
    assert message in trace.failure.message


def test_reading_approximately_aborts_a_matrix_product(compiled):
    trace = compiled("matmul_cube", enable_approximate_read=1)
    assert BY_NAME["enable_approximate_read"].effect == "unsafe"
    assert (trace.status, trace.failure.signal) == (Status.CRASHED, "SIGABRT")


def test_forgetting_store_dependences_spreads_an_unaligned_transpose(compiled):
    assert BY_NAME["remove_store_dependency"].effect == "unsafe"
    assert compiled("transpose").block_dim == 1
    assert compiled("transpose", remove_store_dependency=1).block_dim == 32


def test_a_composite_kernel_cannot_have_what_akg_overwrites(compiled):
    overwritten = [spec for spec in CATALOGUE if spec.effect == "overwritten"]
    changed = {spec.name: int(not spec.default) for spec in overwritten}
    assert len(changed) == 4
    assert compiled("elementwise_chain", **changed).code == compiled("elementwise_chain").code


def test_what_is_ignored_changes_nothing(compiled):
    ignored = [spec for spec in CATALOGUE if spec.effect == "ignored" and spec.kind != "str"]
    trace = compiled("softmax_fp16", **{spec.name: 1 for spec in ignored})
    assert len(ignored) == 20
    assert trace.code == compiled("softmax_fp16").code


def test_what_is_never_read_may_be_anything(compiled):
    unread = [spec for spec in CATALOGUE if spec.group == "Never seen to be read"]
    trace = compiled("softmax_fp16", no_such_name=1.5, **{spec.name: "?" for spec in unread})
    assert trace.code == compiled("softmax_fp16").code


def test_a_python_kernel_may_turn_off_what_crashes_it(compile_kernel):
    pooling = load_kernel(KERNELS / "maxpool.py", "k3_s2_pad1")
    hints = Hints(attributes={"multicore_loop_switch_hoist": 0})
    assert compile_kernel(pooling, hints).trace.status is Status.OK_TO_LAST_STEP
