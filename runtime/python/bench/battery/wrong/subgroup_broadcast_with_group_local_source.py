# src=0 is meant as the rank inside the subgroup, but broadcast takes a global rank.
# raises: ProcessRaisedException: Global rank 0 is not part of group
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_groups(world_size, group_size):
    """One group for each node; every rank has to create all of them."""
    mine = None
    for start in range(0, world_size, group_size):
        ranks = list(range(start, start + group_size))
        group = dist.new_group(ranks=ranks)
        if dist.get_rank() in ranks:
            mine = group
    return mine


def sync_model(model, group):
    for tensor in list(model.parameters()) + list(model.buffers()):
        dist.broadcast(tensor.data, src=0, group=group)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    node_group = make_groups(world_size, group_size=1)
    torch.manual_seed(rank)
    model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1)).to(device)
    sync_model(model, node_group)

    checksum = torch.stack([p.detach().abs().sum() for p in model.parameters()]).sum()
    dist.all_reduce(checksum, group=node_group)
    dist.barrier(device_ids=[rank])
    print(rank, checksum.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)  # raises
