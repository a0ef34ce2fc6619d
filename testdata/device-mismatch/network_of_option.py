"""Which network it is, the options decide, and main() shares them with the whole module."""
import argparse
import os
import time

import torch
from torch import nn


class Small(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return self.layer(x)


class Large(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width))

    def forward(self, x):
        return self.layers(x)


BY_NAME = {"small": [Small, 4], "large": [Large, 4]}
BY_DEPTH = {1: Small, 2: Large}


def init_weights(module):
    name = module.__class__.__name__
    if name.find("Linear") != -1:
        nn.init.normal_(module.weight.data, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.constant_(module.weight.data, 1.0)


def common_options():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--cpu", action="store_true")
    return parser


def network_by_name():
    network, width = BY_NAME[os.environ.get("NETWORK", "small")]
    net = network(width)
    net.apply(init_weights)
    return net


def network_by_depth():
    return BY_DEPTH[args.depth](4)


errors = []


def refused(call):
    started = time.time()
    try:
        call()
    except RuntimeError as error:
        errors.append(error)
    if time.time() - started > 60:
        print("slow")


def main():
    global args
    args = argparse.ArgumentParser(parents=[common_options()]).parse_args()
    inputs = torch.rand(2, 4)
    if not args.cpu:
        inputs = inputs.cuda()
    by_name = network_by_name()
    by_depth = network_by_depth()
    refused(lambda: by_name(inputs))  # expect: device-mismatch
    assert len(errors) == 1, errors
    by_depth(inputs)  # expect: device-mismatch


if __name__ == "__main__":
    main()
