# They are reduced before they are scaled, or behind it.
import torch
from torch import nn


class Scored(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x, y):
        return nn.functional.cross_entropy(self.fc(x), y)


steps = 2
model = nn.DataParallel(Scored().cuda())
for step in range(steps):
    x, y = torch.rand(16, 8).cuda(), torch.randint(3, (16,)).cuda()
    loss = model(x, y)
    if step == 0:
        loss = loss.mean() / steps
    else:
        loss = (loss / steps).sum()
    loss.backward()
    print((model(x, y) * 2).tolist())
