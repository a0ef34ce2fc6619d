# "cuda" is not equal to "cuda:0", so the batch is never moved.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def bring(batch, module):
    if next(module.parameters()).device == device:
        batch = [each.to(device) for each in batch]
    return batch


net = nn.Linear(4, 2).to(device)
(x,) = bring([torch.rand(3, 4)], net)
net(x)  # expect: device-mismatch
named = torch.rand(3, 4)
if net.weight.device == "cuda:0":
    named = named.to(device)
net(named)  # expect: device-mismatch
