# DDP communication hooks: a hand-written averaging hook and the fp16 compression hook against plain DDP.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel as DDP


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class HookState:
    def __init__(self, group):
        self.group = group
        self.calls = 0
        self.elements = 0


def averaging_hook(state: HookState, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
    state.calls += 1
    state.elements += bucket.buffer().numel()
    work = dist.all_reduce(bucket.buffer(), op=dist.ReduceOp.SUM, group=state.group, async_op=True)
    world = dist.get_world_size(state.group)
    return work.get_future().then(lambda future: future.value()[0] / world)


def build(device):
    torch.manual_seed(6)
    return nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4)).to(device)


def gradients(model, rank, device):
    gen = torch.Generator().manual_seed(rank)
    x = torch.randn(8, 10, generator=gen).to(device)
    y = torch.randint(0, 4, (8,), generator=gen).to(device)
    model.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    return [p.grad.detach().clone() for p in model.parameters()]


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    plain = gradients(DDP(build(device), device_ids=[rank]), rank, device)

    state = HookState(dist.group.WORLD)
    hooked = DDP(build(device), device_ids=[rank])
    hooked.register_comm_hook(state, averaging_hook)
    for _ in range(2):
        ours = gradients(hooked, rank, device)
        for a, b in zip(ours, plain):
            torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
    assert state.calls >= 2
    assert state.elements == 2 * sum(p.numel() for p in hooked.parameters())

    compressed = DDP(build(device), device_ids=[rank])
    compressed.register_comm_hook(None, default_hooks.fp16_compress_hook)
    for a, b in zip(gradients(compressed, rank, device), plain):
        assert a.dtype == torch.float32
        torch.testing.assert_close(a, b, rtol=5e-3, atol=5e-4)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
