# The tensor is moved to the GPU of the process before.
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
total = torch.tensor([1.0, 2.0]).cuda()
dist.all_reduce(total, op=dist.ReduceOp.SUM)
print(total)
