# one dimensional heat equation split over two GPUs, halos by send/recv and by batch_isend_irecv
# runs
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

def exchange_batched(u, rank):
    """u has one ghost cell at each end; the ranks are neighbours in the middle."""
    other = 1 - rank
    mine = u[-2:-1] if rank == 0 else u[1:2]
    got = torch.empty_like(mine)
    ops = [dist.P2POp(dist.isend, mine.contiguous(), other), dist.P2POp(dist.irecv, got, other)]
    for req in dist.batch_isend_irecv(ops):
        req.wait()
    if rank == 0:
        u[-1:] = got
    else:
        u[:1] = got


def exchange_ordered(u, rank):
    if rank == 0:
        dist.send(u[-2:-1].contiguous(), dst=1)
        dist.recv(u[-1:], src=1)
    else:
        got = torch.empty_like(u[:1])
        dist.recv(got, src=0)
        u[:1] = got
        dist.send(u[1:2].contiguous(), dst=0)


def step(u):
    u[1:-1] += 0.2 * (u[:-2] - 2 * u[1:-1] + u[2:])


def worker(rank, world, port):
    dev = setup(rank, world, port)
    n = 32
    full = torch.zeros(n + 2)
    full[10:20] = torch.linspace(0, 1, 10)
    half = n // 2
    u = full[rank * half : rank * half + half + 2].clone().to(dev)
    for i in range(20):
        (exchange_batched if i % 2 else exchange_ordered)(u, rank)
        step(u)
        step(full)
    want = full[1:-1].chunk(2)[rank]
    assert u.device == dev
    assert torch.allclose(u[1:-1].cpu(), want, atol=1e-4)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)
