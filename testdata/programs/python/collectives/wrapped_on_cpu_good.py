# The module is on the GPU of the process where it is wrapped, listed or not.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(backend="nccl", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
torch.cuda.set_device(0)
model = DDP(torch.nn.Linear(4, 2).cuda())
model(torch.randn(2, 4).cuda()).sum().backward()
host = dist.new_group(backend="gloo")
other = DDP(torch.nn.Linear(4, 2), process_group=host)
other(torch.randn(2, 4)).sum().backward()
