# One process drives one GPU.
# raises: ValueError: device_ids can only be None or contain a single element.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
net = torch.nn.Linear(4, 2).cuda()
DistributedDataParallel(net, device_ids=[0, 1])  # raises
