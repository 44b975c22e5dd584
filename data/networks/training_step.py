"""A whole training step: forward, loss, gradient, and Adam."""

from mindspore import nn


class Small(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(32, 64)
        self.activation = nn.GELU()
        self.second = nn.Dense(64, 10)

    def construct(self, x):
        return self.second(self.activation(self.first(x)))


def step():
    network = Small()
    loss = nn.WithLossCell(network, nn.MSELoss())
    return nn.TrainOneStepCell(loss, nn.Adam(network.trainable_params(), learning_rate=1e-3))
