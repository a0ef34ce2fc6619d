# What the network gives at each scale is kept under tuples.
import torch
import torch.nn as nn


class Pyramid(nn.Module):
    def __init__(self, scales):
        super().__init__()
        self.scales = scales
        self.heads = nn.ModuleList([nn.Linear(4, 2) for _ in scales])

    def forward(self, x):
        outputs = {}
        for scale in self.scales:
            outputs[("flow", scale)] = self.heads[scale](x)
        return outputs


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda")
        self.model = Pyramid([0, 1, 2, 3]).to(self.device)

    def targets(self):
        targets = {}
        for scale in self.model.scales:
            targets[("flow", scale)] = torch.randn(3, 2)
        return targets

    def loss(self, outputs, targets):
        total = 0
        for scale in self.model.scales:
            difference = outputs[("flow", scale)] - targets[("flow", scale)]  # expect: device-mismatch
            total = total + difference.abs().mean()
        return total

    def train(self):
        outputs = self.model(torch.randn(3, 4, device=self.device))
        self.loss(outputs, self.targets()).backward()


Trainer().train()
