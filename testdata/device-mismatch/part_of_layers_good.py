# Which layers a part of the list has is known only at run time: each is moved to some device, and
# the input follows.
import sys

import torch
import torch.nn as nn


class Pipe(nn.Module):
    def __init__(self, layers, balance, devices):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.placement = []
        start = 0
        for count, device in zip(balance, devices):
            for layer in self.layers[start:start + count]:
                layer.to(device)
                self.placement.append(device)
            start += count

    def forward(self, x):
        for layer, device in zip(self.layers, self.placement):
            x = layer(x.to(device))
        return x


balance = [int(each) for each in (sys.argv[1:2] or ["1,2"])[0].split(",")]
devices = [torch.device("cuda", i) for i in range(len(balance))]
pipe = Pipe([nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)], balance, devices)
pipe(torch.zeros(2, 4))
