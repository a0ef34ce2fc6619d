# A model computes what its copy on the CPU computes.
# runs
import copy

import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8))
other = copy.deepcopy(net).to("cuda:1")
x = torch.randn(5, 4)
assert torch.allclose(net(x), other(x.to("cuda:1")).cpu(), atol=1e-5)
assert next(net.parameters()).device.type == "cpu"
