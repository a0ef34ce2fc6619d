# The grid is kept for each size and device: of another device it is made anew.
import torch
import torch.nn as nn


class Grids:
    def __init__(self):
        self.kept = {}

    def get(self, size, device):
        key = (size, str(device))
        if key not in self.kept:
            self.kept[key] = torch.arange(size, device=device).float()
        return self.kept[key]


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.grids = Grids()

    def forward(self, x):
        return self.layer(x) + self.grids.get(x.shape[-1], x.device)


head = Head()
for where in (torch.device("cuda:1"), torch.device("cpu")):
    print(head.to(where)(torch.randn(2, 4, device=where)).sum())
