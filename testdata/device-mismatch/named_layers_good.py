"""Layers that are run one by one, taken from a network with their names, on their device."""
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


def names_of(net):
    return {name: type(layer).__name__ for name, layer in net.named_modules()}


images = torch.rand(3, 2).cuda()
net = Features().cuda()
net(images)
for name, layer in net.layers.named_children():
    images = layer(images)
split = nn.ModuleDict({"first": nn.Linear(2, 2), "second": nn.Linear(2, 2)})
for index, (name, layer) in enumerate(split.named_children()):
    layer.to(f"cuda:{index}")
split._modules["first"](images)
split._modules["second"](images.to("cuda:1"))
print(names_of(net))
