# Evaluation under autocast gathers bfloat16 logits into float32 buffers.
# raises: ProcessRaisedException: Invalid usage of tensors with different dtypes
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_data():
    gen = torch.Generator().manual_seed(21)
    x = torch.randn(32, 12, generator=gen)
    y = torch.randint(0, 3, (32,), generator=gen)
    return TensorDataset(x, y)


@torch.no_grad()
def evaluate(model, loader, device, world_size):
    model.eval()
    correct = torch.zeros((), device=device)
    total = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(x)
        all_logits = [torch.zeros(logits.shape, device=device) for _ in range(world_size)]
        all_labels = [torch.zeros_like(y) for _ in range(world_size)]
        dist.all_gather(all_logits, logits)
        dist.all_gather(all_labels, y)
        correct += (torch.cat(all_logits).argmax(1) == torch.cat(all_labels)).sum()
        total += y.numel() * world_size
    return correct.item() / total


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
    data = make_data()
    sampler = DistributedSampler(data, world_size, rank, shuffle=False)
    accuracy = evaluate(model, DataLoader(data, batch_size=8, sampler=sampler), device, world_size)
    if rank == 0:
        print(f"accuracy {accuracy:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)  # raises
