"""A block over voxels of a point cloud: 3-D convolution, batch norm, a gate, and a maximum."""

from mindspore import nn, ops


class PointCloud(nn.Cell):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv3d(4, 16, 3, pad_mode="same")
        self.norm = nn.BatchNorm3d(16)

    def construct(self, voxels):
        features = ops.relu(self.norm(self.convolution(voxels)))
        gated = features * ops.sigmoid(features) * 1.5 + 0.25
        return ops.ReduceMax()(gated.reshape(1, 16, -1), -1)


class PointCloudHead(nn.Cell):
    """What follows on the features of each point: a maximum over them, in float32."""

    def construct(self, features):
        largest = ops.ReduceMax(keep_dims=True)(features, -1)
        return ops.exp(features - largest) * 0.5
