# A parameter is moved before it becomes a member: what has moved is no parameter.
import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.first = nn.Parameter(torch.zeros(1, 1, 8)).to(device)  # expect: non-leaf-parameter
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(torch.cat([self.first.expand(len(x), -1, -1), x], 1))


device = torch.device("cuda:0")
model = Tokens(device).to(device)
print(model(torch.rand(2, 3, 8, device=device)).shape, len(list(model.parameters())))
