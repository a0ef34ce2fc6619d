# Blocks that skip their branch by chance, or never: which of them is not known.
import torch
import torch.nn as nn


class DropPath(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x * torch.empty(x.shape[0], 1, device=x.device).bernoulli_(1 - self.rate)


class Block(nn.Module):
    def __init__(self, width, drop_path):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.drop_path = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x):
        return x + self.drop_path(self.layer(x))


class Net(nn.Module):
    def __init__(self, depth=4, rate=0.1):
        super().__init__()
        rates = [x.item() for x in torch.linspace(0, rate, depth)]
        self.blocks = nn.ModuleList([Block(8, drop_path=rates[i]) for i in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


images = torch.rand(2, 8).cuda()
Net()(images)  # expect: device-mismatch
