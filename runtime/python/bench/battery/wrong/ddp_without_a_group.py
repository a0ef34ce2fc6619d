# init_process_group() was forgotten.
# raises: ValueError: Default process group has not been initialized, please make sure to call init_process_group.
# raises: RuntimeError: Default process group has not been initialized, please make sure to call init_process_group.
import torch
from torch.nn.parallel import DistributedDataParallel

net = torch.nn.Linear(4, 2).cuda()
DistributedDataParallel(net, device_ids=[0])  # raises
