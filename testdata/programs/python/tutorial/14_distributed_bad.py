# The model is wrapped before it is moved.
# raises: ValueError: DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [0], output_device 0, and module parameters {device(type='cpu')}.
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
model = torch.nn.Linear(4, 1)
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0], output_device=0)  # expect: ddp-setup  # raises
