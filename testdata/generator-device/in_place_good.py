# What is filled on the CPU is moved afterwards.
import torch

weight = torch.empty(4, 4)
weight.uniform_(-1, 1, generator=torch.manual_seed(0))
weight = weight.cuda()
weight.uniform_(-1, 1, generator=torch.Generator("cuda"))
