# One example is not divided: only the first replica runs.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)

    def forward(self, x):
        noise = torch.randn(x.size(0), 8, device="cuda:0")
        return self.fc(x) + noise


data = torch.randn(64, 6)
order = torch.randperm(len(data))
net = nn.DataParallel(Net()).cuda()
for i in range(0, len(data)):
    net(data[order[i:i + 1]].cuda()).sum().backward()
