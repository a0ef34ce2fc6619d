# Six letters are cut off, the prefix has seven.
from collections import OrderedDict

import torch
from torch import nn


def remove_prefix(checkpoint):
    new_state_dict = OrderedDict()
    for k, v in checkpoint.items():
        name = k[6:]  # expect: prefix-strip-anywhere
        new_state_dict[name] = v
    return new_state_dict


model = nn.DataParallel(nn.Linear(3, 3)).cuda()
torch.save({"state_dict": model.state_dict(), "epoch": 1}, "ckpt.pth.tar")
checkpoint = torch.load("ckpt.pth.tar", map_location=lambda storage, loc: storage)
nn.Linear(3, 3).load_state_dict(remove_prefix(checkpoint["state_dict"]))
