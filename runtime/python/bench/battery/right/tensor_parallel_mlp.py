# Megatron style tensor parallel MLP with parallelize_module against the plain module on the CPU
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

class MLP(nn.Module):
    def __init__(self, d=16, hidden=48):
        super().__init__()
        self.up = nn.Linear(d, hidden)
        self.down = nn.Linear(hidden, d)

    def forward(self, x):
        return self.down(F.silu(self.up(x)))


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    torch.manual_seed(0)
    ref = MLP()
    torch.manual_seed(0)
    model = MLP().to(dev)
    mesh = init_device_mesh("cuda", (world,))
    model = parallelize_module(model, mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    assert model.up.weight.to_local().shape == (24, 16)
    assert model.down.weight.to_local().shape == (16, 24)
    x = torch.randn(10, 16, generator=torch.Generator().manual_seed(5))
    out = model(x.to(dev))
    want = ref(x)
    assert out.device == dev and out.shape == want.shape
    assert torch.allclose(out.detach().cpu(), want, atol=1e-3)
    out.pow(2).sum().backward()
    want.pow(2).sum().backward()
    for (n, p), q in zip(model.named_parameters(), ref.parameters()):
        assert torch.allclose(p.grad.full_tensor().cpu(), q.grad, atol=1e-3, rtol=1e-3), n
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    opt.step()
    torch.optim.SGD(ref.parameters(), lr=0.1).step()
    assert torch.allclose(model(x.to(dev)).detach().cpu(), ref(x), atol=5e-3, rtol=5e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
