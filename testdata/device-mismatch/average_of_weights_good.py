# The average of the weights is begun where the model trains, or moved there.
import copy

import torch
from torch import nn


class Average:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            if name in self.shadow:
                self.shadow[name] = self.decay * self.shadow[name] + (1 - self.decay) * p.detach()

    def to(self, device):
        self.shadow = {name: value.to(device) for name, value in self.shadow.items()}


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
early = Average(model, 0.9)
model.cuda()
early.to("cuda")
average = Average(model, 0.9)
model(torch.rand(2, 4).cuda()).sum().backward()
average.update(model)
early.update(model)
mean = copy.deepcopy(model)
for kept, new in zip(mean.state_dict().values(), model.state_dict().values()):
    kept.mul_(0.9).add_(new, alpha=0.1)
for (name, kept), (_, new) in zip(mean.named_parameters(), model.named_parameters()):
    kept.data.mul_(0.9).add_(new.data, alpha=0.1)
