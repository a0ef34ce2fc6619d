# The loss that the wrapped module computes is printed as one number.
import torch
from torch import nn


class Distance(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, x, y):
        distance = (self.fc(x) - y).pow(2).mean()
        return distance, distance.sqrt()


model = nn.DataParallel(Distance(), device_ids=[0, 1]).cuda()
x, y = torch.rand(6, 8, device="cuda"), torch.rand(6, 2, device="cuda")
loss, root = model(x, y)
loss.sum().backward()
print(root.item())  # expect: data-parallel-loss
