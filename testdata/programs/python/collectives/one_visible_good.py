# Each process sees one GPU, which is cuda:0 there.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]
dist.init_process_group("nccl")
model = DistributedDataParallel(torch.nn.Linear(4, 2).cuda())
