# What is gathered comes to tensors on the CPU, which NCCL does not write to.
import os

import torch
import torch.distributed as dist

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29517")
torch.cuda.set_device(0)
dist.init_process_group("nccl", rank=0, world_size=1)


def gathered(scores):
    parts = [torch.zeros(scores.shape) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, scores)  # expect: ddp-setup
    return torch.cat(parts)


print(gathered(torch.rand(4, device="cuda:0")))
