# Two processes, a GPU each: collectives of NCCL.
# runs
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, store):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=rank, world_size=2)
    x = torch.full((3,), rank + 1.0, device="cuda")
    dist.all_reduce(x)
    assert x.tolist() == [3, 3, 3]
    parts = [torch.empty(2, device="cuda") for _ in range(2)]
    dist.all_gather(parts, torch.full((2,), float(rank), device="cuda"))
    assert [p[0].item() for p in parts] == [0, 1]
    y = torch.full((1,), float(rank), device="cuda")
    dist.broadcast(y, src=1)
    assert y.item() == 1
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(work, args=(os.path.abspath("store"),), nprocs=2, start_method="fork")
