# Blocks are numbered from one, so that the last of them is beyond the last device.
import torch
from torch import nn

PER_DEVICE = 3


def build(devices):
    blocks = nn.ModuleList()
    for number in range(1, devices * PER_DEVICE + 1):
        place = torch.device(f"cuda:{number // PER_DEVICE}")  # expect: invalid-device
        blocks.append(nn.Linear(4, 4).to(place))
    return blocks


blocks = build(torch.cuda.device_count())
