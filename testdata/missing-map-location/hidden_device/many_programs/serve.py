"""Sees one GPU: what was saved from the second one cannot be put back there."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import torch
from torch import nn

checkpoint = torch.load("price.pt")  # expect: missing-map-location
net = nn.Linear(8, 2)
net.load_state_dict(checkpoint["net"])
