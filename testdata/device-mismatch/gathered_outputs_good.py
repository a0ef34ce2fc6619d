# Replicas return what they computed where it is, or run on one device, without anything to gather.
import torch
from torch import nn


class Probabilities(nn.Module):
    def __init__(self, on_cpu):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.on_cpu = on_cpu

    def forward(self, x):
        scores = self.layer(x).softmax(-1)
        return scores.cpu() if self.on_cpu else scores


model = nn.DataParallel(Probabilities(on_cpu=False)).cuda()
model(torch.rand(8, 4).cuda()).cpu()
alone = nn.DataParallel(Probabilities(on_cpu=True), device_ids=[0]).cuda()
alone(torch.rand(8, 4).cuda())
