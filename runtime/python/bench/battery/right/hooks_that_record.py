# forward, backward and tensor hooks that record activations and gradients on both GPUs
# runs
import torch
import torch.nn as nn


class Recorder:
    def __init__(self, model):
        self.acts, self.grads, self.params, self.handles = {}, {}, {}, []
        for name, m in model.named_modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                self.handles.append(m.register_forward_hook(self._fwd(name)))
                self.handles.append(m.register_full_backward_hook(self._bwd(name)))
        for name, p in model.named_parameters():
            self.handles.append(p.register_post_accumulate_grad_hook(self._acc(name)))

    def _fwd(self, name):
        def hook(mod, args, out):
            self.acts[name] = out.detach().clone()
        return hook

    def _bwd(self, name):
        def hook(mod, gin, gout):
            self.grads[name] = gout[0].detach().clone()
        return hook

    def _acc(self, name):
        def hook(p):
            self.params[name] = p.grad.norm().item()
        return hook

    def close(self):
        for h in self.handles:
            h.remove()


class Split(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b
        self.conv = nn.Conv2d(1, 4, 3, padding=1).to(a)
        self.fc = nn.Linear(4 * 36, 3).to(b)

    def forward(self, x):
        h = torch.relu(self.conv(x.to(self.a))).to(self.b)
        if h.requires_grad:
            h.register_hook(lambda g: g * 2)  # doubled on its way back
        return self.fc(h.flatten(1))


def run(a, b):
    torch.manual_seed(0)
    net, x = Split(a, b), torch.randn(4, 1, 6, 6)
    rec = Recorder(net)
    net(x).pow(2).sum().backward()
    rec.close()
    net(x)
    return rec


torch.backends.cudnn.allow_tf32 = False
got, want = run("cuda:0", "cuda:1"), run("cpu", "cpu")
assert got.acts["conv"].device.index == 0 and got.acts["fc"].device.index == 1
assert got.grads["conv"].device.index == 0 and got.grads["fc"].device.index == 1
for n in ("conv", "fc"):
    assert torch.allclose(got.acts[n].cpu(), want.acts[n], atol=1e-3)
    assert torch.allclose(got.grads[n].cpu(), want.grads[n], atol=1e-3, rtol=1e-3)
assert set(got.params) == {"conv.weight", "conv.bias", "fc.weight", "fc.bias"}
for n, v in want.params.items():
    assert abs(got.params[n] - v) < 1e-3 * max(1.0, v)
