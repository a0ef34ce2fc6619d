# A sequence is cut in two; convolutions exchange halos between the GPUs and give the result of the whole sequence.
# runs
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F

LENGTH, CHANNELS, KERNEL = 24, 3, 5
HALO = KERNEL // 2


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def build():
    torch.manual_seed(91)
    return nn.ModuleList([nn.Conv1d(CHANNELS, CHANNELS, KERNEL), nn.Conv1d(CHANNELS, CHANNELS, KERNEL)])


def exchange_halo(x, rank, world_size):
    """Pads x with the edges of its neighbours; the outer ends are zeros."""
    left = x.new_zeros(x.size(0), x.size(1), HALO)
    right = torch.zeros_like(left)
    ops = []
    if rank > 0:
        ops.append(dist.P2POp(dist.isend, x[..., :HALO].contiguous(), rank - 1))
        ops.append(dist.P2POp(dist.irecv, left, rank - 1))
    if rank < world_size - 1:
        ops.append(dist.P2POp(dist.isend, x[..., -HALO:].contiguous(), rank + 1))
        ops.append(dist.P2POp(dist.irecv, right, rank + 1))
    for work in dist.batch_isend_irecv(ops):
        work.wait()
    return torch.cat([left, x, right], dim=-1)


@torch.no_grad()
def sharded_forward(convs, x, rank, world_size):
    for conv in convs:
        x = torch.relu(conv(exchange_halo(x, rank, world_size)))
    return x


@torch.no_grad()
def whole_forward(convs, x):
    for conv in convs:
        x = torch.relu(conv(F.pad(x, (HALO, HALO))))
    return x


def worker(rank, world_size):
    torch.backends.cudnn.allow_tf32 = False
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    sequence = torch.randn(2, CHANNELS, LENGTH, generator=torch.Generator().manual_seed(4))
    part = sequence.chunk(world_size, dim=-1)[rank].to(device)
    out = sharded_forward(build().to(device), part, rank, world_size)
    assert out.shape == (2, CHANNELS, LENGTH // world_size)

    gathered = torch.empty(world_size, *out.shape, device=device)
    dist.all_gather_into_tensor(gathered, out.contiguous().unsqueeze(0))
    joined = torch.cat(list(gathered), dim=-1).cpu()
    torch.testing.assert_close(joined, whole_forward(build(), sequence), rtol=1e-4, atol=1e-5)

    mean = out.double().sum().view(1)
    dist.all_reduce(mean)
    mean /= joined.numel()
    torch.testing.assert_close(mean.cpu(), joined.double().mean().view(1), rtol=1e-6, atol=1e-8)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)
    print("ok")
