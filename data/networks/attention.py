"""One head of attention with a mask and a residual connection."""

from mindspore import nn, ops


class Attention(nn.Cell):
    def __init__(self, width=64):
        super().__init__()
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.scale = width**-0.5
        self.softmax = nn.Softmax(axis=-1)
        self.norm = nn.LayerNorm((width,))

    def construct(self, x, mask):
        scores = ops.matmul(self.query(x), self.key(x).swapaxes(-1, -2))
        weights = self.softmax(scores * self.scale + (1.0 - mask) * -10000.0)
        return self.norm(x + ops.matmul(weights, self.value(x)))
