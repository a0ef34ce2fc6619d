# MoCo: momentum encoder and a memory bank as a buffer that wraps around, InfoNCE as on the CPU
# runs
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class MoCo(nn.Module):
    def __init__(self, dim=8, K=24, m=0.9, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.q = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, dim))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def momentum(self):
        torch._foreach_mul_(list(self.k.parameters()), self.m)
        torch._foreach_add_(list(self.k.parameters()), list(self.q.parameters()), alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        idx = (self.ptr + torch.arange(keys.size(0), device=keys.device)) % self.K
        self.queue[:, idx] = keys.T
        self.ptr[0] = (self.ptr[0] + keys.size(0)) % self.K

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            self.momentum()
            k = F.normalize(self.k(b), dim=1)
        pos = torch.einsum("nc,nc->n", q, k)[:, None]
        neg = torch.einsum("nc,ck->nk", q, self.queue.clone())
        logits = torch.cat([pos, neg], 1) / self.T
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(a.size(0), dtype=torch.long, device=a.device))


def run(dev):
    torch.manual_seed(0)
    model = MoCo().to(dev)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        x = torch.randn(10, 10)
        loss = model((x + 0.1 * torch.randn(10, 10)).to(dev), x.to(dev))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return model, losses


gpu, losses = run("cuda:0")
cpu, rlosses = run("cpu")
assert all(abs(a - b) < 2e-3 for a, b in zip(losses, rlosses)), (losses, rlosses)
assert gpu.ptr.item() == cpu.ptr.item() == 50 % 24
assert gpu.queue.device == torch.device("cuda:0")
assert torch.allclose(gpu.queue.cpu(), cpu.queue, atol=2e-3)
assert torch.allclose(gpu.queue.norm(dim=0).cpu(), torch.ones(24), atol=1e-3)
for p, q in zip(gpu.k.parameters(), cpu.k.parameters()):
    assert torch.allclose(p.cpu(), q, atol=2e-3)
