# The parameters of a model on two GPUs, and their gradients, are on two GPUs.
import torch
import torch.nn as nn


class Pipe(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4).to("cuda:0")
        self.second = nn.Linear(4, 1, bias=False).to("cuda:1")

    def forward(self, x):
        return self.second(self.first(x).to("cuda:1"))


def gradient_norm(parameters):
    norms = [torch.norm(p.grad.detach(), 2.0) for p in parameters if p.grad is not None]
    return torch.norm(torch.stack(norms), 2.0)  # expect: device-mismatch


model = Pipe()
model(torch.rand(2, 4, device="cuda:0")).sum().backward()
gradient_norm(list(model.parameters()))
