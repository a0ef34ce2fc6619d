"""The dot is cut off as well, and slices from the end of a text cut something else."""
import torch
from torch import nn


def strip(state):
    stripped = {}
    for key, value in state.items():
        name = key[7:] if key.startswith("module") else key
        stripped[name] = value
    return stripped


net = nn.Sequential(nn.Linear(3, 3))
state = strip(nn.DataParallel(net).state_dict())
path = "net.pth"
torch.save(state, path[:-4] + "_last" + path[-4:])
net.load_state_dict(torch.load("net_last.pth"))
print([key[:-7] for key in state], [key[2:8] for key in state])
