# accelerate-like dispatch: a device map, pre-forward hooks that move inputs, one block offloaded to the CPU
# runs
import torch
import torch.nn as nn


def move(obj, dev):
    if torch.is_tensor(obj):
        return obj.to(dev)
    if isinstance(obj, dict):
        return {k: move(v, dev) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(move(v, dev) for v in obj)
    return obj


def dispatch(model, device_map, main):
    log = []
    for name, dev in device_map.items():
        module = model.get_submodule(name)
        offload = dev == "cpu"
        run_on = torch.device(main if offload else dev)
        if not offload:
            module.to(run_on)

        def pre(mod, args, kwargs, name=name, run_on=run_on, offload=offload):
            if offload:
                mod.to(run_on)
            log.append((name, str(run_on)))
            return move(args, run_on), move(kwargs, run_on)

        module.register_forward_pre_hook(pre, with_kwargs=True)
        if offload:
            module.register_forward_hook(lambda mod, args, out: mod.to("cpu") and None)
    model.register_forward_hook(lambda mod, args, out: move(out, torch.device(main)))
    return log


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm, self.lin = nn.LayerNorm(d), nn.Linear(d, d)

    def forward(self, x, scale=None):
        return x + torch.tanh(self.lin(self.norm(x))) * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(4, 16)
        self.blocks = nn.ModuleList(Block(16) for _ in range(3))
        self.out = nn.Linear(16, 2)

    def forward(self, x):
        scale = torch.full((16,), 0.5, device=x.device)
        x = self.inp(x)
        for b in self.blocks:
            x = b(x, scale=scale)
        return {"logits": self.out(x)}


torch.manual_seed(0)
net, x = Net().eval(), torch.randn(5, 4)
with torch.no_grad():
    want = net(x)["logits"]
    device_map = {"inp": "cuda:0", "blocks.0": "cuda:0", "blocks.1": "cuda:1", "blocks.2": "cpu", "out": "cuda:1"}
    log = dispatch(net, device_map, main="cuda:0")
    for _ in range(2):
        got = net(x)["logits"]
        assert got.device == torch.device("cuda:0") and torch.allclose(got.cpu(), want, atol=1e-3)
assert log[:5] == [("inp", "cuda:0"), ("blocks.0", "cuda:0"), ("blocks.1", "cuda:1"), ("blocks.2", "cuda:0"), ("out", "cuda:1")]
assert len(log) == 10
assert net.blocks[2].lin.weight.device.type == "cpu" and net.blocks[1].norm.weight.device.index == 1
