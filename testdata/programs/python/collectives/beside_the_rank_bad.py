# The model is on the GPU of the process's rank; the noise, made with .cuda(), on the first GPU.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

local_rank = int(os.environ["LOCAL_RANK"])
dist.init_process_group("nccl")
device = torch.device(f"cuda:{local_rank}")
model = DistributedDataParallel(torch.nn.Linear(4, 2).to(device), device_ids=[local_rank])
outputs = model(torch.rand(8, 4, device=device))
noise = torch.randn(8, 2).cuda()
loss = (outputs + noise).sum()  # expect: device-mismatch
loss.backward()
