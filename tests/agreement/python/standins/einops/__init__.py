"""What the fixtures use of einops, for machines without it: axes in another order, and sums."""
import torch


def _permuted(x, pattern):
    before, after = (side.split() for side in pattern.split("->"))
    return x.permute([before.index(axis) for axis in after])


def rearrange(x, pattern):
    return _permuted(torch.stack(x) if isinstance(x, list) else x, pattern)


def reduce(x, pattern, operation):
    before, after = (side.split() for side in pattern.split("->"))
    return getattr(x, operation)([i for i, axis in enumerate(before) if axis not in after])


def einsum(*operands):
    *tensors, pattern = operands
    return torch.einsum(pattern.replace(" ", ""), *tensors)
