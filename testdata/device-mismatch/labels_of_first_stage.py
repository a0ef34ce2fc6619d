# The labels go to the device of the first parameter, the outputs come from that of the last.
import torch
from torch import nn


class TwoStages(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).to("cuda:0")
        self.second = nn.Linear(8, 2).to("cuda:1")

    def forward(self, x):
        return self.second(self.first(x).to("cuda:1"))


def device_of(module):
    return next(module.parameters()).device


model = TwoStages()
x = torch.rand(6, 4).to(device_of(model))
labels = torch.zeros(6, dtype=torch.long).to(device_of(model))
loss = nn.functional.cross_entropy(model(x), labels)  # expect: device-mismatch
