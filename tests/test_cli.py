"""The command line, run as a script runs it: exit codes, JSON, one sentence for what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import KERNELS, PROJECT

CHAIN = str(KERNELS / "elementwise_chain.json")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "core", *words],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_compile_prints_one_object_with_the_whole_outcome(akg):
    ended = command("compile", CHAIN, "--tile", "0=8192", "--attr", "enable_multicore=8", "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["status"] == "ok_to_last_step"
    assert told["signal"] is None
    assert told["compiler"] == {"name": "akg", "version": "1.10.0"}
    assert told["target"] == "Ascend910"
    assert told["block_dim"] == 8
    assert told["hints"]["asked"] == {"dim": "0 0 8192 1", "enable_multicore": 8}
    assert told["hints"]["honoured"] == told["hints"]["asked"]
    assert told["seconds"] > 0
    assert len(told["passes"]) > 130
    assert [p["index"] for p in told["passes"]] == list(range(len(told["passes"])))
    assert {"stage", "attempt", "name", "changed", "lines"} <= set(told["passes"][0])
    (axis,) = told["tiling"]
    assert (axis["band"], axis["axis"], axis["extent"]) == (0, 0, 4096 * 1024)
    assert (axis["tile"], axis["origin"]) == (8192, "hint")
    ub = told["memory"]["UB"]
    assert ub["capacity_bytes"] == 262_144
    assert ub["peak_bytes"] == max(b["offset_bytes"] + b["bytes"] for b in ub["buffers"])
    assert told["memory"]["L1"]["peak_bytes"] == 0
    assert told["instructions"]["vadd"] > 0
    assert told["failure"] is None
    again = command("read", "--json", _exported(told["trace"]))
    assert again.returncode == 0, again.stderr
    # A dump that is read is checked at once, a compile by the next server.
    assert told["checks"] is None
    assert {**json.loads(again.stdout), "trace": told["trace"], "checks": None} == told


def _exported(id: str) -> str:
    from core.home import home
    from core.library import Library

    library = Library(home())
    file = home() / "exported.zip"
    file.write_bytes(library.export(id))
    library.close()
    return str(file)


def test_dim_and_tile_are_two_ways_to_say_the_same(akg):
    first = json.loads(command("compile", CHAIN, "--dim", "0 0 4096 1", "--json").stdout)
    second = json.loads(command("compile", CHAIN, "--tile", "0.0=4096:1", "--json").stdout)
    assert first["hints"] == second["hints"]
    assert first["memory"] == second["memory"]


def test_a_failed_compile_ends_with_1_and_says_where(akg):
    ended = command("compile", CHAIN, "--dim", "0 0 131072 1", "--json")
    assert ended.returncode == 1
    told = json.loads(ended.stdout)
    assert (told["status"], told["signal"]) == ("crashed", "SIGABRT")
    assert told["failure"]["pass"] == "StorageRewriteCCE"
    assert told["failure"]["after"] == "84_LoopPartitionCCE"
    assert told["failure"]["kind"] == "memory"


def test_a_time_limit_is_an_outcome(akg):
    ended = command("compile", CHAIN, "--dim", "0 0 17 1", "--timeout", "0.1", "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["status"] == "timed_out"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("compile", "no/such.json"), "no/such.json"),
        (("compile", CHAIN, "--case", "small"), "small"),
        (("compile", CHAIN, "--dim", "0 0 8192"), "dim"),
        (("compile", CHAIN, "--tile", "0:5"), "0:5"),
        (("compile", CHAIN, "--attr", "enable_multicore"), "enable_multicore"),
        (("compile", CHAIN, "--timeout", "0"), "--timeout"),
        (("compile", CHAIN, "--timeout", "nan"), "--timeout"),
        (("compile", CHAIN, "--attr", "unknown=1.0e999"), "unknown"),
        (("compile", CHAIN, "--tile", "0=8", "--tile", "0.0=16"), "twice"),
        (("sweep", CHAIN, "--tile", "0=8", "--tile", "0=16"), "twice"),
        (("sweep", CHAIN, "--tile", "zero=1"), "zero=1"),
        (("sweep", CHAIN, "--tile", "0="), "tiles"),
        (("sweep", CHAIN, "--shape", "512x64", "--tile", "0=8"), "--hints"),
        (("sweep", CHAIN, "--shape", "512"), "512"),
        (("sweep", CHAIN, "--shape", "512x64", "--hints", "a: enable_multicore"), "NAME=VALUE"),
        (("sweep", CHAIN, "--shape", "512x64", "--compare", "nowhere"), "no sweep nowhere"),
        (("read", "no/such/dump"), "no/such/dump"),
        (("read", str(PROJECT / "docs")), "docs"),
    ],
)
def test_bad_input_ends_with_2_and_one_sentence(akg, words, named):
    ended = command(*words)
    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""
    assert len(ended.stderr.strip().splitlines()) == 1
    assert named in ended.stderr


def test_sweep_prints_a_line_per_point_and_compiles_nothing_twice(akg):
    words = ("sweep", CHAIN, "--tile", "0=16384,43690,262144", "--json")
    ended = command(*words)
    assert ended.returncode == 0, ended.stderr
    points = {p["dim"]: p for p in map(json.loads, ended.stdout.splitlines())}
    assert {dim: p["status"] for dim, p in points.items()} == {
        "0 0 16384 1": "ok_to_last_step",
        "0 0 43690 1": "crashed",
        "0 0 262144 1": "failed",
    }
    again = {p["dim"]: p for p in map(json.loads, command(*words).stdout.splitlines())}
    assert again == points, "the measured seconds are those of the first time"


def test_a_sweep_over_shapes_says_pass_rates_and_is_compared(akg, tmp_path):
    (tmp_path / "shapes.csv").write_text("d0,d1\n512,64\n4096,1024\n")
    table = tmp_path / "out.csv"
    shapes = ("sweep", CHAIN, "--shapes", str(tmp_path / "shapes.csv"), "--csv", str(table))
    ended = command(*shapes, "--hints", "plain:", "--hints", 'large: dim="0 0 262144 1"', "--json")
    assert ended.returncode == 0, ended.stderr
    *lines, last = map(json.loads, ended.stdout.splitlines())
    found = {(line["case"], line["hints"]): line["state"] for line in lines}
    assert found == {
        ("512x64", "plain"): "compiles",
        ("512x64", "large"): "compiles",  # the tile is clipped to the axis
        ("4096x1024", "plain"): "compiles",
        ("4096x1024", "large"): "fails",
    }
    assert [(r["hints"], r["compile"], r["of"], r["broken"]) for r in last["rates"]] == [
        ("plain", 2, 2, 0),
        ("large", 1, 2, 1),
    ]
    (group,) = last["groups"]
    assert group["count"] == 1 and group["title"] and group["example"]["trace"]
    assert len(table.read_text().splitlines()) == 5

    again = command(*shapes, "--hints", "large: enable_multicore=1", "--compare", last["sweep"])
    assert again.returncode == 0, again.stderr
    assert "compiles, 0 known already" in again.stderr
    assert "compared: 50 % → 100 % of 2 that both have, 1 fixed" in again.stdout
    assert "fixed    4096x1024 large" in again.stdout


def test_toolchain_list_names_version_and_chip(akg):
    rows = json.loads(command("toolchain", "list", "--json").stdout)
    (row,) = (row for row in rows if row["name"] == "akg" and row["usual"])
    assert (row["version"], row["installed"]) == ("1.10.0", True)
    assert row["targets"] == ["Ascend910"]


# A kernel with parameters, for a compiler with many chips

VADD = str(KERNELS / "hivm_vadd.mlir")


def test_the_kernel_picks_its_compiler(ascendnpu_ir):
    ended = command("compile", VADD, "--param", "TILE=24576", "--target", "Ascend910B4", "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["compiler"] == {"name": "ascendnpu-ir", "version": "1.2.0"}
    assert told["target"] == "Ascend910B4"
    assert told["hints"]["asked"] == {"TILE": 24576, "target": "Ascend910B4"}
    assert told["attempts"] == 1
    assert told["memory"]["UB"]["peak_bytes"] == told["memory"]["UB"]["capacity_bytes"] == 196_608
    assert set(told["memory"]) == {"UB", "L1", "L0C"}, "those in which the compiler plans buffers"
    plan = next(p for p in told["passes"] if p["name"] == "PlanMemory")
    assert plan["argument"] == "hivm-plan-memory"
    assert told["failure"] is None


def test_an_overflow_names_its_culprits(ascendnpu_ir):
    ended = command("compile", VADD, "--attr", "TILE=24577", "--json")
    assert ended.returncode == 1
    told = json.loads(ended.stdout)
    failure = told["failure"]
    assert (failure["kind"], failure["pass"], failure["memory"]) == ("memory", "PlanMemory", "UB")
    assert failure["required_bytes"] > failure["available_bytes"] == 196_608
    assert [c["source"] for c in failure["culprits"]] == [
        "hivm_vadd.mlir:16:15",
        "hivm_vadd.mlir:18:16",
    ]
    # Each is padded to the alignment of UB.
    assert 196_608 < sum(c["bytes"] for c in failure["culprits"]) <= failure["required_bytes"]
    said = command("compile", VADD, "--attr", "TILE=24577").stdout
    assert "hivm_vadd.mlir:18:16" in said


def test_a_parameter_is_swept(ascendnpu_ir):
    ended = command("sweep", VADD, "--param", "TILE=1024,24576,24577", "--json")
    assert ended.returncode == 0, ended.stderr
    points = {p["asked"]["TILE"]: p for p in map(json.loads, ended.stdout.splitlines())}
    assert {tile: p["status"] for tile, p in points.items()} == {
        1024: "ok_to_last_step",
        24576: "ok_to_last_step",
        24577: "failed",
    }
    assert points[1024]["memory"]["UB"]["peak_bytes"] == 8 * 1024
    assert points[24577]["failure"]["culprits"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("compile", VADD, "--target", "Ascend911"), "Ascend911"),
        (("compile", VADD, "--param", "TILES=8"), "TILES"),
        (("compile", VADD, "--param", "TILE=wide"), "TILE"),
        (("compile", VADD, "--tile", "0=64"), "TILE"),
        (("compile", VADD, "--compiler", "akg"), "mlir"),
        (("sweep", VADD), "--param"),
        (("sweep", VADD, "--param", "TILE="), "TILE"),
    ],
)
def test_what_a_kernel_with_parameters_cannot_take(ascendnpu_ir, akg, words, named):
    ended = command(*words)
    assert ended.returncode == 2, ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert named in ended.stderr
