"""Random kernels, compiled for real: the same by seed, and every failure has a name."""

from __future__ import annotations

from benchmarks.fuzz import fuzz
from benchmarks.fuzzing import requests
from core.compilers.akg import Akg
from core.compilers.ascendnpu_ir import AscendNpuIr

COUNT, SEED = 16, 1


def test_a_seed_gives_the_same_kernels_and_a_larger_count_begins_alike() -> None:
    few = [each.digest for each in requests(SEED, COUNT)]
    assert few == [each.digest for each in requests(SEED, 2 * COUNT)][:COUNT]
    assert few != [each.digest for each in requests(SEED + 1, COUNT)]


def test_kernels_of_every_kind_are_made_and_a_third_has_hints() -> None:
    made = list(requests(SEED, 300))
    kinds = [each.kernel.kind for each in made]
    assert {"composite", "mlir", "triton"} == set(kinds)
    assert all(kinds.count(kind) > 30 for kind in set(kinds))
    hinted = [each for each in made if each.kernel.kind != "triton" and each.hints.as_dict()]
    assert 0.25 < len(hinted) / (len(made) - kinds.count("triton")) < 0.45


def test_every_failure_of_random_kernels_has_a_name(akg: Akg, ascendnpu_ir: AscendNpuIr) -> None:
    found = fuzz(COUNT, SEED)
    assert found.failures >= 3  # else nothing was tried
    unnamed = [those[0][1].said for those in found.unnamed.values()]
    assert not unnamed
    assert found.outcomes["ok_to_last_step"] >= 5
