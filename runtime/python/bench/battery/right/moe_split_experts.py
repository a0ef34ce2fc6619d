# mixture of experts with the experts split over two GPUs, top-2 routing, as on the CPU
# runs
import torch
import torch.nn as nn


class MoE(nn.Module):
    def __init__(self, d, experts, devices):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(experts)
        )
        self.devices = [devices[i * len(devices) // experts] for i in range(experts)]

    def place(self, home):
        self.gate.to(home)
        for e, d in zip(self.experts, self.devices):
            e.to(d)
        return self

    def forward(self, x):
        prob = self.gate(x).softmax(-1)
        w, idx = prob.topk(2, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        load = []
        for i, (expert, dev) in enumerate(zip(self.experts, self.devices)):
            rows, slot = (idx == i).nonzero(as_tuple=True)
            load.append(rows.numel())
            if rows.numel() == 0:
                continue
            y = expert(x[rows].to(dev)).to(x.device)
            out = out.index_add(0, rows, y * w[rows, slot].unsqueeze(-1))
        importance = prob.mean(0)
        return out, (importance * importance).sum() * len(self.experts), load


def run(home, devices):
    torch.manual_seed(0)
    moe = MoE(8, 4, devices).place(home)
    x = torch.randn(40, 8)
    out, aux, load = moe(x.to(home))
    (out.pow(2).mean() + 0.01 * aux).backward()
    return moe, out, load


moe, out, load = run("cuda:0", ["cuda:0", "cuda:1"])
ref, want, rload = run("cpu", ["cpu"])
assert [next(e.parameters()).device.index for e in moe.experts] == [0, 0, 1, 1]
assert sum(load) == 80 and load == rload
assert out.device == torch.device("cuda:0") and torch.allclose(out.detach().cpu(), want, atol=1e-3)
for (n, p), q in zip(moe.named_parameters(), ref.parameters()):
    assert (p.grad is None) == (q.grad is None), n
    if q.grad is not None:
        assert p.grad.device == p.device and torch.allclose(p.grad.cpu(), q.grad, atol=1e-3), n
