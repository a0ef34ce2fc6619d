# A sum that begins with a tensor without dimensions on the CPU.
import torch
from torch import nn


def penalty(model):
    total = torch.zeros(())
    for parameter in model.parameters():
        total = total + parameter.abs().sum()
    return total


model = nn.Linear(4, 1).to("cuda:0")
x = torch.rand(3, 4, device="cuda:0")
loss = model(x).mean() + 0.01 * penalty(model)
loss.backward()
