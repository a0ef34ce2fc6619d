# The first replica shares its buffers with the module, so that what is added in place is there.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.register_buffer("steps", torch.zeros(1, dtype=torch.long))

    def forward(self, x):
        if self.training:
            self.steps += 1
        return self.fc(x)


net = nn.DataParallel(Net().cuda())
for _ in range(3):
    net(torch.randn(8, 4).cuda())
print(net.module.steps.item())
