# a VAE with its own CUDA generators: reproducible noise per device, ELBO as on the CPU for given noise
# runs
import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=12, z=3):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, 16), nn.Tanh(), nn.Linear(16, d))

    def forward(self, x, eps=None, generator=None):
        mu, logvar = self.enc(x).chunk(2, -1)
        if eps is None:
            eps = torch.randn(mu.shape, device=mu.device, generator=generator)
        z = mu + eps * (0.5 * logvar).exp()
        rec = F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="sum") / x.size(0)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
        return rec + kl


torch.manual_seed(0)
model = VAE()
x, eps = torch.rand(9, 12), torch.randn(9, 3)
want = model(x, eps)
want.backward()
wgrads = [p.grad.clone() for p in model.parameters()]
values = {}
for i in (0, 1):
    dev = torch.device("cuda", i)
    model.zero_grad(set_to_none=True)
    model.to(dev)
    loss = model(x.to(dev), eps.to(dev))
    loss.backward()
    assert loss.device == dev and abs(loss.item() - want.item()) < 1e-3
    for p, g in zip(model.parameters(), wgrads):
        assert p.grad.device == dev and torch.allclose(p.grad.cpu(), g, atol=1e-3, rtol=1e-3)
    gen = torch.Generator(device=dev).manual_seed(77)
    assert gen.device == dev and gen.initial_seed() == 77
    global_before = torch.cuda.get_rng_state(i)
    state = gen.get_state()
    a = model(x.to(dev), generator=gen).item()
    b = model(x.to(dev), generator=gen).item()
    gen.set_state(state)
    c = model(x.to(dev), generator=gen).item()
    assert a != b and abs(a - c) < 1e-4
    assert torch.equal(torch.cuda.get_rng_state(i), global_before)  # only our generator moved
    values[i] = a
assert abs(values[0] - values[1]) < 1e-3  # the same seed gives the same noise on both GPUs
