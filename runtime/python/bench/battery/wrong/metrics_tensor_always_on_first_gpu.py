# The metrics tensor is made on cuda:0 in every rank, although rank 1 works on cuda:1.
# raises: ProcessRaisedException: but an operation was issued on
# raises: ProcessRaisedException: Expected tensor on ... but found tensor on
# raises: ProcessRaisedException: Attempt to perform collective on tensor not on device passed to init_process_group
# raises: ProcessRaisedException: but backend constrained to
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

METRICS_DEVICE = torch.device("cuda:0")


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class MeanMeter:
    def __init__(self):
        self.state = torch.zeros(2, device=METRICS_DEVICE)

    def update(self, value, count):
        self.state += torch.tensor([value * count, count], device=METRICS_DEVICE)

    def reduced(self):
        total = self.state.clone()
        dist.all_reduce(total)
        return (total[0] / total[1]).item()


def train(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(9)
    model = DDP(nn.Linear(4, 1).to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    meter = MeanMeter()
    gen = torch.Generator().manual_seed(rank)
    for _ in range(3):
        x = torch.randn(8, 4, generator=gen).to(device)
        loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss.item(), x.size(0))
    mean_loss = meter.reduced()
    if rank == 0:
        print(f"mean loss {mean_loss:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(train, args=(2,), nprocs=2)  # raises
