# A helper makes the process group.
import os

import torch
import torch.distributed as dist
from torch import nn


class Worker:
    def __init__(self, rank):
        self.rank = rank
        self.device = torch.device("cuda", rank)

    def model(self):
        net = nn.Linear(4, 2).to(self.device)
        return nn.parallel.DistributedDataParallel(net, device_ids=[self.rank])


def join(rank):
    dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=rank, world_size=1)


join(0)
print(Worker(0).model())
