# The process group lives as long as a with-block; behind it there is another one, of the CPU.
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


def count(correct, seen, device):
    counts = torch.tensor([correct, seen], dtype=torch.float64, device=device)
    dist.all_reduce(counts)
    return (counts[0] / counts[1]).item()


with process_group(0, 1) as device:
    outputs = torch.ones(4, 2, device=device)
    print(count(outputs.argmax(1).eq(0).sum().item(), 4, device))
dist.init_process_group("gloo", init_method="file://" + os.path.abspath("other"), rank=0, world_size=1)
print(count(1, 2, "cpu"))
