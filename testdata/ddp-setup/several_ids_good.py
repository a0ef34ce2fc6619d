# One process has one GPU.
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
model = torch.nn.Linear(4, 1).cuda()
model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0])
model(torch.randn(2, 4).cuda())
