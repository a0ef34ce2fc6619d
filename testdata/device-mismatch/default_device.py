# torch: 2.0
"""Layers on the default device, and a batch from before it or from NumPy."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x)


def in_a_block():
    with torch.device("cuda"):
        net = Net()
    batch = torch.ones(2, 4)
    print(net(batch))  # expect: device-mismatch


def for_good():
    torch.set_default_device("cuda")
    net = Net()
    batch = torch.from_numpy(np.ones((2, 4), dtype=np.float32))
    print(net(batch))  # expect: device-mismatch


def nested():
    with torch.device("cuda"):
        with torch.device("cpu"):
            batch = torch.ones(2, 4)
        net = Net()
    print(net(batch))  # expect: device-mismatch


in_a_block()
nested()
for_good()
