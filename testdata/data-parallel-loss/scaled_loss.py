# The losses of the replicas are scaled, and not reduced.
import torch
from torch import nn


class Scored(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x, y=None):
        logits = self.fc(x)
        if y is None:
            return logits
        return nn.functional.cross_entropy(logits, y)


steps = 2
model = nn.DataParallel(Scored().cuda())
for _ in range(steps):
    x, y = torch.rand(16, 8).cuda(), torch.randint(3, (16,)).cuda()
    loss = model(x, y)
    loss = 0.5 * loss / steps
    loss.backward()  # expect: data-parallel-loss
