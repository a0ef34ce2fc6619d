"""A parameter that is converted to the type that it has is the same parameter."""

import torch
from torch import nn


class Norm(nn.Module):

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size)).float()
        self.bias = nn.Parameter(torch.zeros(size)).to(torch.float32)

    def forward(self, x):
        return x * self.weight + self.bias


norm = Norm(4)
norm.to("cuda")
print(norm(torch.ones(2, 4, device="cuda")).sum())
