# SyncBatchNorm over a group of one process.
# runs
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl", init_method="file://" + os.path.abspath("store"), rank=0,
                        world_size=1)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4))
net = torch.nn.SyncBatchNorm.convert_sync_batchnorm(net).cuda()
net = DistributedDataParallel(net, device_ids=[0])
net(torch.randn(2, 3, 8, 8).cuda()).sum().backward()
dist.destroy_process_group()
