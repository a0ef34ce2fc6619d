# A recommender keeps its embedding bags on different GPUs, with sparse gradients, and matches one on the CPU.
# runs
import copy

import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, sizes, dim, devices):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, dim, mode="sum", sparse=True) for n in sizes)
        self.top = nn.Linear(dim * len(sizes) + 1, 1)
        self.place(devices)

    def place(self, devices):
        self.devices = [torch.device(d) for d in devices]
        for table, device in zip(self.tables, self.devices):
            table.to(device)
        self.top.to(self.devices[0])

    def forward(self, bags, dense):
        home = self.devices[0]
        parts = [table(ids.to(d), offsets.to(d), per_sample_weights=w.to(d)).to(home)
                 for table, (ids, offsets, w), d in zip(self.tables, bags, self.devices)]
        return self.top(torch.cat(parts + [dense.to(home)], dim=1)).squeeze(1)


def make_bag(size, rows):
    counts = torch.randint(1, 4, (rows,))
    offsets = torch.cat([torch.zeros(1, dtype=torch.long), counts.cumsum(0)[:-1]])
    total = int(counts.sum())
    return torch.randint(0, size, (total,)), offsets, torch.rand(total)


def train(model, steps):
    sparse = torch.optim.SparseAdam(model.tables.parameters(), lr=0.01)
    dense_opt = torch.optim.Adagrad(model.top.parameters(), lr=0.05)
    for bags, dense, target in steps:
        loss = nn.functional.mse_loss(model(bags, dense), target.to(model.devices[0]))
        sparse.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        assert all(t.weight.grad.is_sparse and t.weight.grad.device == t.weight.device for t in model.tables)
        sparse.step()
        dense_opt.step()
    return loss.item()


torch.manual_seed(35)
sizes = [11, 7, 5]
steps = [([make_bag(n, 6) for n in sizes], torch.rand(6, 1), torch.rand(6)) for _ in range(4)]
cpu = Recommender(sizes, 4, ["cpu"] * 3)
gpu = copy.deepcopy(cpu)
gpu.place(["cuda:0", "cuda:1", "cuda:1"])
assert abs(train(cpu, steps) - train(gpu, steps)) < 1e-4
assert [t.weight.get_device() for t in gpu.tables] == [0, 1, 1]
for p, q in zip(gpu.parameters(), cpu.parameters()):
    assert torch.allclose(p.detach().cpu(), q.detach(), atol=1e-3)
