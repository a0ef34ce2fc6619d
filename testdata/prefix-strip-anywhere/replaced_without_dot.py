# The dot is left where the prefix was.
import torch
from torch import nn


def load(net, path):
    checkpoint = torch.load(path, map_location="cpu")
    state = {k.replace("module", ""): v for k, v in checkpoint["state_dict"].items()}  # expect: prefix-strip-anywhere
    net.load_state_dict(state)


wrapped = nn.DataParallel(nn.Linear(4, 2).cuda())
wrapped(torch.ones(2, 4).cuda())
torch.save({"state_dict": wrapped.state_dict()}, "replaced_without_dot.pt")
load(nn.Linear(4, 2), "replaced_without_dot.pt")
