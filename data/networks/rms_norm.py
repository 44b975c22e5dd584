"""RMS norm with a weight, and a rotation of pairs of features."""

from mindspore import Parameter, jit, nn, ops
from mindspore.common.initializer import initializer


class RMSNorm(nn.Cell):
    def __init__(self, width=256):
        super().__init__()
        self.weight = Parameter(initializer("ones", (width,)), name="weight")

    def construct(self, x):
        mean = ops.ReduceMean(keep_dims=True)(x * x, -1)
        return x * ops.rsqrt(mean + 1e-6) * self.weight


@jit
def rotate(x, cosine, sine):
    first, second = x[:, :32], x[:, 32:]
    turned = ops.concat((-second, first), 1)
    return x * cosine + turned * sine
