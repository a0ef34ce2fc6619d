# The block has the network on the CPU, and the GPU has it back behind it.
import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def on_cpu(model):
    model.cpu()
    try:
        yield model
    finally:
        model.cuda()


net = nn.Linear(4, 2).cuda()
with on_cpu(net) as moved:
    print(moved(torch.rand(3, 4)))
print(net(torch.rand(3, 4)))  # expect: device-mismatch
