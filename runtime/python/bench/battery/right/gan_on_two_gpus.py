# A GAN with its generator on one GPU and its discriminator on the other; gradients cross between them.
# runs
import copy

import torch
import torch.nn.functional as F
from torch import nn


class GAN:
    def __init__(self, generator, discriminator, g_device, d_device):
        self.g = generator.to(g_device)
        self.d = discriminator.to(d_device)
        self.g_device, self.d_device = g_device, d_device
        self.g_opt = torch.optim.Adam(self.g.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.d.parameters(), lr=2e-3, betas=(0.5, 0.9))

    def score(self, x):
        return self.d(x.to(self.d_device)).squeeze(1)

    def step(self, real, noise):
        fake = self.g(noise.to(self.g_device))
        self.d_opt.zero_grad()
        d_loss = F.softplus(-self.score(real)).mean() + F.softplus(self.score(fake.detach())).mean()
        d_loss.backward()
        self.d_opt.step()
        self.g_opt.zero_grad()
        self.d.requires_grad_(False)
        g_loss = F.softplus(-self.score(fake)).mean()
        g_loss.backward()
        self.d.requires_grad_(True)
        self.g_opt.step()
        return d_loss.item(), g_loss.item()


torch.manual_seed(33)
generator = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2)).double()
discriminator = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(2, 8)), nn.LeakyReLU(0.2),
                              nn.Linear(8, 1)).double()
cpu = GAN(copy.deepcopy(generator), copy.deepcopy(discriminator), "cpu", "cpu")
gpu = GAN(generator, discriminator, "cuda:0", "cuda:1")
for _ in range(5):
    real, noise = torch.randn(16, 2, dtype=torch.float64) + 3, torch.randn(16, 2, dtype=torch.float64)
    a, b = cpu.step(real, noise), gpu.step(real, noise)
    assert abs(a[0] - b[0]) < 1e-7 and abs(a[1] - b[1]) < 1e-7
assert {p.device for p in gpu.g.parameters()} == {torch.device("cuda:0")}
assert {p.device for p in gpu.d.parameters()} == {torch.device("cuda:1")}
for p, q in zip(gpu.g.parameters(), cpu.g.parameters()):
    assert p.grad.device == torch.device("cuda:0")
    assert torch.allclose(p.detach().cpu(), q.detach(), atol=1e-7)
