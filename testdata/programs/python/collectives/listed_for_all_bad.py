# Each process moves its model to its own GPU, and wraps it for the first one.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
model = DistributedDataParallel(torch.nn.Linear(4, 2).cuda(), device_ids=[0])  # expect: rank-device
