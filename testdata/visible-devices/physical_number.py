# GPU 3 is visible as cuda:0.
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "3"

import torch

model = torch.nn.Linear(4, 2).to("cuda:3")  # expect: visible-devices
