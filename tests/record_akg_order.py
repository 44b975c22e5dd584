"""Record in which order AKG's passes run: `python -m tests.record_akg_order VERSION [DUMP …]`.

Compiles the kernels of data/kernels, and three of them with every attribute that was seen to add or
drop passes, and writes data/order/akg-VERSION.txt. Dumps given by path are read besides.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from core.compilers import Limits
from core.compilers.akg import Akg
from core.hints import Hints, HintValue
from core.kernel import Kernel, example_kernels
from core.readers import ReadError, open_trace
from core.readers.akg_order import FIRST, GIVEN, TABLES
from core.trace import Trace

KERNELS = Path(__file__).resolve().parents[1] / "data" / "kernels"
VARIED = ("elementwise_chain", "softmax_fp16", "matmul_cube")
#: Attributes that change which passes AKG dumps, each set to what is not its default.
ATTRIBUTES: tuple[tuple[str, HintValue], ...] = (
    ("SYMBOLIC_TILING", False),
    ("RewriteVarTensorIdx", True),
    ("coarsenImg2Col", True),
    ("dead_code_elim", True),
    ("disable_cse", True),
    ("disable_half_to_float_sum_opt", True),
    ("disable_vn", True),
    ("eleminate_outmost_for_cond", True),
    ("enable_convert_if", True),
    ("enable_cover_protect_optimize", False),
    ("enable_dma_sink", True),
    ("enable_double_buffer", False),
    ("enable_feature_library", True),
    ("enable_feature_library_pre_poly", True),
    ("enable_hoist_insn", False),
    ("enable_invariant_hoist", False),
    ("enable_multicore", 0),
    ("enable_post_poly_loop_partition", False),
    ("enable_pre_poly_loop_partition", False),
    ("enable_pre_storage_write_simplify", True),
    ("enable_quadruple_buffer", True),
    ("enable_rewrite_scalar_compute", True),
    ("enable_sink_allocate", False),
    ("enable_stride_kernel_op", False),
    ("enable_to_three_address", False),
    ("extent_to_cond", False),
    ("loop_partition_unroll", True),
    ("pragma_disable_loop_fusion", True),
    ("pragma_modshift", True),
    ("pragma_reorder_schedule", True),
)


def compiles(version: str) -> Iterator[Trace]:
    """Every compile, one after the other."""
    kernels = example_kernels(KERNELS)
    runs: list[tuple[Kernel, Hints]] = [(kernel, Hints()) for kernel in kernels]
    for kernel in kernels:
        if kernel.name.lower() in VARIED:
            runs += [(kernel, Hints((), {name: value})) for name, value in ATTRIBUTES]
    session = Akg(version).session()
    for kernel, hints in runs:
        with tempfile.TemporaryDirectory() as folder:
            session.start(Path(folder), kernel, hints, Limits()).wait()
            yield open_trace(Path(folder)).trace
    session.close()


def _opened(dumps: Iterable[str]) -> Iterator[Trace]:
    for dump in dumps:
        try:
            yield open_trace(Path(dump)).trace
        except ReadError as wrong:
            print(f"Passed over: {wrong}")


def transitions(traces: Iterable[Trace]) -> Iterator[tuple[str, str, str, str]]:
    """Stage, pass before the last, last and next pass, within one attempt at one sub-kernel."""
    for trace in traces:
        ran: dict[tuple[str, str, int], list[str]] = defaultdict(list)
        for step in trace.passes:
            if step.text is None:
                continue
            ran[step.stage, step.unit, step.attempt].append(step.name)
            if step.name == "AutoPoly" and ran["poly", step.unit, step.attempt]:
                ran["poly", step.unit, step.attempt].append(step.name)
        for (stage, _, attempt), names in ran.items():
            before = FIRST if attempt == 1 else None
            for last, following in pairwise(names):
                if before is not None:
                    yield stage, before, last, following
                before = last


def main(version: str, dumps: list[str]) -> None:
    traces = [*_opened(dumps), *compiles(version)]
    plain = {*transitions(t for t in traces if not set(t.hints.asked) - {"dim"})}
    follow: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for each in transitions(traces):
        follow[each[:3]].add(each[3] if each in plain else f"{each[3]}{GIVEN}")
    lines = sorted(
        f"{stage} {before} {last}: {' '.join(sorted(names))}"
        for (stage, before, last), names in follow.items()
    )
    table = TABLES / f"akg-{version}.txt"
    table.write_text(
        f"# Passes of AKG {version} in {len(traces)} compiles; made by tests/record_akg_order.py\n"
        + "\n".join(lines)
        + "\n"
    )
    print(f"{len(traces)} compiles, {len(lines)} transitions: {table}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
