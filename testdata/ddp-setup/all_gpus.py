# Every GPU of the machine is listed in each process.
import os

import torch
import torch.distributed as dist
import torch.nn as nn


def wrap(model, gpus):
    model.cuda(gpus[0])
    return nn.parallel.DistributedDataParallel(model, device_ids=gpus, output_device=gpus[0])  # expect: ddp-setup


dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
model = wrap(nn.Linear(4, 2), [0, 1, 2, 3])
print(model.module)
