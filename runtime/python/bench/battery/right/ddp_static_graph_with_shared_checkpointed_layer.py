# static_graph lets DDP handle a layer that is used twice inside reentrant activation checkpoints.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Recurrent(nn.Module):
    def __init__(self, use_checkpoint):
        super().__init__()
        self.inp = nn.Linear(4, 8)
        self.cell = nn.Linear(8, 8)
        self.out = nn.Linear(8, 1)
        self.use_checkpoint = use_checkpoint

    def step(self, h):
        return torch.tanh(self.cell(h))

    def forward(self, x):
        h = self.inp(x)
        for _ in range(2):
            h = checkpoint(self.step, h, use_reentrant=True) if self.use_checkpoint else self.step(h)
        return self.out(h)


def build(use_checkpoint):
    torch.manual_seed(31)
    return Recurrent(use_checkpoint)


def data(step, rank):
    gen = torch.Generator().manual_seed(10 * step + rank)
    return torch.randn(4, 4, generator=gen), torch.randn(4, 1, generator=gen)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = DDP(build(True).to(device), device_ids=[rank], static_graph=True)
    single = build(False)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, single)]

    for step in range(3):
        for optimizer in optimizers:
            optimizer.zero_grad()
        x, y = (t.to(device) for t in data(step, rank))
        nn.functional.mse_loss(model(x), y).backward()
        for other in range(world_size):
            x, y = data(step, other)
            (nn.functional.mse_loss(single(x), y) / world_size).backward()
        for ours, expected in zip(model.parameters(), single.parameters()):
            torch.testing.assert_close(ours.grad.cpu(), expected.grad, rtol=1e-4, atol=1e-5)
        for optimizer in optimizers:
            optimizer.step()
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
