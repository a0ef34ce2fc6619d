# The forward of a replica counts, and the replica is thrown away.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.seen = 0

    def forward(self, x):
        self.seen += x.size(0)  # expect: data-parallel-lost-state
        return self.fc(x)


net = nn.DataParallel(Net()).cuda()
for _ in range(3):
    net(torch.randn(8, 4).cuda())
print(net.module.seen)
