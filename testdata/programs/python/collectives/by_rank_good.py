# Each process chooses its GPU, in one way or another, or there is only one.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def selected_first():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return DistributedDataParallel(torch.nn.Linear(4, 2).cuda(), device_ids=[local_rank])


def moved_by_number():
    dist.init_process_group("nccl")
    device = torch.device("cuda", dist.get_rank() % torch.cuda.device_count())
    return DistributedDataParallel(torch.nn.Linear(4, 2).to(device), device_ids=[device.index])


def on_the_host():
    dist.init_process_group("gloo")
    return DistributedDataParallel(torch.nn.Linear(4, 2).cuda())


def one_process():
    dist.init_process_group("nccl", "file:///tmp/store", world_size=1, rank=0)
    return DistributedDataParallel(torch.nn.Linear(4, 2).cuda())


def of_the_first_rank():
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        weights = torch.rand(4).to("cuda:0")
        dist.broadcast(weights, 0)
    else:
        weights = torch.rand(4).to(f"cuda:{rank}")
        dist.broadcast(weights, 0)
    return weights


if __name__ == "__main__":
    selected_first()
    moved_by_number()
    on_the_host()
    one_process()
    of_the_first_rank()
