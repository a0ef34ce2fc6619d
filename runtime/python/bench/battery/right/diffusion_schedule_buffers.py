# a small diffusion model whose noise schedule lives in buffers; training loss and DDIM sampling as on the CPU
# runs
import torch
import torch.nn as nn


class Diffusion(nn.Module):
    def __init__(self, steps=50):
        super().__init__()
        self.steps = steps
        beta = torch.linspace(1e-3, 0.1, steps)
        self.register_buffer("beta", beta)
        self.register_buffer("abar", torch.cumprod(1 - beta, 0))
        self.register_buffer("freq", torch.exp(torch.arange(4) * -1.0), persistent=False)
        self.net = nn.Sequential(nn.Linear(2 + 8, 32), nn.SiLU(), nn.Linear(32, 2))

    def eps(self, x, t):
        ang = t[:, None].float() * self.freq
        return self.net(torch.cat([x, ang.sin(), ang.cos()], 1))

    def loss(self, x0, t, noise):
        a = self.abar[t][:, None]
        xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
        return (self.eps(xt, t) - noise).pow(2).mean()

    @torch.no_grad()
    def sample(self, x):
        for i in range(self.steps - 1, -1, -5):
            t = torch.full((x.size(0),), i, device=x.device, dtype=torch.long)
            e = self.eps(x, t)
            a = self.abar[i]
            x0 = ((x - (1 - a).sqrt() * e) / a.sqrt()).clamp(-3, 3)
            prev = self.abar[i - 5] if i >= 5 else torch.ones_like(a)
            x = prev.sqrt() * x0 + (1 - prev).sqrt() * e
        return x


def run(dev):
    torch.manual_seed(0)
    model = Diffusion().to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    g = torch.Generator().manual_seed(1)
    losses = []
    for _ in range(5):
        x0, noise = torch.randn(32, 2, generator=g), torch.randn(32, 2, generator=g)
        t = torch.randint(0, model.steps, (32,), generator=g)
        loss = model.loss(x0.to(dev), t.to(dev), noise.to(dev))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return model, losses, model.sample(torch.randn(6, 2, generator=g).to(dev))


model, losses, out = run("cuda:1")
_, rlosses, rout = run("cpu")
assert model.beta.device == model.freq.device == torch.device("cuda:1")
assert "freq" not in model.state_dict() and "abar" in model.state_dict()
assert all(abs(a - b) < 1e-3 for a, b in zip(losses, rlosses))
assert torch.allclose(out.cpu(), rout, atol=1e-2)
