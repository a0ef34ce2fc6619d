# The model is one of those in a module. With a checkpoint, the wrapper is not moved.
import argparse

import torch
import torch.nn as nn

import nets

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="small")
parser.add_argument("--checkpoint", default=None)
args = parser.parse_args()
device = torch.device("cuda")
net = nn.DataParallel(nets.__dict__[args.model](4))
if args.checkpoint is None:
    net.to(device)
net(torch.rand(8, 4).to(device))  # expect: data-parallel-placement
