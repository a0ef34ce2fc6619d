# The variable is set before CUDA starts.
import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2).to(device)
net = torch.nn.Linear(2, 2).to(device)
net(x)
