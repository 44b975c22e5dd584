"""What a core does, counted: against closed forms and against running the code; the estimate."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import pytest

from core.analysis.estimate import Cost, cost, estimate, rates
from core.hints import Hints, Tile
from core.ir.work import GLOBAL_ALIGNMENT, SMALL_BYTES, count_work
from core.jobs.claims import compact
from core.kernel import load_kernel
from core.readers import Opened, open_trace
from core.trace import Traffic, Work
from core.trace_json import from_json, to_json
from tests.conftest import KERNELS, PROJECT
from tests.dumped import recorded

TRACES = PROJECT / "data" / "traces"
ELEMENTS = 4096 * 1024  # of the elementwise chain, float16: two inputs, one result, three steps
CORES = 32


def opened(name: str) -> Opened:
    return open_trace(TRACES / f"{name}.zip")


def costs(of: Opened) -> Cost:
    found = estimate(of.trace, of.texts)
    assert found is not None
    return found


# --- against closed forms -------------------------------------------------------------------------


def check_chain(of: Opened, tile: int) -> None:
    """Two inputs and a result of every element of a core; three operations of 256 B a step."""
    share = ELEMENTS // CORES
    found = costs(of)
    assert of.trace.block_dim == CORES
    assert found.bytes_in == 2 * share * 2
    assert found.bytes_out == share * 2
    assert found.transfers == 3 * share // tile
    assert found.bytes_per_transfer == tile * 2
    assert found.small_transfers == (found.transfers if tile * 2 < SMALL_BYTES else 0)
    assert found.unaligned_transfers == 0
    assert found.work.vector_steps == 3 * share * 2 // 256
    assert found.work.exact


@pytest.mark.parametrize(
    ("name", "tile", "doubled"),
    [("elementwise_chain", 16384, False), ("elementwise_chain-tile_8192", 8192, True)],
)
def test_the_recorded_chain_moves_what_its_shape_says(name: str, tile: int, doubled: bool) -> None:
    check_chain(opened(name), tile)
    assert costs(opened(name)).overlapped is doubled


def test_chains_with_other_tiles_move_what_their_shape_says(
    compile_all: Callable[..., Iterator[Opened]],
) -> None:
    kernel = load_kernel(KERNELS / "elementwise_chain.json")
    tiles = (1024, 4096, 32768)
    jobs = [(kernel, Hints((Tile(0, 0, tile),))) for tile in tiles]
    for tile, one in zip(tiles, compile_all(jobs), strict=True):
        assert one.trace.work is not None
        check_chain(one, tile)


def test_a_matrix_product_multiplies_what_its_shape_says() -> None:
    found = costs(opened("matmul_cube"))
    assert found.work.fractals * CORES == (512 // 16) ** 3
    # every core loads its rows and columns once: 16 x 2 blocks of 16 of the result
    rows, columns = 2 * 16, 16 * 16
    assert found.bytes_in == (rows + columns) * 512 * 2
    assert found.bytes_out == rows * columns * 2
    assert found.work.vector_steps == 0


def test_an_mlir_kernel_moves_whole_tiles_in_every_iteration() -> None:
    found = costs(opened("hfusion_elementwise"))
    rounds = ceil(ceil(2048 * 1024 / 16376) / 24)  # of core 0, whose tiles are all full
    tile = 16376 * 4
    assert (found.bytes_in, found.bytes_out) == (4 * rounds * tile, 2 * rounds * tile)
    assert found.transfers == 6 * rounds
    assert found.work.vector_steps == 2 * rounds * ceil(tile / 256)
    assert found.unaligned_transfers is None  # where tensors begin is known at the launch


def test_a_program_of_a_grid_moves_its_tile() -> None:
    found = costs(opened("triton_add-fp32"))
    assert (found.bytes_in, found.bytes_out) == (2 * 1024 * 4, 1024 * 4)
    assert (found.transfers, found.small_transfers) == (3, 3)
    assert found.cores is None
    assert not found.work.exact and "full" in found.work.note


# --- against running the code ---------------------------------------------------------------------


@dataclass
class Place:
    """A pointer: its memory, the bytes of an element, how many elements behind the start."""

    memory: str
    size: int
    offset: int = 0

    def __add__(self, elements: int) -> Place:
        return Place(self.memory, self.size, self.offset + elements)


class Ran:
    """Runs the text of a kernel line by line, for one core, and adds up what it does."""

    def __init__(self, text: str, core: int) -> None:
        self.moved: dict[str, list[tuple[int, int, bool]]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        names = Names({"block_idx": core, "store": self.store, "run": self, "place": Place})
        names.update(range=range, min=min, max=max)
        exec("\n".join(translated(text)), {"__builtins__": {}}, names)

    def store(self) -> None:
        self.counts["store"] += 1

    def __call__(self, name: str, *given: Any) -> None:
        if name in ("set_flag", "wait_flag", "pipe_barrier"):
            self.counts["sync"] += 1
        elif name.startswith("copy_"):
            self.copy(name, *given)
        elif name.startswith("load_"):
            source, destination = given[1], given[0]
            self.moved[f"{source.memory}→{destination.memory}"].append((given[3] * 512, 1, False))
        elif name == "mad":
            m, k, n = given[3:6]
            self.counts["fractals"] += ceil(m / 16) * ceil(k / 16) * ceil(n / 16)
        elif name.startswith("v"):
            operands = [each for each in given if isinstance(each, Place)]
            scalar = name in ("vadds", "vmuls", "vector_dup")
            self.counts["vector"] += given[len(operands) + scalar]

    def copy(self, name: str, destination: Place, source: Place, *given: Any) -> None:
        _, bursts, length, gap_in, gap_out = given[:5]
        unit = 16 * 16 * source.size if name.startswith("copy_matrix") else 32
        begins, pieces = [], 1
        for outside, gap in ((source, gap_in), (destination, gap_out)):
            if outside.memory == "GM":
                begins = [
                    outside.offset * outside.size + burst * (length + gap) * 32
                    for burst in range(bursts if gap else 1)
                ]
                pieces = len(begins)
        off = any(begin % GLOBAL_ALIGNMENT for begin in begins)
        path = f"{source.memory}→{destination.memory}"
        self.moved[path].append((bursts * length * unit, pieces, off))


class Names(MutableMapping[str, Any]):
    """Variables; a name that nothing defines is a constant of the chip, or a buffer."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.known = known

    def __getitem__(self, name: str) -> Any:
        return self.known.get(name, defaultdict(int))

    def __setitem__(self, name: str, value: Any) -> None:
        self.known[name] = value

    def __delitem__(self, name: str) -> None:
        del self.known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


