"""Softmax over rows, ROWS of them at a time, each padded to COLUMNS."""

import triton
import triton.language as tl

CASES = {
    "fp32": {"signature": {"x": "*fp32", "out": "*fp32", "rows": "i32", "columns": "i32"}},
    "long_rows": {
        "signature": {"x": "*fp32", "out": "*fp32", "rows": "i32", "columns": "i32"},
        "constants": {"COLUMNS": 32768},
    },
}
PARAMETERS = {
    "COLUMNS": [1024, 256, 512, 2048, 4096, 8192, 16384, 32768],
    "ROWS": [4, 1, 2, 8, 16],
}


@triton.jit
def softmax(x, out, rows, columns, COLUMNS: tl.constexpr, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    where = row[:, None] * columns + column[None, :]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    values = tl.load(x + where, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=1)[:, None])
    tl.store(out + where, powers / tl.sum(powers, axis=1)[:, None], mask=inside)
