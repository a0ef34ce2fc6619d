# A tensor of the CPU is given to a collective of NCCL.
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
total = torch.tensor([1.0, 2.0])
dist.all_reduce(total, op=dist.ReduceOp.SUM)  # expect: ddp-setup
print(total)
