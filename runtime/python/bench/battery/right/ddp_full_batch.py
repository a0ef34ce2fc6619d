# DDP on two GPUs gives the parameters that one process with the whole batch gives
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def make_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))


def make_batches():
    g = torch.Generator().manual_seed(1)
    return [(torch.randn(16, 10, generator=g), torch.randint(0, 3, (16,), generator=g)) for _ in range(4)]


def train(model, batches, device):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for x, y in batches:
        opt.zero_grad()
        F.cross_entropy(model(x.to(device)), y.to(device)).backward()
        opt.step()


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    ddp = DDP(make_model().to(dev), device_ids=[rank])
    train(ddp, [(x.chunk(world)[rank], y.chunk(world)[rank]) for x, y in make_batches()], dev)
    ref = make_model()
    train(ref, make_batches(), "cpu")
    for (n, p), q in zip(ddp.module.named_parameters(), ref.parameters()):
        assert p.device == dev, (n, p.device)
        assert torch.allclose(p.detach().cpu(), q, atol=1e-3), n
    assert all(k.startswith("module.") for k in ddp.state_dict())
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
