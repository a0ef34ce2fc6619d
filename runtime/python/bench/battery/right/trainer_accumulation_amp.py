# a Trainer with a configuration: gradient accumulation, autocast, GradScaler and clipping
# runs
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    lr: float = 0.05
    accumulate: int = 4
    clip: float = 1.0
    amp: bool = True
    device: str = "cuda:1"


class Trainer:
    def __init__(self, model, cfg):
        self.cfg, self.device = cfg, torch.device(cfg.device)
        self.model = model.to(self.device)
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cuda", init_scale=1024.0, growth_interval=2, enabled=cfg.amp)
        self.micro = self.updates = 0

    def step(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        with torch.autocast("cuda", dtype=torch.float16, enabled=self.cfg.amp):
            out = self.model(x)
            loss = F.mse_loss(out.float(), y) / self.cfg.accumulate
        assert out.dtype == (torch.float16 if self.cfg.amp else torch.float32)
        self.scaler.scale(loss).backward()
        self.micro += 1
        if self.micro % self.cfg.accumulate == 0:
            self.scaler.unscale_(self.opt)
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            assert torch.isfinite(norm) and norm.device == self.device
            self.scaler.step(self.opt)
            self.scaler.update()
            self.opt.zero_grad(set_to_none=True)
            self.updates += 1
        return loss.item() * self.cfg.accumulate


def build():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))


g = torch.Generator().manual_seed(1)
data = [(x, x.mean(1, keepdim=True)) for x in (torch.randn(4, 8, generator=g) for _ in range(16))]
t = Trainer(build(), Config())
for x, y in data:
    t.step(x, y)
assert t.updates == 4 and t.scaler.get_scale() == 4096.0, t.scaler.get_scale()
assert all(p.dtype == torch.float32 and p.device.index == 1 for p in t.model.parameters())

ref = build()
opt = torch.optim.SGD(ref.parameters(), lr=0.05)
for i in range(0, 16, 4):
    x, y = torch.cat([d[0] for d in data[i : i + 4]]), torch.cat([d[1] for d in data[i : i + 4]])
    opt.zero_grad()
    F.mse_loss(ref(x), y).backward()
    nn.utils.clip_grad_norm_(ref.parameters(), 1.0)
    opt.step()
for p, q in zip(t.model.parameters(), ref.parameters()):
    assert torch.allclose(p.detach().cpu(), q, atol=5e-3)
