# parallel_apply with a copy of the module that was never moved to the second GPU
# raises: RuntimeError: Caught RuntimeError in replica 1 on device 1. ... Expected all tensors to be on the same device, but got mat1 is on cuda:1, different from other tensors on cuda:0
import copy

import torch
import torch.nn as nn
from torch.nn.parallel import gather, parallel_apply, scatter

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2)).to("cuda:0")
replicas = [model, copy.deepcopy(model)]
x = torch.randn(8, 6, device="cuda:0")
with torch.no_grad():
    parts = scatter(x, [0, 1])
    assert [p.device.index for p in parts] == [0, 1]
    outs = parallel_apply(replicas, [(p,) for p in parts], devices=[0, 1])  # raises
    y = gather(outs, 0)
print(y.shape)
