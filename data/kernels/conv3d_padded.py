"""3-D convolution that pads with a Select: AKG overflows UB, tiles again, and then gives up.

x[n, c, d, h, w], padded with zeros on every side, * w[o, c, kd, kh, kw]. With four channels the
last of four attempts ends in realize_compress.cc ("Access before initialization") after half a
minute; with two, on a small volume, the first ends in analyze_align.h within seconds.
"""

import akg.tvm as tvm

CASES = {
    "8x8x8_c4_k3": {
        "shapes": [[1, 4, 8, 8, 8], [4, 4, 3, 3, 3]],
        "dtypes": ["float16", "float16"],
        "attributes": [1],
    },
    "4x4x4_c2_k3": {
        "shapes": [[1, 2, 4, 4, 4], [2, 2, 3, 3, 3]],
        "dtypes": ["float16", "float16"],
        "attributes": [1],
    },
}


def kernel(x, weight, pad):
    n, channels, depth, height, width = (size.value for size in x.shape)
    filters, _, kd, kh, kw = (size.value for size in weight.shape)

    def inside(b, ch, z, y, i):
        return tvm.all(
            z >= pad, z < depth + pad, y >= pad, y < height + pad, i >= pad, i < width + pad
        )

    padded = tvm.compute(
        (n, channels, depth + 2 * pad, height + 2 * pad, width + 2 * pad),
        lambda *at: tvm.expr.Select(
            inside(*at),
            x[at[0], at[1], at[2] - pad, at[3] - pad, at[4] - pad],
            tvm.const(0, x.dtype),
        ),
        name="padded",
    )
    c = tvm.reduce_axis((0, channels), name="c")
    d = tvm.reduce_axis((0, kd), name="d")
    h = tvm.reduce_axis((0, kh), name="h")
    w = tvm.reduce_axis((0, kw), name="w")
    out = (
        n,
        filters,
        depth + 2 * pad - kd + 1,
        height + 2 * pad - kh + 1,
        width + 2 * pad - kw + 1,
    )
    return tvm.compute(
        out,
        lambda b, o, z, y, i: tvm.sum(
            padded[b, c, z + d, y + h, i + w].astype("float32")
            * weight[o, c, d, h, w].astype("float32"),
            axis=[c, d, h, w],
        ),
        name="conv",
    )
