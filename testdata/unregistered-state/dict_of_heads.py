# The heads are in a dict.
import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
        self.heads = {name: nn.Linear(8, size) for name, size in tasks.items()}  # expect: unregistered-state

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h) for name, head in self.heads.items()}


model = MultiTask({"age": 1, "sex": 2}).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
outputs = model(torch.randn(3, 6).cuda())
sum(output.sum() for output in outputs.values()).backward()
optimizer.step()
