# The tensor of the host is replaced where its shape differs, as it does at the first call.
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.grids = [torch.zeros(1)] * 2

    def forward(self, inputs):
        outputs = []
        for k, x in enumerate(inputs):
            y = self.layer(x)
            grid = self.grids[k]
            if grid.shape[2:4] != y.shape[2:4]:
                grid = torch.ones_like(y)
                self.grids[k] = grid
            outputs.append(y + grid)
        return outputs


head = Head().cuda()
head([torch.rand(2, 3, 5, 4).cuda(), torch.rand(2, 3, 6, 4).cuda()])
