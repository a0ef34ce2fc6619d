# A two-expert mixture: the second expert lives on the second GPU and its output is not brought back.
# raises: RuntimeError: Expected all tensors to be on the same device, but got source is on cuda:1, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_index_add_)
# raises: RuntimeError: index_add_(): self, index and source expected to be in the same device
import torch
from torch import nn


class TwoExperts(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate = nn.Linear(dim, 2).to("cuda:0")
        self.experts = nn.ModuleList([
            nn.Linear(dim, dim).to("cuda:0"),
            nn.Linear(dim, dim).to("cuda:1"),
        ])
        with torch.no_grad():
            self.gate.weight.zero_()
            self.gate.bias.copy_(torch.tensor([0.0, 1.0]))

    def forward(self, x):
        choice = self.gate(x).argmax(dim=-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = (choice == i).nonzero().flatten()
            if rows.numel() == 0:
                continue
            device = expert.weight.device
            y = expert(x.index_select(0, rows).to(device))
            out.index_add_(0, rows, y)  # raises
        return out


moe = TwoExperts(8)
tokens = torch.randn(20, 8, device="cuda:0")
with torch.no_grad():
    print(moe(tokens).shape)
