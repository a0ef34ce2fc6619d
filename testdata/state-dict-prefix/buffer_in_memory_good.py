# A checkpoint in memory, of the model within the wrapper.
import io

import torch
from torch import nn


def packed(model):
    buffer = io.BytesIO()
    torch.save({"model": model.state_dict(), "epoch": 3}, buffer)
    return buffer.getvalue()


def restore(model, packet):
    checkpoint = torch.load(io.BytesIO(packet), map_location="cuda:0")
    model.load_state_dict(checkpoint["model"])


net = nn.Sequential(nn.Linear(4, 2)).to("cuda:0")
bare = packed(net)
wrapped = packed(nn.DataParallel(net).module)
restore(nn.Sequential(nn.Linear(4, 2)), bare)
restore(nn.Sequential(nn.Linear(4, 2)), wrapped)
