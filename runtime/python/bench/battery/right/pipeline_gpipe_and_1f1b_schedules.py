# Two pipeline stages under the GPipe and the 1F1B schedule give the losses and gradients of the whole model on the CPU.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe

MICROBATCHES = 4


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build():
    torch.manual_seed(55)
    first = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 10), nn.Tanh())
    second = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 3))
    return first, second


def batch(step):
    gen = torch.Generator().manual_seed(step)
    return torch.randn(8, 6, generator=gen), torch.randint(0, 3, (8,), generator=gen)


def check_schedule(kind, rank, world_size, device):
    part = build()[rank].to(device)
    stage = PipelineStage(part, rank, world_size, device)
    schedule = kind(stage, n_microbatches=MICROBATCHES, loss_fn=nn.functional.cross_entropy)
    optimizer = torch.optim.SGD(part.parameters(), lr=0.1)
    whole = nn.Sequential(*build())
    reference = torch.optim.SGD(whole.parameters(), lr=0.1)

    for step in range(2):
        x, y = batch(step)
        reference.zero_grad()
        expected_out = whole(x)
        expected_loss = nn.functional.cross_entropy(expected_out, y)
        expected_loss.backward()

        optimizer.zero_grad()
        if rank == 0:
            result = schedule.step(x.to(device))
            assert result is None
        else:
            losses = []
            result = schedule.step(target=y.to(device), losses=losses)
            assert len(losses) == MICROBATCHES
            mean_loss = torch.stack([loss.detach() for loss in losses]).mean()
            torch.testing.assert_close(mean_loss.cpu(), expected_loss.detach(), rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(result.detach().cpu(), expected_out.detach(), rtol=1e-4, atol=1e-4)
        for ours, theirs in zip(part.parameters(), whole[rank].parameters()):
            torch.testing.assert_close(ours.grad.cpu(), theirs.grad, rtol=1e-3, atol=1e-5)
        optimizer.step()
        reference.step()


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    for kind in (ScheduleGPipe, Schedule1F1B):
        check_schedule(kind, rank, world_size, device)
        dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
