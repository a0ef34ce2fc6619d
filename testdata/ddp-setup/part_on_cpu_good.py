# The head is replaced before the model is moved.
import os

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
device = torch.device("cuda", 0)
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(36, 10))
model[2] = nn.Linear(36, 2)
model = model.to(device)
model = nn.parallel.DistributedDataParallel(model, device_ids=[0])
model(torch.randn(2, 3, 5, 5).to(device))
