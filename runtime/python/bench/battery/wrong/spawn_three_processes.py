# three processes for two GPUs
# raises: AcceleratorError: CUDA error: invalid device ordinal
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD = 3


def worker(rank, world, rdzv):
    torch.cuda.set_device(rank)  # raises
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    t = torch.ones(4, device=f"cuda:{rank}")
    dist.all_reduce(t)
    assert t.tolist() == [float(world)] * 4
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(WORLD, os.path.join(tmp, "rdzv")), nprocs=WORLD)  # raises
