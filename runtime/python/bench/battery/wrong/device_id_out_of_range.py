# init_process_group gets device ids counted from one
# raises: ValueError: device_id cuda:2 is out of range. Please use a device index less than the number of accelerators available: 2.
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world, rdzv):
    device = torch.device("cuda", rank + 1)
    dist.init_process_group(  # raises
        "nccl", init_method="file://" + rdzv, rank=rank, world_size=world, device_id=device
    )
    t = torch.ones(2, device=device)
    dist.all_reduce(t)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)  # raises
