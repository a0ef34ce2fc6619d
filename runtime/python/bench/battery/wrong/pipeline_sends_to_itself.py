# the last stage of a pipeline computes its neighbour's rank wrongly and sends to itself
# raises: ValueError: Invalid destination rank: destination rank should not be the same as the rank of the current process.
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def setup(rank, world, port):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world)
    return torch.device("cuda", rank)

def worker(rank, world, port):
    dev = setup(rank, world, port)
    stage = nn.Linear(8, 8).to(dev)
    x = torch.randn(4, 8, device=dev)
    nxt = min(rank + 1, world - 1)
    if rank > 0:
        dist.recv(x, src=rank - 1)
    with torch.no_grad():
        x = stage(x)
    dist.send(x, dst=nxt)  # raises
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, free_port()), nprocs=2)  # raises
