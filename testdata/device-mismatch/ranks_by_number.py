"""Each process moves its model to the GPU of its rank, and what it feeds it to the current one."""
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def work(rank, count):
    store = "file://" + os.path.abspath("ranks_by_number.store")
    dist.init_process_group("gloo", init_method=store, rank=rank, world_size=count)
    model = nn.Linear(6, 3).to(rank)
    model(torch.randn(4, 6).cuda())  # expect: device-mismatch
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(2,), nprocs=2)
