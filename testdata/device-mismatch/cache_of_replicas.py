# The replicas share a table of masks, whose keys say nothing of the device.
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(8, 8)
        self.masks = {}

    def mask(self, length, device):
        if length not in self.masks:
            self.masks[length] = torch.ones(length, length, device=device).tril()
        return self.masks[length]

    def forward(self, x):
        scores = self.query(x) @ x.transpose(1, 2)
        return scores * self.mask(x.size(1), x.device)  # expect: device-mismatch


model = nn.DataParallel(Block().cuda())
for _ in range(3):
    model(torch.rand(8, 4, 8).cuda())
