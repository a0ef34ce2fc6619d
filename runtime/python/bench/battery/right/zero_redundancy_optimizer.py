# ZeroRedundancyOptimizer: each rank keeps part of Adam's state, the parameters are those of plain Adam
# runs
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

def make():
    torch.manual_seed(0)
    return nn.Sequential(*[nn.Linear(16, 16) for _ in range(4)])


def worker(rank, world, port):
    dev = setup(rank, world, port)
    ddp = DDP(make().to(dev), device_ids=[rank])
    opt = ZeroRedundancyOptimizer(ddp.parameters(), optimizer_class=torch.optim.Adam, lr=0.01)
    ref = make()
    ropt = torch.optim.Adam(ref.parameters(), lr=0.01)
    g = torch.Generator().manual_seed(4)
    for _ in range(3):
        x = torch.randn(8, 16, generator=g)
        opt.zero_grad()
        ddp(x.chunk(2)[rank].to(dev)).pow(2).mean().backward()
        opt.step()
        ropt.zero_grad()
        ref(x).pow(2).mean().backward()
        ropt.step()
    for p, q in zip(ddp.parameters(), ref.parameters()):
        assert torch.allclose(p.detach().cpu(), q, atol=5e-3)
    local = len(opt.optim.state)
    counts = torch.tensor([local], device=dev)
    dist.all_reduce(counts)
    assert 0 < local < 8 and counts.item() == 8  # each parameter's state on one rank only
    opt.consolidate_state_dict(to=0)
    if rank == 0:
        sd = opt.state_dict()
        assert len(sd["state"]) == 8
        assert all(int(s["step"]) == 3 for s in sd["state"].values())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
