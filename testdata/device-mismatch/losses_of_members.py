# The losses of an ensemble's members are added where the first of them is.
import torch
from torch import nn


class Ensemble:
    def __init__(self):
        self.devices = [torch.device("cuda", i) for i in range(torch.cuda.device_count())]
        self.members = [nn.Linear(4, 2).to(device) for device in self.devices]

    def loss_of(self, index, x):
        return self.members[index](x.to(self.devices[index])).pow(2).sum()

    def step(self, x):
        total = torch.zeros((), device=self.devices[0])
        for index in range(len(self.members)):
            total = total + self.loss_of(index, x)  # expect: device-mismatch
        total.backward()


Ensemble().step(torch.rand(8, 4))
