# Gradients are sent as half; one step is without synchronization.
# runs
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel


def work(rank, store):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    net = DistributedDataParallel(torch.nn.Linear(4, 1).cuda(), device_ids=[rank])
    net.register_comm_hook(None, default_hooks.fp16_compress_hook)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    with net.no_sync():
        net(torch.randn(4, 4, device=rank)).sum().backward()
    for _ in range(3):
        net(torch.full((4, 4), rank + 1.0, device=rank)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    weights = [torch.empty_like(net.module.weight) for _ in range(2)]
    dist.all_gather(weights, net.module.weight.detach())
    assert not torch.isnan(weights[0]).any()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.start_processes(work, args=(os.path.abspath("store"),), nprocs=2, start_method="fork")
