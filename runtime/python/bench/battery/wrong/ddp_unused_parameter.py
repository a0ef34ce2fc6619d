# A parameter has no part in the loss.
# raises: RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used = torch.nn.Linear(4, 2)
        self.unused = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.used(x)


dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
net = DistributedDataParallel(Net().cuda(), device_ids=[0])
for _ in range(2):
    net(torch.randn(8, 4).cuda()).sum().backward()  # raises
