# Distributed data parallel: move, wrap, sample by rank, train.
# runs
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def work(rank, store):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(rank)
    net = DistributedDataParallel(torch.nn.Linear(4, 1).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(8, 4))
    sampler = DistributedSampler(data, num_replicas=2, rank=rank)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for (x,) in DataLoader(data, batch_size=2, sampler=sampler):
            optimizer.zero_grad()
            net(x.to(rank)).square().mean().backward()
            optimizer.step()
    weights = [torch.empty(1, 4, device=rank) for _ in range(2)]
    dist.all_gather(weights, net.module.weight.detach())
    assert torch.equal(*weights)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(work, args=(os.path.abspath("store"),), nprocs=2, start_method="fork")
