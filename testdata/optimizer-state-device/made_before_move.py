# Adagrad makes its state with the optimizer, not at the first step.
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
model.cuda()
model(torch.randn(4, 8).cuda()).sum().backward()
optimizer.step()  # expect: optimizer-state-device
