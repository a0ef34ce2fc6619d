# The process group lives as long as a with-block.
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def process_group(rank, size):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=rank, world_size=size)
    try:
        yield torch.device("cuda", rank)
    finally:
        dist.destroy_process_group()


def count(correct, seen):
    counts = torch.tensor([correct, seen], dtype=torch.float64)
    dist.all_reduce(counts)  # expect: ddp-setup
    return (counts[0] / counts[1]).item()


with process_group(0, 1) as device:
    outputs = torch.ones(4, 2, device=device)
    print(count(outputs.argmax(1).eq(0).sum().item(), 4))
