# A small diffusion model on one card and autoregressive sampling with top-k and nucleus filters on the other.
# runs
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

@dataclass
class DiffusionConfig:
    steps: int = 20
    hidden: int = 48
    lr: float = 5e-3
    device: torch.device = torch.device("cuda", 1)


class Denoiser(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.register_buffer("freqs", torch.exp(-math.log(100.0) * torch.arange(4) / 4), persistent=False)
        self.net = nn.Sequential(nn.Linear(2 + 8, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, 2))

    def forward(self, x, t):
        phase = t.float().unsqueeze(1) * self.freqs
        return self.net(torch.cat([x, phase.sin(), phase.cos()], dim=1))


class DDPM:
    def __init__(self, cfg):
        self.cfg = cfg
        beta = torch.linspace(1e-3, 0.25, cfg.steps, device=cfg.device)
        self.beta, self.alpha = beta, 1 - beta
        self.alpha_bar = torch.cumprod(self.alpha, dim=0)

    def noise(self, x0, t, eps):
        ab = self.alpha_bar[t].unsqueeze(1)
        return ab.sqrt() * x0 + (1 - ab).sqrt() * eps

    def loss(self, model, x0, generator):
        t = torch.randint(0, self.cfg.steps, (len(x0),), device=x0.device, generator=generator)
        eps = torch.randn(x0.shape, device=x0.device, generator=generator)
        return F.mse_loss(model(self.noise(x0, t, eps), t), eps)

    @torch.no_grad()
    def sample(self, model, n, seed):
        g = torch.Generator(self.cfg.device).manual_seed(seed)
        x = torch.randn(n, 2, device=self.cfg.device, generator=g)
        for i in reversed(range(self.cfg.steps)):
            t = torch.full((n,), i, device=x.device)
            mean = (x - self.beta[i] / (1 - self.alpha_bar[i]).sqrt() * model(x, t)) / self.alpha[i].sqrt()
            x = mean + (self.beta[i].sqrt() * torch.randn(x.shape, device=x.device, generator=g) if i else 0)
        return x


def filter_logits(logits, top_k=0, top_p=1.0):
    if top_k:
        kth = logits.topk(top_k, dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < kth, float("-inf"))
    if top_p < 1.0:
        ordered, order = logits.sort(dim=-1, descending=True)
        mass = ordered.softmax(-1).cumsum(-1)
        drop = mass - ordered.softmax(-1) >= top_p
        logits = logits.masked_fill(torch.zeros_like(drop).scatter(-1, order, drop), float("-inf"))
    return logits


@torch.inference_mode()
def generate(table, prompt, steps, generator, **filters):
    ids = prompt
    for _ in range(steps):
        probs = filter_logits(table[ids[:, -1]], **filters).softmax(-1)
        ids = torch.cat([ids, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return ids


def main():
    torch.manual_seed(0)
    cfg = DiffusionConfig()
    ddpm, model = DDPM(cfg), Denoiser(cfg).to(cfg.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    g = torch.Generator(device=cfg.device).manual_seed(0)
    centre, losses = torch.tensor([2.0, -1.0], device=cfg.device), []
    for _ in range(250):
        x0 = centre + 0.1 * torch.randn(128, 2, device=cfg.device, generator=g)
        loss = ddpm.loss(model, x0, g)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    early, late = sum(losses[:20]) / 20, sum(losses[-20:]) / 20
    assert late < 0.7 * early, (early, late)
    samples = ddpm.sample(model, 200, seed=5)
    assert samples.device == cfg.device and torch.equal(samples, ddpm.sample(model, 200, seed=5))
    assert (samples.mean(0) - centre).abs().max() < 0.6

    device = torch.device("cuda", 0)
    table = torch.randn(12, 12, device=device, generator=torch.Generator(device).manual_seed(3)) * 2
    prompt = torch.tensor([[0], [5], [9]], device=device)
    runs = [generate(table, prompt, 15, torch.Generator(device).manual_seed(8), top_k=3, top_p=0.9) for _ in range(2)]
    assert torch.equal(*runs) and runs[0].shape == (3, 16)
    best = table.topk(3, dim=-1).indices
    for row in runs[0]:
        for a, b in zip(row[:-1], row[1:]):
            assert (best[a] == b).any()
    print(f"diffusion {early:.3f} -> {late:.3f}", samples.mean(0).tolist())


if __name__ == "__main__":
    main()
