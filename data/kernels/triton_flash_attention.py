"""Attention without the whole matrix of scores: cube and vector cores take turns on each tile."""

import triton
import triton.language as tl

CASES = {
    "fp16": {
        "signature": {
            "q": "*fp16",
            "k": "*fp16",
            "v": "*fp16",
            "out": "*fp16",
            "scale": "fp32",
            "length": "i32",
        },
    },
}
PARAMETERS = {
    "BM": [64, 16, 32, 128, 256],
    "BN": [64, 16, 32, 128, 256],
    "D": [64, 128],
}


@triton.jit
def attention(q, k, v, out, scale, length, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * length * D
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, BN)
    inner = tl.arange(0, D)
    query = tl.load(q + head + row[:, None] * D + inner[None, :])
    largest = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    mixed = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        where = head + (start + column)[:, None] * D + inner[None, :]
        key = tl.load(k + where)
        scores = tl.dot(query, tl.trans(key)) * scale
        larger = tl.maximum(largest, tl.max(scores, axis=1))
        powers = tl.exp(scores - larger[:, None])
        shrink = tl.exp(largest - larger)
        total = total * shrink + tl.sum(powers, axis=1)
        value = tl.load(v + where)
        mixed = mixed * shrink[:, None] + tl.dot(powers.to(tl.float16), value)
        largest = larger
    mixed = mixed / total[:, None]
    tl.store(out + head + row[:, None] * D + inner[None, :], mixed.to(tl.float16))
