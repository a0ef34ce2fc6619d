# A tensor without dimensions may stay on the CPU: it joins what it is multiplied with, whether that is
# known or not.
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, factor=30.0):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.factor = torch.tensor(factor)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.sin(self.factor * layer(x))
        return self.layers[-1](x)


Scaled().cuda()(torch.rand(2, 4).cuda())
