# The copies of the parameters are made where the model is.
import torch
from torch import nn


def build(width, depth):
    layers = [nn.Linear(4, width)]
    for i in range(depth):
        layers.append(nn.Linear(width, width))
        if i < depth - 1:
            layers.append(nn.GELU())
    return nn.Sequential(*layers)


model = build(8, depth=3).cuda()
shadow = {name: each.data.clone() for name, each in model.named_parameters()}
for name, each in model.named_parameters():
    shadow[name] = 0.9 * shadow[name] + 0.1 * each.data
model(torch.rand(2, 4).cuda())
