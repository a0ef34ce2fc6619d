# The network that is trained is a copy of the one that the optimizer was made for.
import copy

import torch
from torch import nn


class Trainer:
    def __init__(self, network):
        self.pristine = network
        self.network = network
        self.optimizer = torch.optim.SGD(network.parameters(), lr=0.1)  # expect: stale-optimizer

    def put_on(self, device):
        self.network = copy.deepcopy(self.pristine).to(device)
        return self

    def step(self, x):
        self.optimizer.zero_grad()
        self.network(x).sum().backward()
        self.optimizer.step()


trainer = Trainer(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))).put_on("cuda:1")
for _ in range(3):
    trainer.step(torch.rand(16, 4, device="cuda:1"))
