# Three GPUs in another order.
# runs
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,3,2"

import torch

assert torch.cuda.device_count() == 3
net = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())
assert net.device_ids == [0, 1, 2] and net(torch.randn(6, 4)).get_device() == 0
