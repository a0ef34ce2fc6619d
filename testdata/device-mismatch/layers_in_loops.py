# A network whose layers a loop adds is known as a whole: each of its parameters.
import torch
from torch import nn


def build(width, depth):
    layers = [nn.Linear(4, width), nn.GELU()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.GELU()]
    layers.append(nn.Linear(width, 2))
    return nn.Sequential(*layers)


class Average:
    def __init__(self, model):
        self.model = model
        self.shadow = {name: each.data.clone() for name, each in model.named_parameters()}

    def update(self):
        for name, each in self.model.named_parameters():
            self.shadow[name] = 0.9 * self.shadow[name] + 0.1 * each.data  # expect: device-mismatch


model = build(8, depth=3)
average = Average(model)
model.cuda()
model(torch.rand(2, 4).cuda()).sum().backward()
average.update()
