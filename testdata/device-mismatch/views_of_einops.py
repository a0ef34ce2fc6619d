# What einops makes of a tensor is where the tensor is, and of several, they have to be in one place.
import torch
from einops import einsum, rearrange, reduce
from einops.layers.torch import Rearrange

weights = torch.rand(3, 4)
batch = torch.rand(4, 3).cuda()
errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


def beside(x):
    height, width, device = *x.shape, x.device
    return torch.zeros(height, width, device=device)


refused(lambda: rearrange(batch, "h w -> w h") + weights)  # expect: device-mismatch
refused(lambda: reduce(batch, "h w -> w", "mean") + weights[:, 0])  # expect: device-mismatch
refused(lambda: rearrange([batch, weights.T], "n h w -> n w h"))  # expect: device-mismatch
refused(lambda: einsum(batch, weights, "h i, i w -> h w"))  # expect: device-mismatch
refused(lambda: Rearrange("h w -> w h")(batch) + weights)  # expect: device-mismatch
assert len(errors) == 5, errors
rearrange(batch, "h w -> w h") + weights.cuda()
beside(batch) + batch
beside(batch) + weights.T  # expect: device-mismatch
