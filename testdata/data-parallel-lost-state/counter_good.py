# The caller counts.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.seen = 0

    def forward(self, x):
        return self.fc(x)


net = nn.DataParallel(Net()).cuda()
for _ in range(3):
    x = torch.randn(8, 4).cuda()
    net.module.seen += x.size(0)
    net(x)
print(net.module.seen)
