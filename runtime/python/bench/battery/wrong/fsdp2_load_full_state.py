# an unsharded checkpoint goes into a model on which fully_shard was called
# raises: RuntimeError: Error(s) in loading state_dict for ... got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def build():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    full = {k: v.to(dev) for k, v in build().state_dict().items()}
    model = build().to(dev)
    fully_shard(model, mesh=init_device_mesh("cuda", (world,)))
    assert model[0].weight.to_local().shape == (8, 8)
    model.load_state_dict(full)  # raises
    model(torch.ones(2, 8, device=dev)).sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
