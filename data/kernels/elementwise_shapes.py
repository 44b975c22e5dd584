"""(x + y) * y on [1, 512, 64] and on its neighbours: one element more or less changes the tiling.

The aligned shape is folded into one axis and done in a single tile on one core; next to it, AKG
takes other tiles, spreads them over other numbers of cores and adds code for the tails.
"""

import akg.topi as topi

CASES = {
    "1x512x64": {
        "shapes": [[1, 512, 64], [1, 512, 64]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
    "1x512x63": {
        "shapes": [[1, 512, 63], [1, 512, 63]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
    "1x512x65": {
        "shapes": [[1, 512, 65], [1, 512, 65]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
    "1x511x65": {
        "shapes": [[1, 511, 65], [1, 511, 65]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
    "1x513x64": {
        "shapes": [[1, 513, 64], [1, 513, 64]],
        "dtypes": ["float16", "float16"],
        "attributes": [],
    },
}


def kernel(x, y):
    return topi.multiply(topi.add(x, y), y)
