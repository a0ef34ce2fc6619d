# a plain CUDA tensor is added to a DTensor
# raises: RuntimeError: aten.add.Tensor got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!
# raises: RuntimeError: aten.add.Tensor: got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    mesh = init_device_mesh("cuda", (world,))
    w = distribute_tensor(torch.arange(16.0, device=dev).view(4, 4), mesh, [Shard(0)])
    scaled = w * 2
    assert scaled.to_local().shape == (2, 4)
    bias = torch.ones(4, 4, device=dev)
    out = scaled + bias  # raises
    print(out.full_tensor())
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
