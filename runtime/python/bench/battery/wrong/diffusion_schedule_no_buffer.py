# the noise schedule is a plain attribute and stays on the CPU, the time steps are on the GPU
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
import torch
import torch.nn as nn


class DDPM(nn.Module):
    def __init__(self, steps=100):
        super().__init__()
        self.steps = steps
        beta = torch.linspace(1e-4, 0.02, steps)
        self.alpha_bar = torch.cumprod(1 - beta, 0)
        self.net = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 2))

    def add_noise(self, x, t, eps):
        a = self.alpha_bar[t][:, None]  # raises
        return a.sqrt() * x + (1 - a).sqrt() * eps

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.size(0),), device=x.device)
        eps = torch.randn_like(x)
        xt = self.add_noise(x, t, eps)  # raises
        pred = self.net(torch.cat([xt, t[:, None] / self.steps], 1))
        return (pred - eps).pow(2).mean()


model = DDPM().to("cuda:1")
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss = model(torch.randn(16, 2, device="cuda:1"))  # raises
loss.backward()
opt.step()
