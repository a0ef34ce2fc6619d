# The same, with inputs where the module is, and with names that are not known.
import sys

import torch
from torch import nn


def place(model, device):
    for module in model.modules():
        for name, parameter in list(module._parameters.items()):
            if parameter is not None:
                module._parameters[name] = nn.Parameter(parameter.detach().to(device))
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = buffer.to(device)
    return model


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(4))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x) * self.weight


model = place(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), "cuda")
model(torch.rand(2, 4).cuda())

own = Net().cuda()
own._modules["layer"] = nn.Linear(4, 4).cuda()
own(torch.rand(2, 4).cuda())

net = Net()
for name in sys.argv[1:]:
    net._parameters[name] = nn.Parameter(net._parameters[name].data.cuda())
if all(parameter.is_cuda for parameter in net.parameters()):
    net(torch.rand(2, 4).cuda())
