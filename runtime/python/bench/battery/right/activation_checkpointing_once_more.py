# Activation checkpointing with dropout on the GPU: gradients, recomputation counts, both variants and offloading hooks.
# runs
import copy

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    def __init__(self, width, p):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(p), nn.Linear(4 * width, width))
        self.calls = 0

    def forward(self, x, scale=1.0):
        self.calls += 1
        return x + scale * self.net(x)


class Net(nn.Module):
    def __init__(self, width=8, depth=3, p=0.3):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width, p) for _ in range(depth))
        self.mode = "plain"

    def forward(self, x):
        for block in self.blocks:
            if self.mode == "plain":
                x = block(x, scale=0.5)
            elif self.mode == "reentrant":
                x = checkpoint(block, x, 0.5, use_reentrant=True)
            else:
                x = checkpoint(block, x, scale=0.5, use_reentrant=False)
        return x


def gradients(model, mode, x, seed):
    model = copy.deepcopy(model)
    model.mode = mode
    x = x.clone().requires_grad_()
    torch.cuda.manual_seed_all(seed)
    loss = model(x).square().mean()
    loss.backward()
    return loss.detach(), [x.grad] + [p.grad for p in model.parameters()], [b.calls for b in model.blocks]


def main():
    torch.manual_seed(0)
    for device in ("cuda:0", "cuda:1"):
        model, x = Net().to(device), torch.randn(6, 8, device=device)
        loss, plain, calls = gradients(model, "plain", x, 17)
        assert calls == [1, 1, 1]
        for mode in ("reentrant", "modern"):
            other, grads, calls = gradients(model, mode, x, 17)
            assert calls == [2, 2, 2]
            torch.testing.assert_close(other, loss)
            for a, b in zip(grads, plain):
                assert a.device == torch.device(device)
                torch.testing.assert_close(a, b)
        again, _, _ = gradients(model, "plain", x, 18)
        assert not torch.equal(again, loss)  # another dropout mask

    # the random state after a checkpointed step is the one after a plain step
    states = []
    for mode in ("plain", "modern"):
        gradients(Net().to("cuda:0"), mode, torch.ones(2, 8, device="cuda:0"), 5)
        states.append(torch.cuda.get_rng_state(0))
    assert torch.equal(*states)

    seq = nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.Tanh()) for _ in range(4)]).cuda()
    x = torch.randn(5, 8, device="cuda", requires_grad=True)
    a = checkpoint_sequential(seq, 2, x, use_reentrant=False)
    (ga,) = torch.autograd.grad(a.sum(), x)
    (gb,) = torch.autograd.grad(seq(x).sum(), x)
    torch.testing.assert_close(ga, gb)

    # saved activations travel to the other card until the backward pass
    moved = []

    def pack(t):
        if t.is_cuda and not isinstance(t, nn.Parameter):
            moved.append(t.shape)
            return t.device, t.to("cuda:1")
        return t.device, t

    def unpack(packed):
        device, t = packed
        return t.to(device)

    x = torch.randn(5, 8, device="cuda:0", requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        out = seq(x).exp().sum()
    out.backward()
    (want,) = torch.autograd.grad(seq(x).exp().sum(), x)
    torch.testing.assert_close(x.grad, want)
    assert moved and x.grad.device.index == 0
    print("recomputed", len(moved), "saved tensors moved")


if __name__ == "__main__":
    main()
