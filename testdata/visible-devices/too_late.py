# CUDA has started when the variable is set.
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2).to(device)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # expect: visible-devices
net = torch.nn.Linear(2, 2).to(device)
net(x)
