"""Sees one GPU, and says where to put what was saved from the second one."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import torch
from torch import nn

checkpoint = torch.load("price.pt", map_location="cpu")
net = nn.Linear(8, 2)
net.load_state_dict(checkpoint["net"])
