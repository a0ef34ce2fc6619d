"""DistributedDataParallel on virtual GPUs gives the losses of one process on the CPU that has the whole batch.
As torchrun starts it, `ddp.py FILE`; FILE is not there yet."""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks

STEPS = 4
RANK, RANKS = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
DEVICE = torch.device("cuda", RANK)


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))


def losses(net, device, part=0, parts=1):
    """Of this process's part of each batch."""
    data = torch.Generator().manual_seed(2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)
    result = []
    for _ in range(STEPS):
        inputs = torch.randn(8, 6, generator=data).chunk(parts)[part].to(device)
        targets = torch.randint(3, (8,), generator=data).chunk(parts)[part].to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(inputs), targets)
        loss.backward()
        optimizer.step()
        result.append(loss.detach())
    return torch.stack(result)


def expect_cpu_losses(group, hook=None, tolerance=1e-5):
    part, parts = dist.get_rank(group), dist.get_world_size(group)
    net = nn.parallel.DistributedDataParallel(network().to(DEVICE), device_ids=[RANK],
                                              process_group=group)
    if hook is not None:
        net.register_comm_hook(group, hook)
    mean = losses(net, DEVICE, part, parts)
    dist.all_reduce(mean, group=group)
    expected = losses(network(), torch.device("cpu"))
    torch.testing.assert_close((mean / parts).cpu(), expected, rtol=0, atol=tolerance)


def leave_a_late_collective():
    """Its tensor, which Python has forgotten, is given back by the group's thread, after the others came."""
    if RANK == 1:
        time.sleep(0.5)
    dist.all_reduce(torch.ones(3, device=DEVICE), async_op=True)


def with_nccl():
    torch.cuda.set_device(DEVICE)
    dist.init_process_group("nccl")
    alone = [dist.new_group([rank]) for rank in range(RANKS)][RANK]
    expect_cpu_losses(dist.group.WORLD)
    expect_cpu_losses(alone)
    expect_cpu_losses(dist.group.WORLD, default_hooks.fp16_compress_hook, 1e-2)
    leave_a_late_collective()
    future = dist.all_reduce(torch.ones(3, device=DEVICE), async_op=True).get_future()
    assert future.wait()[0].tolist() == [RANKS] * 3
    leave_a_late_collective()
    dist.destroy_process_group()
    print("nccl ok", flush=True)


def with_gloo(file):
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=RANK, world_size=RANKS)
    alone = [dist.new_group([rank]) for rank in range(RANKS)][RANK]
    expect_cpu_losses(dist.group.WORLD)
    expect_cpu_losses(alone)
    dist.destroy_process_group()
    print("gloo ok", flush=True)


if __name__ == "__main__":
    with_nccl()
    with_gloo(sys.argv[1])
