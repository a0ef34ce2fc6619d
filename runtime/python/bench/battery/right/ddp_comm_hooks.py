# DDP communication hooks: one of our own that sums in place of averaging, and fp16 compression
# runs
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
from torch.nn.parallel import DistributedDataParallel as DDP

def setup(rank, world, rdzv):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + rdzv, rank=rank, world_size=world)
    return torch.device("cuda", rank)

def sum_hook(state, bucket):
    state["buckets"] += 1
    fut = dist.all_reduce(bucket.buffer(), async_op=True).get_future()
    return fut.then(lambda f: f.value()[0])


def grads(hook, state, rank, dev):
    torch.manual_seed(0)
    m = DDP(nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 2)).to(dev), device_ids=[rank])
    if hook is not None:
        m.register_comm_hook(state, hook)
    x = torch.linspace(-1, 1, 20).view(4, 5).to(dev) * (rank + 1)
    m(x).pow(2).sum().backward()
    torch.cuda.synchronize(dev)
    return [p.grad.cpu() for p in m.parameters()]


def worker(rank, world, rdzv):
    dev = setup(rank, world, rdzv)
    state = {"buckets": 0}
    mean = grads(None, None, rank, dev)
    summed = grads(sum_hook, state, rank, dev)
    half = grads(default_hooks.fp16_compress_hook, None, rank, dev)
    assert state["buckets"] >= 1
    for m, s, h in zip(mean, summed, half):
        assert torch.allclose(s, 2 * m, rtol=1e-3, atol=1e-4)
        assert h.dtype == torch.float32
        assert torch.allclose(h, m, rtol=2e-2, atol=2e-2)
    torch.manual_seed(0)
    ref = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 2))
    for r in range(world):
        ref(torch.linspace(-1, 1, 20).view(4, 5) * (r + 1)).pow(2).sum().backward()
    for p, s in zip(ref.parameters(), summed):
        assert torch.allclose(p.grad, s, atol=1e-3, rtol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(2, os.path.join(tmp, "rdzv")), nprocs=2)
