# A process lists as many GPUs as there are.
import os

import torch
import torch.distributed as dist
import torch.nn as nn

dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
gpus = list(range(torch.cuda.device_count()))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 2).cuda(), device_ids=gpus)  # expect: ddp-setup
print(model.module)
