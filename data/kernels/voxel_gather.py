"""Gathers the rows of voxels that an index names; AKG says ok and the code is wrong.

y[m, c] = x[index[m], c]: AutoPoly keeps one row of x in UB and reads it at any index, far beyond
its end.
"""

import akg.tvm as tvm

CASES = {
    "512x64_rows128": {
        "shapes": [[512, 64], [128]],
        "dtypes": ["float16", "int32"],
        "attributes": [],
    },
}


def kernel(x, index):
    return tvm.compute((index.shape[0], x.shape[1]), lambda m, c: x[index[m], c], name="y")
