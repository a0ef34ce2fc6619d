# DistributedSampler with epochs and evaluation metrics gathered over gloo (CPU) and NCCL (GPU) in one process group.
# runs
import os
import socket
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

SAMPLES = 22


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_dataset():
    gen = torch.Generator().manual_seed(0)
    x = torch.randn(SAMPLES, 4, generator=gen)
    return TensorDataset(torch.arange(SAMPLES), x, (x[:, 0] > 0).long())


def epoch_indices(data, rank, world_size, epoch):
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank, shuffle=True, seed=5)
    sampler.set_epoch(epoch)
    return [int(i) for index, _, _ in DataLoader(data, batch_size=3, sampler=sampler) for i in index]


@torch.no_grad()
def evaluate(model, data, rank, world_size, device):
    sampler = DistributedSampler(data, world_size, rank, shuffle=False)
    counts = torch.zeros(2, 2, dtype=torch.long, device=device)
    for _, x, y in DataLoader(data, batch_size=4, sampler=sampler):
        predicted = model(x.to(device)).argmax(dim=1)
        flat = y.to(device) * 2 + predicted
        counts += torch.bincount(flat, minlength=4).view(2, 2)
    dist.all_reduce(counts)
    return counts.cpu()


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("cpu:gloo,cuda:nccl", rank=rank, world_size=world_size, device_id=device)
    data = make_dataset()

    orders = []
    for epoch in range(2):
        mine = epoch_indices(data, rank, world_size, epoch)
        gathered = [None] * world_size
        dist.all_gather_object(gathered, mine)
        assert sorted(gathered[0] + gathered[1]) == list(range(SAMPLES))
        orders.append(gathered)
    assert orders[0] != orders[1]

    torch.manual_seed(1)
    model = nn.Linear(4, 2)
    counts = evaluate(model.to(device), data, rank, world_size, device)
    _, x, y = data.tensors
    expected = torch.bincount(y * 2 + model.cpu()(x).argmax(dim=1), minlength=4).view(2, 2)
    assert torch.equal(counts, expected), (counts, expected)

    host_sum = torch.tensor([float(rank + 1)])
    dist.all_reduce(host_sum)
    assert host_sum.item() == 3.0
    report = [{"rank": 0, "samples": SAMPLES}] if rank == 0 else [None]
    dist.broadcast_object_list(report, src=0)
    assert report[0] == {"rank": 0, "samples": SAMPLES}
    dist.monitored_barrier(timeout=timedelta(seconds=60))
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
