# The function that selects the devices is called for each model, with the same list.
import argparse
import os

import torch
from torch import nn


def select(device):
    cpu = device.lower() == "cpu"
    if cpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    elif device:
        os.environ["CUDA_VISIBLE_DEVICES"] = device
    return torch.device("cuda:0" if not cpu and torch.cuda.is_available() else "cpu")


def evaluate(width, options):
    device = select(options.device)
    net = nn.Linear(width, 1).to(device)
    torch.cuda.synchronize()
    print(net(torch.ones(2, width, device=device)).sum().item())


parser = argparse.ArgumentParser()
parser.add_argument("--device", default="0")
options = parser.parse_args()
for width in (2, 4):
    evaluate(width, options)
