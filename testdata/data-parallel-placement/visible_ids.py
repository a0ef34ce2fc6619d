# GPUs 2 and 3 are chosen by their physical numbers, the model is on the default GPU.
import torch
import torch.nn as nn

ids = [2, 3]
net = nn.Linear(10, 3).cuda()
batch = torch.randn(16, 10).cuda()
net = torch.nn.DataParallel(net, device_ids=ids)
outputs = net(batch)  # expect: data-parallel-placement
outputs.sum().backward()
