# The module is wrapped while it is on the CPU, and no device is listed: NCCL has to broadcast it.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group(backend="nccl", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
torch.cuda.set_device(0)
model = DDP(torch.nn.Linear(4, 2))  # expect: ddp-setup
model(torch.randn(2, 4)).sum().backward()
