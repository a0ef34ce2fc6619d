# A replica's forward returns a tensor on the CPU: only tensors on GPUs are gathered.
import torch
from torch import nn


class Points(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        heat = self.layer(x)
        return heat, heat.detach().argmax(-1).cpu()


class Probabilities(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x).softmax(-1).cpu()


def several_outputs():
    model = nn.DataParallel(Points()).cuda()
    heat, points = model(torch.rand(8, 4).cuda())  # expect: device-mismatch
    return heat, points


def one_output():
    model = nn.DataParallel(Probabilities(), device_ids=[0, 1]).cuda()
    return model(torch.rand(8, 4).cuda())  # expect: device-mismatch


try:
    several_outputs()
    raise RuntimeError("several outputs were gathered")
except AssertionError as error:
    print(error)
one_output()
