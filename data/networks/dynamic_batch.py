"""A network whose batch changes from call to call: each size is compiled anew."""

from mindspore import nn, ops


class DynamicBatch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(16, 32)

    def construct(self, x):
        hidden = self.dense(x)
        return ops.tanh(hidden) * ops.sigmoid(hidden) + ops.ReduceSum(keep_dims=True)(hidden, 1)
