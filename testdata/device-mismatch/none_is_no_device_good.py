# A copy of a model that follows it: at first its device is None, which is that of no model.
import copy

import torch
from torch import nn


class Average:
    def __init__(self, model):
        self.module = copy.deepcopy(model)
        self.device = None

    def update(self, model):
        device = next(model.parameters()).device
        if device != self.device:
            self.module.to(device)
            self.device = device
        for mine, other in zip(self.module.parameters(), model.parameters()):
            mine.data.mul_(0.9).add_(other.data, alpha=0.1)


model = nn.Linear(4, 2)
average = Average(model)
model.to("cuda:1")
for _ in range(3):
    average.update(model)
print(average.module(torch.rand(2, 4, device="cuda:1")).sum().item())
