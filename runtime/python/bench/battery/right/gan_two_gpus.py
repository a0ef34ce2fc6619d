# a GAN: generator on GPU 0, discriminator on GPU 1, an optimizer each, as on the CPU
# runs
import torch
import torch.nn as nn
import torch.nn.functional as F


def build(gdev, ddev):
    torch.manual_seed(0)
    gen = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
    dis = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
    return gen.to(gdev), dis.to(ddev)


def train(gdev, ddev, steps=4):
    gen, dis = build(gdev, ddev)
    gopt = torch.optim.SGD(gen.parameters(), lr=0.1, momentum=0.5)
    dopt = torch.optim.SGD(dis.parameters(), lr=0.1, momentum=0.5)
    noise = torch.Generator().manual_seed(1)
    log = []
    for _ in range(steps):
        real = torch.randn(16, 2, generator=noise) * 0.5 + 2
        z = torch.randn(16, 4, generator=noise)
        # discriminator
        dopt.zero_grad()
        fake = gen(z.to(gdev)).detach().to(ddev)
        lr_, lf = dis(real.to(ddev)), dis(fake)
        dloss = F.binary_cross_entropy_with_logits(lr_, torch.ones_like(lr_)) + F.binary_cross_entropy_with_logits(
            lf, torch.zeros_like(lf)
        )
        dloss.backward()
        dopt.step()
        # generator: its gradient comes back over the other GPU
        gopt.zero_grad()
        for p in dis.parameters():
            p.requires_grad_(False)
        out = dis(gen(z.to(gdev)).to(ddev))
        gloss = F.binary_cross_entropy_with_logits(out, torch.ones_like(out))
        gloss.backward()
        gopt.step()
        for p in dis.parameters():
            p.requires_grad_(True)
        log.append((dloss.item(), gloss.item()))
    return gen, dis, log


gen, dis, log = train("cuda:0", "cuda:1")
rgen, rdis, rlog = train("cpu", "cpu")
for (a, b), (c, d) in zip(log, rlog):
    assert abs(a - c) < 1e-3 and abs(b - d) < 1e-3
assert all(p.grad.device.index == 0 for p in gen.parameters())
assert all(p.device.index == 1 for p in dis.parameters())
for m, r in ((gen, rgen), (dis, rdis)):
    for p, q in zip(m.parameters(), r.parameters()):
        assert torch.allclose(p.detach().cpu(), q, atol=1e-3)
