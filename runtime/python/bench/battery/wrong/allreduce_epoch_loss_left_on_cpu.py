# The epoch's loss sum is collected on the CPU and handed to all_reduce of an NCCL group.
# raises: ProcessRaisedException: No backend type associated with device type cpu
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_dataset():
    gen = torch.Generator().manual_seed(7)
    x = torch.randn(64, 10, generator=gen)
    y = (x.sum(dim=1) > 0).long()
    return TensorDataset(x, y)


def train(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)).to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = make_dataset()
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank, seed=3)
    loader = DataLoader(data, batch_size=8, sampler=sampler)

    for epoch in range(2):
        sampler.set_epoch(epoch)
        loss_sum, seen = 0.0, 0
        for xb, yb in loader:
            xb, yb = xb.to(device), yb.to(device)
            loss = nn.functional.cross_entropy(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * xb.size(0)
            seen += xb.size(0)
        totals = torch.tensor([loss_sum, float(seen)], dtype=torch.float64)
        dist.all_reduce(totals, op=dist.ReduceOp.SUM)
        if rank == 0:
            print(f"epoch {epoch}: loss {totals[0] / totals[1]:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(train, args=(2,), nprocs=2)  # raises
