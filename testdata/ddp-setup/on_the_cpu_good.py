# On the CPU, and over several GPUs in one model, no device is listed.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
model = DDP(torch.nn.Linear(4, 2))
model(torch.randn(2, 4)).sum().backward()
use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
net = torch.nn.Linear(4, 2).to(device)
net = DDP(net, device_ids=[0] if use_cuda else None)
net(torch.randn(2, 4).to(device)).sum().backward()
