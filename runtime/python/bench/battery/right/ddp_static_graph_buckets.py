# DDP with small buckets, gradient_as_bucket_view and static_graph, with activation checkpointing inside
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(8, 64)
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(64, 64), nn.Tanh()) for _ in range(4))
        self.out = nn.Linear(64, 1)

    def forward(self, x):
        x = self.inp(x)
        for b in self.blocks:
            x = x + checkpoint(b, x, use_reentrant=False)
        return self.out(x)


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    torch.manual_seed(7)
    ref = Net()
    torch.manual_seed(7)
    net = DDP(
        Net().to(dev), device_ids=[rank], bucket_cap_mb=0.01, gradient_as_bucket_view=True, static_graph=True
    )
    g = torch.Generator().manual_seed(2)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
    ropt = torch.optim.AdamW(ref.parameters(), lr=1e-2)
    for _ in range(3):
        x = torch.randn(12, 8, generator=g)
        y = x.sum(1, keepdim=True)
        opt.zero_grad(set_to_none=False)
        (net(x.chunk(2)[rank].to(dev)) - y.chunk(2)[rank].to(dev)).square().mean().backward()
        opt.step()
        ropt.zero_grad()
        (ref(x) - y).square().mean().backward()
        ropt.step()
        for p, q in zip(net.parameters(), ref.parameters()):
            assert torch.allclose(p.grad.cpu(), q.grad, atol=1e-2, rtol=1e-2)
    for p in net.parameters():
        assert p.grad.device == dev and p.device == dev
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
