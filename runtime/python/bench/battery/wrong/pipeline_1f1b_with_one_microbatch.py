# The 1F1B schedule gets fewer microbatches than the pipeline has stages.
# raises: ProcessRaisedException: Number of microbatches (1) must be greater than or equal to the number of stages (2).
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


BATCH = 8
MICROBATCH_SIZE = 8


def make_part(index):
    torch.manual_seed(100 + index)
    if index == 0:
        return nn.Sequential(nn.Linear(6, 12), nn.ReLU())
    return nn.Linear(12, 3)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    part = make_part(rank).to(device)
    stage = PipelineStage(part, rank, world_size, device)
    schedule = Schedule1F1B(
        stage,
        n_microbatches=BATCH // MICROBATCH_SIZE,
        loss_fn=nn.functional.cross_entropy,
    )
    optimizer = torch.optim.SGD(part.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(0)
    for _ in range(2):
        x = torch.randn(BATCH, 6, generator=gen).to(device)
        y = torch.randint(0, 3, (BATCH,), generator=gen).to(device)
        optimizer.zero_grad()
        if rank == 0:
            schedule.step(x)
        else:
            losses = []
            schedule.step(target=y, losses=losses)
            print(torch.stack(losses).mean().item())
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)  # raises
