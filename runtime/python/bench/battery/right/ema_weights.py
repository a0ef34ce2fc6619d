# exponential moving average of weights and buffers, kept on the other GPU, swapped in for evaluation
# runs
import copy

import torch
import torch.nn as nn


class EMA:
    def __init__(self, model, decay, device):
        self.decay, self.device = decay, device
        self.shadow = copy.deepcopy(model).to(device).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p.to(self.device), 1 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)  # copy_ goes from one device to the other

    def swap(self, model):
        backup = {k: v.clone() for k, v in model.state_dict().items()}
        model.load_state_dict(self.shadow.state_dict())
        return backup


def run(dev, ema_dev):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2)).to(dev)
    ema = EMA(model, 0.9, ema_dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    g = torch.Generator().manual_seed(5)
    for _ in range(6):
        x = torch.randn(32, 4, generator=g).to(dev)
        opt.zero_grad()
        (model(x) - x[:, :2]).pow(2).mean().backward()
        opt.step()
        ema.update(model)
    probe = torch.linspace(-1, 1, 8).view(2, 4)
    model.eval()
    raw = model(probe.to(dev)).detach()
    backup = ema.swap(model)
    assert all(p.device == torch.device(dev) for p in model.parameters())
    smooth = model(probe.to(dev)).detach()
    model.load_state_dict(backup)
    assert torch.equal(model(probe.to(dev)).detach(), raw) or torch.allclose(model(probe.to(dev)).detach(), raw)
    direct = ema.shadow(probe.to(ema_dev))
    return raw.cpu(), smooth.cpu(), direct.cpu(), model[1].num_batches_tracked.item()


got = run("cuda:0", "cuda:1")
want = run("cpu", "cpu")
for a, b in zip(got[:3], want[:3]):
    assert torch.allclose(a, b, atol=1e-3)
assert torch.allclose(got[1], got[2], atol=1e-3)
assert not torch.allclose(got[0], got[1], atol=1e-4)
assert got[3] == want[3] == 6
