# The user names the network: that the program runs its forward is not seen, and what a forward does
# on a GPU is wrong wherever it is run.
import os

import torch
import torch.nn as nn


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


def default(value, otherwise):
    if value is not None:
        return value
    return otherwise() if callable(otherwise) else otherwise


class Sinusoidal(nn.Module):
    def __init__(self, size, base=None):
        super().__init__()
        self.height, self.width = pair(size)
        assert self.width % 2 == 0, "half of them are sines"
        self.base = default(base, lambda: 10000)

    def forward(self, x):
        _, width, device = *x.shape, x.device
        waves = torch.arange(self.width // 2) / self.base
        angles = x[:, :1] * waves[None, :]  # expect: hardcoded-device
        return torch.zeros(1, width, device=device) + torch.cat((angles.sin(), angles.cos()), dim=-1)


network = eval(os.environ.get("NETWORK", "Sinusoidal"))(4).cuda()
network(torch.rand(2, 4).cuda())
