"""Max pooling of the compiler's own library: with a stride and padding AKG dies of SIGSEGV.

MultiCoreLoopSwitchHoist drops loops whose variables are still used, and LoopPartitionCCE recurses
without end over what is left. With multicore_loop_switch_hoist=0 or enable_multicore=0 it compiles.
"""

from akg.ops.nn.ascend.maxpool import maxpool

CASES = {
    "k3_s2_pad1": {
        "shapes": [[1, 4, 56, 56, 16]],
        "dtypes": ["float16"],
        "attributes": [[3, 3], [2, 2], [1, 1, 1, 1]],
    },
    "k2_s2_valid": {
        "shapes": [[1, 1, 16, 16, 16]],
        "dtypes": ["float16"],
        "attributes": [[2, 2], [2, 2], "VALID"],
    },
}


def kernel(x, window, stride, padding):
    return maxpool(x, window, stride, padding)
