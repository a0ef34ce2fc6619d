# Copies of a module are on its device and apart from it.
# runs
import copy

import torch

net = torch.nn.Linear(4, 2).to("cuda:1")
twin = copy.deepcopy(net)
with torch.no_grad():
    twin.weight.zero_()
assert twin.weight.get_device() == 1 and net.weight.abs().sum() > 0
