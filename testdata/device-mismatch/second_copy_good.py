# What the copies of a module may do, and what one copy alone may do.
import torch
from torch import nn

device = torch.device("cuda:0")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)
        self.register_buffer("offset", torch.ones(8))
        self.steps = {}

    def forward(self, x, extra=None, parts=()):
        if x.device not in self.steps:
            self.steps[x.device] = torch.ones(8, device=x.device)
        noise = torch.randn(x.size(0), 8).cuda() + torch.rand(8, device="cuda")
        noise = noise + torch.zeros(8, device=self.fc.weight.device)
        h = self.fc(x) + self.offset + noise
        for part in parts:
            h = h + self.fc(part)
        return h if extra is None else h + self.fc(extra["x"])


class OneDevice(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 8)

    def forward(self, x):
        return self.fc(x) + torch.ones(8, device="cuda:0")


net = nn.DataParallel(Net().to(device))
for _ in range(2):
    batch = torch.randn(8, 6)
    net(batch)
    net(batch, extra={"x": torch.randn(8, 6)}, parts=[torch.randn(8, 6), torch.randn(8, 6)])
alone = nn.DataParallel(OneDevice().to(device), device_ids=[0])
alone(torch.randn(8, 6))
if torch.cuda.device_count() <= 1:
    few = nn.DataParallel(OneDevice().to(device))
    few(torch.randn(8, 6))
