"""A perceptron of two layers with layer norm, GELU and softmax."""

from mindspore import nn


class MLP(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(64, 128)
        self.norm = nn.LayerNorm((128,))
        self.activation = nn.GELU()
        self.second = nn.Dense(128, 32)
        self.softmax = nn.Softmax(axis=-1)

    def construct(self, x):
        hidden = self.activation(self.norm(self.first(x)))
        return self.softmax(self.second(hidden) + 1.0)
