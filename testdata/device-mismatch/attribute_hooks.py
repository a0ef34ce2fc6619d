# __setattr__ puts every tensor that is assigned on the CPU.
import torch
from torch import nn


class HostState(nn.Module):
    def __setattr__(self, name, value):
        if isinstance(value, torch.Tensor):
            value = value.cpu()
        super().__setattr__(name, value)


class Normalizer(HostState):
    def calibrate(self, x):
        self.mean = x.mean(0)

    def forward(self, x):
        return x - self.mean  # expect: device-mismatch


x = torch.ones(3, 2).cuda()
normalizer = Normalizer()
normalizer.calibrate(x)
normalizer(x)
