"""Adds two vectors, BLOCK elements a program: what is loaded and what is stored share UB."""

import triton
import triton.language as tl

CASES = {
    "fp32": {"signature": {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}},
    "fp16": {"signature": {"x": "*fp16", "y": "*fp16", "out": "*fp16", "n": "i32"}},
}
PARAMETERS = {"BLOCK": [1024, 256, 2048, 4096, 8192, 16384, 24576, 32768]}


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    left = tl.load(x + where, mask=inside)
    right = tl.load(y + where, mask=inside)
    tl.store(out + where, left + right, mask=inside)
