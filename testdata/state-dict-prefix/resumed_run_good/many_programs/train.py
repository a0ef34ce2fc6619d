"""A run saves the inner module, and the next one loads into the inner module."""
import argparse
import os

import torch
from torch import nn


def unwrap(net):
    return net.module if isinstance(net, nn.DataParallel) else net


def resume(net, path="last.pt"):
    if not os.path.isfile(path):
        return 0
    checkpoint = torch.load(path, map_location="cpu")
    unwrap(net).load_state_dict(checkpoint["net"])
    return checkpoint["epoch"] + 1


parser = argparse.ArgumentParser()
parser.add_argument("--resume", action="store_true")
arguments = parser.parse_args()
net = nn.DataParallel(nn.Sequential(nn.Linear(8, 2)).cuda(), device_ids=[0, 1])
start = resume(net) if arguments.resume else 0
for epoch in range(start, 3):
    net(torch.rand(4, 8).cuda()).sum().backward()
    torch.save({"epoch": epoch, "net": unwrap(net).state_dict()}, "last.pt")
