# GPUs 2 and 3 are made visible, and are used as 0 and 1.
# environment: CUDA_VISIBLE_DEVICES=2,3
# runs
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda(), device_ids=[0, 1])
assert net(torch.randn(8, 4).cuda()).size() == (8, 2)
