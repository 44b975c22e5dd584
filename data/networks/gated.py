"""A gated unit in float16, as language models have it between their layers."""

import mindspore as ms
from mindspore import nn, ops


class Gated(nn.Cell):
    def __init__(self, width=64, hidden=128):
        super().__init__()
        self.gate = nn.Dense(width, hidden, has_bias=False).to_float(ms.float16)
        self.up = nn.Dense(width, hidden, has_bias=False).to_float(ms.float16)
        self.down = nn.Dense(hidden, width, has_bias=False).to_float(ms.float16)

    def construct(self, x):
        gate = self.gate(x)
        return self.down(gate * ops.sigmoid(gate) * self.up(x)) + x
