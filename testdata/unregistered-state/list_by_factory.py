# Modules that a factory makes into a plain list are not registered.
import functools

import torch


class Expert(torch.nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.up = torch.nn.Linear(size, hidden)

    def forward(self, x):
        return self.up(x)


class Mixture(torch.nn.Module):
    def __init__(self, size, make_expert, count=3):
        super().__init__()
        self.experts = [make_expert(size) for _ in range(count)]  # expect: unregistered-state

    def forward(self, x):
        return torch.stack([expert(x) for expert in self.experts])


make = functools.partial(Expert, hidden=8)
print(Mixture(4, make).to("cuda")(torch.rand(2, 4, device="cuda")).shape)
