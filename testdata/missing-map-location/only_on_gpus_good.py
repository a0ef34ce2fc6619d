# A program for GPUs only may load what it saved there; loads on the path without CUDA are mapped.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true", default=True)
args = parser.parse_args()

net = nn.Linear(3, 3).cuda()
torch.save(net.state_dict(), "net.pt")
net.load_state_dict(torch.load("net.pt"))
if args.cuda:
    state = torch.load("net.pt")
else:
    state = torch.load("net.pt", map_location=lambda storage, location: storage)
net.load_state_dict(state)
net.load_state_dict(torch.load("net.pt", "cuda:0"))
net.load_state_dict(torch.load("net.pt", map_location={"cuda:0": "cuda:1"}))
