# A module's own tables are written: it is moved so.
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


model = place(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), "cuda")
model(torch.rand(2, 4))  # expect: device-mismatch
