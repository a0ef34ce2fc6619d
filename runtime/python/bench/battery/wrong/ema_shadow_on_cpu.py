# the EMA copy is made before the model moves to the GPU
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import copy

import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.shadow = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)  # raises


model = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 8))
ema = EMA(model)
model.to("cuda:0")
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(3):
    x = torch.randn(4, 8, device="cuda:0")
    opt.zero_grad()
    (model(x) - x).pow(2).mean().backward()
    opt.step()
    ema.update(model)  # raises
