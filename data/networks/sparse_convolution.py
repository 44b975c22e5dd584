"""A sparse convolution: rows gathered for each offset, a matrix product each, and their sum."""

from mindspore import Parameter, nn, ops
from mindspore.common.initializer import initializer


class SparseConvolution(nn.Cell):
    def __init__(self, offsets=4, width=16):
        super().__init__()
        self.offsets = offsets
        shape = (offsets, width, width)
        self.weight = Parameter(initializer("normal", shape), name="weight")

    def construct(self, points, neighbours):
        total = points * 0.0
        for offset in range(self.offsets):
            rows = ops.gather(points, neighbours[offset], 0)
            total = total + ops.matmul(rows, self.weight[offset])
        return ops.relu(total) + points
