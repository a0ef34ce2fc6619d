# Ranks with different numbers of batches train under DDP's join and end with the same parameters as a CPU emulation.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

BATCHES = {0: 3, 1: 5}


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build():
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 2))


def batch(rank, index):
    gen = torch.Generator().manual_seed(50 * rank + index)
    return torch.randn(6, 5, generator=gen), torch.randn(6, 2, generator=gen)


def emulate():
    """Gradients are divided by the initial world size; a joined rank adds nothing."""
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for index in range(max(BATCHES.values())):
        optimizer.zero_grad()
        for rank, count in BATCHES.items():
            if index < count:
                x, y = batch(rank, index)
                (nn.functional.mse_loss(model(x), y) / 2).backward()
        optimizer.step()
    return model


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = DDP(build().to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps = 0
    with model.join(divide_by_initial_world_size=True):
        for index in range(BATCHES[rank]):
            x, y = (t.to(device) for t in batch(rank, index))
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
            steps += 1
    assert steps == BATCHES[rank]

    for ours, expected in zip(model.module.parameters(), emulate().parameters()):
        torch.testing.assert_close(ours.detach().cpu(), expected.detach(), rtol=1e-4, atol=1e-5)
        copy = ours.detach().clone()
        dist.broadcast(copy, src=1)
        assert torch.equal(copy, ours.detach())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
