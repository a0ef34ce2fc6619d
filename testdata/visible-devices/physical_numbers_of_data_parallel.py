# Two GPUs are visible, and their physical numbers are given to DataParallel.
import os

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"

import torch
import torch.nn as nn

model = nn.DataParallel(nn.Linear(4, 2), device_ids=[2, 3])  # expect: visible-devices
model.cuda()
model(torch.randn(4, 4))  # expect: data-parallel-placement