MEMORY = {"gm": "GM", "ubuf": "UB", "cbuf": "L1", "ca": "L0A", "cb": "L0B", "cc": "L0C"}
SIZES = {"half": 2, "float": 4, "int32_t": 4}


def translated(text: str) -> Iterator[str]:
    """The body as Python: braces become indents, pointers places, calls calls of `run`."""
    depth = 0
    body = text[text.index(") {\n") + 4 :]
    for line in body.splitlines():
        code = line.strip()
        if "overflowStatus" in code or "status" in code:
            continue
        if code.startswith("}"):
            depth -= 1
            code = code[1:].strip()
            if depth < 0:
                return
        if not code or code.startswith(("__", "*")):
            continue
        code = re.sub(
            r"\(__(\w+)__ (\w+) \*\)\w+",
            lambda m: f"place({MEMORY[m[1]]!r}, {SIZES[m[2]]})",
            code,
        )
        code = re.sub(r"\((?:u?int\d+_t|half|float)\)", "", code)
        code = re.sub(r"(\d)(?:llu|f)\b", r"\1", code).replace("&&", "and").replace("||", "or")
        loop = re.match(r"for \(int32_t (\w+) = (.+); \1 < (.+); \+\+\1\) \{", code)
        call = re.fullmatch(r"(\w+)\((.*)\);", code)
        if loop:
            code = f"for {loop[1]} in range({loop[2]}, {loop[3]}):"
        elif code.startswith(("if", "else")):
            code = code.removesuffix("{").rstrip().replace("else if", "elif") + ":"
        elif call:
            if call[1] == "set_ctrl":
                continue
            code = f"run({call[1]!r}, {call[2]})".replace(", true)", ", 1)").replace(
                ", false)", ", 0)"
            )
        elif re.match(r"[\w\[].* = ", code):
            code = "store()"
        else:
            continue
        yield "    " * depth + code.replace("/", "//")
        if line.rstrip().endswith("{"):
            depth += 1


