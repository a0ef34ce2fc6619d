# A buffer is copied with the module.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)
        self.register_buffer("mask", torch.ones(8))

    def forward(self, x):
        return self.fc(x) * self.mask


net = nn.DataParallel(Net().cuda())
for _ in range(2):
    net(torch.randn(8, 6)).sum().backward()
