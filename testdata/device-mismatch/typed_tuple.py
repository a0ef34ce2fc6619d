# The fields of a typed tuple, taken apart and by name.
from typing import NamedTuple

import torch
from torch import nn


class Sample(NamedTuple):
    features: torch.Tensor
    target: torch.Tensor


def draw():
    return Sample(torch.rand(8, 4), torch.randint(0, 2, (8,)))


net = nn.Linear(4, 2).cuda()
sample = draw()
sample = Sample(*(each.cuda() for each in sample))
print(nn.functional.cross_entropy(net(sample.features), sample.target))
features, target = draw()
print(nn.functional.cross_entropy(net(features.cuda()), target))  # expect: device-mismatch
