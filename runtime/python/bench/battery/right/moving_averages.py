# Exponential and stochastic weight averages live on the second GPU while the model trains on the first.
# runs
import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, update_bn


class HostShadow:
    """An exponential moving average in host memory that can be swapped into the model."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {k: v.detach().cpu().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.is_floating_point():
                self.shadow[k].lerp_(v.cpu(), 1 - self.decay)
            else:
                self.shadow[k].copy_(v)


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1)).double()


torch.manual_seed(42)
model = net().to("cuda:0")
shadow = HostShadow(model, 0.9)
ema = AveragedModel(model, device="cuda:1", multi_avg_fn=get_ema_multi_avg_fn(0.9))
swa = AveragedModel(model)
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
batches = [torch.randn(16, 4, dtype=torch.float64, device="cuda:0") for _ in range(6)]
history = []
ema.update_parameters(model)
for x in batches:
    optimizer.zero_grad()
    (model(x).squeeze(1) - x.sum(dim=1)).square().mean().backward()
    optimizer.step()
    shadow.update(model)
    ema.update_parameters(model)
    swa.update_parameters(model)
    history.append([p.detach().cpu().clone() for p in model.parameters()])
assert ema.n_averaged.item() == 7 and swa.n_averaged.item() == 6
for name, p in ema.module.named_parameters():
    assert p.device == torch.device("cuda:1")
    assert torch.allclose(p.detach().cpu(), shadow.shadow[name], atol=1e-9), name
for i, p in enumerate(swa.module.parameters()):
    assert p.device == torch.device("cuda:0")
    assert torch.allclose(p.detach().cpu(), torch.stack([h[i] for h in history]).mean(dim=0), atol=1e-9)
update_bn(batches, swa, device="cuda:0")
everything = torch.stack([swa.module[0](x).mean(dim=0) for x in batches]).mean(dim=0)
assert torch.allclose(swa.module[1].running_mean, everything, atol=1e-9)
kept = copy.deepcopy(model.state_dict())
model.load_state_dict(shadow.shadow)
assert model[0].weight.device == torch.device("cuda:0")
assert torch.allclose(model[0].weight.cpu(), shadow.shadow["0.weight"])
model.load_state_dict(kept)
assert torch.equal(model[3].bias.detach().cpu(), history[-1][-1])
