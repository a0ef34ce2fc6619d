# Autocast picks its dtypes, the gradient scaler skips a bad step, and training follows full precision.
# runs
import copy

import torch
from torch import nn


def train(model, batches, dtype):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cuda", init_scale=1024.0, enabled=dtype == torch.float16)
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=dtype, enabled=dtype is not None):
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


device = torch.device("cuda:0")
torch.manual_seed(34)
base = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.LayerNorm(32), nn.Linear(32, 3)).to(device)
batches = [(torch.randn(32, 10, device=device), torch.randint(0, 3, (32,), device=device)) for _ in range(6)]
full = train(copy.deepcopy(base), batches, None)
for dtype in (torch.float16, torch.bfloat16):
    assert abs(train(copy.deepcopy(base), batches, dtype) - full) < 0.05

x = torch.randn(4, 10, device=device)
with torch.autocast("cuda", dtype=torch.float16):
    h = base[0](x)
    assert torch.is_autocast_enabled("cuda") and torch.get_autocast_dtype("cuda") == torch.float16
    assert h.dtype == torch.float16 and (h @ h.t()).dtype == torch.float16
    assert h.softmax(1).dtype == torch.float32 and h.sum().dtype == torch.float32
    assert h.exp().dtype == torch.float32 and (h + x[:, :1]).dtype == torch.float32
    assert nn.functional.mse_loss(h, h.float()).dtype == torch.float32
    with torch.autocast("cuda", enabled=False):
        assert base[0](x).dtype == torch.float32
    assert torch.bmm(x.unsqueeze(1), x.unsqueeze(2)).dtype == torch.float16
assert base[0].weight.dtype == torch.float32

p = nn.Parameter(torch.ones(3, device=device))
optimizer = torch.optim.SGD([p], lr=1.0)
scaler = torch.amp.GradScaler("cuda", init_scale=64.0)
scaler.scale((p * float("inf")).sum()).backward()
scaler.step(optimizer)
scaler.update()
assert p.tolist() == [1, 1, 1] and scaler.get_scale() == 32.0
optimizer.zero_grad()
scaler.scale(p.sum()).backward()
assert p.grad.tolist() == [32, 32, 32]
scaler.step(optimizer)
scaler.update()
assert p.tolist() == [0, 0, 0] and scaler.state_dict()["_growth_tracker"] == 1
