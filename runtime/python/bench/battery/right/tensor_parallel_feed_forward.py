# A column- and row-parallel feed-forward network on a device mesh has the outputs, gradients and updates of the CPU model.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class FeedForward(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.up = nn.Linear(dim, hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.down(torch.tanh(self.up(x)))


def build():
    torch.manual_seed(44)
    return nn.ModuleDict({"ff": FeedForward(6, 16), "head": nn.Linear(6, 2)})


def run(model, x):
    return model["head"](x + model["ff"](x))


def full(tensor):
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    mesh = init_device_mesh("cuda", (1, world_size), mesh_dim_names=("dp", "tp"))
    tp_mesh = mesh["tp"]
    assert tp_mesh.size() == 2 and mesh.get_local_rank("tp") == rank

    model = build().to(device)
    parallelize_module(model["ff"], tp_mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    assert model["ff"].up.weight.placements == (Shard(0),)
    assert model["ff"].down.weight.placements == (Shard(1),)
    assert model["ff"].up.weight.to_local().shape == (8, 6)
    assert model["ff"].down.weight.to_local().shape == (6, 8)

    sharded = torch.optim.SGD(model["ff"].parameters(), lr=0.1)
    replicated = torch.optim.SGD(model["head"].parameters(), lr=0.1)
    single = build()
    single_optimizer = torch.optim.SGD(single.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(0)

    for _ in range(3):
        x, y = torch.randn(5, 6, generator=gen), torch.randn(5, 2, generator=gen)
        out = run(model, x.to(device))
        loss = nn.functional.mse_loss(out, y.to(device))
        expected = run(single, x)
        torch.testing.assert_close(out.detach().cpu(), expected.detach(), rtol=1e-4, atol=1e-4)
        for optimizer in (sharded, replicated, single_optimizer):
            optimizer.zero_grad()
        loss.backward()
        nn.functional.mse_loss(expected, y).backward()
        for (name, ours), theirs in zip(model.named_parameters(), single.parameters()):
            torch.testing.assert_close(
                full(ours.grad).cpu(), theirs.grad, rtol=1e-3, atol=1e-5, msg=lambda m: f"{name}: {m}"
            )
        for optimizer in (sharded, replicated, single_optimizer):
            optimizer.step()

    for ours, theirs in zip(model.parameters(), single.parameters()):
        torch.testing.assert_close(full(ours.detach()).cpu(), theirs.detach(), rtol=1e-3, atol=1e-4)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
