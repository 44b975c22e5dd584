"""Points gathered into voxels, summed per voxel, and spread again."""

from mindspore import nn, ops


class VoxelPool(nn.Cell):
    def __init__(self, voxels=64, width=16):
        super().__init__()
        self.voxels = voxels
        self.weight = nn.Dense(width, width)

    def construct(self, points, voxel_of_point):
        features = ops.relu(self.weight(points)) * 0.5 + 1.0
        sums = ops.unsorted_segment_sum(features, voxel_of_point, self.voxels)
        means = sums / (ops.ReduceSum(keep_dims=True)(sums, 1) + 1.0)
        return ops.gather(means, voxel_of_point, 0) - features


class VoxelNorm(nn.Cell):
    """Points of each voxel, normalised over the voxel and reduced to its largest."""

    def construct(self, voxels):
        mean = ops.ReduceMean(keep_dims=True)(voxels, 1)
        centred = voxels - mean
        spread = ops.ReduceMean(keep_dims=True)(centred * centred, 1)
        return ops.ReduceMax()(centred * ops.rsqrt(spread + 1e-5), 1)
