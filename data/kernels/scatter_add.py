"""Adds up the points of each voxel: a scatter-add written as a sum over a Select.

y[v, c] = the sum of x[m, c] over the points m with index[m] == v. It has no scattered store, so
the compiler can tile it, at the cost of looking at every point for every voxel.
"""

import akg.tvm as tvm

CASES = {
    "points256_voxels64": {
        "shapes": [[256, 32], [256]],
        "dtypes": ["float16", "int32"],
        "attributes": [64],
    },
}


def kernel(x, index, voxels):
    points, channels = x.shape
    m = tvm.reduce_axis((0, points), name="m")
    return tvm.compute(
        (voxels, channels),
        lambda v, c: tvm.sum(
            tvm.expr.Select(index[m] == v, x[m, c].astype("float32"), tvm.const(0, "float32")),
            axis=m,
        ),
        name="y",
    )
