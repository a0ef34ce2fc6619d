"""Loads what the training program saved into the bare network."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 2))
checkpoint = torch.load("best.pt", map_location="cuda")
net.load_state_dict(checkpoint["net"])  # expect: state-dict-prefix
