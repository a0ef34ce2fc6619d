# Gradient norms of a model split over two GPUs are clipped together, with groups, accumulation and a schedule.
# runs
import copy

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


class Split(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.lower = nn.Sequential(nn.Linear(6, 12), nn.Tanh())
        self.upper = nn.Sequential(nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 2))
        self.place(first, second)

    def place(self, first, second):
        self.first, self.second = first, second
        self.lower.to(first)
        self.upper.to(second)
        return self

    def forward(self, x):
        return self.upper(self.lower(x.to(self.first)).to(self.second))


def train(model, batches, foreach):
    optimizer = torch.optim.SGD([
        {"params": model.lower.parameters(), "lr": 0.1},
        {"params": model.upper.parameters(), "weight_decay": 0.01},
    ], lr=0.3, momentum=0.8)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + step))
    norms = []
    for i, (x, y) in enumerate(batches, 1):
        loss = nn.functional.mse_loss(model(x), y.to(model.second)) / 2
        loss.backward()
        if i % 2 == 0:
            norm = clip_grad_norm_(model.parameters(), 0.05, foreach=foreach)
            norms.append(norm.item())
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
    return norms, norm.device


torch.manual_seed(39)
cpu = Split("cpu", "cpu").double()
gpus = [copy.deepcopy(cpu).place("cuda:0", "cuda:1") for _ in range(2)]
batches = [(torch.randn(8, 6, dtype=torch.float64), torch.randn(8, 2, dtype=torch.float64)) for _ in range(8)]
expected, _ = train(cpu, batches, None)
assert max(expected) > 0.05
for gpu, foreach in zip(gpus, (None, False)):
    norms, device = train(gpu, batches, foreach)
    assert device == torch.device("cuda:0")
    assert all(abs(a - b) < 1e-8 for a, b in zip(norms, expected))
    for p, q in zip(gpu.parameters(), cpu.parameters()):
        assert torch.allclose(p.detach().cpu(), q.detach(), atol=1e-8)
    assert {p.get_device() for p in gpu.upper.parameters()} == {1}

gpus[0](batches[0][0]).sum().backward()
clip_grad_value_(gpus[0].parameters(), 0.01)
assert all(p.grad.abs().max().item() <= 0.01 and p.grad.device == p.device for p in gpus[0].parameters())
