# Whether the model is wrapped is asked of both wrappers at once, or tried.
import os

import torch
from torch import nn


def load(model, path):
    state = torch.load(path, map_location="cpu")
    wrappers = (nn.DataParallel, nn.parallel.DistributedDataParallel)
    inner = model.module if isinstance(model, wrappers) else model
    inner.load_state_dict(state)
    try:
        model.load_state_dict(state)
    except RuntimeError:
        model.load_state_dict({"module." + key: value for key, value in state.items()})


path = os.path.abspath("weights.pt")
torch.save(nn.Linear(4, 2).cuda().state_dict(), path)
for is_wrapped in (False, True):
    net = nn.Linear(4, 2).cuda()
    if is_wrapped:
        net = nn.DataParallel(net)
    load(net, path)
