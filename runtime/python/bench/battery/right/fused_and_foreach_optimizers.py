# Fused, foreach and plain versions of several optimizers walk the same path on the GPU.
# runs
import torch
from torch import nn

OPTIMIZERS = {
    "adamw": (torch.optim.AdamW, {"lr": 0.01, "weight_decay": 0.1}),
    "adam": (torch.optim.Adam, {"lr": 0.01, "amsgrad": True}),
    "sgd": (torch.optim.SGD, {"lr": 0.05, "momentum": 0.9, "nesterov": True}),
}


def train(kind, options, device, **how):
    torch.manual_seed(12)
    model = nn.Sequential(nn.Linear(5, 9), nn.Tanh(), nn.Linear(9, 2)).to(device)
    x, y = torch.randn(32, 5).to(device), torch.randn(32, 2).to(device)
    optimizer = kind(model.parameters(), **options, **how)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=8)
    for _ in range(8):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        scheduler.step()
    return model, optimizer


for name, (kind, options) in OPTIMIZERS.items():
    reference, _ = train(kind, options, "cpu", foreach=False)
    expected = [p.detach() for p in reference.parameters()]
    for how in ({"foreach": False}, {"foreach": True}, {"fused": True}, {}):
        model, optimizer = train(kind, options, "cuda:1", **how)
        for p, e in zip(model.parameters(), expected):
            assert p.device == torch.device("cuda:1")
            assert torch.allclose(p.detach().cpu(), e, atol=1e-3), (name, how)
        for state in optimizer.state.values():
            for key in ("exp_avg", "exp_avg_sq", "momentum_buffer"):
                if state.get(key) is not None:
                    assert state[key].device == torch.device("cuda:1"), (name, how)

model, optimizer = train(torch.optim.Adam, {"lr": 0.01}, "cuda:0")
steps = [s["step"] for s in optimizer.state.values()]
assert all(s.device.type == "cpu" and s.item() == 8 for s in steps)
model, optimizer = train(torch.optim.Adam, {"lr": 0.01}, "cuda:0", fused=True)
assert all(s["step"].is_cuda for s in optimizer.state.values())
params = [torch.ones(3, device="cuda:0"), torch.ones(2, 2, device="cuda:0")]
torch._foreach_mul_(params, 3.0)
torch._foreach_add_(params, params, alpha=0.5)
assert all((p == 4.5).all() for p in params)
