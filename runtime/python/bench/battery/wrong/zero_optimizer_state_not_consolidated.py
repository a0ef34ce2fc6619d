# The sharded state of ZeroRedundancyOptimizer is asked for without consolidate_state_dict before.
# raises: ProcessRaisedException: Optimizer state has not been consolidated on this rank.
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def snapshot(model, optimizer, step):
    return {
        "model": model.module.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
    }


def worker(rank, world_size, folder):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(3)
    model = DDP(nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 2)).to(device), device_ids=[rank])
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=1e-2)
    gen = torch.Generator().manual_seed(80 + rank)
    for _ in range(3):
        x = torch.randn(8, 6, generator=gen).to(device)
        y = torch.randint(0, 2, (8,), generator=gen).to(device)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    state = snapshot(model, optimizer, step=3)
    if rank == 0:
        torch.save(state, os.path.join(folder, "step3.pt"))
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(worker, args=(2, folder), nprocs=2)  # raises
