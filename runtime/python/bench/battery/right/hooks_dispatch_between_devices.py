# Forward pre-hooks move activations between cards (as device-map libraries do); gradient hooks and activation hooks record devices.
# runs
from collections import defaultdict

import torch
import torch.nn as nn


def move(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: move(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(move(v, device) for v in obj)
    return obj


def dispatch(model, device_map):
    """Places submodules and installs hooks that bring their inputs along."""
    handles = []
    for name, device in device_map.items():
        module = model.get_submodule(name)
        module.to(device)

        def pre_hook(mod, args, kwargs, device=device):
            return move(args, device), move(kwargs, device)

        handles.append(module.register_forward_pre_hook(pre_hook, with_kwargs=True))
    return handles


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.lin = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, x, mask=None):
        h = torch.relu(self.lin(self.norm(x)))
        return x + (h if mask is None else h * mask)


class Model(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.stem = nn.Linear(4, width)
        self.mid = nn.ModuleList(Block(width) for _ in range(3))
        self.head = nn.Linear(width, 2)

    def forward(self, x, mask):
        x = self.stem(x)
        for block in self.mid:
            x = block(x, mask=mask)
        return self.head(x)


def main():
    torch.manual_seed(0)
    model = Model()
    x, mask = torch.randn(5, 4), (torch.rand(5, 1) > 0.4).float()
    expected = model(x, mask).detach()

    table = {"stem": "cuda:0", "mid.0": "cuda:0", "mid.1": "cuda:1", "mid.2": "cpu", "head": "cuda:1"}
    handles = dispatch(model, table)
    trace = []
    for name in table:
        model.get_submodule(name).register_forward_hook(
            lambda mod, args, out, name=name: trace.append((name, str(out.device)))
        )
    grads = defaultdict(list)
    model.mid[1].register_full_backward_hook(
        lambda mod, gi, go: grads["mid.1"].append((gi[0].device, go[0].device))
    )
    for n, p in model.named_parameters():
        p.register_post_accumulate_grad_hook(lambda p, n=n: grads[n].append(p.grad.device))

    out = model(x, mask)
    assert trace == list(table.items()), trace
    torch.testing.assert_close(out.cpu(), expected, rtol=1e-4, atol=1e-5)

    out.register_hook(lambda g: g * 2)
    out.sum().backward()
    one = torch.device("cuda:1")
    assert grads["mid.1"] == [(one, one)]
    for n, p in model.named_parameters():
        assert grads[n] == [p.device], n
    torch.testing.assert_close(model.head.bias.grad.cpu(), torch.full((2,), 10.0))

    for h in handles:
        h.remove()
    assert not model.stem._forward_pre_hooks
    # without the hooks the placement no longer works
    try:
        model(x, mask)
    except RuntimeError as error:
        assert "same device" in str(error)
    else:
        raise AssertionError("expected a device mismatch")
    print(trace)


if __name__ == "__main__":
    main()
