# GPUs 2 and 3 are chosen, and the model is on the first of them.
import torch
import torch.nn as nn

ids = [2, 3]
net = nn.Linear(10, 3).cuda(ids[0])
batch = torch.randn(16, 10).cuda(ids[0])
net = torch.nn.DataParallel(net, device_ids=ids)
outputs = net(batch)
outputs.sum().backward()
