# The ids of all GPUs, the last one first: the model is on the first.
import torch
from torch import nn

ids = sorted(range(torch.cuda.device_count()), reverse=True)
net = nn.DataParallel(nn.Linear(4, 2).cuda(), device_ids=ids)
net(torch.rand(8, 4).cuda())  # expect: data-parallel-placement
