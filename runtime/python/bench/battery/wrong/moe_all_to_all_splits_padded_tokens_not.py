# MoE dispatch: the split sizes are rounded up to the capacity but the token buffer is not padded.
# raises: ProcessRaisedException: Sum of input_split_sizes exceeds input tensor size
# raises: ProcessRaisedException: Split sizes doesn't match total dim 0 size
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


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        return self.net(x)


def dispatch(tokens, expert_of_token, world_size, capacity):
    order = torch.argsort(expert_of_token, stable=True)
    counts = torch.bincount(expert_of_token, minlength=world_size).clamp(min=capacity)
    arriving = torch.empty_like(counts)
    dist.all_to_all_single(arriving, counts)
    send_splits, recv_splits = counts.tolist(), arriving.tolist()
    received = tokens.new_empty(sum(recv_splits), tokens.size(1))
    dist.all_to_all_single(received, tokens[order].contiguous(), recv_splits, send_splits)
    return received, order, send_splits, recv_splits


def moe_worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    torch.manual_seed(rank)
    expert = Expert(4).to(device)
    tokens = torch.randn(6, 4, device=device)
    expert_of_token = torch.tensor([0, 1, 0, 0, 1, 0], device=device)
    with torch.no_grad():
        received, order, sent, got = dispatch(tokens, expert_of_token, world_size, capacity=4)
        worked = expert(received)
        back = tokens.new_empty(sum(sent), tokens.size(1))
        dist.all_to_all_single(back, worked, sent, got)
        result = torch.empty_like(tokens)
        result[order] = back
    print(rank, result.shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(moe_worker, args=(2,), nprocs=2)  # raises
