# A module that moves its other members itself.
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        angles = torch.rand(length, width)
        self.cosine, self.sine = angles.cos(), angles.sin()

    def _apply(self, function):
        super()._apply(function)
        self.cosine, self.sine = function(self.cosine), function(self.sine)
        return self

    def forward(self, x):
        return x * self.cosine[: x.size(0)] - x * self.sine[: x.size(0)]


model = nn.Sequential(nn.Linear(4, 4), Rotary(8, 4)).to("cuda:0")
print(model(torch.rand(3, 4, device="cuda:0")).shape)
