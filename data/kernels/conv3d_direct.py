"""3-D convolution as a plain loop nest: no cube, AKG maps it on the vector unit.

x[n, c, d, h, w] * w[o, c, kd, kh, kw], stride 1, no padding, accumulated in float32.
"""

import akg.tvm as tvm

CASES = {
    "8x16x16_k3": {
        "shapes": [[1, 16, 8, 16, 16], [16, 16, 3, 3, 3]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
    "8x16x16_k1": {
        "shapes": [[1, 16, 8, 16, 16], [16, 16, 1, 1, 1]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
}


def kernel(x, weight):
    n, channels, depth, height, width = (size.value for size in x.shape)
    filters, _, kd, kh, kw = (size.value for size in weight.shape)
    c = tvm.reduce_axis((0, channels), name="c")
    d = tvm.reduce_axis((0, kd), name="d")
    h = tvm.reduce_axis((0, kh), name="h")
    w = tvm.reduce_axis((0, kw), name="w")
    out = (n, filters, depth - kd + 1, height - kh + 1, width - kw + 1)
    return tvm.compute(
        out,
        lambda b, o, z, y, i: tvm.sum(
            x[b, c, z + d, y + h, i + w].astype("float32")
            * weight[o, c, d, h, w].astype("float32"),
            axis=[c, d, h, w],
        ),
        name="conv",
    )
