# torch: 2.0
"""What is made without a device is on the default device, but not what is made like another tensor."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x)


def in_a_block(device):
    on_host = torch.ones(2, 4)
    with device:
        net = Net()
        head = nn.Linear(4, 2)
        x = torch.ones(2, 4)
        zeros = torch.zeros_like(on_host)
    print(head(net(x)).sum(), on_host + zeros + torch.ones(4))


def for_good():
    torch.set_default_device("cuda")
    net = Net()
    print(net(torch.randn(2, 4)))
    torch.set_default_device(None)
    print(torch.from_numpy(np.ones(4)) + torch.ones(4))


def nested():
    with torch.device("cpu"):
        with torch.device("cuda"):
            batch = torch.ones(2, 4)
            net = Net()
        on_host = torch.ones(2, 4)
    print(net(batch), on_host + torch.ones(4))


in_a_block(torch.device("cuda"))
nested()
for_good()
