"""Kernels that a user writes in MindSpore's own kernel language, and a cell that calls one."""

from mindspore import nn, ops
from mindspore.ops import kernel


@kernel
def row_sum(a):
    s = output_tensor((a.shape[0],), a.dtype)  # noqa: F821
    for i in range(a.shape[0]):
        s[i] = 0.0
        for j in range(a.shape[1]):
            s[i] = s[i] + a[i, j] * a[i, j]
    return s


@kernel
def voxel_gate(a, b):
    g = output_tensor(a.shape, a.dtype)  # noqa: F821
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            g[i, j] = a[i, j] * b[i] + a[i, j]
    return g


class GatedVoxels(nn.Cell):
    def __init__(self):
        super().__init__()
        self.gate = ops.Custom(voxel_gate, func_type="hybrid")

    def construct(self, a, b):
        return self.gate(a, b)
