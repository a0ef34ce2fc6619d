# The layers of a sequence are made in a loop, as many as the program is told to make.
import os

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        y = self.inner(x)
        mask = torch.ones(y.shape[0], 8, device=y.device)
        return y * mask


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.Sequential(nn.Linear(4, 8), *[Block(8) for _ in range(depth)], nn.ReLU())

    def forward(self, x):
        return self.blocks(x)


net = Net(int(os.environ.get("DEPTH", "2"))).cuda()
net(torch.rand(2, 4).cuda())
