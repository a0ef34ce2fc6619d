# DDP join context: rank 0 has five batches, rank 1 only three
# runs
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

COUNTS = (5, 3)


def batch(rank, step):
    g = torch.Generator().manual_seed(100 * rank + step)
    x = torch.randn(8, 3, generator=g)
    return x, x.sum(1, keepdim=True)


def reference():
    torch.manual_seed(0)
    ref = nn.Linear(3, 1)
    opt = torch.optim.SGD(ref.parameters(), lr=0.1)
    for step in range(max(COUNTS)):
        opt.zero_grad()
        for r in range(2):
            if step < COUNTS[r]:
                x, y = batch(r, step)
                ((ref(x) - y).pow(2).mean() / 2).backward()
        opt.step()
    return ref


def worker(rank, world, port):
    dev = setup(rank, world, port)
    torch.manual_seed(0)
    model = DDP(nn.Linear(3, 1).to(dev), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = 0
    with model.join():
        for step in range(COUNTS[rank]):
            x, y = batch(rank, step)
            opt.zero_grad()
            (model(x.to(dev)) - y.to(dev)).pow(2).mean().backward()
            opt.step()
            seen += 1
    assert seen == COUNTS[rank]
    ref = reference()
    assert torch.allclose(model.module.weight.detach().cpu(), ref.weight, atol=1e-3)
    assert torch.allclose(model.module.bias.detach().cpu(), ref.bias, atol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
