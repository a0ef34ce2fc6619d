# The model is wrapped in DDP with device_ids while its parameters are still on the CPU.
# raises: ProcessRaisedException: DistributedDataParallel device_ids and output_device arguments only work with
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, width), nn.GELU())
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.encoder(x)).squeeze(-1)


def setup(rank, world_size):
    torch.cuda.set_device(rank)
    dist.init_process_group(backend="nccl", rank=rank, world_size=world_size)


def worker(rank, world_size, steps):
    setup(rank, world_size)
    device = torch.device(f"cuda:{rank}")
    torch.manual_seed(11)
    model = Regressor(width=12)
    ddp_model = DDP(model, device_ids=[rank])
    ddp_model.to(device)
    optimizer = torch.optim.AdamW(ddp_model.parameters(), lr=1e-2)

    gen = torch.Generator().manual_seed(100 + rank)
    for step in range(steps):
        x = torch.randn(16, 6, generator=gen).to(device)
        target = x.pow(2).mean(dim=1)
        loss = nn.functional.mse_loss(ddp_model(x), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if rank == 0:
            print(f"step {step}: {loss.item():.4f}")

    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2, 4), nprocs=2, join=True)  # raises
