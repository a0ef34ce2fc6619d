# One process drives one GPU.
# raises: ValueError: device_ids can only be None or contain a single element.
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
model = torch.nn.Linear(4, 1).cuda()
torch.nn.parallel.DistributedDataParallel(model, device_ids=[0, 1])  # expect: ddp-setup  # raises
