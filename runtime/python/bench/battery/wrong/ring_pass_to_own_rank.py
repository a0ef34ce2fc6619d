# A ring exchange computes the next rank as (rank + world_size) % world_size, which is the rank itself.
# raises: ProcessRaisedException: Invalid destination rank: destination rank should not be the same as the rank of the current process.
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Ring:
    def __init__(self, rank, world_size):
        self.rank = rank
        self.following = (rank + world_size) % world_size
        self.previous = (rank - 1) % world_size

    def shift(self, block):
        incoming = torch.empty_like(block)
        if self.rank % 2 == 0:
            dist.send(block, dst=self.following)
            dist.recv(incoming, src=self.previous)
        else:
            dist.recv(incoming, src=self.previous)
            dist.send(block, dst=self.following)
        return incoming


def ring_attention_scores(query, key, ring, world_size):
    scores = []
    block = key.clone()
    for _ in range(world_size):
        scores.append(query @ block.t())
        block = ring.shift(block)
    return torch.cat(scores, dim=1)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    gen = torch.Generator().manual_seed(rank)
    query = torch.randn(4, 8, generator=gen).to(device)
    key = torch.randn(4, 8, generator=gen).to(device)
    dist.barrier(device_ids=[rank])
    scores = ring_attention_scores(query, key, Ring(rank, world_size), world_size)
    print(rank, scores.shape, scores.sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)  # raises
