# Modules, and classes with a to() of their own, are moved in place.
import torch
from torch import nn


class Batch:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def to(self, device):
        self.x = self.x.to(device)
        self.y = self.y.to(device)
        return self


device = torch.device("cuda")
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
net.to(device)
net.cuda()
for layer in net:
    layer.to(device)
batch = Batch(torch.randn(2, 4), torch.randn(2, 2))
batch.to(device)
nn.MSELoss()(net(batch.x), batch.y).backward()
