# Default devices, nested torch.device contexts, deferred initialisation on meta and lazy modules.
# runs
import functools

import numpy as np
import torch
import torch.nn as nn


def on(device):
    """Decorator that builds everything inside on a device."""

    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            with torch.device(device):
                return fn(*args, **kwargs)

        return inner

    return wrap


@on("cuda:1")
def make_model():
    return nn.Sequential(nn.Embedding(10, 6), nn.LSTM(6, 4, batch_first=True))


class LazyHead(nn.Module):
    def __init__(self, out):
        super().__init__()
        self.body = nn.LazyConv1d(4, 3)
        self.norm = nn.LazyBatchNorm1d()
        self.head = nn.LazyLinear(out)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.body(x))).flatten(1))


def main():
    assert torch.get_default_device() == torch.device("cpu")
    model = make_model()
    assert {p.device for p in model.parameters()} == {torch.device("cuda:1")}
    assert torch.zeros(1).device.type == "cpu"

    with torch.device("cuda:0"):
        a = torch.arange(3)
        with torch.device("cpu"):
            b = torch.ones(2)
            c = torch.ones(2, device="cuda:1")
        d = torch.eye(2)
        e = torch.as_tensor(np.zeros(2))
        f = torch.from_numpy(np.zeros(2))  # from_numpy stays where NumPy is
        g = torch.zeros_like(c)
        h = a.new_empty(3)
        i = torch.linspace(0, 1, 4), torch.randperm(4), torch.full((1,), 2), torch.tensor([1.0])
    assert [str(t.device) for t in (a, b, c, d, e, f, g, h)] == [
        "cuda:0", "cpu", "cuda:1", "cuda:0", "cuda:0", "cpu", "cuda:1", "cuda:0",
    ]
    assert all(t.device == torch.device("cuda:0") for t in i)

    torch.set_default_device("cuda:1")
    try:
        assert torch.get_default_device() == torch.device("cuda:1")
        assert nn.Linear(2, 2).weight.device.index == 1
        assert torch.rand(2).device.index == 1 and torch.rand(2, device="cpu").device.type == "cpu"
        assert torch.cuda.current_device() == 0  # another thing
        with torch.device("cuda:0"):
            assert torch.get_default_device().index == 0
    finally:
        torch.set_default_device(None)
    assert torch.rand(2).device.type == "cpu"

    # "cuda" without an index follows the current device
    with torch.cuda.device(1):
        assert torch.ones(1, device="cuda").device.index == 1 and torch.ones(1).cuda().device.index == 1
        with torch.device("cuda"):
            assert torch.ones(1).device.index == 1
        assert torch.ones(1, device="cuda:0").device.index == 0
    assert torch.ones(1, device="cuda").device.index == 0
    assert torch.device("cuda").index is None and torch.device("cuda") != torch.device("cuda:0")
    with torch.cuda.device_of(c):
        assert torch.cuda.current_device() == 1
    with torch.cuda.device(-1):  # no-op
        assert torch.cuda.current_device() == 0

    with torch.device("meta"):
        shell = nn.TransformerEncoderLayer(16, 2, 32)
    assert all(p.is_meta for p in shell.parameters())
    shell.to_empty(device="cuda:0")
    for p in shell.parameters():
        nn.init.normal_(p, std=0.02)
        assert p.device == torch.device("cuda:0")
    assert shell(torch.randn(5, 2, 16, device="cuda:0")).isfinite().all()
    skipped = nn.utils.skip_init(nn.Linear, 4, 4, device="cuda:1")
    assert skipped.weight.device.index == 1

    lazy = LazyHead(2).to("cuda:1")
    assert isinstance(lazy.head.weight, nn.UninitializedParameter)
    out = lazy(torch.randn(3, 2, 10, device="cuda:1"))
    assert out.shape == (3, 2) and out.device.index == 1
    assert lazy.head.weight.shape == (2, 32) and lazy.head.weight.device.index == 1
    assert not isinstance(lazy.head, nn.LazyLinear) and lazy.norm.running_mean.device.index == 1
    ids = torch.randint(0, 10, (2, 7), device="cuda:1")
    states, (hidden, _) = model(ids)
    assert states.device == hidden.device == torch.device("cuda:1") and states.shape == (2, 7, 4)
    print("devices as expected")


main()
