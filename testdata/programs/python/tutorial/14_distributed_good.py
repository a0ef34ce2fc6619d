# One process for each GPU: move, then wrap; the sampler shares out the data.
# runs
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train(local_rank, store):
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=local_rank, world_size=2)
    device = torch.device("cuda", local_rank)
    model = torch.nn.Linear(4, 1).to(device)
    model = torch.nn.parallel.DistributedDataParallel(
        model, device_ids=[local_rank], output_device=local_rank, broadcast_buffers=False,
        find_unused_parameters=True)
    data = TensorDataset(torch.arange(32.0).view(8, 4) / 32)
    sampler = DistributedSampler(data, num_replicas=2, rank=local_rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for (x,) in DataLoader(data, batch_size=2, sampler=sampler):
        optimizer.zero_grad()
        model(x.to(device)).square().mean().backward()
        optimizer.step()
    weights = [torch.empty(1, 4, device=device) for _ in range(2)]
    dist.all_gather(weights, model.module.weight.detach())
    assert torch.equal(weights[0], weights[1])
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(train, args=(os.path.abspath("store"),), nprocs=2, start_method="fork")
