# The batches are drawn by their indices: each has several examples, and the replicas divide them.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)

    def forward(self, x):
        noise = torch.randn(x.size(0), 8, device="cuda:0")
        return self.fc(x) + noise  # expect: hardcoded-device


data = torch.randn(64, 6)
net = nn.DataParallel(Net()).cuda()
for index in torch.randperm(len(data)).split(16):
    net(data[index].cuda()).sum().backward()
