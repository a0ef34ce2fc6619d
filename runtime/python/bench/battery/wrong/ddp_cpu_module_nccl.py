# DDP without device_ids around a CPU model, with the nccl backend only
# raises: RuntimeError: No backend type associated with device type cpu
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    ready = torch.ones(1, device=dev)
    dist.all_reduce(ready)
    assert ready.item() == world
    model = DDP(Regressor())  # raises
    model.to(dev)
    x = torch.randn(16, 4, device=dev)
    model(x).mean().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
