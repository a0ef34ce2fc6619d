"""Layers that are run one by one, taken from a network with their names."""
import torch
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))
        self.wanted = ["0", "2"]

    def forward(self, x):
        found = []
        for name, layer in self.layers._modules.items():
            x = layer(x)
            if name in self.wanted:
                found.append(x)
        return found


def by_named_children(net, x):
    for name, layer in net.named_children():
        x = layer(x)  # expect: device-mismatch
        print(name)


def by_named_modules(net, x):
    for _, layer in net.named_modules():
        if isinstance(layer, nn.Linear):
            layer(x)  # expect: device-mismatch


images = torch.rand(3, 2)
Features()(images.cuda())  # expect: device-mismatch
by_named_children(nn.Sequential(nn.Linear(2, 2), nn.ReLU()).cuda(), images)
by_named_modules(nn.Sequential(nn.Linear(2, 2), nn.ReLU()).cuda(), images)
