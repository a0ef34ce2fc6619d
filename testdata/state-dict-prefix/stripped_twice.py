# The prefix is stripped for a model that is wrapped.
from collections import OrderedDict

import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2)).cuda()
torch.save({"state_dict": model.state_dict()}, "ckpt.pth")

checkpoint = torch.load("ckpt.pth")
new_state_dict = OrderedDict()
for k, v in checkpoint["state_dict"].items():
    name = k[7:]  # remove `module.`
    new_state_dict[name] = v
restored = nn.DataParallel(nn.Linear(4, 2)).cuda()
restored.load_state_dict(new_state_dict)  # expect: state-dict-prefix
