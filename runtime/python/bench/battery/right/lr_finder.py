# a learning rate finder that restores model and optimizer afterwards
# runs
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LRFinder:
    def __init__(self, model, opt, device):
        self.model, self.opt, self.device = model, opt, device
        self.history = {"lr": [], "loss": []}

    def range_test(self, batches, start=1e-4, end=10.0, smooth=0.1):
        saved = copy.deepcopy(self.model.state_dict()), copy.deepcopy(self.opt.state_dict())
        n = len(batches)
        avg = None
        for i, (x, y) in enumerate(batches):
            lr = start * (end / start) ** (i / (n - 1))
            for group in self.opt.param_groups:
                group["lr"] = lr
            self.opt.zero_grad()
            loss = F.cross_entropy(self.model(x.to(self.device)), y.to(self.device))
            loss.backward()
            self.opt.step()
            avg = loss.item() if avg is None else smooth * loss.item() + (1 - smooth) * avg
            self.history["lr"].append(lr)
            self.history["loss"].append(avg)
            if not math.isfinite(avg) or avg > 4 * min(self.history["loss"]):
                break
        self.model.load_state_dict(saved[0])
        self.opt.load_state_dict(saved[1])

    def suggestion(self):
        losses = torch.tensor(self.history["loss"], dtype=torch.float64)
        return self.history["lr"][int(losses.argmin())]


def run(dev):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3)).to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.123, momentum=0.9)
    g = torch.Generator().manual_seed(0)
    batches = []
    for _ in range(12):
        x = torch.randn(32, 4, generator=g)
        batches.append((x, x[:, :3].argmax(1)))
    before = {k: v.clone() for k, v in model.state_dict().items()}
    finder = LRFinder(model, opt, dev)
    finder.range_test(batches, end=0.3)
    for k, v in model.state_dict().items():
        assert torch.equal(v, before[k]) and v.device == torch.device(dev)
    assert opt.param_groups[0]["lr"] == 0.123
    return finder


gpu, cpu = run("cuda:0"), run("cpu")
assert len(gpu.history["lr"]) == len(cpu.history["lr"]) == 12
assert all(abs(a - b) < 2e-3 for a, b in zip(gpu.history["loss"], cpu.history["loss"]))
assert 1e-4 <= gpu.suggestion() <= 0.3