def as_traffic(path: str, moved: list[tuple[int, int, bool]]) -> Traffic:
    outside = "GM" in path
    sizes = [size for size, *_ in moved]
    return Traffic(
        path,
        len(moved),
        sum(sizes),
        min(sizes),
        max(sizes),
        sum(size < SMALL_BYTES for size in sizes) if outside else 0,
        sum(off for *_, off in moved),
        sum(outside and (size < SMALL_BYTES or off) for size, _, off in moved),
        sum(pieces for _, pieces, _ in moved),
    )


CODE = {
    "elementwise_129": lambda: (recorded("elementwise_129/.cce"), CORES),
    "softmax": lambda: (recorded("softmax/.cce"), CORES),
    "matmul": lambda: (recorded("matmul/.cce"), CORES),
    **{
        name: lambda name=name: (  # type: ignore[misc]
            (found := opened(name)).texts.get(found.trace.code or ""),
            found.trace.block_dim or 1,
        )
        for name in (
            "layer_norm", "column_sum", "batch_matmul", "scatter_add-points256_voxels64",
            "conv3d_direct-8x16x16_k1", "maxpool-k3_s2_pad1-no_multicore",
            "voxel_gather-512x64_rows128",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CODE)
def test_counts_equal_those_of_running_the_code(name: str) -> None:
    text, cores = CODE[name]()
    found = count_work(text, cores)
    every = [Ran(text, core) for core in range(cores)]
    weights = [
        (sum(size for moved in one.moved.values() for size, *_ in moved), one.counts.total())
        for one in every
    ]
    busiest = every[weights.index(max(weights))]
    assert found.exact
    assert {each.path: each for each in found.traffic} == {
        path: as_traffic(path, moved) for path, moved in busiest.moved.items()
    }
    assert (found.vector_steps, found.fractals, found.scalar_stores, found.syncs) == tuple(
        busiest.counts[kind] for kind in ("vector", "fractals", "store", "sync")
    )


def test_a_long_nest_of_odd_steps_is_not_run_to_its_end() -> None:
    inner = (
        "copy_gm_to_ubuf(((__ubuf__ half *)b + 0), ((__gm__ half *)x + ((((i * 9001) + (j * 33)) +"
        " (k * 7)) + (l * 3))), 0, 1, 2, 0, 0);"
    )
    loops = [f"for (int32_t {v} = 0; {v} < 300; ++{v}) {{" for v in "ijkl"]
    text = "\n".join(
        ["__aicore__ void f(__gm__ half* x) {", *loops, inner, *["}"] * (len(loops) + 1)]
    )
    found = count_work(text, 1)
    (only,) = found.traffic
    assert found.exact
    assert (only.transfers, only.bytes, only.unaligned) == (300**4, 300**4 * 64, None)


def test_a_copy_of_unknown_form_is_not_guessed() -> None:
    text = "__aicore__ void f(__gm__ half* x) {\nimg2col_cbuf_to_ca(a, b, 1);\n}"
    found = count_work(text, 1)
    assert not found.exact
    assert found.note == "Not counted: img2col_cbuf_to_ca."


# --- the estimate ---------------------------------------------------------------------------------

ESTIMATED = (
    "elementwise_chain", "elementwise_chain-tile_8192", "softmax_fp16", "matmul_cube", "column_sum",
    "scatter_add-points256_voxels64", "voxel_gather-512x64_rows128", "triton_softmax-fp32",
    "hfusion_reduce",
)  # fmt: skip


def told(formula: str) -> float:
    """The formula as a person reads it, worked out: each "PIPE (terms)" is a unit."""
    units = {
        name: float(eval(re.sub(r"[^\d.+*/ ]", "", terms)))
        for name, terms in (
            (name, re.sub(r"(?:\b[A-Z]\w*→\w+)|,", "", words).replace("÷", "/").replace("×", "*"))
            for name, words in re.findall(r"\b(\w+) \(([^)]*)\)", formula)
        )
    }
    scalar = units.pop("S", 0.0)
    if "the longest of" in formula:
        return max(*units.values(), scalar)
    assert "the sum of" in formula
    return max(sum(units.values()), scalar)


@pytest.mark.parametrize("name", ESTIMATED)
def test_the_formula_gives_the_number_that_is_shown(name: str) -> None:
    found = costs(opened(name))
    assert found.cycles is not None
    assert eval(found.expression) == pytest.approx(found.cycles)
    assert told(found.formula) == pytest.approx(found.cycles)
    assert found.formula.startswith("Estimate: ")
    assert f"= {found.cycles:,.0f} cycles" in found.formula
    assert found.sources and all(":" in source for source in found.sources)


def test_double_buffering_takes_the_longest_pipe() -> None:
    work = Work((Traffic("GM→UB", 2, 64000, 32000, 32000, 0, 0, 0, 2),), vector_steps=3000)
    single = cost(work, "Ascend910", 1)
    double = cost(replace(work, double_buffered=True), "Ascend910", 1)
    assert single.cycles == 64000 / 32 + 2 * 13 + 3000
    assert double.cycles == 3000
    assert double.bound is not None and double.bound.name == "V"
    assert double.seconds == pytest.approx(3e-6)


def test_more_blocks_than_cores_run_one_after_another() -> None:
    work = Work(vector_steps=100)
    assert [cost(work, "Ascend910", blocks).cycles for blocks in (32, 33, 64, 65)] == [
        100.0,
        200.0,
        200.0,
        300.0,
    ]
    twice = cost(work, "Ascend910", 64)
    assert eval(twice.expression) == twice.cycles
    assert "2 times" in twice.formula


def test_the_scalar_unit_hands_out_one_instruction_in_a_cycle() -> None:
    found = costs(opened("scatter_add-points256_voxels64"))
    assert found.bound is not None and found.bound.name == "S"
    assert found.cycles == sum(found.instructions.values())


def test_no_time_without_public_rates() -> None:
    unknown = cost(Work(vector_steps=1), "Ascend950PR_9579", 1)
    assert unknown.cycles is None and unknown.seconds is None and unknown.formula == ""
    assert unknown.why_not == "No public rates were found for Ascend950PR_9579."
    known = cost(Work(vector_steps=1), "Ascend910B1", 1)
    assert known.cycles == 1 and known.seconds is None
    assert rates("Ascend310") is None


def test_no_figures_where_a_loop_is_bounded_at_the_launch() -> None:
    found = costs(opened("triton_matmul-fp16"))
    assert found.cycles is None
    assert re.fullmatch(
        r"The loop in line \d+ of the final IR runs until %arg8, which is known at the launch "
        r"only\.",
        found.why_not,
    )


def test_a_failed_compile_has_no_cost() -> None:
    assert estimate(opened("softmax_fp32").trace) is None


# --- what is kept ---------------------------------------------------------------------------------


def test_points_of_sweeps_keep_what_was_counted(compile_kernel: Callable[..., Opened]) -> None:
    trace = compile_kernel(load_kernel(KERNELS / "column_sum.json")).trace
    kept = from_json(to_json(compact(trace)))
    assert kept.passes == () and kept.work == trace.work is not None
    assert estimate(kept) == estimate(trace) is not None


def test_a_trace_of_an_earlier_version_is_counted_from_its_code(
    compile_kernel: Callable[..., Opened],
) -> None:
    found = compile_kernel(load_kernel(KERNELS / "matmul_cube.json"))
    document: dict[str, Any] = json.loads(to_json(found.trace))
    del document["trace"]["work"]
    older = from_json(json.dumps(document))
    assert older.work is None
    assert estimate(older) is None
    assert estimate(older, found.texts) == estimate(found.trace) is not None
    assert estimate(replace(older, code="not kept"), found.texts) is None
