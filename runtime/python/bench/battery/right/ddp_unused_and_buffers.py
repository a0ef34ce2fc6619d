# DDP with find_unused_parameters, and buffers that rank 0 broadcasts before each forward pass
# runs
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

class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.a = nn.Linear(8, 1)
        self.b = nn.Linear(8, 1)
        self.register_buffer("offset", torch.zeros(1))

    def forward(self, x, head):
        h = torch.relu(self.body(x)) + self.offset
        return (self.a if head == "a" else self.b)(h)


def worker(rank, world, port):
    dev = setup(rank, world, port)
    torch.manual_seed(0)
    model = DDP(TwoHeads().to(dev), device_ids=[rank], find_unused_parameters=True, broadcast_buffers=True)
    model.module.offset.fill_(5.0 + rank)
    x = torch.ones(4, 4, device=dev) * (rank + 1)
    for step, head in enumerate("abab"):
        model.zero_grad(set_to_none=True)
        model(x, head).mean().backward()
        used, unused = (model.module.a, model.module.b) if head == "a" else (model.module.b, model.module.a)
        assert used.weight.grad is not None and used.weight.grad.device == dev
        g = unused.weight.grad
        assert g is None or not g.any()
        got = [torch.empty_like(used.weight.grad) for _ in range(world)]
        dist.all_gather(got, used.weight.grad)
        assert torch.equal(got[0], got[1])
        assert model.module.offset.item() == 5.0  # rank 0's value everywhere
    with torch.no_grad():
        h = torch.stack([torch.relu(model.module.body.weight.sum(1) * r + model.module.body.bias) + 5 for r in (1, 2)])
    assert torch.allclose(model.module.b.weight.grad[0], h.mean(0), atol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
