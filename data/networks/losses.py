"""Losses: a focal loss over logits, and a smooth L1 loss with weights."""

from mindspore import nn, ops


class FocalLoss(nn.Cell):
    def construct(self, logits, labels):
        probability = ops.sigmoid(logits)
        agreed = probability * labels + (1.0 - probability) * (1.0 - labels)
        entropy = -ops.log(agreed + 1e-6)
        return ops.ReduceSum()(entropy * (1.0 - agreed) * (1.0 - agreed), 1)


class SmoothL1(nn.Cell):
    def construct(self, prediction, target, weight):
        distance = ops.abs(prediction - target)
        near = 0.5 * distance * distance
        cost = ops.select(distance < 1.0, near, distance - 0.5)
        return ops.ReduceSum()(cost * weight)
