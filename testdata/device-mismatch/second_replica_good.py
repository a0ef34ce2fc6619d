# What the replicas of a module may do, and what one replica alone may do.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

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
loader = DataLoader(TensorDataset(torch.randn(8, 6)), batch_size=4)
for (batch,) in loader:
    net(batch)
    net(batch, extra={"x": torch.randn(4, 6)}, parts=[torch.randn(4, 6), torch.randn(4, 6)])
alone = nn.DataParallel(OneDevice().to(device), device_ids=[0])
for (batch,) in loader:
    alone(batch)
if torch.cuda.device_count() <= 1:
    few = nn.DataParallel(OneDevice().to(device))
    for (batch,) in loader:
        few(batch)
# One example is for one device.
single = nn.DataParallel(OneDevice().to(device))
for (batch,) in loader:
    single(batch[0].unsqueeze(0))
for (example,) in DataLoader(TensorDataset(torch.randn(2, 6))):
    single(example)
