# fully_shard on a two GPU mesh: sharded parameters, AdamW, full_tensor equals a CPU run
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Shard

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def make():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 4))


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    mesh = init_device_mesh("cuda", (world,))
    model = make().to(dev)
    for m in model:
        if isinstance(m, nn.Linear):
            fully_shard(m, mesh=mesh)
    fully_shard(model, mesh=mesh)
    ref = make()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    ropt = torch.optim.AdamW(ref.parameters(), lr=1e-2)
    g = torch.Generator().manual_seed(1)
    for _ in range(3):
        x, y = torch.randn(8, 8, generator=g), torch.randn(8, 4, generator=g)
        opt.zero_grad()
        (model(x.chunk(2)[rank].to(dev)) - y.chunk(2)[rank].to(dev)).pow(2).mean().backward()
        opt.step()
        ropt.zero_grad()
        (ref(x) - y).pow(2).mean().backward()
        ropt.step()
    for (n, p), q in zip(model.named_parameters(), ref.parameters()):
        assert isinstance(p, DTensor) and p.placements == (Shard(0),), n
        assert p.to_local().shape[0] == q.shape[0] // world
        assert p.to_local().device == dev
        assert torch.allclose(p.full_tensor().detach().cpu(), q, atol=1e-2), n
    assert isinstance(opt.state[next(model.parameters())]["exp_avg"], DTensor)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
