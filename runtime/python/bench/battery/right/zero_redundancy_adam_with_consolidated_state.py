# ZeroRedundancyOptimizer shards Adam's state, keeps the ranks equal to plain Adam and gives its whole state to rank 0.
# runs
import os
import socket

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


def build():
    torch.manual_seed(71)
    return nn.Sequential(nn.Linear(6, 14), nn.SiLU(), nn.Linear(14, 14), nn.SiLU(), nn.Linear(14, 2))


def batch(step, rank):
    gen = torch.Generator().manual_seed(60 * step + rank)
    return torch.randn(6, 6, generator=gen), torch.randn(6, 2, generator=gen)


def reference(steps, world_size):
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(steps):
        x, y = (torch.cat(t) for t in zip(*[batch(step, r) for r in range(world_size)]))
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    return model, optimizer


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    model = DDP(build().to(device), device_ids=[rank])
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=1e-2)
    steps = 4
    for step in range(steps):
        x, y = (t.to(device) for t in batch(step, rank))
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()

    total = sum(1 for _ in model.parameters())
    local = torch.tensor([sum(len(g["params"]) for g in optimizer.optim.param_groups)], device=device)
    assert 0 < local.item() < total
    dist.all_reduce(local)
    assert local.item() == total

    single, single_optimizer = reference(steps, world_size)
    for ours, theirs in zip(model.parameters(), single.parameters()):
        torch.testing.assert_close(ours.detach().cpu(), theirs.detach(), rtol=1e-3, atol=1e-3)
        other = ours.detach().clone()
        dist.broadcast(other, src=0)
        assert torch.equal(other, ours.detach())

    optimizer.consolidate_state_dict(to=0)
    if rank == 0:
        state = optimizer.state_dict()
        assert len(state["state"]) == total
        expected = single_optimizer.state_dict()["state"]
        for index in range(total):
            average = state["state"][index]["exp_avg"].cpu()
            torch.testing.assert_close(average, expected[index]["exp_avg"], rtol=1e-2, atol=1e-4)
    dist.barrier(device_ids=[rank])
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
