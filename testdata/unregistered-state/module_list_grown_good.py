# A list of modules that grows by += is the same list, and is registered.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = nn.ModuleList()
        layers += [nn.Linear(4, 4)]
        for _ in range(1, depth):
            layers += [nn.Linear(4, 4)]
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net(3).to("cuda:0")
print(net(torch.ones(2, 4, device="cuda:0")).sum().item())
