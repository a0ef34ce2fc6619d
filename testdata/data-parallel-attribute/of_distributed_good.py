# The wrapped module is asked, and the wrapper for what it has itself.
import os

import torch
import torch.distributed as dist
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        return self.out(x)


@torch.no_grad()
def evaluate(model):
    width = model.module.width
    return model(torch.rand(4, width).cuda()).mean().item()


dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
wrapped = nn.parallel.DistributedDataParallel(Net(3).cuda(), device_ids=[0])
print(evaluate(wrapped), wrapped.device, wrapped.device_ids)
