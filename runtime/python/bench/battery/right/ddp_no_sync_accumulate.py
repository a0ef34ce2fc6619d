# gradient accumulation under DDP with no_sync: gradients are local until the last micro batch
# runs
import contextlib
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

def data():
    g = torch.Generator().manual_seed(3)
    return torch.randn(2, 4, 8, 6, generator=g), torch.randn(2, 4, 8, 1, generator=g)  # rank, micro, batch, feat


def worker(rank, world, port):
    dev = setup(rank, world, port)
    torch.manual_seed(0)
    ref = nn.Linear(6, 1)
    model = DDP(nn.Linear(6, 1).to(dev), device_ids=[rank])
    model.module.load_state_dict(ref.state_dict())
    xs, ys = data()
    n = xs.shape[1]
    for i in range(n):
        last = i == n - 1
        ctx = contextlib.nullcontext() if last else model.no_sync()
        with ctx:
            loss = (model(xs[rank, i].to(dev)) - ys[rank, i].to(dev)).pow(2).mean() / n
            loss.backward()
        if i == 0:
            w = model.module.weight.grad.clone()
            both = [torch.empty_like(w) for _ in range(world)]
            dist.all_gather(both, w)
            assert not torch.allclose(both[0], both[1])  # not reduced yet
    total = sum((ref(xs[r, i]) - ys[r, i]).pow(2).mean() / n for r in range(world) for i in range(n)) / world
    total.backward()
    assert torch.allclose(model.module.weight.grad.cpu(), ref.weight.grad, atol=1e-3)
    assert torch.allclose(model.module.bias.grad.cpu(), ref.bias.grad, atol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
