# The prefix is cut off with its dot; other names with the word keep it.
import torch
from torch import nn


def load(net, path):
    checkpoint = torch.load(path, map_location="cpu")
    state = {k.removeprefix("module."): v for k, v in checkpoint["state_dict"].items()}
    net.load_state_dict(state)


wrapped = nn.DataParallel(nn.Linear(4, 2).cuda())
wrapped(torch.ones(2, 4).cuda())
torch.save({"state_dict": wrapped.state_dict()}, "replaced_without_dot_good.pt")
load(nn.Linear(4, 2), "replaced_without_dot_good.pt")
