# Collectives among the GPUs of one process.
# runs
import torch
from torch.cuda import nccl

xs = [torch.full((4,), i + 1.0, device=f"cuda:{i}") for i in range(2)]
nccl.all_reduce(xs)
assert all(x.tolist() == [3] * 4 for x in xs)
parts = [torch.zeros(2, device=f"cuda:{i}") for i in range(2)]
nccl.reduce_scatter(xs, parts)
assert [part.tolist() for part in parts] == [[6, 6]] * 2
out = torch.zeros(2, device="cuda:0")
nccl.reduce(parts, out)
assert out.tolist() == [12, 12] and len(nccl.unique_id()) == 128
