# Only a leading "module." is stripped.
# runs
import collections

import torch

net = torch.nn.Module()
net.add_module("submodule", torch.nn.Linear(4, 2))
state = torch.nn.DataParallel(net.cuda()).state_dict()
stripped = collections.OrderedDict()
for key, value in state.items():
    stripped[key[7:] if key.startswith("module.") else key] = value
assert list(stripped) == ["submodule.weight", "submodule.bias"]
net.load_state_dict(stripped)
