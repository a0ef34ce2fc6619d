# NCCL reduces tensors of GPUs only.
# raises: RuntimeError: No backend type associated with device type cpu
import os

import torch
import torch.distributed as dist

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
torch.cuda.set_device(0)
dist.all_reduce(torch.ones(2))  # raises
