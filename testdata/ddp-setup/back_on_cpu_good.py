# A copy is moved to the CPU.
import copy
import os

import torch
import torch.distributed as dist


def summary(model):
    on_cpu = copy.deepcopy(model).cpu()
    return sum(p.abs().sum().item() for p in on_cpu.parameters())


dist.init_process_group("gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
local_rank = int(os.environ.get("LOCAL_RANK", 0))
torch.cuda.set_device(local_rank)
net = torch.nn.Linear(3, 2).cuda(local_rank)
print(summary(net))
net = torch.nn.parallel.DistributedDataParallel(net, device_ids=[local_rank])
