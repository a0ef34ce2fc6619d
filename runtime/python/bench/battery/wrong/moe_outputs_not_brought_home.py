# experts on two GPUs, their outputs are concatenated without being moved to one device
# raises: RuntimeError: Expected all tensors to be on the same device, but got tensors is on cuda:1, different from other tensors on cuda:0
import torch
import torch.nn as nn


class Experts(nn.Module):
    def __init__(self, d, devices):
        super().__init__()
        self.devices = devices
        self.gate = nn.Linear(d, len(devices)).to(devices[0])
        self.experts = nn.ModuleList(nn.Linear(d, d).to(dev) for dev in devices)

    def forward(self, x):
        choice = self.gate(x).argmax(-1)
        order = torch.argsort(choice)
        counts = torch.bincount(choice, minlength=len(self.devices)).tolist()
        outs = []
        for part, expert, dev in zip(x[order].split(counts), self.experts, self.devices):
            outs.append(expert(part.to(dev)))
        y = torch.cat(outs)  # raises
        return y[torch.argsort(order)]


torch.manual_seed(0)
moe = Experts(8, ["cuda:0", "cuda:1"])
with torch.no_grad():
    moe.gate.weight.zero_()
    moe.gate.weight[0, 0], moe.gate.weight[1, 0] = 1.0, -1.0
    moe.gate.bias.zero_()
x = torch.linspace(-1, 1, 80, device="cuda:0").view(10, 8)
moe(x).sum().backward()  # raises
