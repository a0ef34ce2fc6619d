# the graph's features go to the GPU, its edge index does not
# raises: RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0
import torch
import torch.nn as nn


class Graph:
    def __init__(self, x, src, dst):
        self.x, self.src, self.dst = x, src, dst

    def to(self, device):
        self.x = self.x.to(device)
        self.src = self.src.to(device)
        return self


class Conv(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.lin = nn.Linear(a, b)

    def forward(self, g):
        msg = self.lin(g.x)[g.src]
        out = torch.zeros(g.x.size(0), msg.size(1), device=msg.device)
        return out.index_add_(0, g.dst, msg)  # raises


torch.manual_seed(0)
g = Graph(torch.randn(10, 4), torch.randint(0, 10, (30,)), torch.randint(0, 10, (30,))).to("cuda:0")
conv = Conv(4, 8).to("cuda:0")
loss = conv(g).pow(2).mean()  # raises
loss.backward()
