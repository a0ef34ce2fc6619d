# every rank passes a gather_list, only the destination may
# raises: ValueError: Argument ``gather_list`` must NOT be specified on non-destination ranks.
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def collect(metric, world):
    parts = [torch.empty_like(metric) for _ in range(world)]
    dist.gather(metric, gather_list=parts, dst=0)  # raises
    return torch.stack(parts).mean(0)


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    correct = torch.tensor([10.0 + rank, 20.0], device=dev)
    mean = collect(correct, world)  # raises
    if rank == 0:
        print(mean.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
