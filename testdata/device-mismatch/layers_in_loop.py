# The layers are of several kinds and their number is not known: the network is on the GPU as a
# whole.
import sys

import torch
from torch import nn


def make_layers(sizes):
    layers = []
    width = 4
    for size in sizes:
        if size == "N":
            layers += [nn.LayerNorm(width)]
        else:
            layers += [nn.Linear(width, size), nn.ReLU()]
            width = size
    return nn.Sequential(*layers)


class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = [nn.Linear(4, 4)]
        for _ in range(depth):
            layers.append(nn.Linear(4, 4))
            layers.append(nn.BatchNorm1d(4))
        self.body = nn.Sequential(*layers)
        self.head = make_layers([8, "N", 2])

    def forward(self, x):
        return self.head(self.body(x))


net = Deep(len(sys.argv)).cuda()
target = torch.rand(3, 2)
output = net(torch.rand(3, 4).cuda())
print((output - target).pow(2).mean())  # expect: device-mismatch
