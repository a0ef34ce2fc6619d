# The average of the weights is begun before the model is moved, and stays on the CPU.
import copy

import torch
from torch import nn


class Average:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p.detach()  # expect: device-mismatch


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
average = Average(model, 0.9)
model.cuda()
model(torch.rand(2, 4).cuda()).sum().backward()
try:
    average.update(model)
except RuntimeError as error:
    print(error)
mean = copy.deepcopy(model).cpu()
for kept, new in zip(mean.state_dict().values(), model.state_dict().values()):
    kept.mul_(0.9).add_(new, alpha=0.1)  # expect: device-mismatch
