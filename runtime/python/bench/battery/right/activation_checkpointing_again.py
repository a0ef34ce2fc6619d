# Checkpointed blocks with dropout give the gradients of ordinary ones, and the random state is replayed.
# runs
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + nn.functional.dropout(self.down(nn.functional.gelu(self.up(self.norm(x)))), 0.3)


class Stack(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))

    def forward(self, x, how):
        for block in self.blocks:
            if how == "plain":
                x = block(x)
            else:
                x = checkpoint(block, x, use_reentrant=how == "reentrant")
        return x


def gradients(model, x, how):
    model.zero_grad()
    for block in model.blocks:
        block.calls = 0
    torch.manual_seed(99)
    x = x.clone().requires_grad_()
    loss = model(x, how).square().mean()
    loss.backward()
    calls = {b.calls for b in model.blocks}
    return loss.item(), [x.grad] + [p.grad.clone() for p in model.parameters()], calls


torch.manual_seed(29)
device = torch.device("cuda:1")
model = Stack(8, 3).to(device)
x = torch.randn(6, 8, device=device)
loss, expected, calls = gradients(model, x, "plain")
assert calls == {1}
for how in ("reentrant", "not reentrant"):
    other, got, calls = gradients(model, x, how)
    assert calls == {2} and abs(other - loss) < 1e-6
    for a, b in zip(got, expected):
        assert a.device == device and torch.allclose(a, b, atol=1e-5)
layers = nn.Sequential(*[nn.Linear(8, 8) for _ in range(4)]).to(device)
out = checkpoint_sequential(layers, 2, x.requires_grad_(), use_reentrant=False)
assert torch.allclose(out, layers(x), atol=1e-6)
