# A buffer is replicated with the module.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)
        self.register_buffer("mask", torch.ones(8))

    def forward(self, x):
        return self.fc(x) * self.mask


net = nn.DataParallel(Net().cuda())
for (batch,) in DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4):
    net(batch).sum().backward()
