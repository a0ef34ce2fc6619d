# SWA and EMA of a model on the GPU with averages kept on other devices, BatchNorm updates, and an LR finder that restores its state.
# runs
import copy
import math

import torch
import torch.nn as nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn


def net():
    return nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))


class LRFinder:
    def __init__(self, model, optimizer, loss_fn):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.saved = copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())

    def sweep(self, batches, low=1e-4, high=10.0):
        factor = (high / low) ** (1 / (len(batches) - 1))
        scheduler = None
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"] = low
        scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, factor)
        curve, smooth = [], None
        for x, y in batches:
            loss = self.loss_fn(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            curve.append((scheduler.get_last_lr()[0], loss.item()))
            self.optimizer.step()
            scheduler.step()
            smooth = loss.item() if smooth is None else 0.7 * smooth + 0.3 * loss.item()
            if not math.isfinite(smooth) or smooth > 50 * curve[0][1]:
                break
        self.model.load_state_dict(self.saved[0])
        self.optimizer.load_state_dict(self.saved[1])
        return curve


def main():
    torch.manual_seed(0)
    device = torch.device("cuda:0")
    model = net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    g = torch.Generator().manual_seed(1)
    xs = torch.randn(20, 16, 4, generator=g)
    batches = [(x.to(device), x.sum(1, keepdim=True).to(device)) for x in xs]

    start = copy.deepcopy(model.state_dict())
    curve = LRFinder(model, optimizer, nn.functional.mse_loss).sweep(batches)
    lrs = [lr for lr, _ in curve]
    assert lrs == sorted(lrs) and abs(lrs[0] - 1e-4) < 1e-9
    assert all(torch.equal(start[k], v) for k, v in model.state_dict().items())
    assert optimizer.param_groups[0]["lr"] == 0.05

    decay = 0.9
    swa = AveragedModel(model)
    ema = AveragedModel(model, device=torch.device("cuda:1"), multi_avg_fn=get_ema_multi_avg_fn(decay))
    shadow = AveragedModel(model, device="cpu", avg_fn=lambda avg, new, n: decay * avg + (1 - decay) * new)
    assert next(ema.parameters()).device.index == 1 and next(shadow.parameters()).device.type == "cpu"
    scheduler = SWALR(optimizer, swa_lr=0.02, anneal_epochs=3)
    history, losses = [], []
    for x, y in batches:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        for averaged in (swa, ema, shadow):
            averaged.update_parameters(model)
        history.append([p.detach().cpu().clone() for p in model.parameters()])
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert math.isclose(optimizer.param_groups[0]["lr"], 0.02, rel_tol=1e-6)
    assert swa.n_averaged.item() == ema.n_averaged.item() == len(batches)

    for p, steps in zip(swa.parameters(), zip(*history)):
        assert p.device == device
        torch.testing.assert_close(p.cpu(), torch.stack(steps).mean(0), rtol=1e-3, atol=1e-5)
    expected = history[0]
    for step in history[1:]:
        expected = [decay * e + (1 - decay) * s for e, s in zip(expected, step)]
    for a, b, e in zip(ema.parameters(), shadow.parameters(), expected):
        torch.testing.assert_close(a.cpu(), e, rtol=1e-3, atol=1e-5)
        torch.testing.assert_close(b, e, rtol=1e-3, atol=1e-5)

    update_bn([(x.cpu(), y) for x, y in batches], swa, device=device)
    bn = swa.module[1]
    pre = torch.cat([swa.module[0](x) for x, _ in batches])
    torch.testing.assert_close(bn.running_mean, pre.mean(0).detach(), rtol=1e-3, atol=1e-4)
    assert bn.num_batches_tracked.item() == len(batches) and bn.momentum == 0.1
    swa.eval()
    assert swa(batches[0][0]).shape == (16, 1)
    state = swa.state_dict()
    assert "n_averaged" in state and "module.0.weight" in state
    print(losses[0], "->", losses[-1])


main()
