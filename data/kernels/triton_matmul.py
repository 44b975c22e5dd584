"""A matrix product in tiles of BM x BN, BK of the inner axis at a time: L1 and L0C fill up."""

import triton
import triton.language as tl

CASES = {
    "fp16": {
        "signature": {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
    },
    "l1_overflow": {
        "signature": {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
        "constants": {"BN": 256, "BK": 1024},
    },
    "l0c_overflow": {
        "signature": {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
        "constants": {"BM": 256, "BN": 256},
    },
    "saved_by_a_retry": {
        "signature": {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
        "constants": {"BN": 256, "BK": 512},
    },
}
PARAMETERS = {
    "BM": [128, 16, 32, 64, 256],
    "BN": [128, 16, 32, 64, 256],
    "BK": [64, 16, 32, 128, 256, 512, 1024],
}


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + row[:, None] * k + inner[None, :]
    right = b + inner[:, None] * n + column[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * n
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(c + row[:, None] * n + column[None, :], total, mask=inside)
