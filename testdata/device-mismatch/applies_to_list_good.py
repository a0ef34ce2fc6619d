# A module that moves what it keeps in a list, by _apply().
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.extra = [nn.Linear(4, 4), nn.Linear(4, 4)]

    def _apply(self, fn):
        super()._apply(fn)
        for layer in self.extra:
            layer._apply(fn)
        return self

    def parameters(self, recurse=True):
        yield from super().parameters(recurse)
        for layer in self.extra:
            yield from layer.parameters()

    def forward(self, x):
        x = self.first(x)
        for layer in self.extra:
            x = layer(x)
        return x


net = Net().to("cuda")
print(net(torch.rand(2, 4).to("cuda")).sum().item())
