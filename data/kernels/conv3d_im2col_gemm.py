"""3-D convolution as im2col and GEMM in one kernel, to compare with the direct loop nest.

x[n, d, h, w, c] is copied into `columns`, one row of size**3 * c values for each output position,
and the rows are multiplied with weight[size**3 * c, o]. Stride 1, no padding. `columns` is an
output too, since AKG would otherwise inline it and be back at the direct loop nest.
"""

import akg.tvm as tvm

CASES = {
    "8x16x16_k3": {
        "shapes": [[1, 8, 16, 16, 16], [432, 16]],
        "dtypes": ["float16", "float16"],
        "attributes": [3],
    },
}


def kernel(x, weight, size):
    n, depth, height, width, channels = (extent.value for extent in x.shape)
    taps, filters = (extent.value for extent in weight.shape)
    od, oh, ow = depth - size + 1, height - size + 1, width - size + 1
    rows = n * od * oh * ow

    def tap_of(row, tap):
        b, z, y, i = row // (od * oh * ow), row // (oh * ow) % od, row // ow % oh, row % ow
        voxel, c = tap // channels, tap % channels
        return x[b, z + voxel // (size * size), y + voxel // size % size, i + voxel % size, c]

    columns = tvm.compute((rows, taps), tap_of, name="columns")
    k = tvm.reduce_axis((0, taps), name="k")
    product = tvm.compute(
        (rows, filters),
        lambda row, o: tvm.sum(
            columns[row, k].astype("float32") * weight[k, o].astype("float32"), axis=k
        ),
        name="product",
    )
    return product, columns
