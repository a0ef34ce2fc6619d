# Each number is taken back by one before it selects a device.
import torch
from torch import nn

PER_DEVICE = 3


def build(devices):
    blocks = nn.ModuleList()
    for number in range(1, devices * PER_DEVICE + 1):
        place = torch.device(f"cuda:{(number - 1) // PER_DEVICE}")
        blocks.append(nn.Linear(4, 4).to(place))
    for number in range(2 * devices):
        blocks.append(nn.Linear(4, 4).to(f"cuda:{number % devices}"))
    return blocks


blocks = build(torch.cuda.device_count())
