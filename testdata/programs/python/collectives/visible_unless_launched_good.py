# Whoever starts it with a rank gives each process its own GPU, as the program does otherwise.
import os

import torch
import torch.distributed as dist


def start():
    if "RANK" not in os.environ:
        os.environ["RANK"] = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
        os.environ["WORLD_SIZE"] = os.environ.get("OMPI_COMM_WORLD_SIZE", "1")
        os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["RANK"]
    dist.init_process_group("nccl")


start()
total = torch.rand(4).cuda()
dist.all_reduce(total)
