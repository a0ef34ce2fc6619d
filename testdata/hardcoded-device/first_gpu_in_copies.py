# The forward makes a tensor on the first GPU, and its copies run on others.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)

    def forward(self, x):
        noise = torch.randn(x.size(0), 8, device="cuda:0")
        return self.fc(x) + noise  # expect: hardcoded-device


net = nn.DataParallel(Net()).cuda()
net(torch.randn(8, 6)).sum().backward()
